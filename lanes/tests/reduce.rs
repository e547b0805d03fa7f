//! Reductions: every width, landing lane, order, mask of whole groups and live count, proved and executed.

mod common;

use common::{Matrix, Seq, UNIT, masks, matrix, times};
use warpfold_lanes::{
    Goal, Landing, Mask, Order, Proved, WARP, Width, prove, reduce, redux, run, trace, vote_plan,
};

fn landings(width: Width) -> impl Iterator<Item = Landing> {
    (0..width.lanes()).map(Landing::Lane).chain([Landing::All])
}

fn every_plan() -> impl Iterator<Item = (Width, Landing, Order, Proved)> {
    Width::ALL.into_iter().flat_map(|width| {
        landings(width).flat_map(move |landing| {
            [Order::InOrder, Order::AnyOrder, Order::Symmetric].map(|order| {
                (
                    width,
                    landing,
                    order,
                    prove(reduce(width, landing, order, Mask::FULL)).unwrap(),
                )
            })
        })
    })
}

fn lands(landing: Landing, position: u32) -> bool {
    landing == Landing::All || landing == Landing::Lane(position)
}

#[test]
fn every_plan_is_proved_under_every_mask_of_whole_groups() {
    for width in Width::ALL {
        let masks = masks(width);
        for landing in landings(width) {
            for order in [Order::InOrder, Order::AnyOrder, Order::Symmetric] {
                for &mask in &masks {
                    let proof = prove(reduce(width, landing, order, mask));
                    assert!(
                        proof.is_ok(),
                        "width {width}, {landing}, {order:?}, {mask}: {proof:?}"
                    );
                }
            }
        }
    }
}

/// A whole warp at once: every group comes to the elements of its live lanes, each once, in their order where it matters.
#[test]
fn every_plan_combines_the_live_lanes() {
    for (width, landing, order, plan) in every_plan() {
        for live in 0..=WARP {
            let mut states: [Seq; 32] = std::array::from_fn(|lane| {
                if (lane as u32) < live {
                    Seq::of(lane as u32)
                } else {
                    Seq::EMPTY
                }
            });
            run(&plan, &mut states, Seq::EMPTY, Seq::then);
            for lane in (0..WARP).filter(|&lane| lands(landing, width.position(lane))) {
                let first = width.base(lane);
                let wanted: Vec<u8> = (first..first + width.lanes())
                    .filter(|&l| l < live)
                    .map(|l| l as u8)
                    .collect();
                let got = states[lane as usize];
                let got = if order == Order::InOrder {
                    got.letters().to_vec()
                } else {
                    got.sorted()
                };
                assert_eq!(
                    got, wanted,
                    "width {width}, {landing}, {order:?}, {live} live, lane {lane}"
                );
            }
        }
    }
}

#[test]
fn plans_in_order_multiply_matrices() {
    for (width, landing, order, plan) in every_plan() {
        if order != Order::InOrder {
            continue;
        }
        for live in 0..=width.lanes() {
            let mut states: Vec<Matrix> = (0..width.lanes())
                .map(|lane| if lane < live { matrix(lane) } else { UNIT })
                .collect();
            let wanted = (0..live).map(matrix).fold(UNIT, times);
            run(&plan, &mut states, UNIT, times);
            for position in (0..width.lanes()).filter(|&position| lands(landing, position)) {
                assert_eq!(
                    states[position as usize], wanted,
                    "width {width}, {landing}, {live} live"
                );
            }
        }
    }
}

/// The fast way and the tracked way fold the same tree, and where the result lands does not change it: with
/// rounding, two trees would give two answers.
#[test]
fn one_order_folds_one_tree() {
    let random = |i: u32| (i + 1).wrapping_mul(2_654_435_769).rotate_left(i) >> 8;
    let values: Vec<f64> = (0..32).map(|i| 1.0 + f64::from(random(i)) / 3.0e7).collect();
    for width in Width::ALL {
        let lanes = width.lanes() as usize;
        let mut answers = Vec::new();
        for order in [Order::InOrder, Order::AnyOrder, Order::Symmetric] {
            let mut seen = Vec::new();
            for landing in landings(width) {
                let plan = prove(reduce(width, landing, order, Mask::FULL)).unwrap();
                let mut states = values[..lanes].to_vec();
                run(&plan, &mut states, 1.0, |a, b| a * b);
                let traced = trace(plan.plan(), &values[..lanes], 1.0, |a, b| a * b);
                for position in (0..width.lanes()).filter(|&position| lands(landing, position)) {
                    let state = states[position as usize];
                    assert_eq!(
                        Some(state.to_bits()),
                        traced.end()[position as usize].map(f64::to_bits)
                    );
                    seen.push(state.to_bits());
                }
            }
            seen.dedup();
            assert_eq!(
                seen.len(),
                1,
                "width {width}, {order:?} gives more than one answer"
            );
            answers.extend(seen);
        }
        if lanes == 32 {
            assert_ne!(
                answers[0], answers[1],
                "these values cannot tell one order from the other"
            );
        }
    }
}

