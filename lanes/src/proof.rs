//! The proof: a plan run on symbols.
//!
//! Every lane starts with its own letter, combining concatenates, and the identity is the empty word. If the
//! right words come out of that, the right values come out of every associative operator with an identity,
//! because words are free: nothing holds of them but what holds of all. Lanes without an element are covered
//! too, as they only erase their letter. A value that nobody may use is no word at all.
//!
//! On the way no lane may use a value from outside the mask, or one that nobody may use. Lanes that the
//! result does not depend on may end with anything.

use crate::mask::Mask;
use crate::plan::{Action, Direction, Goal, Landing, Order, Plan, ScanKind, Step};
use crate::refusal::{Loss, Refusal};
use crate::run::Program;
use crate::trace::simulate;
use crate::width::{WARP, Width};
use crate::word::Word;
use std::cell::RefCell;

/// A plan that does what its goal says. Only [`prove`] makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    plan: Plan,
    program: Program,
}

impl Proved {
    /// The plan that was proved.
    pub const fn plan(&self) -> &Plan {
        &self.plan
    }

    #[inline]
    pub(crate) const fn program(&self) -> &Program {
        &self.program
    }
}

/// Proves that `plan` reaches its goal, in every group its mask names.
///
/// ```
/// use warpfold_lanes::{Landing, Mask, Order, Width, prove, reduce};
///
/// let width = Width::new(8).unwrap();
/// let mut plan = reduce(width, Landing::Lane(0), Order::InOrder, Mask::FULL);
/// plan.steps.swap(0, 2);
/// let refusal = prove(plan).unwrap_err();
/// assert_eq!(refusal.to_string(), "lane 0 ends with 0 4 2 6 1 5 3 7, but has to hold 0-7");
/// ```
///
/// # Errors
///
/// The first reason, in the order of the steps, why it does not.
pub fn prove(plan: Plan) -> Result<Proved, Refusal> {
    check_shape(&plan)?;
    let symbols = symbols(&plan);
    let needed = needed(&plan);
    for (index, &step) in plan.steps.iter().enumerate() {
        check_order_kept(&plan, index, step)?;
        for lane in plan.mask.lanes() {
            check_reads(&plan, &symbols, &needed, index, lane)?;
        }
    }
    let last = &symbols[plan.steps.len()];
    check_named(&plan)?;
    for lane in landing_lanes(&plan).lanes() {
        check_lands(&plan, last, &symbols, lane)?;
    }
    let uniform = lands_uniformly(&plan, last);
    let program = Program::of(&plan, uniform);
    Ok(Proved { plan, program })
}

/// A lane's symbol: what it has seen, and by which tree.
#[derive(Clone, Debug)]
pub(crate) struct Symbol {
    pub(crate) word: Word,
    tree: usize,
}

/// What each lane holds before the first step and after each, in symbols.
pub(crate) fn symbols(plan: &Plan) -> Vec<Vec<Option<Symbol>>> {
    let symmetric = order(plan) == Order::Symmetric;
    // Trees are numbered as they are met: the lanes first, then each new pair of operands.
    let trees = RefCell::new(Vec::new());
    let join = |a: usize, b: usize| {
        let pair = if symmetric { (a.min(b), a.max(b)) } else { (a, b) };
        let mut trees = trees.borrow_mut();
        let known = trees.iter().position(|&tree| tree == pair);
        WARP as usize
            + 1
            + known.unwrap_or_else(|| {
                trees.push(pair);
                trees.len() - 1
            })
    };
    let start = |lane: u32| Symbol {
        word: Word::letter(lane),
        tree: lane as usize,
    };
    let identity = Symbol {
        word: Word::default(),
        tree: WARP as usize,
    };
    let combine = |left: Symbol, right: Symbol| Symbol {
        word: left.word.then(&right.word),
        tree: join(left.tree, right.tree),
    };
    simulate(plan, start, &identity, &combine)
}

/// The lanes whose value after step `i` (index `i + 1`; 0 is the start) the result depends on.
pub(crate) fn needed(plan: &Plan) -> Vec<Mask> {
    needed_from(plan, landing_lanes(plan))
}

/// [`needed`], for a result that stands in `roots`.
pub(crate) fn needed_from(plan: &Plan, roots: Mask) -> Vec<Mask> {
    let mut needed = vec![roots];
    let mut after = roots;
    for &step in plan.steps.iter().rev() {
        let reads = after.lanes().map(|lane| match plan.action(step, lane) {
            Action::Combine { source, .. } => 1 << lane | 1 << source,
            Action::Take { source } => 1 << source,
            Action::Keep => 1 << lane,
            Action::TakeIdentity | Action::Lose => 0,
            Action::Collect { from, .. } => from.0,
        });
        after = Mask(reads.fold(0, |bits, read: u32| bits | read));
        needed.push(after);
    }
    needed.reverse();
    needed
}

/// Every lane that must hold a result, in every group that takes part.
pub(crate) fn landing_lanes(plan: &Plan) -> Mask {
    Mask(
        plan.mask
            .groups(plan.width)
            .fold(0, |bits, group| bits | plan.landing_lanes(group).0),
    )
}

const fn order(plan: &Plan) -> Order {
    match plan.goal {
        Goal::Reduce { order, .. } => order,
        Goal::Scan { .. } | Goal::Exchange { .. } => Order::InOrder,
    }
}

