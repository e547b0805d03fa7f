//! Which kernels take `apply` over rows, by their length and number.

use super::{ANY, APPLY, H200, X, info};
use crate::gpu::kernel::Entry;
use crate::gpu::schedule::{self, Machine};
use crate::rows::Rows;
use crate::spec::{Form, Info, Param, ParamKind, TileFold, TypeInfo};

/// What takes the rows, and how often it reads them.
fn takes(info: &Info, machine: &Machine, rows: usize, cols: usize) -> &'static str {
    let shape = Rows::new(rows, cols).checked(cols).unwrap();
    let (first, launch) = schedule::apply(info, &shape, ANY, machine);
    match launch.kernel.entry {
        Entry::Apply { .. } | Entry::ApplyStaged(_) => "a warp",
        Entry::ApplyBlock { .. } => "a block",
        Entry::ApplyCluster { .. } => "a cluster",
        Entry::ApplyAgain { .. } => "a block, twice",
        Entry::ApplyTotals if first.is_some() => "all blocks, twice",
        other => panic!("{other:?}"),
    }
}

#[test]
fn rows_are_read_once_as_long_as_a_cluster_holds_them() {
    for (cols, by) in [
        (1024, "a warp"),
        (1028, "a block"),
        (32_768, "a block"),
        (32_772, "a cluster"),
        (65_536, "a cluster"),
        (65_537, "a cluster"),
        (106_496, "a cluster"),
        (106_500, "a block, twice"),
    ] {
        assert_eq!(takes(&APPLY, &H200, 10_000, cols), by, "{cols} columns");
    }
    // Fewer rows than clusters leave most of the machine idle.
    assert_eq!(takes(&APPLY, &H200, 16, 65_536), "a cluster");
    assert_eq!(takes(&APPLY, &H200, 15, 65_536), "all blocks, twice");
    let smaller = Machine {
        multiprocessors: 7,
        ..H200
    };
    assert_eq!(takes(&APPLY, &smaller, 10_000, 65_536), "a block, twice");
    let older = Machine { arch: 89, ..H200 };
    assert_eq!(takes(&APPLY, &older, 10_000, 65_536), "a block, twice");
}

/// Two parameters leave shared memory room for half as much of a row.
#[test]
fn a_cluster_holds_the_rows_that_its_blocks_have_room_for() {
    const TWO: &[Param] = &[X[0], X[0]];
    const THREE: &[Param] = &[X[0], X[0], X[0]];
    const LONG: &[Param] = &[Param {
        name: "x",
        kind: ParamKind::Plain,
        ty: TypeInfo::of::<f64>("f64"),
    }];
    for (params, most) in [(X, 106_496), (TWO, 53_248), (THREE, 26_624), (LONG, 53_248)] {
        let info = info(Form::Reduce, params, true);
        assert_eq!(takes(&info, &H200, 10_000, most), "a cluster", "{most} columns");
        assert_eq!(
            takes(&info, &H200, 10_000, most + 4),
            "a block, twice",
            "{most} columns and more"
        );
    }
}

#[test]
fn clusters_have_as_many_warps_as_registers_allow() {
    const HALVES: &[Param] = &[Param {
        name: "x",
        kind: ParamKind::Plain,
        ty: TypeInfo::of::<half::f16>("f16"),
    }];
    let halves = info(Form::Reduce, HALVES, true);
    for (info, cols, expected) in [
        (&APPLY, 32_769, (5, 5, 6)),
        (&APPLY, 40_961, (6, 4, 5)),
        (&APPLY, 65_536, (8, 3, 4)),
        (&APPLY, 65_537, (9, 3, 4)),
        (&APPLY, 73_732, (10, 2, 4)),
        (&APPLY, 106_496, (13, 2, 4)),
        // 64 elements a lane.
        (&halves, 40_000, (3, 5, 6)),
        (&halves, 65_536, (4, 4, 5)),
        (&halves, 98_304, (6, 3, 4)),
    ] {
        let shape = Rows::new(10_000, cols).checked(cols).unwrap();
        let Entry::ApplyCluster {
            warps,
            groups,
            stages,
            ..
        } = schedule::apply(info, &shape, ANY, &H200).1.kernel.entry
        else {
            panic!("{cols} columns are no cluster's")
        };
        assert_eq!((warps, groups, stages), expected, "{cols} columns");
    }
    assert_eq!(takes(&halves, &H200, 10_000, 98_312), "a block, twice");
}

#[test]
fn blocks_of_odd_rows_share_a_multiprocessor() {
    for (cols, expected) in [
        (513, 4),
        (4095, 6),
        (8191, 3),
        (12_999, 2),
        (16_383, 2),
        (16_385, 1),
        (32_767, 0),
    ] {
        let shape = Rows::new(10_000, cols).checked(cols).unwrap();
        let at_once = match schedule::apply(&APPLY, &shape, ANY, &H200).1.kernel.entry {
            Entry::Apply { at_once, .. } | Entry::ApplyBlock { at_once } => at_once,
            other => panic!("{other:?}"),
        };
        assert_eq!(at_once, expected, "{cols} columns");
    }
}

/// Rows that a group has in flight, and threads of a block.
fn in_flight(info: &Info, cols: usize) -> (u32, u32) {
    let shape = Rows::new(1 << 20, cols).checked(cols << 20).unwrap();
    let launch = if info.has_apply {
        schedule::apply(info, &shape, ANY, &H200).1
    } else {
        schedule::reduce(info, &shape, ANY, &H200)
    };
    match launch.kernel.entry {
        Entry::Apply { sets, .. } | Entry::Reduce { sets, .. } => (sets, launch.kernel.threads),
        other => panic!("{other:?}"),
    }
}

#[test]
fn lanes_that_talk_have_few_rows_in_flight() {
    let of = |state: TypeInfo, mapped: TypeInfo, has_apply| Info {
        fold: TileFold::Tile,
        state,
        mapped,
        ..info(Form::Reduce, X, has_apply)
    };
    let float = TypeInfo::of::<f32>("f32");
    let softmax = TypeInfo::of::<(f32, f32)>("(f32, f32)");
    let welford = TypeInfo::of::<(f32, f32, f32)>("(f32, f32, f32)");
    let votes = (TypeInfo::of::<u64>("u64"), TypeInfo::of::<bool>("bool"));
    assert_eq!(in_flight(&of(softmax, float, false), 20), (4, 256));
    assert_eq!(in_flight(&of(welford, float, false), 20), (8, 256));
    assert_eq!(in_flight(&of(votes.0, votes.1, false), 20), (8, 256));
    assert_eq!(in_flight(&of(softmax, float, true), 20), (4, 256));
    // Several turns of few lanes: one row, unless each is short.
    assert_eq!(in_flight(&of(softmax, float, true), 100), (1, 256));
}

#[test]
fn rows_of_halves_that_take_a_warp_go_by_small_blocks() {
    const HALVES: &[Param] = &[Param {
        name: "x",
        kind: ParamKind::Plain,
        ty: TypeInfo::of::<half::f16>("f16"),
    }];
    let halves = info(Form::Reduce, HALVES, true);
    assert_eq!(in_flight(&halves, 1024).1, 64);
    assert_eq!(in_flight(&halves, 32).1, 256);
    assert_eq!(in_flight(&APPLY, 1024).1, 256);
}