/// A plan for another purpose gives another answer: `run` does what its plan says.
#[test]
fn the_plan_decides_the_answer() {
    let half = Width::new(16).unwrap();
    let [right, wrong] = [Width::WARP, half]
        .map(|width| prove(reduce(width, Landing::Lane(0), Order::InOrder, Mask::FULL)).unwrap());
    let sum = |plan: &Proved| {
        let mut states: [u32; 32] = std::array::from_fn(|lane| lane as u32);
        run(plan, &mut states, 0, |a, b| a + b);
        states[0]
    };
    assert_eq!((sum(&right), sum(&wrong)), (496, 120));
}

#[test]
fn groups_outside_the_mask_are_left_alone() {
    let width = Width::new(8).unwrap();
    let plan = prove(reduce(width, Landing::All, Order::InOrder, Mask(0xff00_00ff))).unwrap();
    let mut states = [1; 32];
    run(&plan, &mut states, 0, |a, b| a + b);
    assert_eq!(states[..8], [8; 8]);
    assert_eq!(states[8..24], [1; 16]);
    assert_eq!(states[24..], [8; 8]);
}

#[test]
fn a_trace_shows_what_nobody_may_use() {
    let plan = reduce(
        Width::new(4).unwrap(),
        Landing::Lane(0),
        Order::InOrder,
        Mask::FULL,
    );
    let of = |lane: &str| lane.to_string();
    let trace = trace(
        &plan,
        &[of("a"), of("b"), of("c"), of("d")],
        String::new(),
        |a, b| a + &b,
    );
    assert_eq!(
        trace.steps[0].held,
        [Some(of("ab")), Some(of("bc")), Some(of("cd")), None]
    );
    assert_eq!(trace.steps[1].held, [Some(of("abcd")), None, None, None]);
}

#[test]
fn votes_and_redux_are_proved_and_executed() {
    for width in Width::ALL {
        for mask in masks(width) {
            let plan = prove(vote_plan(width, mask)).unwrap();
            assert_eq!(plan.plan().steps.len(), 1);
        }
        let plan = prove(vote_plan(width, Mask::FULL)).unwrap();
        let mut states: [u32; 32] =
            std::array::from_fn(|lane| u32::from(lane % 3 == 0) << (lane as u32 % width.lanes()));
        let says = states;
        run(&plan, &mut states, 0, |a, b| a | b);
        for lane in 0..WARP {
            let first = width.base(lane) as usize;
            let wanted = says[first..first + width.lanes() as usize]
                .iter()
                .fold(0, |a, b| a | b);
            assert_eq!(states[lane as usize], wanted);
        }
    }
    let plan = prove(redux(Mask::FULL)).unwrap();
    let mut states: [u32; 32] = std::array::from_fn(|lane| lane as u32);
    run(&plan, &mut states, 0, |a, b| a + b);
    assert_eq!(states, [496; 32]);
}

/// Where elements may change places, lanes still agree on the last bit, even of an operator whose sides matter.
#[test]
fn all_lanes_hold_the_same_bits_in_any_order() {
    for width in Width::ALL {
        let word = |landing| {
            let plan = prove(reduce(width, landing, Order::AnyOrder, Mask::FULL)).unwrap();
            let mut states: Vec<Seq> = (0..width.lanes()).map(Seq::of).collect();
            let traced = trace(plan.plan(), &states, Seq::EMPTY, Seq::then);
            run(&plan, &mut states, Seq::EMPTY, Seq::then);
            let landing_lanes = (0..width.lanes()).filter(move |&lane| lands(landing, lane));
            for lane in landing_lanes.clone() {
                assert_eq!(traced.end()[lane as usize], Some(states[lane as usize]));
            }
            landing_lanes
                .map(|lane| states[lane as usize])
                .collect::<Vec<_>>()
        };
        let first = word(Landing::Lane(0))[0];
        assert_eq!(word(Landing::All), vec![first; width.lanes() as usize]);
        for lane in 0..width.lanes() {
            assert_eq!(word(Landing::Lane(lane)), [first]);
        }
    }
}

/// A plan under which lanes fold different trees runs as it stands: every lane gets the bits that it would on a GPU.
#[test]
fn lanes_that_fold_different_trees_are_run_apart() {
    let mut plan = reduce(Width::new(8).unwrap(), Landing::All, Order::Symmetric, Mask::FULL);
    plan.goal = Goal::Reduce {
        landing: Landing::All,
        order: Order::AnyOrder,
    };
    let plan = prove(plan).unwrap();
    let mut states: Vec<Seq> = (0..8).map(Seq::of).collect();
    let traced = trace(plan.plan(), &states, Seq::EMPTY, Seq::then);
    run(&plan, &mut states, Seq::EMPTY, Seq::then);
    assert_ne!(states[0], states[7]);
    assert_eq!(traced.end(), states.into_iter().map(Some).collect::<Vec<_>>());
}
