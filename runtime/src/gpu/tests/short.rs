//! Which segments go by way of shared memory, and which lanes take each.

use super::{APPLY, BYTES, H200, REDUCE, SCAN, SCAN_BACK, SPEC, info, nvrtc};
use crate::gpu::kernel::{Entry, Lengths};
use crate::gpu::nvrtc::Image;
use crate::gpu::resources;
use crate::gpu::schedule::{self, Launch, Machine};
use crate::spec::{Form, Info, Param, ParamKind, TileFold, TypeInfo};

const LONGS: &[Param] = &[Param {
    name: "x",
    kind: ParamKind::Plain,
    ty: TypeInfo::of::<f64>("f64"),
}];

/// Which segments a launch takes, if it is one over segments.
pub(super) const fn which(launch: &Launch) -> Option<Lengths> {
    match launch.kernel.entry {
        Entry::Segments { which, .. }
        | Entry::SegmentsTotals { which, .. }
        | Entry::SegmentsApply { which, .. }
        | Entry::SegmentsScan { which, .. } => Some(which),
        _ => None,
    }
}

fn launches(info: &Info, segments: u64, elements: u64) -> [Launch; 3] {
    schedule::segments(info, segments, elements, "wf::u32")
}

/// Elements up to which a lane takes a segment, and up to which segments go by way of shared memory.
fn most(info: &Info) -> Option<(u32, u32)> {
    match which(&launches(info, 1000, 1000)[0]) {
        Some(Lengths::Short { most, widest, .. }) => Some((most, widest)),
        _ => None,
    }
}

/// What the launch for those between takes: those of more elements.
fn above(info: &Info) -> u32 {
    match which(&launches(info, 1000, 1000)[1]) {
        Some(Lengths::Middling { above, .. }) => above,
        other => panic!("{other:?}"),
    }
}

#[test]
fn any_average_goes_by_way_of_shared_memory() {
    for elements in [0, 1 << 10, 1 << 28] {
        let short = which(&launches(&REDUCE, 1000, elements)[0]);
        assert!(matches!(short, Some(Lengths::Short { .. })), "{elements}");
    }
    assert_eq!(most(&REDUCE), Some((128, 256)));
    assert_eq!(most(&SCAN), Some((16, 256)));
    assert_eq!(most(&info(Form::Reduce, BYTES, false)), Some((128, 256)));
    assert_eq!(most(&info(Form::Reduce, LONGS, false)), Some((64, 256)));
}

#[test]
fn every_segment_has_a_launch() {
    let longs = info(Form::Reduce, LONGS, true);
    for info in [REDUCE, SCAN, APPLY, longs] {
        assert_eq!(most(&info).map(|(_, widest)| widest), Some(above(&info)));
        // As many numbers as there may be longer segments.
        let elements = 10 * u64::from(above(&info) + 1);
        assert_eq!(schedule::segments_between(&info, elements), 10);
    }
    // What applies states takes the same for light, so that nothing between is left untold.
    assert_eq!(above(&longs), 128);
    let fixed = Info {
        width: Some(8),
        ..REDUCE
    };
    assert_eq!((most(&fixed), above(&fixed)), (None, 0));
    assert_eq!(schedule::segments_between(&fixed, 1 << 20), 0);
}

#[test]
fn lanes_hold_no_more_than_they_can() {
    let folded = |fold| most(&Info { fold, ..REDUCE });
    assert_eq!(folded(TileFold::Tile), Some((16, 256)));
    // What few lanes take in several turns no lane does.
    assert_eq!(folded(TileFold::Blocked), Some((32, 256)));
    let wide = Info {
        fold: TileFold::Blocked,
        state: TypeInfo::of::<f64>("f64"),
        ..REDUCE
    };
    assert_eq!(most(&wide), Some((16, 256)));
}

/// Of two parameters one has packs of 8 bytes.
const TWO: &[Param] = &[LONGS[0], REDUCE.params[0]];

#[test]
fn packs_are_of_sixteen_bytes() {
    let packs = |info: &Info| match which(&launches(info, 1, 1)[0]) {
        Some(Lengths::Short { packs, .. }) => packs,
        other => panic!("{other:?}"),
    };
    assert!(packs(&REDUCE) && packs(&info(Form::Reduce, LONGS, false)));
    assert!(!packs(&info(Form::Reduce, TWO, false)));
}

#[test]
fn threads_take_more_where_segments_are_many() {
    let blocks = |segments| launches(&REDUCE, segments, segments)[0].blocks;
    assert_eq!(schedule::segment_groups(0), 1);
    assert_eq!(blocks(1000), 8);
    // Not before blocks come in several rounds.
    assert_eq!(schedule::segment_groups(1 << 20), 1);
    assert_eq!(blocks(1 << 20), 1 << 13);
    assert_eq!(schedule::segment_groups(9 << 18), 3);
    assert_eq!(blocks(9 << 18), (9_u64 << 18).div_ceil(3 * 128));
    assert_eq!(schedule::segment_groups(1 << 28), 4);
    assert_eq!(blocks(1 << 28), 1 << 19);
}

