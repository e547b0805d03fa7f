//! When small arrays are scanned by blocks that all run at once, and how arrays are reduced.

use super::{ANY, BYTES, H200, REDUCE, SCAN, SCAN_BACK, WHOLE, X, info};
use crate::gpu::kernel::Entry;
use crate::gpu::schedule;
use crate::rows::Rows;
use crate::spec::{Form, Info, Param, ParamKind, TypeInfo};

/// What scans an array of `n` elements, and in how many blocks.
fn scan(info: &Info, n: usize) -> (&'static str, u64) {
    let shape = Rows::new(1, n).checked(n).unwrap();
    let launch = schedule::scan(info, &shape, ANY, &H200);
    let entry = match launch.kernel.entry {
        Entry::Scan { .. } | Entry::ScanStaged { .. } => "a warp",
        Entry::ScanTiles { .. } => "a block",
        Entry::ArrayScanResident { .. } => "resident blocks",
        Entry::ArrayScan { .. } => "blocks",
        other => panic!("{other:?}"),
    };
    (entry, launch.blocks)
}

/// A tile of narrow elements holds more of them: what decides is how many elements a block would have, not how many tiles.
#[test]
fn the_choice_follows_the_elements() {
    const WORDS: &[Param] = &[Param {
        name: "x",
        kind: ParamKind::Plain,
        ty: TypeInfo::of::<i16>("i16"),
    }];
    const LONGS: &[Param] = &[Param {
        name: "x",
        kind: ParamKind::Plain,
        ty: TypeInfo::of::<f64>("f64"),
    }];
    for form in [SCAN.form, SCAN_BACK.form] {
        assert!(matches!(form, Form::Scan { .. }));
        for (params, warp) in [(BYTES, 4096), (WORDS, 2048), (X, 1024), (LONGS, 512)] {
            let info = info(form, params, false);
            let size = params[0].ty.size;
            assert_eq!(scan(&info, warp).0, "a warp", "{size} bytes");
            assert_eq!(scan(&info, 8 << 10).0, "a block", "{size} bytes");
            for n in [(8 << 10) + 1, 20_000, 1 << 16, 1 << 18] {
                let (entry, blocks) = scan(&info, n);
                assert_eq!(entry, "resident blocks", "{n} of {size} bytes");
                assert!(
                    (2..=132).contains(&blocks),
                    "{n} of {size} bytes: {blocks} blocks"
                );
            }
            assert_eq!(scan(&info, 1 << 24).0, "blocks", "{size} bytes");
        }
    }
}

const DOUBLES: &[Param] = &[Param {
    name: "x",
    kind: ParamKind::Plain,
    ty: TypeInfo::of::<f64>("f64"),
}];

/// States of two words are as many as twice the elements of one word leave: they take the same way.
#[test]
fn wide_elements_take_the_way_of_narrow_ones() {
    let doubles = Info {
        params: DOUBLES,
        state: TypeInfo::of::<f64>("f64"),
        ..REDUCE
    };
    let reduced = |info: &Info, rows: usize, n: usize| {
        let shape = Rows::new(rows, n).checked(rows * n).unwrap();
        schedule::reduce(info, &shape, WHOLE, &H200).kernel.entry
    };
    for (info, n, warps) in [
        (REDUCE, 1 << 16, 4),
        (REDUCE, 1 << 20, 8),
        (REDUCE, 1 << 21, 16),
        (doubles, 1 << 20, 16),
    ] {
        assert_eq!(reduced(&info, 1, n), Entry::ReducePoll { warps }, "{n}");
    }
    for (info, n, more) in [
        (REDUCE, 1 << 22, true),
        (REDUCE, 1 << 24, false),
        (doubles, 1 << 21, true),
    ] {
        let entry = reduced(&info, 1, n);
        let found = matches!(entry, Entry::ArrayReduce { warps, .. } if (warps == 16) == more);
        assert!(found, "{n}: {entry:?}");
    }
    // What lanes have on its way at once is worth more than another block.
    for (info, blocks) in [(&REDUCE, 4), (&doubles, 3)] {
        let entry = reduced(info, 4096, 1 << 16);
        let found = matches!(entry, Entry::ReduceParts { at_once, .. } if at_once == blocks);
        assert!(found, "{blocks} blocks: {entry:?}");
    }
    // A block that folds a state a tile of a long row would be what others wait for.
    let entry = reduced(&REDUCE, 2, 1 << 22);
    assert!(matches!(entry, Entry::ReduceParts { part: 32, .. }), "{entry:?}");

    let scanned = |info: &Info, n: usize| {
        let shape = Rows::new(1, n).checked(n).unwrap();
        schedule::scan(info, &shape, WHOLE, &H200).kernel.entry
    };
    let doubles = Info {
        params: DOUBLES,
        state: TypeInfo::of::<f64>("f64"),
        ..SCAN
    };
    for (info, n) in [(SCAN, 1 << 21), (doubles, 1 << 20)] {
        let entry = scanned(&info, n);
        assert!(
            matches!(entry, Entry::ArrayScanResident { warps: 16, .. }),
            "{n}: {entry:?}"
        );
        let entry = scanned(&info, 2 * n);
        assert!(
            matches!(entry, Entry::ArrayScanBulk { .. }),
            "{}: {entry:?}",
            2 * n
        );
    }
}
