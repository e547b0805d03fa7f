//! Warps that are short of lanes: every prefix, proved and executed.

mod common;

use common::Seq;
use warpfold_lanes::{
    Direction, Landing, Mask, Order, Plan, ScanKind, Step, WARP, partial, prove, run, trace,
};

fn letters(present: u32) -> Vec<Seq> {
    (0..present).map(Seq::of).collect()
}

#[test]
fn every_prefix_reduces() {
    for present in 1..=WARP {
        for order in [Order::InOrder, Order::AnyOrder, Order::Symmetric] {
            let last = present - 1;
            for landing in [Landing::Lane(0), Landing::Lane(last), Landing::All] {
                let plan = prove(partial::reduce(present, landing, order)).unwrap();
                assert_eq!(plan.plan().mask, Mask::prefix(present));
                let mut states = letters(present);
                run(&plan, &mut states, Seq::EMPTY, Seq::then);
                for lane in (0..present).filter(|&l| landing == Landing::All || landing == Landing::Lane(l)) {
                    let got = states[lane as usize];
                    let got = if order == Order::InOrder {
                        got.letters().to_vec()
                    } else {
                        got.sorted()
                    };
                    assert_eq!(
                        got,
                        (0..present as u8).collect::<Vec<_>>(),
                        "{present} lanes, {landing}, {order:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn every_prefix_scans() {
    for present in 1..=WARP {
        for kind in [ScanKind::Inclusive, ScanKind::Exclusive] {
            for direction in [Direction::Forward, Direction::Reverse] {
                let plan = prove(partial::scan(present, kind, direction)).unwrap();
                let mut states = letters(present);
                run(&plan, &mut states, Seq::EMPTY, Seq::then);
                let own = u8::from(kind == ScanKind::Inclusive);
                for (lane, state) in states.iter().enumerate() {
                    let wanted: Vec<u8> = match direction {
                        Direction::Forward => (0..lane as u8 + own).collect(),
                        Direction::Reverse => (lane as u8 + 1 - own..present as u8).rev().collect(),
                    };
                    assert_eq!(
                        state.letters(),
                        wanted,
                        "{present} lanes, {kind:?}, {direction:?}, lane {lane}"
                    );
                }
            }
        }
    }
}

#[test]
fn every_prefix_votes() {
    for present in 1..=WARP {
        let plan = prove(partial::vote(present)).unwrap();
        let mut states: Vec<u32> = (0..present).map(|lane| 1 << lane).collect();
        run(&plan, &mut states, 0, |a, b| a | b);
        assert!(states.iter().all(|&bits| bits == Mask::prefix(present).0));
    }
}

/// One piece of code serves every prefix, as only the bound differs.
#[test]
fn the_steps_of_every_prefix_are_alike() {
    let shuffles = |plan: Plan| -> Vec<String> { plan.steps.iter().map(Step::to_string).collect() };
    for order in [Order::InOrder, Order::AnyOrder, Order::Symmetric] {
        let full = shuffles(partial::reduce(WARP, Landing::All, order));
        for present in 1..WARP {
            assert_eq!(shuffles(partial::reduce(present, Landing::All, order)), full);
        }
    }
}

/// The tree does not depend on the landing lane here either.
#[test]
fn lanes_that_do_not_exist_are_never_held() {
    let plan = partial::reduce(5, Landing::All, Order::AnyOrder);
    let trace = trace(&plan, &[1, 2, 3, 4, 5], 0, |a, b| a + b);
    assert_eq!(trace.end(), [Some(15); 5]);
}
