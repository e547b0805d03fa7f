//! Every form of the strict crate, its modules, and what a spec says of itself.

use folding::Rows;
use warpfold_hygiene::{forms, row_max, stats};

#[test]
fn structs_are_states_and_elements() {
    assert_eq!(
        stats::range::rows(Rows::new(1, 3), &[1.0, -2.0, 4.0]).unwrap(),
        [12.0]
    );
    let spans = [
        stats::P { low: 0.0, high: 1.0 },
        stats::P { low: -3.0, high: 0.5 },
    ];
    assert_eq!(
        stats::hull::array(&spans).unwrap(),
        stats::P { low: -3.0, high: 1.0 }
    );
    let mut out = [stats::P { low: 0.0, high: 0.0 }];
    stats::hull::rows_into(Rows::new(1, 2), &spans, &mut out).unwrap();
    assert_eq!(out[0].low.to_bits(), (-3.0f32).to_bits());
}

#[test]
fn halves_need_no_crate_of_their_own() {
    let x = [0.5, 2.5, 1.5].map(folding::f16::from_f32);
    let brightest = forms::brightest::array(&x).unwrap();
    assert_eq!(brightest.to_bits(), folding::f16::from_f32(2.5).to_bits());
}

#[test]
fn scans_go_in_order() {
    let (a, b) = ([0.5, 2.0, 1.0], [1.0, 1.0, 4.0]);
    assert_eq!(
        forms::recurrence::rows(Rows::new(1, 3), &a, &b).unwrap(),
        [1.0, 3.0, 7.0]
    );
    assert_eq!(forms::recurrence::array(&a, &b).unwrap(), [1.0, 3.0, 7.0]);
    assert_eq!(
        forms::recurrence::segments(&[0u32, 1, 3], &a, &b).unwrap(),
        [1.0, 1.0, 5.0]
    );
}

#[test]
fn filters_keep_every_plain_parameter() {
    let (x, id) = ([0.5, 3.0, -0.25, 0.1], [7, 8, 9, 0]);
    let (kept, ids, counts) = forms::nearer::rows(Rows::new(2, 2), &x, &id, 1.0).unwrap();
    assert_eq!(
        (kept, ids, counts),
        (vec![0.5, 0.0, -0.25, 0.0], vec![7, 0, 9, 0], vec![1, 1])
    );
    let (kept, ids) = forms::nearer::array(&x, &id, 1.0).unwrap();
    assert_eq!((kept, ids), (vec![0.5, -0.25], vec![7, 9]));
    assert_eq!(forms::nearer::indices(&x, &id, 1.0).unwrap(), [0, 2]);
    let (mut at, mut count) = ([9u64; 4], [0u64]);
    forms::nearer::indices_into(&x, &id, 1.0, &mut at, &mut count).unwrap();
    assert_eq!((at[..2].to_vec(), count[0]), (vec![0, 2], 2));
    let (mut kept, mut ids) = ([0.0; 4], [0; 4]);
    forms::nearer::array_into(&x, &id, 1.0, &mut kept, &mut ids, &mut count).unwrap();
    assert_eq!(
        (kept[..2].to_vec(), ids[..2].to_vec(), count[0]),
        (vec![0.5, -0.25], vec![7, 9], 2)
    );
}

#[test]
fn shuffles_move_values() {
    assert_eq!(
        forms::before::rows(Rows::new(1, 6), &[1, 2, 3, 4, 5, 6]).unwrap(),
        [1, 1, 2, 3, 5, 5]
    );
}

#[test]
fn apply_reads_the_parameters_of_its_row() {
    let x = [0.0f32, 0.0, 9.0, 2.0, 2.0, 2.0];
    let mut y = x;
    let (t, k) = ([1.0, 0.5], [2, 3]);
    let want = forms::softmax::rows(Rows::new(2, 3), &x, &t, &k).unwrap();
    assert_eq!(want[..2], [0.5, 0.5]);
    assert_eq!(want[3..], [1.0 / 3.0; 3]);
    forms::softmax::rows_in_place(Rows::new(2, 3), &mut y, &t, &k).unwrap();
    assert_eq!(y.to_vec(), want);
}

#[test]
fn tuples_come_apart() {
    let (values, indices) = forms::top::rows(Rows::new(2, 3), &[1.0, 5.0, 5.0, 2.0, f32::NAN, 9.0]).unwrap();
    assert_eq!((values[0], indices), (5.0, vec![1, 1]));
    assert!(values[1].is_nan());
    let (value, index) = forms::top::array(&[1.0, 3.0]).unwrap();
    assert_eq!((value, index), (3.0, 1));
}

#[test]
fn what_is_stored_of_last_is_the_value() {
    assert_eq!(
        forms::end::rows(Rows::new(2, 3), &[1, 2, 3, 4, 5, 6]).unwrap(),
        [3, 6]
    );
    assert_eq!(forms::end::array(&[] as &[i16]).unwrap(), 0);
    assert_eq!(forms::end::finish((true, 4)), 4);
}

#[test]
fn a_spec_says_what_it_is() {
    assert_eq!(row_max::combine(1.0, 2.0).to_bits(), 2.0f32.to_bits());
    assert_eq!(row_max::identity().to_bits(), f32::NEG_INFINITY.to_bits());
    assert_eq!(row_max::finish(3.0).to_bits(), 3.0f32.to_bits());
    assert!(row_max::cuda().contains("row_max"));
    assert!(row_max::plan().to_string().contains("down 16"));
    let trace = row_max::trace(&[1.0, 7.0, 3.0]);
    assert_eq!(trace.end()[0], Some(7.0));
    assert_eq!(
        row_max::columns(Rows::new(2, 2), &[1.0, 2.0, 0.0, 3.0]).unwrap(),
        [1.0, 3.0]
    );
    assert_eq!(
        row_max::segments(&[0, 1, 1, 4], &[1.0, 2.0, 0.0, 3.0]).unwrap(),
        [1.0, f32::NEG_INFINITY, 3.0]
    );
}
