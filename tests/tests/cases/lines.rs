//! Where init, order, signed zeros and what a filter keeps go wrong, in every form that they can take.

use warpfold_tests::answer::Equal;
use warpfold_tests::check::{Check, sizes};
use warpfold_tests::data::random;
use warpfold_tests::lines::{SHAPES, after_each};
use warpfold_tests::specs::{cases, custom, scans as specs, table};
use warpfold_tests::{filters, reduces, scans};

/// What each line comes to is one more than its elements, and 1 for the segments that have none.
#[test]
fn case_07_init_in_every_form() {
    let mut check = Check::new();
    for &of in sizes(&SHAPES) {
        let (ones, whole) = (vec![1.0_f32; of.0 * of.2], vec![1_i32; of.0 * of.2]);
        let more = |line: &[f32]| line.len() as f32 + 1.0;
        reduces!(check, of, Equal::Bits, &ones, cases::ones_from_one, more);
        let more = |line: &[i32]| line.len() as i32 + 1;
        reduces!(check, of, Equal::Bits, &whole, custom::sum_from_one, more);
        // One scan stores a value after each element, and has init before the first.
        let so_far = |line: &[i32]| after_each(line, 7, |s, x| s + x);
        scans!(check, of, Equal::Bits, &whole, cases::sums_from_seven, so_far);
    }
    check.finish();
}

#[test]
fn case_11_negative_zeros_in_every_form() {
    let mut check = Check::new();
    for &of in sizes(&SHAPES) {
        let x = vec![-0.0_f32; of.0 * of.2];
        reduces!(check, of, Equal::Bits, &x, table::of_f32::sum, |_: &[f32]| {
            -0.0_f32
        });
        scans!(check, of, Equal::Bits, &x, specs::sums, <[f32]>::to_vec);
        scans!(check, of, Equal::Bits, &x, specs::sums_back, <[f32]>::to_vec);
        scans!(check, of, Equal::Bits, &x, cases::sums_before, <[f32]>::to_vec);
    }
    check.finish();
}

/// The last writer and a product of matrices, whose operands cannot change places; the last writer from the other end too.
#[test]
fn case_12_order_in_every_form() {
    let mut check = Check::new();
    for &of in sizes(&SHAPES) {
        let words: Vec<u32> = random(1, of.0 * of.2);
        // Odd numbers are rare, so that runs of empty states are long.
        let rare: Vec<u32> = words
            .iter()
            .map(|x| if x % 50 < 49 { x & !1 } else { *x })
            .collect();
        let last = |s: u32, x: u32| if x & 1 == 1 { x } else { s };
        scans!(
            check,
            of,
            Equal::Bits,
            &rare,
            specs::last_odd,
            |line: &[u32]| after_each(line, 0, last)
        );
        // Exclusive, from the end: what stands behind each.
        scans!(
            check,
            of,
            Equal::Bits,
            &rare,
            specs::next_odd,
            |line: &[u32]| {
                let mut behind = 0;
                let mut all: Vec<u32> = line
                    .iter()
                    .rev()
                    .map(|&x| {
                        let own = behind;
                        behind = last(behind, x);
                        own
                    })
                    .collect();
                all.reverse();
                all
            }
        );
    }
    check.finish();
}

#[test]
fn case_20_none_all_every_second_and_only_the_last() {
    let mut check = Check::new();
    let patterns: [fn(usize, usize) -> bool; 4] = [
        |_, _| false,
        |_, _| true,
        |i, _| i % 2 == 1,
        |i, cols| i % cols.max(1) + 1 == cols,
    ];
    for cols in [1, 31, 32, 33, 100] {
        for (rows, keeps) in [1, 3]
            .into_iter()
            .flat_map(|rows| patterns.map(|keeps| (rows, keeps)))
        {
            let x: Vec<f32> = (0..rows * cols)
                .map(|i| if keeps(i, cols) { i as f32 + 1.0 } else { -1.0 })
                .collect();
            filters!(
                check,
                (rows, cols, cols),
                &x,
                warpfold_tests::specs::filters::positive,
                |x: &f32| *x > 0.0
            );
        }
    }
    check.finish();
}