/// The mask names lanes that exist, landing lanes and offsets stay inside a group.
fn check_shape(plan: &Plan) -> Result<(), Refusal> {
    let &Plan {
        width,
        mask,
        present,
        goal,
        ..
    } = plan;
    if mask == Mask::EMPTY {
        return Err(Refusal::MaskEmpty);
    }
    if present == 0 || present > WARP || (present < WARP && width != Width::WARP) {
        return Err(Refusal::ShortWarp { present, width });
    }
    if let Some(lane) = mask.lanes().find(|&lane| lane >= present) {
        return Err(Refusal::MaskPastPresent { mask, present, lane });
    }
    match goal {
        Goal::Reduce {
            landing: Landing::Lane(landing),
            ..
        } if landing >= plan.group_lanes() => Err(Refusal::LandingOutsideGroup { landing, width }),
        Goal::Exchange { shuffle, .. } if shuffle.offset() >= width.lanes() => {
            Err(Refusal::SourceOutsideGroup { shuffle, width })
        }
        _ => Ok(()),
    }
}

/// An instruction that keeps no order has no place where order matters.
fn check_order_kept(plan: &Plan, index: usize, step: Step) -> Result<(), Refusal> {
    match (step, order(plan)) {
        (Step::Redux, Order::InOrder) => Err(Refusal::OrderLost { at: index + 1, step }),
        _ => Ok(()),
    }
}

/// No lane uses a value from outside the mask; none that matters uses a value nobody may use.
fn check_reads(
    plan: &Plan,
    symbols: &[Vec<Option<Symbol>>],
    needed: &[Mask],
    index: usize,
    lane: u32,
) -> Result<(), Refusal> {
    let (at, step) = (index + 1, plan.steps[index]);
    let (own, sources) = match plan.action(step, lane) {
        Action::Combine { source, .. } => (true, Mask(1 << source)),
        Action::Take { source } => (false, Mask(1 << source)),
        Action::Keep => (true, Mask::EMPTY),
        Action::TakeIdentity | Action::Lose => (false, Mask::EMPTY),
        Action::Collect { from, .. } => (false, from),
    };
    if let Some(source) = sources.lanes().find(|&source| !plan.mask.contains(source)) {
        return Err(Refusal::ReadsUnnamed {
            mask: plan.mask,
            at,
            step,
            lane,
            source,
        });
    }
    if !needed[index + 1].contains(lane) {
        return Ok(());
    }
    let read = Mask(sources.0 | if own { 1 << lane } else { 0 });
    let unusable = read
        .lanes()
        .find(|&source| symbols[index][source as usize].is_none());
    match unusable {
        Some(source) => Err(Refusal::ReadsUnusable {
            at,
            step,
            lane,
            source,
            lost: loss(plan, symbols, index, source),
        }),
        None => Ok(()),
    }
}

/// Every lane that must hold a result takes part. Asked before what the others hold: they lack that lane's letter only
/// because of this.
fn check_named(plan: &Plan) -> Result<(), Refusal> {
    let &Plan { width, mask, .. } = plan;
    match landing_lanes(plan).lanes().find(|&lane| !mask.contains(lane)) {
        Some(missing) => Err(Refusal::MaskSplitsGroup { mask, width, missing }),
        None => Ok(()),
    }
}

/// The lane holds the word that the goal asks for.
fn check_lands(
    plan: &Plan,
    last: &[Option<Symbol>],
    symbols: &[Vec<Option<Symbol>>],
    lane: u32,
) -> Result<(), Refusal> {
    let Some(symbol) = &last[lane as usize] else {
        return Err(Refusal::LandsUnusable {
            lane,
            lost: loss(plan, symbols, plan.steps.len(), lane),
        });
    };
    let (wanted, order) = (wanted(plan, lane), order(plan));
    let right = match order {
        Order::InOrder => symbol.word == wanted,
        Order::AnyOrder | Order::Symmetric => symbol.word.sorted() == wanted,
    };
    if right {
        Ok(())
    } else {
        Err(Refusal::WrongWord {
            lane,
            holds: symbol.word.clone(),
            wanted,
            order,
        })
    }
}

/// The word that `lane` has to hold in the end.
fn wanted(plan: &Plan, lane: u32) -> Word {
    let first = plan.width.base(lane);
    let end = first + plan.group_lanes();
    match plan.goal {
        Goal::Reduce { .. } => (first..end).collect(),
        Goal::Scan { kind, direction } => {
            let own = u32::from(kind == ScanKind::Inclusive);
            match direction {
                Direction::Forward => (first..lane + own).collect(),
                Direction::Reverse => (lane + 1 - own..end).rev().collect(),
            }
        }
        Goal::Exchange { shuffle, live } => {
            let source = shuffle.source(lane, plan.width);
            let has_one = source.in_group && plan.width.position(source.lane) < live;
            Word::letter(if has_one { source.lane } else { lane })
        }
    }
}

/// Where the value that `lane` holds before step `index` was lost: the step after which it was first unusable.
fn loss(plan: &Plan, symbols: &[Vec<Option<Symbol>>], index: usize, lane: u32) -> Loss {
    let usable = |index: usize| symbols[index][lane as usize].is_some();
    let lost = (0..index).rev().find(|&before| usable(before)).unwrap_or(0);
    Loss {
        at: lost + 1,
        step: plan.steps[lost.min(plan.steps.len() - 1)],
    }
}

/// Whether every landing lane of a group holds the same bits, since all of them folded the same tree.
fn lands_uniformly(plan: &Plan, last: &[Option<Symbol>]) -> bool {
    matches!(plan.goal, Goal::Reduce { .. })
        && plan.mask.groups(plan.width).all(|group| {
            let mut trees = plan
                .landing_lanes(group)
                .lanes()
                .map(|lane| last[lane as usize].as_ref().map(|s| s.tree));
            let first = trees.next();
            trees.all(|tree| Some(tree) == first)
        })
}
