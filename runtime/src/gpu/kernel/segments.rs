//! Which segments a kernel takes, and how the kernels over segments are called.

use super::Entry;

/// Which segments a launch takes, in the words of `segments_reduce.cuh`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Lengths {
    /// Those of one tile of few turns; `narrow` where the elements and states in flight are few registers.
    Light { narrow: bool },
    /// Those between.
    Middling,
    /// Those that blocks fold.
    Long,
}

impl Lengths {
    /// The entry's name, of the two that there are.
    const fn named(self, one: &'static str, long: &'static str) -> &'static str {
        if matches!(self, Self::Long) { long } else { one }
    }

    /// Whether the compiler can keep to few registers.
    pub(super) const fn is_narrow(self) -> bool {
        matches!(self, Self::Light { narrow: true })
    }

    /// Its own template argument.
    const fn light(self) -> &'static str {
        match self {
            Self::Light { .. } => ", true",
            Self::Middling => ", false",
            Self::Long => "",
        }
    }
}

impl Entry {
    /// The name of a kernel over segments, and its template arguments after the spec and the order.
    pub(super) fn segments_call(self, load: &str) -> (&'static str, String) {
        match self {
            Self::SegmentsFilter {
                offset,
                located,
                warps,
            } => ("segments_filter", format!("{load}, {offset}, {located}, {warps}")),
            Self::SegmentsFilterOffsets { offset } => ("segments_filter_offsets", offset.into()),
            Self::SegmentsCheck { offset } => ("segments_check", offset.into()),
            Self::Segments {
                offset,
                fixed,
                warps,
                which,
            }
            | Self::SegmentsTotals {
                offset,
                fixed,
                warps,
                which,
            } => (
                which.named("segments_reduce", "segments_reduce_long"),
                format!("{offset}, {fixed}, {warps}{}", which.light()),
            ),
            Self::SegmentsApply {
                offset,
                fixed,
                warps,
                which,
            } => (
                which.named("segments_apply", "segments_apply_long"),
                format!("{offset}, {fixed}, {warps}{}", which.light()),
            ),
            Self::SegmentsScan {
                offset,
                fixed,
                warps,
                long_warps,
                which,
                exclusive,
                reverse,
            } => {
                let own = match which {
                    Lengths::Long => format!("{long_warps}"),
                    _ => format!("{warps}{}, {long_warps}", which.light()),
                };
                (
                    which.named("segments_scan", "segments_scan_long"),
                    format!("{offset}, {fixed}, {own}, {exclusive}, {reverse}"),
                )
            }
            _ => unreachable!("only kernels over segments come here"),
        }
    }
}
