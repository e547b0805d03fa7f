//! The files of `kernels/` and which of them an entry is compiled with.

use super::{Entry, Lengths};

const SCALAR: &str = include_str!("../../../kernels/scalar.cuh");
const HALF: &str = include_str!("../../../kernels/half.cuh");
const MATH: &str = include_str!("../../../kernels/math.cuh");
const SHUFFLE: &str = include_str!("../../../kernels/shuffle.cuh");
const OPS: &str = include_str!("../../../kernels/ops.cuh");
const SYNC: &str = include_str!("../../../kernels/sync.cuh");
const LOAD: &str = include_str!("../../../kernels/load.cuh");
const TILE: &str = include_str!("../../../kernels/tile.cuh");
const FOLD: &str = include_str!("../../../kernels/fold.cuh");
const SCAN: &str = include_str!("../../../kernels/scan.cuh");
const ROWS_REDUCE: &str = include_str!("../../../kernels/rows_reduce.cuh");
const ARRAY_REDUCE: &str = include_str!("../../../kernels/array_reduce.cuh");
const ROWS_REDUCE_POLL: &str = include_str!("../../../kernels/rows_reduce_poll.cuh");
const ROWS_APPLY: &str = include_str!("../../../kernels/rows_apply.cuh");
const CLUSTER: &str = include_str!("../../../kernels/cluster.cuh");
const ROWS_APPLY_CLUSTER: &str = include_str!("../../../kernels/rows_apply_cluster.cuh");
const PLAYED: &str = include_str!("../../../kernels/played.cuh");
const ROWS_STAGED: &str = include_str!("../../../kernels/rows_staged.cuh");
const ROWS_SCAN: &str = include_str!("../../../kernels/rows_scan.cuh");
const ROWS_FILTER: &str = include_str!("../../../kernels/rows_filter.cuh");

const RECORD: &str = include_str!("../../../kernels/record.cuh");
const ARRAY_SCAN: &str = include_str!("../../../kernels/array_scan.cuh");
const ARRAY_SCAN_RESIDENT: &str = include_str!("../../../kernels/array_scan_resident.cuh");
const BULK: &str = include_str!("../../../kernels/bulk.cuh");
const RING: &str = include_str!("../../../kernels/ring.cuh");
const ARRAY_SCAN_BULK: &str = include_str!("../../../kernels/array_scan_bulk.cuh");
const SHARD: &str = include_str!("../../../kernels/shard.cuh");
const ARRAY_FILTER: &str = include_str!("../../../kernels/array_filter.cuh");
const ARRAY_FILTER_BULK: &str = include_str!("../../../kernels/array_filter_bulk.cuh");
const COLUMNS_REDUCE: &str = include_str!("../../../kernels/columns_reduce.cuh");
const COLUMNS_SCAN: &str = include_str!("../../../kernels/columns_scan.cuh");
const COLUMNS_SCAN_TILES: &str = include_str!("../../../kernels/columns_scan_tiles.cuh");
const SEGMENTS: &str = include_str!("../../../kernels/segments.cuh");
const SEGMENTS_FILTER: &str = include_str!("../../../kernels/segments_filter.cuh");
const SEGMENTS_REDUCE: &str = include_str!("../../../kernels/segments_reduce.cuh");
const STAGE: &str = include_str!("../../../kernels/stage.cuh");
const SEGMENTS_STAGE: &str = include_str!("../../../kernels/segments_stage.cuh");
const SEGMENTS_SHORT: &str = include_str!("../../../kernels/segments_short.cuh");
const BULK_RUNS: &str = include_str!("../../../kernels/bulk_runs.cuh");
const SEGMENTS_BULK: &str = include_str!("../../../kernels/segments_bulk.cuh");
const SEGMENTS_WHOLE: &str = include_str!("../../../kernels/segments_whole.cuh");
const SEGMENTS_EACH: &str = include_str!("../../../kernels/segments_each.cuh");
const ROWS_SHUFFLE: &str = include_str!("../../../kernels/rows_shuffle.cuh");
/// What people with kernels of their own call.
pub(crate) const BLOCK: &str = include_str!("../../../kernels/block.cuh");

/// What every emitted spec stands on.
pub(crate) const FOUNDATION: [&str; 5] = [SCALAR, HALF, MATH, SHUFFLE, OPS];

/// What every entry stands on, behind the spec.
pub(super) const COMMON: [&str; 4] = [SYNC, LOAD, TILE, FOLD];

