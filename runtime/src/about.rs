//! What a spec can say of itself: its plan, a trace of one warp, its CUDA C++.

use std::any::TypeId;

use warpfold_lanes as lanes;
use warpfold_lanes::{Mask, Plan, Proved, Width, prove};

use crate::gpu::kernel::{BLOCK, FOUNDATION};
use crate::spec::{Exchange, Fold, Form, Info, Land, Spec, TileFold};

/// The proved plan of the user's warp function: its own width (32 where none is given), landing and mask.
pub fn plan<S: Spec>() -> Proved {
    prove(unproved(&S::INFO))
        .unwrap_or_else(|refusal| panic!("a plan that the attribute accepted is refused: {refusal}"))
}

fn unproved(info: &Info) -> Plan {
    let width = info.width.and_then(Width::new).unwrap_or(Width::WARP);
    let mask = Mask(info.mask);
    match info.form {
        // Of the table's operators only `any` and `all` fold a lane's elements to a bool.
        Form::Reduce if info.fold == TileFold::Lane && info.state.id == TypeId::of::<bool>() => {
            lanes::vote_plan(width, mask)
        }
        Form::Reduce => {
            let landing = match info.land {
                Land::All => lanes::Landing::All,
                Land::Lane(k) => lanes::Landing::Lane(k),
            };
            lanes::reduce(width, landing, info.order, mask).noted(before_the_steps(info))
        }
        Form::Scan { exclusive, reverse } => {
            let kind = if exclusive {
                lanes::ScanKind::Exclusive
            } else {
                lanes::ScanKind::Inclusive
            };
            let direction = if reverse {
                lanes::Direction::Reverse
            } else {
                lanes::Direction::Forward
            };
            lanes::scan(width, kind, direction, mask)
        }
        Form::Filter => lanes::vote_plan(width, mask),
        Form::Shuffle(from) => lanes::exchange(shuffle(from), width, mask),
    }
}

/// What the lanes of a launch do before these steps, or in their place, where the operator is told by votes.
///
/// The steps combine states, of which each lane may bring any: a sum of counts, bits side by side. Votes tell of elements.
fn before_the_steps(info: &Info) -> &'static str {
    match (info.fold, info.state.id) {
        (TileFold::Tile, id) if id == TypeId::of::<u64>() => {
            "of elements: up to 32 by 8 lanes or more are voted on and the bits counted; of more each lane counts its own, then redux adds"
        }
        (TileFold::Lane, id) if id == TypeId::of::<u32>() => {
            "of elements: 8 lanes or more vote on each, and the bits are put in the order of the columns; fewer join their own, then the steps"
        }
        _ => "",
    }
}

/// The same exchange in the words of warpfold-lanes.
pub(crate) fn shuffle(from: Exchange) -> lanes::Shuffle {
    match from {
        Exchange::Lane(k) => lanes::Shuffle::Lane(k),
        Exchange::Up(k) => lanes::Shuffle::Up(k),
        Exchange::Down(k) => lanes::Shuffle::Down(k),
        Exchange::Xor(k) => lanes::Shuffle::Xor(k),
        Exchange::Rotate(k) => lanes::Shuffle::Rotate(k),
    }
}

/// What each lane of one group holds after each step, from up to `width` states; lanes without one hold the identity.
/// States past the width stand in other groups, which do the same, and are not shown.
pub fn trace<S: Fold>(states: &[S::State]) -> lanes::Trace<S::State> {
    let plan = plan::<S>();
    let lanes = plan.plan().group_lanes() as usize;
    let group = &states[..states.len().min(lanes)];
    lanes::trace(plan.plan(), group, S::identity(), S::combine)
}

/// The CUDA C++ of the spec with the library it stands on: complete, without any `#include`.
///
/// Of reductions and scans also the functions for one block, for people with kernels of their own.
pub fn cuda<S: Spec>() -> String {
    let mut text = String::new();
    let folds = matches!(S::INFO.form, Form::Reduce | Form::Scan { .. });
    for part in FOUNDATION.iter().chain([&S::CUDA]).chain(folds.then_some(&BLOCK)) {
        text.push_str(&part.replace("#pragma once\n", ""));
        text.push('\n');
    }
    text
}
