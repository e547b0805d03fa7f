//! How the kernels over segments are called.

use super::Entry;

impl Entry {
    /// The name of a kernel over segments, and its template arguments after the spec and the order.
    pub(super) fn segments_call(self) -> (&'static str, String) {
        match self {
            Self::SegmentsCheck { offset } => ("segments_check", offset.into()),
            Self::Segments { offset, fixed, warps } => {
                ("segments_reduce", format!("{offset}, {fixed}, {warps}"))
            }
            Self::SegmentsLong { offset, fixed, warps } => {
                ("segments_reduce_long", format!("{offset}, {fixed}, {warps}"))
            }
            Self::SegmentsTotals {
                offset,
                fixed,
                warps,
                long,
            } => (
                if long {
                    "segments_reduce_long"
                } else {
                    "segments_reduce"
                },
                format!("{offset}, {fixed}, {warps}"),
            ),
            Self::SegmentsApply {
                offset,
                fixed,
                warps,
                long,
            } => (
                if long {
                    "segments_apply_long"
                } else {
                    "segments_apply"
                },
                format!("{offset}, {fixed}, {warps}"),
            ),
            Self::SegmentsScan {
                offset,
                fixed,
                warps,
                long,
                exclusive,
                reverse,
            } => (
                if long {
                    "segments_scan_long"
                } else {
                    "segments_scan"
                },
                format!("{offset}, {fixed}, {warps}, {exclusive}, {reverse}"),
            ),
            _ => unreachable!("only kernels over segments come here"),
        }
    }
}
