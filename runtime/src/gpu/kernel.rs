//! The kernels there are, as values: an entry of the library with its template arguments.
//!
//! Two equal values are the same machine code, so this is what compiled kernels are kept by.

mod files;
mod load;
mod segments;
mod source;
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
    /// `array_reduce.cuh`: an array of many tiles; `at_once` as with [`Entry::Apply`].
    ArrayReduce { warps: u32, at_once: u32 },
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
    /// `rows_apply_cluster.cuh`: a cluster a row; `bytes` of an element of all `params` plain parameters.
    ApplyCluster {
        warps: u32,
        groups: u32,
        stages: u32,
        bytes: u32,
        params: u32,
    },
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
    /// `rows_scan.cuh`: a block a row. `cols`: the columns where they fill the block once, else 0.
    ScanTiles {
        warps: u32,
        cols: u32,
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
    /// `rows_reduce.cuh`: the state of the shard of an array, for its message; `at_once` as with [`Entry::Apply`].
    ShardTotal {
        warps: u32,
        part: u32,
        at_once: u32,
        scan: bool,
        reverse: bool,
    },
    /// `array_reduce.cuh`: the same of a shard of many tiles.
    ShardArray { warps: u32, at_once: u32 },
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
    /// `columns_scan_tiles.cuh`; `at_once` as with [`Entry::Apply`].
    ColumnsScanTiles {
        columns: u32,
        at_once: u32,
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
}

impl Kernel {
    /// Bytes of shared memory that a block gets at its launch.
    pub(crate) const fn shared(&self) -> u32 {
        match self.entry {
            Entry::ArrayScanBulk {
                tiles, stages, bytes, ..
            } => stages * tiles * self.tile.v * self.tile.lanes * self.tile.turns * bytes,
            Entry::ApplyCluster {
                warps,
                stages,
                bytes,
                params,
                ..
            } => stages * (warps * self.tile.v * self.tile.lanes * self.tile.turns * bytes + 32 * params),
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
            Entry::SegmentsScan {
                which: Lengths::Whole { bytes, .. },
                long_warps,
                ..
            } => {
                let (packs, odd) = (self.tile.v * self.tile.turns, self.tile.odd);
                2 * bytes * whole_stage_elements(32 * long_warps * if odd > packs { odd } else { packs })
            }
            Entry::SegmentsScan {
                which: Lengths::Bulk { stages, bytes, .. },
                long_warps,
                ..
            } => {
                let (packs, odd) = (self.tile.v * self.tile.turns, self.tile.odd);
                stages * bytes * bulk_stage_elements(32 * long_warps * if odd > packs { odd } else { packs })
            }
            _ => 0,
        }
    }

    /// How many blocks are to share a multiprocessor, so that the compiler gives each its part of the registers.
    const fn blocks_at_once(&self) -> u32 {
        match self.entry {
            Entry::SegmentsScan { which, .. } => which.at_once(),
            // Its shared memory leaves room for no other block: all registers are this one's.
            _ if self.shared() > 0 => 1,
            // As many as the schedule counts on.
            Entry::ArrayFilter { resident: true, .. } => 2,
            Entry::ReduceParts { at_once, .. }
            | Entry::ArrayReduce { at_once, .. }
            | Entry::ShardTotal { at_once, .. }
            | Entry::ShardArray { at_once, .. }
            | Entry::Columns { at_once, .. }
            | Entry::ColumnsScanTiles { at_once, .. }
            | Entry::Apply { at_once, .. }
            | Entry::ApplyBlock { at_once } => at_once,
            Entry::Segments { which, .. }
            | Entry::SegmentsTotals { which, .. }
            | Entry::SegmentsApply { which, .. } => which.at_once(),
            _ => 0,
        }
    }
}

/// Elements of a stage that holds a batch of so many, as `segments_whole.cuh` has it.
const fn whole_stage_elements(batch: u32) -> u32 {
    (batch + 16).next_multiple_of(128)
}

/// The same as `bulk_runs.cuh` has it.
pub(crate) const fn bulk_stage_elements(batch: u32) -> u32 {
    (batch + 48).next_multiple_of(128)
}

/// The name of every kernel.
pub(crate) const NAME: &str = "wf_kernel";
