//! The proved plans that the CPU back end runs: the objects that the emitted warp steps come from.

use std::sync::OnceLock;

use warpfold_lanes::{Direction, Landing, Mask, Order, Plan, Proved, ScanKind, Width, prove, reduce, scan};

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

fn first_lane(order: Order) -> [Proved; 6] {
    each_width(|width| reduce(width, Landing::Lane(0), order, Mask::FULL))
}

fn each_width(plan: impl Fn(Width) -> Plan) -> [Proved; 6] {
    std::array::from_fn(|exponent| {
        let width = Width::new(1 << exponent).expect("powers of two up to 32 are widths");
        prove(plan(width)).unwrap_or_else(|refusal| panic!("the library's own plan is refused: {refusal}"))
    })
}