#[test]
fn long_segments_have_a_block_each_where_they_are_long_and_many() {
    let on = |machine: &Machine, info: &Info, segments, each| {
        schedule::segments_whole(info, segments, segments * each, "wf::u32", machine)
    };
    let whole = |info: &Info, segments, each| on(&H200, info, segments, each);
    let (launch, tiles) = whole(&SCAN, 2684, 100_000).expect("long and many");
    assert_eq!(tiles, 128);
    // Three blocks share the memory of a multiprocessor.
    assert!(3 * launch.kernel.shared() <= H200.shared && 2 * launch.kernel.shared() > 2 * (32 << 10));
    // Those of 32 tiles on average, four for each block.
    assert!(whole(&SCAN, 1584, 32 << 10).is_some());
    assert!(whole(&SCAN, 1583, 32 << 10).is_none() && whole(&SCAN, 1584, (32 << 10) - 1).is_none());
    let scan = |params| info(SCAN.form, params, false);
    assert!(whole(&scan(LONGS), 2684, 100_000).is_some());
    // One of the parameters has packs of 8 bytes; groups have eight lanes; nothing is scanned.
    let narrow = Info {
        width: Some(8),
        ..SCAN
    };
    for info in [scan(TWO), narrow, REDUCE, APPLY] {
        assert!(whole(&info, 2684, 100_000).is_none());
    }
    let small = Machine {
        shared: 99 << 10,
        ..H200
    };
    assert!(on(&small, &SCAN, 2684, 100_000).is_none());
}

#[test]
fn long_segments_go_by_bulk_copies_where_elements_are_many() {
    let on = |machine: &Machine, info: &Info, elements| {
        schedule::segments_bulk(info, elements, "wf::u32", machine)
    };
    let bulk = |info: &Info, elements| on(&H200, info, elements);
    let launch = bulk(&SCAN, 1 << 28).expect("many elements");
    // As many records as the launch in whose place it comes, and a block for each multiprocessor.
    assert_eq!(launch.scratch, launches(&SCAN, 1000, 1 << 28)[2].scratch);
    assert!(launch.kernel.shared() <= H200.shared && 2 * launch.kernel.shared() > H200.shared);
    assert_eq!(launch.kernel.threads, 32 * 26);
    let back = Form::Scan {
        exclusive: false,
        reverse: true,
    };
    assert!(bulk(&info(back, SCAN.params, false), 1 << 28).is_some());
    // Three batches of 8 tiles for two multiprocessors.
    let fewest = 3 * 132 / 2 * 8 * 1024;
    assert!(bulk(&SCAN, fewest).is_some() && bulk(&SCAN, fewest - 1).is_none());
    // Nothing is scanned; groups have eight lanes; states are wide; one of the parameters has packs of 8 bytes; an exclusive scan.
    let narrow = Info {
        width: Some(8),
        ..SCAN
    };
    let wide = Info {
        state: TypeInfo::of::<f64>("f64"),
        ..SCAN
    };
    for info in [
        REDUCE,
        APPLY,
        narrow,
        wide,
        info(SCAN.form, TWO, false),
        SCAN_BACK,
    ] {
        assert!(bulk(&info, 1 << 28).is_none());
    }
    let small = Machine {
        shared: 99 << 10,
        ..H200
    };
    let old = Machine { arch: 80, ..H200 };
    assert!(on(&small, &SCAN, 1 << 28).is_none() && on(&old, &SCAN, 1 << 28).is_none());
}

/// Three blocks of them share the registers of a multiprocessor, and none goes to memory instead.
#[test]
fn segments_that_have_a_block_each_stay_in_registers() {
    let Some(nvrtc) = nvrtc("segments_that_have_a_block_each_stay_in_registers") else {
        return;
    };
    for info in [SCAN, SCAN_BACK] {
        let (launch, _) = schedule::segments_whole(&info, 1 << 12, 1 << 28, "wf::u32", &H200).unwrap();
        let kernel = launch.kernel;
        let Image::Cubin(cubin) = nvrtc.compile("sum", &kernel.source(SPEC), H200.arch).unwrap() else {
            panic!("this architecture is not new")
        };
        let (registers, local) = resources::of_cubin(&cubin).unwrap();
        assert_eq!(local, 0, "{kernel:?}");
        assert!(
            3 * kernel.threads * registers <= 64 << 10,
            "{registers} in {kernel:?}"
        );
    }
}
