//! Fast paths give the bits of the slow evaluator, and those of another order differ.

use super::naive::{left, order_of, scanned, total};
use super::specs::*;
use crate::Rows;
use crate::argument::Argument;
use crate::call::{array_reduce, rows_reduce, rows_scan};
use crate::order::Order;
use crate::place::Host;
use crate::spec::{Fold, FoldRows, Form, Info, ScanRows, Spec};

/// Lengths that meet every shape of a tile: short ones one by one, then around each threshold.
fn lengths() -> impl Iterator<Item = usize> {
    let around = [
        127, 128, 129, 255, 257, 511, 1000, 1023, 1024, 1025, 2049, 4096, 5000, 32_768, 32_769, 40_000,
        140_000,
    ];
    (1..=70).chain(around)
}

/// Floats of 24 significant bits, whose sums depend on the order.
pub fn floats(n: usize) -> Vec<f32> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / 16_777_216.0 - 0.5
    };
    (0..n).map(|_| next()).collect()
}

fn reduced<S: FoldRows<Result = S2>, S2: crate::Element>(x: &[impl crate::Element]) -> S2 {
    rows_reduce::<S, Host>(Rows::new(1, x.len()), &[Argument::host(x)]).unwrap()[0]
}

#[test]
fn a_fold_in_any_order_has_the_bits_of_the_order() {
    for n in lengths() {
        let x = floats(n);
        let expected = total::<Sum>(&order_of(&Sum::INFO, n), &x);
        assert_eq!(
            reduced::<Sum, f32>(&x).to_bits(),
            expected.to_bits(),
            "{n} elements"
        );
        let narrow = total::<SumNarrow>(&order_of(&SumNarrow::INFO, n), &x);
        assert_eq!(
            reduced::<SumNarrow, f32>(&x).to_bits(),
            narrow.to_bits(),
            "{n} elements at width 2"
        );
        let init = total::<SumInit>(&order_of(&SumInit::INFO, n), &x);
        assert_eq!(
            reduced::<SumInit, f32>(&x).to_bits(),
            init.to_bits(),
            "{n} elements with init"
        );
    }
}

#[test]
fn a_fold_in_order_has_the_bits_of_the_order() {
    for n in lengths() {
        let x = floats(n);
        let expected = total::<SumInOrder>(&order_of(&SumInOrder::INFO, n), &x);
        assert_eq!(
            reduced::<SumInOrder, f32>(&x).to_bits(),
            expected.to_bits(),
            "{n} elements"
        );
    }
}

#[test]
fn another_order_would_change_the_bits() {
    let x = floats(5000);
    let bits = reduced::<Sum, f32>(&x).to_bits();
    assert_ne!(bits, left::<Sum>(x.iter().copied()).to_bits());
    assert_ne!(bits, reduced::<SumInOrder, f32>(&x).to_bits());
    assert_ne!(bits, reduced::<SumNarrow, f32>(&x).to_bits());
}

#[test]
fn a_row_has_the_same_bits_wherever_it_stands() {
    let (cols, stride) = (777, 801);
    let x = floats(40 * stride);
    let all = rows_reduce::<Sum, Host>(Rows::new(40, cols).stride(stride), &[Argument::host(&x)]).unwrap();
    for (row, &value) in all.iter().enumerate() {
        assert_eq!(
            value.to_bits(),
            reduced::<Sum, f32>(&x[row * stride..][..cols]).to_bits(),
            "row {row}"
        );
    }
}

#[test]
fn an_operator_that_does_not_commute_sees_the_elements_in_order() {
    for n in lengths() {
        let x: Vec<u32> = (0..n as u32)
            .map(|i| i.wrapping_mul(747_796_405) & 0x3fff_ffff)
            .collect();
        let expected = x.iter().fold(Affines::identity(), |acc, &i| {
            Affines::combine(acc, (2 * i + 1, i.wrapping_mul(2_654_435_761)))
        });
        let (a, b) = rows_reduce::<Affines, Host>(Rows::new(1, n), &[Argument::host(&x)]).unwrap();
        assert_eq!((a[0], b[0]), expected, "{n} elements");
    }
}

fn scan<S: ScanRows<Result = f32, State = f32>>(x: &[f32]) -> Vec<u32> {
    let out = rows_scan::<S, Host>(Rows::new(1, x.len()), &[Argument::host(x)]).unwrap();
    out.iter().map(|value| value.to_bits()).collect()
}

