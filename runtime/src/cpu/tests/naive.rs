//! A slow evaluator of the order, written from its description: recursion over words of positions, no plans, no blocks.

use crate::order::Order;
use crate::spec::{Fold, Info, TileFold};

/// The state of `n` elements, given each one's.
pub fn total<S: Fold>(order: &Order, states: &[S::State]) -> S::State {
    let at = |i: usize| states.get(i).copied().unwrap_or_else(S::identity);
    let tiles: Vec<S::State> = (0..order.tiles as usize)
        .map(|k| tile::<S>(order, &|p| at(k * order.tile() + p)))
        .collect();
    let total = tree_of_32::<S>(&tiles);
    S::init().map_or(total, |init| S::combine(init, total))
}

fn tile<S: Fold>(order: &Order, at: &dyn Fn(usize) -> S::State) -> S::State {
    let (v, lanes, turns) = (order.v as usize, order.lanes as usize, order.turns as usize);
    let position = |t: usize, lane: usize, slot: usize| at((t * lanes + lane) * v + slot);
    match S::INFO.fold {
        TileFold::Striped => {
            let lane_state = |lane: usize| {
                left::<S>((0..v).map(|slot| left::<S>((0..turns).map(|t| position(t, lane, slot)))))
            };
            halving::<S>(&(0..lanes).map(lane_state).collect::<Vec<_>>())
        }
        TileFold::Blocked => {
            let turn = |t: usize| {
                let lane = |lane: usize| left::<S>((0..v).map(|slot| position(t, lane, slot)));
                doubling::<S>(&(0..lanes).map(lane).collect::<Vec<_>>())
            };
            let mut turns: Vec<_> = (0..turns).map(turn).collect();
            turns.resize(turns.len().next_power_of_two(), S::identity());
            doubling::<S>(&turns)
        }
        TileFold::Lane | TileFold::Tile => unreachable!("tests of those compare with plain loops"),
    }
}

/// First to last, one after the other.
pub fn left<S: Fold>(states: impl Iterator<Item = S::State>) -> S::State {
    states.reduce(S::combine).expect("never empty")
}

/// The any-order tree: the lower half against the upper half, lane by lane.
pub fn halving<S: Fold>(lanes: &[S::State]) -> S::State {
    if lanes.len() == 1 {
        return lanes[0];
    }
    let (low, high) = lanes.split_at(lanes.len() / 2);
    halving::<S>(
        &low.iter()
            .zip(high)
            .map(|(&a, &b)| S::combine(a, b))
            .collect::<Vec<_>>(),
    )
}

/// The in-order tree: neighbours first.
pub fn doubling<S: Fold>(lanes: &[S::State]) -> S::State {
    if lanes.len() == 1 {
        return lanes[0];
    }
    doubling::<S>(
        &lanes
            .chunks(2)
            .map(|pair| S::combine(pair[0], pair[1]))
            .collect::<Vec<_>>(),
    )
}

fn tree_of_32<S: Fold>(states: &[S::State]) -> S::State {
    if states.len() == 1 {
        return states[0];
    }
    let groups = states.chunks(32).map(|group| {
        let mut lanes = group.to_vec();
        let width = if states.len() > 32 {
            32
        } else {
            group.len().next_power_of_two()
        };
        lanes.resize(width, S::identity());
        if S::INFO.order == warpfold_lanes::Order::InOrder {
            doubling::<S>(&lanes)
        } else {
            halving::<S>(&lanes)
        }
    });
    tree_of_32::<S>(&groups.collect::<Vec<_>>())
}

/// The inclusive values of a scan over positions.
pub fn scanned<S: Fold>(order: &Order, states: &[S::State]) -> Vec<S::State> {
    let n = states.len();
    let at = |i: usize| states.get(i).copied().unwrap_or_else(S::identity);
    let (v, lanes, turns) = (order.v as usize, order.lanes as usize, order.turns as usize);
    let both = |a: Option<S::State>, b: Option<S::State>| match (a, b) {
        (Some(a), Some(b)) => Some(S::combine(a, b)),
        (a, None) => a,
        (None, b) => b,
    };
    let mut out = Vec::new();
    let mut carry = S::init();
    for span in 0..order.spans() as usize {
        let tiles = (span * 32..(order.tiles as usize).min(span * 32 + 32)).collect::<Vec<_>>();
        let mut locals = Vec::new();
        let mut totals = Vec::new();
        for &k in &tiles {
            let (mut turn_prefix, mut local) = (None, Vec::new());
            for t in 0..turns {
                let base = k * order.tile() + t * lanes * v;
                let lane_totals: Vec<_> = (0..lanes)
                    .map(|lane| left::<S>((0..v).map(|slot| at(base + lane * v + slot))))
                    .collect();
                let inclusive = kogge_stone::<S>(&lane_totals);
                for lane in 0..lanes {
                    for slot in 0..v {
                        let own = left::<S>((0..=slot).map(|slot| at(base + lane * v + slot)));
                        let inside = both(lane.checked_sub(1).map(|below| inclusive[below]), Some(own));
                        local.push(both(turn_prefix, inside).unwrap());
                    }
                }
                turn_prefix = both(turn_prefix, Some(inclusive[lanes - 1]));
            }
            totals.push(turn_prefix.unwrap());
            locals.push(local);
        }
        totals.resize(32, S::identity());
        let inclusive = kogge_stone::<S>(&totals);
        for (i, local) in locals.iter().enumerate() {
            let prefix = both(carry, i.checked_sub(1).map(|below| inclusive[below]));
            out.extend(local.iter().map(|&value| both(prefix, Some(value)).unwrap()));
        }
        carry = both(carry, Some(inclusive[31]));
    }
    out.truncate(n);
    out
}

/// At distance 1, 2, 4, … each takes the one below on the left.
fn kogge_stone<S: Fold>(lanes: &[S::State]) -> Vec<S::State> {
    let mut held = lanes.to_vec();
    let mut distance = 1;
    while distance < held.len() {
        held = (0..held.len())
            .map(|i| {
                if i >= distance {
                    S::combine(held[i - distance], held[i])
                } else {
                    held[i]
                }
            })
            .collect();
        distance *= 2;
    }
    held
}

/// The order of a row of `n` elements of a spec.
pub fn order_of(info: &Info, n: usize) -> Order {
    Order::of_line(info, n as u64)
}
