//! Votes: any, all, count, ballot.

use warpfold::{Error, Rows};
use warpfold_tests::answer::Fetch;
use warpfold_tests::check::Check;
use warpfold_tests::data::{random, row};
use warpfold_tests::specs::table as specs;

#[test]
fn any_all_and_count_over_rows_of_any_length() {
    let mut check = Check::new();
    for (rows, cols) in [(50, 1), (40, 7), (33, 32), (20, 33), (9, 1000), (2, 9001)] {
        // All but a few elements say no to `any` and yes to `all`; the last row has one exception at its end.
        let mut x: Vec<f32> = random::<f32>(cols as u64, rows * cols)
            .iter()
            .map(|x| x.clamp(-7.0, 1.0))
            .collect();
        x[rows * cols - 1] = 2.0;
        x[0] = -7.75;
        let shape = Rows::new(rows, cols);
        let by_row = |f: &dyn Fn(&[f32]) -> bool| {
            (0..rows)
                .map(|r| f(row(&x, r, cols, cols)))
                .collect::<Vec<bool>>()
        };
        let label = |op: &str| format!("{op} over {shape:?}");
        let want = by_row(&|r| r.iter().any(|&x| x > 1.5));
        check.gives(label("any"), &want, |d| {
            specs::any::rows(shape, &d.buffer(&x)?)?.fetch()
        });
        let want = by_row(&|r| r.iter().all(|&x| x > -7.5));
        check.gives(label("all"), &want, |d| {
            specs::all::rows(shape, &d.buffer(&x)?)?.fetch()
        });
        let want: Vec<u64> = (0..rows)
            .map(|r| row(&x, r, cols, cols).iter().filter(|&&x| x > 0.0).count() as u64)
            .collect();
        check.gives(label("count"), &want, |d| {
            specs::count::rows(shape, &d.buffer(&x)?)?.fetch()
        });
        let bytes: Vec<u8> = random(9, rows * cols);
        let want: Vec<u64> = (0..rows)
            .map(|r| row(&bytes, r, cols, cols).iter().filter(|&&x| x & 1 == 1).count() as u64)
            .collect();
        check.gives(label("count by eight"), &want, |d| {
            specs::count_by_eight::rows(shape, &d.buffer(&bytes)?)?.fetch()
        });
        let bools: Vec<bool> = (0..rows * cols).map(|i| i == rows * cols - 1).collect();
        let want = (0..rows).map(|r| r == rows - 1).collect();
        check.gives(label("any of bool"), &want, |d| {
            specs::any_bool::rows(shape, &d.buffer(&bools)?)?.fetch()
        });
    }
    check.finish();
}

#[test]
fn ballot_has_a_bit_a_column() {
    let mut check = Check::new();
    for cols in [0, 1, 3, 4, 5, 8, 31, 32] {
        let rows = 21;
        let x: Vec<f32> = random(cols as u64, rows * cols);
        let bytes: Vec<u8> = random(cols as u64, rows * cols);
        let shape = Rows::new(rows, cols);
        let mask = |r: usize, f: &dyn Fn(usize) -> bool| {
            (0..cols).map(|c| u32::from(f(r * cols + c)) << c).sum::<u32>()
        };
        let want: Vec<u32> = (0..rows).map(|r| mask(r, &|i| x[i] > 0.0)).collect();
        check.gives(format!("ballot of {cols}"), &want, |d| {
            specs::ballot::rows(shape, &d.buffer(&x)?)?.fetch()
        });
        let want: Vec<u32> = (0..rows).map(|r| mask(r, &|i| bytes[i] & 1 == 1)).collect();
        check.gives(format!("ballot by four of {cols}"), &want, |d| {
            specs::ballot_by_four::rows(shape, &d.buffer(&bytes)?)?.fetch()
        });
    }
    check.refused(
        "ballot of 33",
        |e| {
            matches!(
                e,
                Error::TooManyColumns {
                    limit: 32,
                    cols: 33,
                    ..
                }
            )
        },
        |d| specs::ballot::rows(Rows::new(1, 33), &d.buffer(&[1.0; 33])?),
    );
    check.finish();
}
