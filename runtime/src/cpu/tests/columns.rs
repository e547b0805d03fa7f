//! Columns: as rows of the transposed matrix.

use super::order::floats;
use super::specs::*;
use crate::Rows;
use crate::argument::{Argument, Target};
use crate::call::{columns_scan, columns_scan_into, rows_scan};
use crate::place::Host;

#[test]
fn a_scanned_column_has_the_bits_of_a_row() {
    for (rows, cols, stride) in [
        (1, 1, 1),
        (5, 3, 4),
        (300, 70, 70),
        (5000, 2, 3),
        (0, 4, 4),
        (4, 0, 1),
    ] {
        let x = floats((rows * stride).max(1));
        let shape = Rows::new(rows, cols).stride(stride);
        let scanned = columns_scan::<ScanSum, Host>(shape, &[Argument::host(&x)]).unwrap();
        assert_eq!(scanned.len(), rows * cols);
        for c in 0..cols {
            let column: Vec<f32> = (0..rows).map(|r| x[r * stride + c]).collect();
            let want = rows_scan::<ScanSum, Host>(Rows::new(1, rows), &[Argument::host(&column)]).unwrap();
            let got: Vec<f32> = (0..rows).map(|r| scanned[r * cols + c]).collect();
            assert_eq!(got, want, "column {c} of {shape:?}");
        }
    }
}

#[test]
fn gaps_between_rows_are_left_alone() {
    let x = floats(6);
    let mut out = vec![7.0_f32; 7];
    let shape = Rows::new(2, 3).out_stride(4);
    columns_scan_into::<ScanSum>(shape, &[Argument::host(&x)], &mut [Target::host(&mut out)]).unwrap();
    assert_eq!(
        out,
        [x[0], x[1], x[2], 7.0, x[0] + x[3], x[1] + x[4], x[2] + x[5]]
    );
}