/// What a scan of f32 must give, from the slow evaluator.
fn expected<S: ScanRows<Result = f32, State = f32>>(x: &[f32]) -> Vec<u32> {
    let Form::Scan { exclusive, reverse } = S::INFO.form else {
        unreachable!()
    };
    let mut positions = x.to_vec();
    if reverse {
        positions.reverse();
    }
    let mut values = scanned::<S>(&order_of(&S::INFO, x.len()), &positions);
    if exclusive {
        values.insert(0, S::init().unwrap_or_else(S::identity));
        values.pop();
    }
    if reverse {
        values.reverse();
    }
    values.iter().map(|value| value.to_bits()).collect()
}

#[test]
fn scans_have_the_bits_of_the_order() {
    for n in lengths() {
        let x = floats(n);
        assert_eq!(scan::<ScanSum>(&x), expected::<ScanSum>(&x), "{n} elements");
        assert_eq!(
            scan::<ScanInit>(&x),
            expected::<ScanInit>(&x),
            "{n} elements, exclusive with init"
        );
        assert_eq!(
            scan::<ScanBack>(&x),
            expected::<ScanBack>(&x),
            "{n} elements, exclusive and reversed"
        );
    }
}

#[test]
fn scans_of_an_operator_that_does_not_commute_are_those_of_a_loop() {
    for n in [1, 2, 31, 33, 130, 1025, 5000, 40_000] {
        let x: Vec<u32> = (0..n as u32)
            .map(|i| i.wrapping_mul(747_796_405) & 0x3fff_ffff)
            .collect();
        let looped = |elements: &mut dyn Iterator<Item = u32>| {
            let mut acc = AffineScan::identity();
            elements
                .map(|i| {
                    acc = AffineScan::combine(acc, (2 * i + 1, i.wrapping_mul(2_654_435_761)));
                    acc
                })
                .collect::<Vec<_>>()
        };
        let (a, b) = rows_scan::<AffineScan, Host>(Rows::new(1, n), &[Argument::host(&x)]).unwrap();
        assert_eq!(
            a.into_iter().zip(b).collect::<Vec<_>>(),
            looped(&mut x.iter().copied()),
            "{n} elements"
        );
        let (a, b) = rows_scan::<AffineBack, Host>(Rows::new(1, n), &[Argument::host(&x)]).unwrap();
        let mut back = looped(&mut x.iter().rev().copied());
        back.reverse();
        assert_eq!(
            a.into_iter().zip(b).collect::<Vec<_>>(),
            back,
            "{n} elements reversed"
        );
    }
}

#[test]
fn every_element_has_one_position() {
    let infos = [
        RowMax::INFO,
        SumNarrow::INFO,
        Bytes::INFO,
        info(
            "pair",
            Form::Reduce,
            crate::spec::TypeInfo::of::<u64>("u64"),
            crate::spec::TileFold::Striped,
            true,
        ),
    ];
    for base in infos {
        for n in (0..3000_u64).chain([1 << 20, (1 << 31) + 5, u64::from(u32::MAX) + 7]) {
            let order = Order::of_line(&base, n);
            let tile = order.tile() as u64;
            assert!(
                order.tiles >= 1 && order.turns >= 1 && order.lanes.is_power_of_two() && order.lanes <= 32
            );
            assert!(order.tiles * tile >= n, "{n}: {order:?} covers too little");
            assert!(
                (order.tiles - 1) * tile < n.max(1),
                "{n}: {order:?} has an empty tile"
            );
            assert!(order.turns <= 32 && order.turn() <= 512 && order.turns * order.v <= 128);
            assert!(order.v > 1 || order.turns <= 8 || order.turns.is_multiple_of(2));
        }
    }
}

#[test]
fn orders_are_those_of_the_table() {
    let facts = |order: Order| (order.v, order.lanes, order.turns, order.tiles);
    let array = |n: u64| facts(Order::of_array(&RowMax::INFO, n));
    let line = |n: u64| facts(Order::of_line(&RowMax::INFO, n));
    for (n, expected) in [
        (0, (4, 1, 1, 1)),
        (1, (4, 1, 1, 1)),
        (20, (4, 8, 1, 1)),
        (33, (4, 16, 1, 1)),
        (128, (4, 32, 1, 1)),
        (1024, (4, 32, 8, 1)),
        (1028, (4, 32, 5, 2)),
    ] {
        assert_eq!((line(n), array(n)), (expected, expected), "{n} elements");
    }
    assert_eq!(array(129), (4, 32, 2, 1));
    assert_eq!(array(1025), (4, 32, 5, 2));
    assert_eq!(array(1_000_003), (4, 32, 8, 977));
}

