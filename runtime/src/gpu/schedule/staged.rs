//! When short dense rows go through shared memory, a lane each.

use super::{BUSY_WARPS, EXACT_COLS, Launch, Machine, Packs, plain_bytes};
use crate::gpu::kernel::{Entry, Kernel, Load, Staged, Tile};
use crate::order::Order;
use crate::rows::Shape;
use crate::spec::{Form, Info, ParamKind, TileFold};

/// Shared memory that a block may have without asking.
const SHARED: u32 = 48 << 10;
/// Bytes of states that a lane may hold where it folds a whole row: one a level of the tree.
const FOLDED_STATES: u32 = 160;
/// Bytes of values that a lane may hold of a row: those that it scans, or that are folded in two steps.
const HELD_VALUES: usize = 400;
/// Rows of a lane, and elements of a lane that are worth the wait for them.
const MOST_EACH: u32 = 8;
const WORTH_WAITING: u32 = 8;
/// Warps of a block.
const MOST_WARPS: u32 = 16;
/// The same where results go out through shared memory: small blocks come and go apart from each other.
const MOST_WARPS_EACH: u32 = 4;

/// The launch over short dense rows that start anywhere, where that pays.
pub(super) fn staged(
    info: &Info,
    order: &Order,
    shape: &Shape,
    packs: Packs,
    machine: &Machine,
) -> Option<Launch> {
    let each = info.has_apply || matches!(info.form, Form::Scan { .. });
    let cols = shape.cols as u32;
    let fits = order.tiles == 1 && (1..=EXACT_COLS).contains(&shape.cols) && shape.stride == shape.cols;
    let out_fits = !each || (shape.out_stride == shape.cols && packs.outputs);
    // Every launch comes here, and few go on: what divides comes after this.
    if !(fits && out_fits && pays(info, shape.cols, packs) && light(info, order)) {
        return None;
    }
    // Several rows a lane where these are short, as long as every multiprocessor has enough.
    let lanes = machine.multiprocessors * BUSY_WARPS * 32;
    let busy = (shape.rows as u64 / lanes).min(u64::from(MOST_EACH)) as u32;
    if busy == 0 {
        return None;
    }
    let of_lane = 1 << (WORTH_WAITING / cols).clamp(1, busy).ilog2();
    let (bytes, out) = room(info, each);
    let most = (SHARED / (32 * of_lane * cols * bytes)).min(if each { MOST_WARPS_EACH } else { MOST_WARPS });
    let warps = 1 << most.checked_ilog2()?;
    let rows = Staged {
        cols,
        each: of_lane,
        warps,
        bytes,
        out,
    };
    let entry = match info.form {
        Form::Scan { exclusive, reverse } => Entry::ScanStaged {
            rows,
            exclusive,
            reverse,
        },
        _ if each => Entry::ApplyStaged(rows),
        _ => Entry::ReduceStaged(rows),
    };
    Some(Launch {
        kernel: Kernel {
            entry,
            tile: Tile::of(order),
            load: packs.load,
            store: Load::Any,
            threads: warps * 32,
        },
        blocks: (shape.rows as u64)
            .div_ceil(u64::from(32 * of_lane))
            .div_ceil(u64::from(warps)),
        strides: false,
        scratch: None,
    })
}

/// Whether rows start anywhere, and the lanes do not meet in few banks: both are so where a row is no multiple of 16 bytes.
fn pays(info: &Info, cols: usize, packs: Packs) -> bool {
    let mut plain = info.params.iter().filter(|param| param.kind == ParamKind::Plain);
    packs.load == Load::Any
        && packs.starts
        && plain_bytes(info) > 0
        && plain.all(|param| !(cols * param.ty.size).is_multiple_of(16))
}

/// Whether a lane can hold what it needs of a row.
fn light(info: &Info, order: &Order) -> bool {
    let held = order.n as usize
        * match (info.form, info.fold) {
            (Form::Scan { .. }, _) => info.state.size,
            (_, TileFold::Tile) => info.mapped.size,
            _ => 0,
        };
    info.state.size as u32 * order.lanes.ilog2().max(1) <= FOLDED_STATES && held <= HELD_VALUES
}

/// Bytes of shared memory that one element takes, and where its results begin: in the place of the first parameter where it
/// has one that is as wide.
pub(super) fn room(info: &Info, each: bool) -> (u32, u32) {
    let plain = plain_bytes(info);
    if !each {
        return (plain, 0);
    }
    let mut params = info.params.iter().filter(|param| param.kind == ParamKind::Plain);
    match (params.next(), info.results) {
        (Some(first), [only]) if only.size == first.ty.size => (plain, 0),
        (_, results) => {
            let out: usize = results.iter().map(|ty| ty.size).sum();
            (plain + out as u32, plain)
        }
    }
}
