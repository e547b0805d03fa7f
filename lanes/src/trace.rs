//! One warp, step by step, with values that nobody may use kept apart.

use crate::mask::Mask;
use crate::plan::{Action, Plan, Step};
use crate::width::WARP;

/// What the lanes of one group hold, before the first step and after each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace<S> {
    /// What each lane starts with.
    pub start: Vec<Option<S>>,
    /// The steps, in order.
    pub steps: Vec<TraceStep<S>>,
}

/// One step of a [`Trace`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceStep<S> {
    /// What was done.
    pub step: Step,
    /// What each lane holds afterwards; `None` is a value nobody may use.
    pub held: Vec<Option<S>>,
}

impl<S> Trace<S> {
    /// What each lane holds in the end.
    pub fn end(&self) -> &[Option<S>] {
        self.steps.last().map_or(&self.start, |step| &step.held)
    }
}

/// Runs the first group that takes part in `plan`, proved or not, from up to `width` states; lanes past them
/// carry the identity. Lanes that do not exist, or that the mask does not name, hold `None` throughout.
///
/// # Panics
///
/// When there are more states than lanes in a group.
///
/// ```
/// use warpfold_lanes::{Landing, Mask, Order, Width, reduce, trace};
///
/// let plan = reduce(Width::new(4).unwrap(), Landing::Lane(0), Order::AnyOrder, Mask::FULL);
/// let trace = trace(&plan, &[1, 2, 3], 0, |a, b| a + b);
/// assert_eq!(trace.steps[0].step.to_string(), "down 2");
/// assert_eq!(trace.steps[0].held, [Some(4), Some(2), None, None]);
/// assert_eq!(trace.end()[0], Some(6));
/// ```
pub fn trace<S: Clone>(plan: &Plan, states: &[S], identity: S, combine: impl Fn(S, S) -> S) -> Trace<S> {
    let lanes = plan.group_lanes() as usize;
    assert!(
        states.len() <= lanes,
        "{} states are too many for a group of {lanes} lanes",
        states.len()
    );
    let group = plan.mask.groups(plan.width).next().unwrap_or(0);
    let base = (group * plan.width.lanes()) as usize;
    let start = |lane: u32| {
        states
            .get((lane as usize).wrapping_sub(base))
            .unwrap_or(&identity)
            .clone()
    };
    let mut frames = simulate(plan, start, &identity, &combine)
        .into_iter()
        .map(|mut frame| {
            frame.truncate(base + lanes);
            frame.split_off(base)
        });
    let start = frames.next().unwrap_or_default();
    let steps = plan
        .steps
        .iter()
        .zip(frames)
        .map(|(&step, held)| TraceStep { step, held })
        .collect();
    Trace { start, steps }
}

/// What the 32 lanes of a warp hold, before the first step and after each.
pub(crate) fn simulate<S: Clone>(
    plan: &Plan,
    start: impl Fn(u32) -> S,
    identity: &S,
    combine: &impl Fn(S, S) -> S,
) -> Vec<Vec<Option<S>>> {
    let members = Mask(plan.mask.0 & Mask::prefix(plan.present).0);
    let mut now: Vec<Option<S>> = (0..WARP)
        .map(|lane| members.contains(lane).then(|| start(lane)))
        .collect();
    let mut frames = Vec::with_capacity(plan.steps.len() + 1);
    for &step in &plan.steps {
        let next = (0..WARP).map(|lane| {
            let held = |lane: u32| now[lane as usize].clone();
            let own = held(lane);
            if !members.contains(lane) {
                return None;
            }
            match plan.action(step, lane) {
                Action::Combine {
                    source,
                    on_left: true,
                } => Some(combine(held(source)?, own?)),
                Action::Combine {
                    source,
                    on_left: false,
                } => Some(combine(own?, held(source)?)),
                Action::Take { source } => held(source),
                Action::Keep => own,
                Action::TakeIdentity => Some(identity.clone()),
                Action::Lose => None,
                Action::Collect { from, .. } => fold(from.lanes().map(held), combine),
            }
        });
        let next = next.collect();
        frames.push(std::mem::replace(&mut now, next));
    }
    frames.push(now);
    frames
}

/// All values combined, left to right; `None` where one of them is unusable, or there are none.
fn fold<S>(values: impl Iterator<Item = Option<S>>, combine: &impl Fn(S, S) -> S) -> Option<S> {
    values.reduce(|left, right| Some(combine(left?, right?)))?
}
