//! The specs of the strict crate run, on the CPU.

use folding::Rows;
use warpfold_hygiene::{hidden, ink, ink_of_two, lowest, names, row_max};

#[test]
fn the_function_and_the_type_stand_side_by_side() {
    assert_eq!(row_max(2.0).to_bits(), 2.0f32.to_bits());
    let row_max = row_max::rows(Rows::new(2, 2), &[1.0, 2.0, -4.0, -3.0]).unwrap();
    assert_eq!(row_max, [2.0, -3.0]);
}

#[test]
fn integers_wrap_in_debug_builds() {
    let got = ink::rows(Rows::new(1, 2), &[i32::MAX, 1], &[2, i32::MAX]).unwrap();
    assert_eq!(
        got,
        [i32::MAX.wrapping_mul(2).wrapping_add(1).wrapping_add(i32::MIN)]
    );
}

#[test]
fn private_specs_run() {
    assert_eq!(lowest(&[3.0, -1.0, 2.0]).unwrap(), [-1.0]);
}

#[test]
fn a_struct_of_a_spec_may_be_private() {
    assert_eq!(
        hidden::range::rows(Rows::new(1, 3), &[3.0, -1.0, 2.0]).unwrap(),
        [4.0]
    );
    assert_eq!(ink_of_two(1.0, 2.0).unwrap().to_bits(), 3.0_f32.to_bits());
}

#[test]
fn any_name_may_be_a_parameter() {
    let shape = Rows::new(1, 2);
    assert_eq!(
        names::own::rows(shape, &[1.0, 2.0], &[3.0, 4.0], &[5.0, 6.0], 0.5, 1.0).unwrap(),
        [18.5]
    );
    let x = [1.0, 2.0];
    assert_eq!(
        names::foreign::rows(shape, &x, &x, &x, &x, &x, &x).unwrap(),
        [18.0]
    );
    let mut out = [0.0];
    names::own::rows_into(shape, &[1.0, 2.0], &[3.0, 4.0], &[5.0, 6.0], 0.5, 1.0, &mut out).unwrap();
    assert_eq!(out, [18.5]);
}
