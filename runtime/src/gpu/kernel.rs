//! The kernels there are, as values: an entry of the library with its template arguments.
//!
//! Two equal values are the same machine code, so this is what compiled kernels are kept by.

mod files;
mod load;
mod segments;
mod staged;
mod tile;

pub(crate) use files::{BLOCK, FOUNDATION};
pub(crate) use load::Load;
pub(crate) use segments::Lengths;
pub(crate) use staged::Staged;
pub(crate) use tile::Tile;

/// An entry of the library, with the template arguments that only it has. The files in kernels/ say what each means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Entry {
    /// `rows_reduce.cuh`: rows of one tile.
    Reduce { cols: u32, sets: u32 },
    /// `rows_staged.cuh`: short dense rows, a lane each.
    ReduceStaged(Staged),
    /// `rows_staged.cuh`: the same with `apply`.
    ApplyStaged(Staged),
    /// `rows_staged.cuh`: the same scanned.
    ScanStaged {
        rows: Staged,
        exclusive: bool,
        reverse: bool,
    },
    /// `rows_reduce.cuh`: rows of a few tiles, a group each.
    ReduceTiles,
    /// `rows_reduce.cuh`: rows of any number of tiles, in parts; `at_once` as with [`Entry::Apply`].
    ReduceParts { warps: u32, part: u32, at_once: u32 },
    /// `rows_reduce_poll.cuh`: few rows of few tiles.
    ReducePoll { warps: u32 },
    /// Rows in parts, leaving the rows' states for [`Entry::ApplyTotals`].
    TotalsParts { warps: u32, part: u32 },
    /// `rows_apply.cuh`: rows of one tile; `at_once` blocks are to share a multiprocessor, or 0.
    Apply {
        cols: u32,
        tiles: u32,
        sets: u32,
        at_once: u32,
    },
    /// `rows_apply.cuh`: a block a row.
    ApplyBlock { at_once: u32 },
    /// `rows_apply.cuh`: a block a row, read twice.
    ApplyAgain { warps: u32 },
    /// `rows_apply.cuh`: after [`Entry::TotalsParts`].
    ApplyTotals,
    /// `rows_scan.cuh`: rows of one tile.
    Scan {
        cols: u32,
        sets: u32,
        exclusive: bool,
        reverse: bool,
    },
    /// `rows_scan.cuh`: a block a row.
    ScanTiles {
        warps: u32,
        exclusive: bool,
        reverse: bool,
    },
    /// `rows_filter.cuh`.
    Filter,
    /// `array_scan.cuh`: few long rows, by many blocks; or the shard of an array, after what stands before it.
    ArrayScan {
        warps: u32,
        exclusive: bool,
        reverse: bool,
        shard: bool,
    },
    /// `array_scan_resident.cuh`: a small array, whose blocks all run at once.
    ArrayScanResident {
        warps: u32,
        exclusive: bool,
        reverse: bool,
    },
    /// `array_scan_bulk.cuh`: a large array or shard, by bulk copies.
    ArrayScanBulk {
        tiles: u32,
        reducers: u32,
        stages: u32,
        chunk: u32,
        bytes: u32,
        exclusive: bool,
        reverse: bool,
        shard: bool,
    },
    /// `rows_reduce.cuh`: the state of the shard of an array, for its message.
    ShardTotal {
        warps: u32,
        part: u32,
        scan: bool,
        reverse: bool,
    },
    /// `shard.cuh`: the result of an array from the states of its shards.
    ShardResult,
    /// `shard.cuh`: what stands before a shard.
    ShardCarry,
    /// `array_filter.cuh`: what is kept, or with `indices` where it stood; `resident` where all blocks run at once.
    ArrayFilter {
        warps: u32,
        indices: bool,
        resident: bool,
    },
    /// `array_filter_bulk.cuh`: a large array, by bulk copies; `kept` bytes of a result.
    ArrayFilterBulk {
        tiles: u32,
        reducers: u32,
        stages: u32,
        chunk: u32,
        bytes: u32,
        kept: u32,
        indices: bool,
    },
    /// `columns_reduce.cuh`.
    Columns { warps: u32, part: u32, at_once: u32 },
    /// `columns_scan.cuh`; `many` where columns may have more than one tile.
    ColumnsScan {
        warps: u32,
        many: bool,
        exclusive: bool,
        reverse: bool,
    },
    /// `segments_reduce.cuh`: whether offsets of this type are offsets.
    SegmentsCheck { offset: &'static str },
    /// `segments_reduce.cuh`; `fixed` where the spec says how wide groups are.
    Segments {
        offset: &'static str,
        fixed: bool,
        warps: u32,
        which: Lengths,
    },
    /// The same, leaving the segments' states for [`Entry::SegmentsApply`].
    SegmentsTotals {
        offset: &'static str,
        fixed: bool,
        warps: u32,
        which: Lengths,
    },
    /// `segments_each.cuh`: after [`Entry::SegmentsTotals`].
    SegmentsApply {
        offset: &'static str,
        fixed: bool,
        warps: u32,
        which: Lengths,
    },
    /// `segments_each.cuh`: blocks of the launch for long segments have `long_warps` warps.
    SegmentsScan {
        offset: &'static str,
        fixed: bool,
        warps: u32,
        long_warps: u32,
        which: Lengths,
        exclusive: bool,
        reverse: bool,
    },
    /// `segments_filter.cuh`; `located` where the spec asks which segment an element is of.
    SegmentsFilter {
        offset: &'static str,
        located: bool,
        warps: u32,
    },
    /// `segments_filter.cuh`: after [`Entry::SegmentsFilter`], the new offsets.
    SegmentsFilterOffsets { offset: &'static str },
    /// `rows_shuffle.cuh`.
    Shuffle { width: u32, sets: u32 },
}

/// One compiled kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Kernel {
    /// The entry.
    pub entry: Entry,
    /// The order it carries out.
    pub tile: Tile,
    /// What is known of the inputs.
    pub load: Load,
    /// What is known of the outputs.
    pub store: Load,
    /// Threads of a block.
    pub threads: u32,
}

