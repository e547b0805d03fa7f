//! Which segments a kernel takes, and how the kernels over segments are called.

use super::Entry;

/// Which segments a launch takes, in the words of `segments_reduce.cuh`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Lengths {
    /// Those of one tile of few turns; `narrow` where the elements and states in flight are few registers.
    Light { narrow: bool },
    /// Short ones by way of shared memory, as `segments_short.cuh` has it.
    Short {
        /// Blocks that are to share a multiprocessor, or 0.
        at_once: u32,
        /// Elements of the longest that a lane takes.
        most: u32,
        /// Elements of the longest of all.
        widest: u32,
        /// Bytes of shared memory that an element takes.
        bytes: u32,
        /// Where its results begin among them.
        out: u32,
        /// Whether packs travel in one access.
        packs: bool,
    },
    /// Those between; `narrow` as with [`Lengths::Light`].
    Middling {
        narrow: bool,
        /// Elements of the longest that [`Lengths::Short`] has taken, 0 after [`Lengths::Light`].
        above: u32,
    },
    /// Those that blocks fold.
    Long,
    /// Long ones that a block scans as a whole, as `segments_whole.cuh` has it.
    Whole {
        /// Blocks that are to share a multiprocessor, or 0.
        at_once: u32,
        /// Bytes of shared memory that an element takes.
        bytes: u32,
        /// Where its results begin among them.
        out: u32,
    },
    /// Long ones by bulk copies, as `segments_bulk.cuh` has it.
    Bulk {
        /// Groups of warps that take batches by turns.
        groups: u32,
        /// Batches that a block has under way.
        stages: u32,
        /// Elements that a lane scans at a time.
        chunk: u32,
        /// Bytes of shared memory that an element takes.
        bytes: u32,
    },
}

impl Lengths {
    /// The entry's name, of the three that there are.
    const fn named(self, one: &'static str, short: &'static str, long: &'static str) -> &'static str {
        match self {
            Self::Short { .. } => short,
            Self::Long => long,
            _ => one,
        }
    }

    /// Blocks that a multiprocessor is to hold, where the compiler can keep to few registers: the more warps, the more of
    /// them wait for the memory.
    pub(super) const fn at_once(self) -> u32 {
        match self {
            Self::Light { narrow: true } => 4,
            Self::Short { at_once, .. } | Self::Whole { at_once, .. } => at_once,
            Self::Middling { narrow: true, .. } => 3,
            // Its shared memory leaves room for no other block: all registers are this one's.
            Self::Bulk { .. } => 1,
            _ => 0,
        }
    }

    /// Its own template argument.
    const fn light(self) -> &'static str {
        match self {
            Self::Light { .. } => ", true",
            Self::Middling { .. } => ", false",
            Self::Short { .. } | Self::Long | Self::Whole { .. } | Self::Bulk { .. } => "",
        }
    }

    /// The template argument at the end of those between.
    fn above(self) -> String {
        match self {
            Self::Middling { above, .. } if above > 0 => format!(", {above}"),
            _ => String::new(),
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
                which.named("segments_reduce", "segments_reduce_short", "segments_reduce_long"),
                match which {
                    Lengths::Short {
                        most,
                        widest,
                        bytes,
                        packs,
                        ..
                    } => format!("{offset}, {warps}, {most}, {widest}, {bytes}, {packs}"),
                    _ => format!("{offset}, {fixed}, {warps}{}{}", which.light(), which.above()),
                },
            ),
            Self::SegmentsApply {
                offset,
                fixed,
                warps,
                which,
            } => (
                which.named("segments_apply", "segments_apply", "segments_apply_long"),
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
                if let Lengths::Bulk {
                    groups,
                    stages,
                    chunk,
                    bytes,
                } = which
                {
                    let own =
                        format!("{offset}, {long_warps}, {groups}, {stages}, {chunk}, {bytes}, {reverse}");
                    return ("segments_scan_bulk", own);
                }
                let own = match which {
                    Lengths::Long => format!("{fixed}, {long_warps}"),
                    Lengths::Whole { bytes, out, .. } => format!("{long_warps}, {bytes}, {out}"),
                    Lengths::Short {
                        most,
                        widest,
                        bytes,
                        out,
                        packs,
                        ..
                    } => {
                        format!("{warps}, {long_warps}, {most}, {widest}, {bytes}, {out}, {packs}")
                    }
                    _ => format!("{fixed}, {warps}{}, {long_warps}", which.light()),
                };
                let one = match which {
                    Lengths::Whole { .. } => "segments_scan_whole",
                    _ => "segments_scan",
                };
                (
                    which.named(one, "segments_scan_short", "segments_scan_long"),
                    format!("{offset}, {own}, {exclusive}, {reverse}{}", which.above()),
                )
            }
            _ => unreachable!("only kernels over segments come here"),
        }
    }
}
