//! The source of a kernel: the library's files, the spec, and the one `__global__` function that instantiates its entry.

use super::files::COMMON;
use super::{Entry, FOUNDATION, Kernel, Lengths, NAME, Tile};

impl Entry {
    /// Parameters after the arguments and the results, in order.
    const fn further(self) -> &'static [&'static str] {
        match self {
            Self::ReduceParts { .. }
            | Self::ArrayReduce { .. }
            | Self::TotalsParts { .. }
            | Self::Columns { .. } => &["const wf::RowShape shape", "const wf::RowScratch scratch"],
            Self::ApplyTotals => &["const wf::RowShape shape", "const void* totals"],
            Self::SegmentsScan {
                which: Lengths::Long | Lengths::Bulk { .. },
                ..
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
            | Self::ColumnsScanTiles { .. }
            | Self::ArrayScanBulk { shard: false, .. }
            | Self::ApplyCluster { .. } => &["const wf::RowShape shape", "const wf::Relay relay"],
            Self::ArrayScan { .. } | Self::ArrayScanBulk { .. } => &[
                "const wf::RowShape shape",
                "const wf::Relay relay",
                "const wf::ShardPlace place",
            ],
            Self::ShardTotal { .. } | Self::ShardArray { .. } => &[
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
                | Self::ShardArray { .. }
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
            Self::ShardTotal { scan: false, .. } | Self::ShardArray { .. } => {
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
    /// The whole source: library, spec, and the one instantiation.
    pub(crate) fn source(&self, spec: &str) -> String {
        let mut text = String::new();
        let own = COMMON.iter().chain(self.entry.files());
        for part in FOUNDATION.iter().chain([&spec]).chain(own) {
            text.push_str(&part.replace("#pragma once\n", ""));
            text.push('\n');
        }
        text.push_str(&self.instance());
        text
    }

    /// The `__global__` function.
    fn instance(&self) -> String {
        let Tile {
            v,
            lanes,
            turns,
            odd,
            few,
            always,
        } = self.tile;
        let (name, further) = self.call();
        let (spec, stored) = self.entry.specs();
        let order = match (self.entry, odd) {
            (Entry::Shuffle { .. }, _) => format!(", {further}"),
            (Entry::ShardResult | Entry::ShardCarry, _) => String::new(),
            (_, 0) => format!(", wf::TileOrder<{v}, {lanes}, {turns}>, {further}"),
            _ => {
                let packs = format!("wf::TileOrder<{v}, {lanes}, {turns}>");
                let packs = [(few, "wf::FewLanes"), (always, "wf::AlwaysPacks")]
                    .iter()
                    .filter(|(wanted, _)| *wanted)
                    .fold(packs, |packs, (_, name)| format!("{name}<{packs}>"));
                format!(", {packs}, wf::TileOrder<1, {lanes}, {odd}>, {further}")
            }
        };
        let bounds = match self.blocks_at_once() {
            0 => self.threads.to_string(),
            blocks => format!("{}, {blocks}", self.threads),
        };
        let cluster = match self.entry {
            Entry::ApplyCluster { .. } => "__cluster_dims__(wf::CLUSTER, 1, 1) ",
            _ => "",
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
            "extern \"C\" __global__ void {cluster}__launch_bounds__({bounds}) {NAME}(\n    {}) {{\n  \
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
            Entry::ArrayReduce { warps, .. } | Entry::ShardArray { warps, .. } => {
                ("array_reduce", format!("{load}, {warps}"))
            }
            Entry::ReducePoll { warps } => ("rows_reduce_poll", format!("{load}, {warps}")),
            Entry::ApplyBlock { .. } => ("rows_apply_block", format!("{load}, {store}")),
            Entry::ApplyCluster {
                warps,
                groups,
                stages,
                bytes,
                params,
            } => (
                "rows_apply_cluster",
                format!("{load}, {store}, {warps}, {groups}, {stages}, {bytes}, {params}"),
            ),
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
                cols,
                exclusive,
                reverse,
            } => (
                "rows_scan_tiles",
                format!("{load}, {store}, {warps}, {exclusive}, {reverse}, {cols}"),
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
            Entry::ColumnsScanTiles {
                columns,
                exclusive,
                reverse,
                at_once: _,
            } => ("columns_scan_tiles", format!("{columns}, {exclusive}, {reverse}")),
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
