//! Into how many parts columns are cut.

use super::{H200, REDUCE};
use crate::gpu::schedule;
use crate::rows::Rows;

/// A lane has few elements on their way: a matrix of few columns fills every multiprocessor all the same.
#[test]
fn tall_matrices_fill_the_device() {
    for (rows, cols, least) in [
        (262_144, 1024, 8 * 132),
        (1024, 262_144, 8 * 132),
        (1_000_003, 32, 7 * 132),
    ] {
        let shape = Rows::new(rows, cols).checked(rows * cols).unwrap();
        let launch = schedule::columns(&REDUCE, &shape, &H200);
        assert!(launch.blocks >= least, "{rows} x {cols}: {launch:?}");
    }
    // A single tile cannot be cut.
    let flat = Rows::new(64, 32).checked(2048).unwrap();
    assert_eq!(schedule::columns(&REDUCE, &flat, &H200).blocks, 1);
}