#[test]
fn folds_whose_lanes_tell_each_other_much_take_few() {
    use crate::spec::{Form, TileFold};
    let facts = |info: &Info, n: u64| {
        let order = Order::of_line(info, n);
        (order.v, order.lanes, order.turns, order.tiles)
    };
    for fold in [TileFold::Tile, TileFold::Blocked] {
        let info = Info { fold, ..RowMax::INFO };
        for (n, expected) in [
            (20, (4, 8, 1, 1)),
            (32, (4, 8, 1, 1)),
            (33, (4, 8, 2, 1)),
            (100, (4, 8, 4, 1)),
            (256, (4, 8, 8, 1)),
            (260, (4, 16, 5, 1)),
            (512, (4, 16, 8, 1)),
            (516, (4, 32, 5, 1)),
            // Odd ones.
            (65, (1, 16, 5, 1)),
            (127, (1, 16, 8, 1)),
            (129, (1, 32, 5, 1)),
        ] {
            assert_eq!(facts(&info, n), expected, "{n} elements of {fold:?}");
        }
        // A lane holds no more than 32 elements, however narrow, and a spec's own width stands.
        let narrow = Info { fold, ..Bytes::INFO };
        assert_eq!(facts(&narrow, 512), (16, 16, 2, 1));
        let fixed = Info {
            width: Some(32),
            ..info
        };
        assert_eq!(facts(&fixed, 100), (4, 32, 1, 1));
        // A scan steps over the lanes once a turn, whatever they fold.
        let scan = Info {
            form: Form::Scan {
                exclusive: false,
                reverse: false,
            },
            ..info
        };
        assert_eq!(facts(&scan, 100), (4, 32, 1, 1));
    }
}

#[test]
fn odd_lines_have_neighbours_in_neighbouring_lanes() {
    let facts = |info: &Info, n: u64| {
        let order = Order::of_line(info, n);
        (order.v, order.lanes, order.turns, order.tiles)
    };
    assert_eq!(facts(&RowMax::INFO, 63), (4, 16, 1, 1));
    assert_eq!(facts(&RowMax::INFO, 65), (1, 32, 3, 1));
    assert_eq!(facts(&RowMax::INFO, 257), (1, 32, 10, 1));
    assert_eq!(facts(&RowMax::INFO, 513), (1, 32, 20, 1));
    assert_eq!(facts(&RowMax::INFO, 2049), (1, 32, 24, 3));
    assert_eq!(facts(&RowMax::INFO, 1_000_003), (1, 32, 32, 977));
    assert_eq!(facts(&SumNarrow::INFO, 65), (1, 2, 20, 2));
    assert_eq!(facts(&Bytes::INFO, 72), (1, 32, 3, 1));
    // What is combined in order to more than a word has packs wherever it starts, but where results go out as elements came in.
    let closure = Info {
        fold: crate::spec::TileFold::Blocked,
        state: crate::spec::TypeInfo::of::<u64>("u64"),
        ..RowMax::INFO
    };
    assert_eq!(facts(&closure, 513), (4, 32, 5, 1));
    assert_eq!(facts(&closure, 2049), (4, 32, 6, 3));
    assert_eq!(facts(&closure, 1_000_003), (4, 32, 8, 977));
    let applied = Info {
        has_apply: true,
        ..closure
    };
    assert_eq!(facts(&applied, 513), (1, 32, 20, 1));
    let word = Info {
        state: RowMax::INFO.state,
        ..closure
    };
    assert_eq!(facts(&word, 513), (1, 32, 20, 1));
    // A scan in order leaves a state at every turn: fewer turns where it is wide.
    let wide = Info {
        state: crate::spec::TypeInfo::of::<u64>("u64"),
        ..AffineScan::INFO
    };
    assert_eq!(facts(&wide, 513), (1, 32, 10, 2));
    assert_eq!(facts(&AffineScan::INFO, 513), (1, 32, 20, 1));
    // As many rows as there are: the order is that of one, and that of a segment.
    let shape = Rows::new(7, 513).stride(516).checked(1).unwrap();
    assert_eq!(
        Order::of_shape(&RowMax::INFO, &shape),
        Order::of_line(&RowMax::INFO, 513)
    );
    let array = Rows::array(513).checked(1).unwrap();
    assert_eq!(
        Order::of_shape(&RowMax::INFO, &array),
        Order::of_array(&RowMax::INFO, 513)
    );
}

#[test]
fn an_array_has_the_bits_of_its_own_order() {
    for n in lengths() {
        let x = floats(n);
        let expected = total::<Sum>(&Order::of_array(&Sum::INFO, n as u64), &x);
        let got = array_reduce::<Sum, Host>(&[Argument::host(&x)]).unwrap();
        assert_eq!(got.to_bits(), expected.to_bits(), "{n} elements");
    }
    let x = floats(2049);
    let array = array_reduce::<Sum, Host>(&[Argument::host(&x)]).unwrap();
    assert_ne!(array.to_bits(), reduced::<Sum, f32>(&x).to_bits());
}