impl Entry {
    /// The library files it needs beyond the foundation and [`COMMON`].
    pub(super) const fn files(self) -> &'static [&'static str] {
        match self {
            Self::Reduce { .. } | Self::ReduceTiles | Self::ReduceParts { .. } => &[ROWS_REDUCE],
            Self::ArrayReduce { .. } => &[ROWS_REDUCE, ARRAY_REDUCE],
            Self::ReducePoll { .. } => &[ROWS_REDUCE, RECORD, ROWS_REDUCE_POLL],
            Self::ReduceStaged(_) | Self::ApplyStaged(_) | Self::ScanStaged { .. } => {
                &[SCAN, ROWS_REDUCE, PLAYED, ROWS_STAGED]
            }
            Self::Apply { .. } | Self::ApplyBlock { .. } | Self::ApplyAgain { .. } => &[ROWS_APPLY],
            Self::ApplyCluster { .. } => &[ROWS_APPLY, RECORD, BULK, CLUSTER, ROWS_APPLY_CLUSTER],
            Self::TotalsParts { .. } | Self::ApplyTotals => &[ROWS_REDUCE, ROWS_APPLY],
            Self::Scan { .. } | Self::ScanTiles { .. } => &[SCAN, ROWS_SCAN],
            Self::Filter => &[ROWS_FILTER],
            Self::ArrayScan { shard: false, .. } => &[SCAN, RECORD, ARRAY_SCAN],
            Self::ArrayScanResident { .. } => &[SCAN, RECORD, ARRAY_SCAN_RESIDENT],
            Self::ArrayScanBulk { shard: false, .. } => &[SCAN, RECORD, BULK, RING, ARRAY_SCAN_BULK],
            Self::ArrayScan { shard: true, .. } => &[SCAN, ROWS_REDUCE, SHARD, RECORD, ARRAY_SCAN],
            Self::ArrayScanBulk { shard: true, .. } => {
                &[SCAN, ROWS_REDUCE, SHARD, RECORD, BULK, RING, ARRAY_SCAN_BULK]
            }
            Self::ShardTotal { .. } | Self::ShardResult | Self::ShardCarry => &[SCAN, ROWS_REDUCE, SHARD],
            Self::ShardArray { .. } => &[SCAN, ROWS_REDUCE, ARRAY_REDUCE, SHARD],
            Self::ArrayFilter { .. } => &[ROWS_FILTER, RECORD, ARRAY_FILTER],
            Self::ArrayFilterBulk { .. } => {
                &[ROWS_FILTER, RECORD, ARRAY_FILTER, BULK, RING, ARRAY_FILTER_BULK]
            }
            Self::Columns { .. } => &[ROWS_REDUCE, COLUMNS_REDUCE],
            Self::ColumnsScan { .. } => &[SCAN, COLUMNS_SCAN],
            Self::ColumnsScanTiles { .. } => &[SCAN, RECORD, COLUMNS_SCAN_TILES],
            Self::SegmentsCheck { .. } => &[ROWS_REDUCE, SEGMENTS, SEGMENTS_REDUCE],
            Self::Segments { .. } | Self::SegmentsTotals { .. } => &[
                SCAN,
                ROWS_REDUCE,
                ROWS_APPLY,
                PLAYED,
                SEGMENTS,
                SEGMENTS_REDUCE,
                STAGE,
                SEGMENTS_STAGE,
                SEGMENTS_SHORT,
            ],
            Self::SegmentsFilter { .. } | Self::SegmentsFilterOffsets { .. } => {
                &[ROWS_FILTER, RECORD, SEGMENTS, SEGMENTS_FILTER]
            }
            Self::SegmentsScan {
                which: Lengths::Bulk { .. },
                ..
            } => &[
                SCAN,
                RECORD,
                ROWS_REDUCE,
                SEGMENTS,
                SEGMENTS_REDUCE,
                BULK,
                BULK_RUNS,
                SEGMENTS_BULK,
            ],
            Self::SegmentsApply { .. } | Self::SegmentsScan { .. } => &[
                SCAN,
                RECORD,
                ROWS_REDUCE,
                ROWS_APPLY,
                PLAYED,
                SEGMENTS,
                SEGMENTS_REDUCE,
                SEGMENTS_EACH,
                STAGE,
                SEGMENTS_STAGE,
                SEGMENTS_SHORT,
                SEGMENTS_WHOLE,
            ],
            Self::Shuffle { .. } => &[ROWS_REDUCE, COLUMNS_REDUCE, ROWS_SHUFFLE],
        }
    }
}
