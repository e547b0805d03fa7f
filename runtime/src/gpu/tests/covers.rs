//! Every launch takes all the rows there are, whatever the shape.

use super::*;

/// Whether the blocks that read each other's tiles cover all of them.
fn polls(launch: &Launch, order: &Order, rows: u64, multiprocessors: u64) -> bool {
    let (blocks, warps) = (launch.blocks, u64::from(launch.kernel.threads / 32));
    let Some(Scratch::Relay { tickets, .. }) = launch.scratch else {
        return false;
    };
    let own = match launch.kernel.entry {
        // As many blocks for each span of 32 tiles, so that each has a share of the plan's lanes.
        Entry::ReducePoll { warps: own } if tickets == rows => {
            let lanes = order.tiles.next_power_of_two().min(32);
            return order.lanes == 32
                && (9..=2048).contains(&order.tiles)
                && u64::from(own) == warps
                && lanes.is_multiple_of(warps)
                && blocks == rows * order.tiles.div_ceil(32) * (lanes / warps);
        }
        Entry::ArrayScanResident { warps, .. } if rows == 1 && blocks <= multiprocessors => warps,
        _ => return false,
    };
    order.lanes == 32
        && order.tiles <= if own >= 16 { 2048 } else { 1056 }
        && own.is_power_of_two()
        && u64::from(own) == warps
        && blocks == rows * order.tiles.div_ceil(warps)
}

/// Whether the blocks of a filter cover its tiles.
fn filters(launch: &Launch, order: &Order, multiprocessors: u64) -> bool {
    let Entry::ArrayFilter { warps, resident, .. } = launch.kernel.entry else {
        return false;
    };
    let batches = order.tiles.div_ceil(u64::from(warps));
    let scratch = Scratch::Relay {
        words: batches,
        tickets: 0,
    };
    launch.scratch == Some(scratch)
        && launch.kernel.threads == warps * 32
        && launch.strides != resident
        && launch.blocks == batches
        && (!resident || batches <= 2 * multiprocessors)
}

/// Kernels that stage rows are for exactly these, and for what a block has of shared memory. Gives the rows of a lane.
fn check_staged(entry: Entry, own_cols: usize, own_warps: u64) -> u64 {
    let (Entry::ReduceStaged(rows) | Entry::ApplyStaged(rows) | Entry::ScanStaged { rows, .. }) = entry
    else {
        unreachable!("only kernels over staged rows come here")
    };
    assert!(rows.cols as usize == own_cols && u64::from(rows.warps) == own_warps);
    assert!(rows.warps * 32 * rows.each * rows.cols * rows.bytes <= 48 << 10);
    u64::from(rows.each)
}

