//! The proved plans that the CPU back end runs: the objects that the emitted warp steps come from.

use std::sync::{OnceLock, PoisonError, RwLock};

use rustc_hash::FxHashMap;
use warpfold_lanes::{
    Direction, Landing, Mask, Order, Plan, Proved, ScanKind, Shuffle, Width, exchange_live, prove, reduce,
    scan,
};

/// One proved plan a width, for each purpose.
pub(crate) struct Plans {
    symmetric: [Proved; 6],
    any_order: [Proved; 6],
    in_order: [Proved; 6],
    scan: [Proved; 6],
}

impl Plans {
    /// Those of warpfold-lanes, proved once a process.
    pub(crate) fn get() -> &'static Self {
        static PLANS: OnceLock<Plans> = OnceLock::new();
        PLANS.get_or_init(|| Self {
            symmetric: first_lane(Order::Symmetric),
            any_order: first_lane(Order::AnyOrder),
            in_order: first_lane(Order::InOrder),
            scan: each_width(|width| scan(width, ScanKind::Inclusive, Direction::Forward, Mask::FULL)),
        })
    }

    /// Folds `lanes` states into lane 0.
    #[inline]
    pub(crate) fn reduce(&self, lanes: u32, order: Order) -> &Proved {
        let plans = match order {
            Order::Symmetric => &self.symmetric,
            Order::AnyOrder => &self.any_order,
            Order::InOrder => &self.in_order,
        };
        &plans[lanes.ilog2() as usize]
    }

    /// Gives each of `lanes` states what it and those before it combine to.
    pub(crate) fn scan(&self, lanes: u32) -> &Proved {
        &self.scan[lanes.ilog2() as usize]
    }

    /// Plans that put the scan where the fold belongs: what a test swaps in to see that plans matter.
    #[cfg(test)]
    pub(crate) fn wrong() -> Self {
        let scans = || each_width(|width| scan(width, ScanKind::Inclusive, Direction::Forward, Mask::FULL));
        Self {
            symmetric: scans(),
            any_order: scans(),
            in_order: scans(),
            scan: scans(),
        }
    }
}

/// The exchange of a group of which the first `live` lanes have an element, proved once a process.
pub(crate) fn exchange(shuffle: Shuffle, width: Width, live: u32) -> &'static Proved {
    type Exchanges = FxHashMap<(Shuffle, Width, u32), &'static Proved>;
    static EXCHANGES: RwLock<Option<Exchanges>> = RwLock::new(None);
    let key = (shuffle, width, live);
    let known = EXCHANGES.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(proved) = known.as_ref().and_then(|known| known.get(&key)) {
        return proved;
    }
    drop(known);
    let proved = prove(exchange_live(shuffle, width, Mask::FULL, live))
        .unwrap_or_else(|refusal| panic!("an exchange that the attribute accepted is refused: {refusal}"));
    let mut known = EXCHANGES.write().unwrap_or_else(PoisonError::into_inner);
    // As many as programs have shuffles, and each of them lengths of a last group: they may stay.
    known
        .get_or_insert_default()
        .entry(key)
        .or_insert_with(|| Box::leak(Box::new(proved)))
}

fn first_lane(order: Order) -> [Proved; 6] {
    each_width(|width| reduce(width, Landing::Lane(0), order, Mask::FULL))
}

fn each_width(plan: impl Fn(Width) -> Plan) -> [Proved; 6] {
    std::array::from_fn(|exponent| {
        let width = Width::new(1 << exponent).expect("powers of two up to 32 are widths");
        prove(plan(width)).unwrap_or_else(|refusal| panic!("the library's own plan is refused: {refusal}"))
    })
}
