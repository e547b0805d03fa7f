//! When lanes take short segments each.

use super::{APPLY, BYTES, REDUCE, SCAN, info};
use crate::gpu::kernel::{Entry, Lengths};
use crate::gpu::schedule::{self, Launch};
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

fn first(info: &Info, segments: u64, elements: u64) -> Launch {
    schedule::segments(info, segments, elements, "wf::u32")[0]
}

/// Elements up to which a lane takes a segment, where segments have so many on average.
fn most(info: &Info, average: u64) -> Option<u32> {
    match which(&first(info, 1000, 1000 * average)) {
        Some(Lengths::Short { most, .. }) => Some(most),
        _ => None,
    }
}

#[test]
fn the_average_decides() {
    for info in [REDUCE, APPLY] {
        assert_eq!(most(&info, 0), Some(64));
        assert_eq!(most(&info, 48), Some(64));
        assert_eq!(most(&info, 49), None);
    }
    assert_eq!((most(&SCAN, 12), most(&SCAN, 13)), (Some(16), None));
    assert_eq!(most(&info(Form::Reduce, BYTES, false), 3), Some(64));
    let longs = info(Form::Reduce, LONGS, false);
    assert_eq!((most(&longs, 24), most(&longs, 25)), (Some(32), None));
}

#[test]
fn lanes_hold_no_more_than_they_can() {
    let held = Info {
        fold: TileFold::Tile,
        ..REDUCE
    };
    assert_eq!((most(&held, 12), most(&held, 13)), (Some(16), None));
    let fixed = Info {
        width: Some(8),
        ..REDUCE
    };
    assert_eq!(most(&fixed, 1), None);
}

#[test]
fn warps_take_more_where_segments_are_many() {
    let blocks = |segments| first(&REDUCE, segments, segments).blocks;
    assert_eq!(schedule::segment_groups(0), 1);
    assert_eq!(blocks(1000), 8);
    assert_eq!(schedule::segment_groups(3 << 17), 3);
    assert_eq!(blocks(3 << 17), (3_u64 << 17).div_ceil(3 * 128));
    assert_eq!(schedule::segment_groups(1 << 28), 8);
    assert_eq!(blocks(1 << 28), 1 << 18);
}