#[test]
#[allow(clippy::too_many_lines, reason = "a line or two for each entry")]
fn every_launch_covers_its_rows() {
    let infos = [
        REDUCE,
        APPLY,
        SCAN,
        FILTER,
        SHUFFLE,
        info(Form::Reduce, BYTES, false),
    ];
    let machines = [132, 33, 7, 1].map(|multiprocessors| Machine {
        multiprocessors,
        ..H200
    });
    for (info, machine) in infos
        .iter()
        .flat_map(|info| machines.iter().map(move |machine| (info, machine)))
    {
        for (rows, cols) in shapes() {
            let order = Order::of_line(info, cols as u64);
            for launch in launches_on(machine, info, ANY, rows, cols) {
                let Launch {
                    kernel,
                    blocks,
                    strides,
                    scratch,
                } = launch;
                let warps = u64::from(kernel.threads / 32);
                let groups = u64::from(Tile::of(&order).groups());
                assert!(kernel.threads % 32 == 0 && (32..=1024).contains(&kernel.threads) && blocks > 0);
                let rows = rows as u64;
                let enough = match kernel.entry {
                    Entry::Reduce { sets, .. } | Entry::Apply { sets, .. } | Entry::Scan { sets, .. } => {
                        assert!(sets.is_power_of_two() && (order.lanes < 8 || sets <= order.lanes));
                        blocks * warps * groups * u64::from(sets) >= rows && order.tiles == 1
                    }
                    Entry::ReduceStaged(_) | Entry::ApplyStaged(_) | Entry::ScanStaged { .. } => {
                        let each = check_staged(kernel.entry, cols, warps);
                        blocks * warps * 32 * each >= rows && order.tiles == 1
                    }
                    Entry::ReduceTiles => {
                        blocks * warps * groups >= rows && order.tiles <= u64::from(order.lanes)
                    }
                    Entry::Filter => blocks * warps * groups >= rows,
                    Entry::ReduceParts { warps: own, part, .. } | Entry::TotalsParts { warps: own, part } => {
                        assert!(part.is_power_of_two() && part <= 32 && u64::from(own) == warps);
                        assert_eq!(
                            matches!(scratch, Some(Scratch::Parts { .. })),
                            order.tiles > u64::from(part)
                        );
                        blocks == rows * order.tiles.div_ceil(u64::from(part))
                    }
                    Entry::ArrayReduce { warps: own, .. } => {
                        assert!(matches!(scratch, Some(Scratch::Parts { tickets: 1, .. })));
                        strides
                            && rows == 1
                            && order.lanes == 32
                            && u64::from(own) == warps
                            && blocks == order.tiles.div_ceil(32)
                            && blocks > 1
                    }
                    Entry::ReducePoll { .. } | Entry::ArrayScanResident { .. } => {
                        polls(&launch, &order, rows, machine.multiprocessors)
                    }
                    Entry::ApplyBlock { .. } => {
                        blocks == rows && warps * groups >= order.tiles && order.tiles <= 32
                    }
                    Entry::ApplyCluster {
                        warps: own,
                        groups: in_turn,
                        ..
                    } => {
                        assert!(kernel.shared() <= H200.shared && rows >= blocks / 8);
                        blocks.is_multiple_of(8)
                            && u64::from(own * in_turn) + 1 == warps
                            && u64::from(own) * 8 >= order.tiles
                            && (17..=96).contains(&order.tiles)
                    }
                    Entry::ApplyAgain { warps: own } => {
                        blocks == rows && u64::from(own) == warps && order.tiles <= 1024
                    }
                    Entry::ApplyTotals
                    | Entry::SegmentsCheck { .. }
                    | Entry::SegmentsFilterOffsets { .. } => strides,
                    Entry::ArrayFilter { .. } => {
                        let order = Order::of_filter(info, rows * cols as u64);
                        filters(&launch, &order, machine.multiprocessors)
                    }
                    Entry::SegmentsFilter {
                        warps: own, located, ..
                    } => {
                        let order = schedule::segments_filter_order(info, rows * cols as u64);
                        let words = order.tiles.div_ceil(warps);
                        assert_eq!(scratch, Some(Scratch::Relay { words, tickets: 0 }));
                        strides && u64::from(own) == warps && !located
                    }
                    Entry::ColumnsScan { warps: own, .. } => strides && u64::from(own) == warps,
                    Entry::ColumnsScanTiles { columns, .. } => {
                        assert!(matches!(scratch, Some(Scratch::Relay { .. })));
                        strides && columns * 32 == kernel.threads
                    }
                    Entry::Columns { warps: own, part, .. } => {
                        assert!(part.is_power_of_two() && part <= 32);
                        // Down the rows or, of the matrix turned round, along them; a block takes 32 columns at most.
                        let covers = |down: u64, across: u64| {
                            let order = Order::of_line(info, down);
                            kernel.tile == Tile::of(&order)
                                && blocks >= across.div_ceil(32) * order.tiles.div_ceil(u64::from(part))
                        };
                        let (rows, cols) = (rows, cols as u64);
                        u64::from(own) == warps && (strides || covers(rows, cols) || covers(cols, rows))
                    }
                    Entry::Segments {
                        warps: own, which, ..
                    }
                    | Entry::SegmentsTotals {
                        warps: own, which, ..
                    }
                    | Entry::SegmentsApply {
                        warps: own, which, ..
                    }
                    | Entry::SegmentsScan {
                        warps: own, which, ..
                    } => {
                        let relayed = matches!(kernel.entry, Entry::SegmentsScan { .. })
                            && matches!(which, Lengths::Long | Lengths::Bulk { .. });
                        assert_eq!(matches!(scratch, Some(Scratch::Relay { .. })), relayed);
                        let groups = match which {
                            Lengths::Short { .. } => schedule::segment_groups(rows),
                            _ => 1,
                        };
                        strides || (u64::from(own) == warps && blocks * warps * 32 * groups >= rows)
                    }
                    Entry::Shuffle { width, .. } => strides && width == 32,
                    Entry::ArrayScan { warps: own, .. } => {
                        let batch = u64::from(own) * groups;
                        assert!(matches!(scratch, Some(Scratch::Relay { .. })));
                        strides && u64::from(own) == warps && batch <= 32 && batch.is_power_of_two()
                    }
                    Entry::ArrayScanBulk { .. } | Entry::ArrayFilterBulk { .. } => {
                        unreachable!("what is known of the packs does not allow it")
                    }
                    Entry::ShardTotal { .. }
                    | Entry::ShardArray { .. }
                    | Entry::ShardResult
                    | Entry::ShardCarry => {
                        unreachable!("calls of one device have no shards")
                    }
                    Entry::ScanTiles { warps: own, .. } => {
                        let batch = u64::from(own) * groups;
                        blocks == rows && u64::from(own) == warps && batch <= 32 && batch.is_power_of_two()
                    }
                };
                assert!(enough, "{rows} rows of {cols}: {launch:?}");
            }
        }
    }
}
