//! Into how many parts columns are cut.

use super::{H200, REDUCE, SCAN, SCAN_BACK};
use crate::gpu::kernel::Entry;
use crate::gpu::schedule::{self, Scratch};
use crate::order::Order;
use crate::rows::Rows;
use crate::spec::{Info, TypeInfo};

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

/// Scans of columns of several tiles have a block a tile of some columns, with a record of each tile and span that a column
/// has in them.
#[test]
fn tall_scans_have_a_block_for_some_columns_of_each_tile() {
    for (info, handed) in [(SCAN, 1), (SCAN_BACK, 2)] {
        for (rows, cols) in [(262_144, 1024), (262_143, 1024), (2049, 5), (40_000, 33)] {
            let shape = Rows::new(rows, cols).checked(rows * cols).unwrap();
            let order = Order::of_line(&info, rows as u64);
            let launch = schedule::columns_scan(&info, &shape);
            let Entry::ColumnsScanTiles { columns, at_once, .. } = launch.kernel.entry else {
                panic!("{rows} x {cols}: {launch:?}")
            };
            let across = (cols as u64).div_ceil(u64::from(columns));
            assert_eq!(launch.blocks, across * order.tiles, "{rows} x {cols}: {launch:?}");
            assert_eq!(
                columns * at_once,
                if order.v == 1 { 24 } else { 32 },
                "{rows} x {cols}: {launch:?}"
            );
            let words = across * u64::from(columns) * (order.tiles + order.spans()) * handed;
            assert_eq!(launch.scratch, Some(Scratch::Relay { words, tickets: 0 }));
        }
    }
}

/// What fills a tile of its own, or is more than registers hold, goes down by itself.
#[test]
fn short_columns_and_wide_states_go_down_in_one_block() {
    let wide = Info {
        state: TypeInfo {
            size: 16,
            ..SCAN.state
        },
        ..SCAN
    };
    for (info, rows) in [(SCAN, 1024), (SCAN, 7), (wide, 100_000)] {
        let shape = Rows::new(rows, 64).checked(rows * 64).unwrap();
        let launch = schedule::columns_scan(&info, &shape);
        assert!(
            matches!(launch.kernel.entry, Entry::ColumnsScan { .. }),
            "{rows}: {launch:?}"
        );
        assert_eq!(launch.scratch, None);
    }
}