impl Entry {
    /// Whether all blocks wait for each other, so that the launch has to promise that they run at once.
    pub(crate) const fn is_resident(self) -> bool {
        matches!(
            self,
            Self::ArrayScanResident { .. } | Self::ArrayFilter { resident: true, .. }
        )
    }

    /// Parameters after the arguments and the results, in order.
    const fn further(self) -> &'static [&'static str] {
        match self {
            Self::ReduceParts { .. } | Self::TotalsParts { .. } | Self::Columns { .. } => {
                &["const wf::RowShape shape", "const wf::RowScratch scratch"]
            }
            Self::ApplyTotals => &["const wf::RowShape shape", "const void* totals"],
            Self::SegmentsScan {
                which: Lengths::Long, ..
            } => &[
                "const void* offsets",
                "const wf::SegmentList list",
                "const wf::Relay relay",
            ],
            Self::SegmentsCheck { .. }
            | Self::Segments { .. }
            | Self::SegmentsTotals { .. }
            | Self::SegmentsScan { .. } => &["const void* offsets", "const wf::SegmentList list"],
            Self::SegmentsApply { .. } => &[
                "const void* offsets",
                "const wf::SegmentList list",
                "const void* totals",
            ],
            Self::SegmentsFilter { .. } => &[
                "const void* offsets",
                "const wf::SegmentMarks marks",
                "const wf::Relay relay",
            ],
            Self::SegmentsFilterOffsets { .. } => &[
                "const void* offsets",
                "const wf::SegmentMarks marks",
                "void* kept",
            ],
            Self::Filter => &["wf::u64* counts", "const wf::RowShape shape"],
            Self::ReducePoll { .. } => &["const wf::RowShape shape", "const wf::RowRelay relay"],
            Self::ArrayScan { shard: false, .. }
            | Self::ArrayScanResident { .. }
            | Self::ArrayScanBulk { shard: false, .. } => {
                &["const wf::RowShape shape", "const wf::Relay relay"]
            }
            Self::ArrayScan { .. } | Self::ArrayScanBulk { .. } => &[
                "const wf::RowShape shape",
                "const wf::Relay relay",
                "const wf::ShardPlace place",
            ],
            Self::ShardTotal { .. } => &[
                "const wf::RowShape shape",
                "const wf::RowScratch scratch",
                "const wf::ShardPlace place",
            ],
            Self::ShardResult | Self::ShardCarry => {
                &["const wf::ShardPlace place", "const wf::ShardMessages messages"]
            }
            Self::ArrayFilter { .. } | Self::ArrayFilterBulk { .. } => &[
                "wf::u64* count",
                "const wf::RowShape shape",
                "const wf::Relay relay",
            ],
            _ => &["const wf::RowShape shape"],
        }
    }

    /// Whether the spec is one over a shard, whose arguments hold its place.
    const fn over_shard(self) -> bool {
        matches!(
            self,
            Self::ArrayScan { shard: true, .. }
                | Self::ArrayScanBulk { shard: true, .. }
                | Self::ShardTotal { .. }
        )
    }

    /// The spec that the entry is instantiated with, and the one whose results it stores.
    const fn specs(self) -> (&'static str, &'static str) {
        const PLAIN: &str = "wf_spec::Spec";
        match self {
            Self::TotalsParts { .. } | Self::SegmentsTotals { .. } => {
                ("wf::Totals<wf_spec::Spec>", "wf::Totals<wf_spec::Spec>")
            }
            Self::ArrayFilter { indices: true, .. } | Self::ArrayFilterBulk { indices: true, .. } => {
                ("wf::Indices<wf_spec::Spec>", "wf::Indices<wf_spec::Spec>")
            }
            Self::ShardTotal { scan: false, .. } => {
                ("wf::ShardTotal<wf_spec::Spec>", "wf::ShardTotal<wf_spec::Spec>")
            }
            Self::ShardTotal { .. } => ("wf::ScanTotal<wf_spec::Spec>", "wf::ScanTotal<wf_spec::Spec>"),
            Self::ShardCarry => (PLAIN, "wf::ShardTotal<wf_spec::Spec>"),
            Self::ArrayScan { shard: true, .. } | Self::ArrayScanBulk { shard: true, .. } => {
                ("wf::ShardScan<wf_spec::Spec>", PLAIN)
            }
            _ => (PLAIN, PLAIN),
        }
    }
}

