//! Plans that are proved once, however many specs use them.
//!
//! The specs of a crate share most of their plans, and a proof is the longest part of writing one spec: in a build
//! without optimisation, where macros usually run, ten milliseconds of thirteen. A compiler works through a whole crate
//! in one process, so it keeps what it has proved. A plan is a plain value: an equal one has the same proof.

use std::cell::RefCell;
use std::collections::HashMap;

use warpfold_lanes::{Plan, Proved, Refusal};

thread_local! {
    static PROVED: RefCell<HashMap<Plan, Proved>> = RefCell::default();
}

/// Proves a plan, unless an equal one was proved before.
pub(crate) fn prove(plan: Plan) -> Result<Proved, Refusal> {
    PROVED.with_borrow_mut(|known| {
        if let Some(proved) = known.get(&plan) {
            return Ok(proved.clone());
        }
        let proved = warpfold_lanes::prove(plan.clone())?;
        known.insert(plan, proved.clone());
        Ok(proved)
    })
}

#[cfg(test)]
mod tests {
    use warpfold_lanes::{Landing, Mask, Order, Width, reduce};

    use super::*;

    #[test]
    fn a_plan_that_is_known_has_the_proof_it_had() {
        let plan = |order| reduce(Width::WARP, Landing::Lane(0), order, Mask::FULL);
        let first = prove(plan(Order::InOrder));
        assert_ne!(prove(plan(Order::AnyOrder)), first);
        assert_eq!(prove(plan(Order::InOrder)), first);
        assert_eq!(*first.unwrap().plan(), plan(Order::InOrder));
    }

    #[test]
    fn a_wrong_plan_is_refused_however_often_a_right_one_was_proved() {
        let mut plan = reduce(Width::WARP, Landing::Lane(0), Order::InOrder, Mask::FULL);
        assert!(prove(plan.clone()).is_ok());
        plan.steps.swap(0, 2);
        assert!(prove(plan.clone()).is_err());
        assert!(prove(plan).is_err());
    }
}