impl Kernel {
    /// Bytes of shared memory that a block gets at its launch.
    pub(crate) const fn shared(&self) -> u32 {
        match self.entry {
            Entry::ArrayScanBulk {
                tiles, stages, bytes, ..
            } => stages * tiles * self.tile.v * self.tile.lanes * self.tile.turns * bytes,
            Entry::ArrayFilterBulk {
                tiles,
                stages,
                chunk,
                bytes,
                kept,
                ..
            } => {
                let turn = self.tile.v * self.tile.lanes;
                stages * tiles * turn * self.tile.turns * bytes + tiles * (chunk * turn * kept + 16)
            }
            _ => 0,
        }
    }

    /// How many blocks are to share a multiprocessor, so that the compiler gives each its part of the registers.
    const fn blocks_at_once(&self) -> u32 {
        match self.entry {
            // Its shared memory leaves room for no other block: all registers are this one's.
            _ if self.shared() > 0 => 1,
            // As many as the schedule counts on.
            Entry::ArrayFilter { resident: true, .. } => 2,
            Entry::ReduceParts { at_once, .. }
            | Entry::Columns { at_once, .. }
            | Entry::Apply { at_once, .. }
            | Entry::ApplyBlock { at_once } => at_once,
            // The more warps, the more of them wait for the memory.
            Entry::Segments { which, .. }
            | Entry::SegmentsTotals { which, .. }
            | Entry::SegmentsApply { which, .. }
            | Entry::SegmentsScan { which, .. }
                if which.is_narrow() =>
            {
                4
            }
            _ => 0,
        }
    }

    /// The whole source: library, spec, and the one instantiation.
    pub(crate) fn source(&self, spec: &str) -> String {
        let mut text = String::new();
        for part in FOUNDATION.iter().chain([&spec]).chain(self.entry.files()) {
            text.push_str(&part.replace("#pragma once\n", ""));
            text.push('\n');
        }
        text.push_str(&self.instance());
        text
    }

    /// The `__global__` function.
    fn instance(&self) -> String {
        let Tile { v, lanes, turns, odd } = self.tile;
        let (name, further) = self.call();
        let (spec, stored) = self.entry.specs();
        let order = match (self.entry, odd) {
            (Entry::Shuffle { .. }, _) => format!(", {further}"),
            (Entry::ShardResult | Entry::ShardCarry, _) => String::new(),
            (_, 0) => format!(", wf::TileOrder<{v}, {lanes}, {turns}>, {further}"),
            _ => {
                format!(", wf::TileOrder<{v}, {lanes}, {turns}>, wf::TileOrder<1, {lanes}, {odd}>, {further}")
            }
        };
        let bounds = match self.blocks_at_once() {
            0 => self.threads.to_string(),
            blocks => format!("{}, {blocks}", self.threads),
        };
        let mut parameters = vec!["const __grid_constant__ wf_spec::Spec::Args args".to_owned()];
        parameters.push(format!("const {stored}::Results results"));
        parameters.extend(self.entry.further().iter().map(ToString::to_string));
        let mut names: Vec<_> = parameters
            .iter()
            .filter_map(|parameter| parameter.rsplit(' ').next())
            .collect();
        if self.entry.over_shard() {
            names[0] = "{args, place}";
            names.pop();
        }
        format!(
            "extern \"C\" __global__ void __launch_bounds__({bounds}) {NAME}(\n    {}) {{\n  \
             wf::{name}<{spec}{order}>({});\n}}\n",
            parameters.join(",\n    "),
            names.join(", "),
        )
    }

    /// The entry's name, and its template arguments after the spec and the order.
    #[allow(clippy::too_many_lines, reason = "a line or two for each entry")]
    fn call(&self) -> (&'static str, String) {
        let (load, store) = (self.load.text(), self.store.text());
        match self.entry {
            Entry::Reduce { cols, sets } => ("rows_reduce", format!("{cols}, {load}, {sets}")),
            Entry::ReduceStaged(_) | Entry::ApplyStaged(_) | Entry::ScanStaged { .. } => {
                self.entry.staged_call()
            }
            Entry::ReduceTiles => ("rows_reduce_tiles", load.into()),
            Entry::ReduceParts { warps, part, .. } | Entry::TotalsParts { warps, part } => {
                ("rows_reduce_parts", format!("{load}, {warps}, {part}"))
            }
            Entry::Apply {
                cols, tiles, sets, ..
            } => ("rows_apply", format!("{cols}, {tiles}, {load}, {store}, {sets}")),
            Entry::ReducePoll { warps } => ("rows_reduce_poll", format!("{load}, {warps}")),
            Entry::ApplyBlock { .. } => ("rows_apply_block", format!("{load}, {store}")),
            Entry::ApplyAgain { warps } => ("rows_apply_again", format!("{load}, {store}, {warps}")),
            Entry::ApplyTotals => ("rows_apply_totals", format!("{load}, {store}")),
            Entry::Scan {
                cols,
                sets,
                exclusive,
                reverse,
            } => (
                "rows_scan",
                format!("{cols}, {load}, {store}, {sets}, {exclusive}, {reverse}"),
            ),
            Entry::ScanTiles {
                warps,
                exclusive,
                reverse,
            } => (
                "rows_scan_tiles",
                format!("{load}, {store}, {warps}, {exclusive}, {reverse}"),
            ),
            Entry::Filter => ("rows_filter", load.into()),
            Entry::ArrayScan {
                warps,
                exclusive,
                reverse,
                shard: _,
            } => (
                "array_scan",
                format!("{load}, {store}, {warps}, {exclusive}, {reverse}"),
            ),
            Entry::ArrayScanResident {
                warps,
                exclusive,
                reverse,
            } => (
                "array_scan_resident",
                format!("{load}, {store}, {warps}, {exclusive}, {reverse}"),
            ),
            Entry::ArrayScanBulk {
                tiles,
                reducers,
                stages,
                chunk,
                bytes,
                exclusive,
                reverse,
                shard: _,
            } => (
                "array_scan_bulk",
                format!(
                    "{load}, {store}, {tiles}, {reducers}, {stages}, {chunk}, {bytes}, {exclusive}, {reverse}"
                ),
            ),
            Entry::ShardTotal {
                warps, part, reverse, ..
            } => ("rows_reduce_parts", format!("{load}, {warps}, {part}, {reverse}")),
            Entry::ShardResult => ("shard_result", String::new()),
            Entry::ShardCarry => ("shard_carry", String::new()),
            Entry::ArrayFilter { warps, resident, .. } => (
                if resident {
                    "array_filter_resident"
                } else {
                    "array_filter"
                },
                format!("{load}, {warps}"),
            ),
            Entry::ArrayFilterBulk {
                tiles,
                reducers,
                stages,
                chunk,
                bytes,
                ..
            } => (
                "array_filter_bulk",
                format!("{load}, {tiles}, {reducers}, {stages}, {chunk}, {bytes}"),
            ),
            Entry::Columns { warps, part, .. } => ("columns_reduce", format!("{warps}, {part}")),
            Entry::ColumnsScan {
                warps,
                many,
                exclusive,
                reverse,
            } => ("columns_scan", format!("{warps}, {many}, {exclusive}, {reverse}")),
            Entry::SegmentsCheck { .. }
            | Entry::Segments { .. }
            | Entry::SegmentsTotals { .. }
            | Entry::SegmentsApply { .. }
            | Entry::SegmentsScan { .. }
            | Entry::SegmentsFilter { .. }
            | Entry::SegmentsFilterOffsets { .. } => self.entry.segments_call(load),
            Entry::Shuffle { width, sets } => ("rows_shuffle", format!("{width}, {sets}")),
        }
    }
}

/// The name of every kernel.
pub(crate) const NAME: &str = "wf_kernel";
