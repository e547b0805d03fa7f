//! One plan as lines of C++: a shuffle, what becomes of the value received, and a comment, step by step.

use warpfold_lanes::{Combine, Guard, Mask, Otherwise, Plan, Proved, Shuffle, Step, Width};

use super::text::Text;

/// Which lanes take part in the steps, as the emitted text says it.
pub(super) enum Lanes {
    /// All 32.
    All,
    /// Those of a constant mask.
    Mask(Mask),
    /// Those below the variable `live`: others do not exist.
    Prefix,
    /// All 32; those of a group from the variable `live` on have no element.
    Live,
}

/// The steps of a plan, on the variable `s`.
pub(super) fn steps(out: &mut Text, plan: &Proved, lanes: &Lanes) {
    let plan = plan.plan();
    let guarded = |step: &Step| match step {
        Step::Shuffle {
            shuffle,
            combine,
            guard,
        } => {
            matches!(combine, Combine::ReceivedLeftWhereBit(_))
                || (*guard != Guard::Always || matches!(lanes, Lanes::Live))
                    && !matches!(shuffle, Shuffle::Lane(_))
        }
        Step::Vote | Step::Redux => false,
    };
    if plan.steps.iter().any(guarded) {
        out.line(format!(
            "const wf::u32 lane = wf::lane_in_group<{}>();",
            plan.width
        ));
    }
    if matches!(lanes, Lanes::Prefix) && !plan.steps.is_empty() {
        out.line("const wf::u32 mask = wf::prefix(live);");
    }
    for step in &plan.steps {
        if let Step::Shuffle {
            shuffle,
            combine,
            guard,
        } = *step
        {
            shuffle_step(out, plan, lanes, shuffle, combine, guard);
        }
    }
}

fn shuffle_step(
    out: &mut Text,
    plan: &Plan,
    lanes: &Lanes,
    shuffle: Shuffle,
    combine: Combine,
    guard: Guard,
) {
    let (name, k, w) = (shuffle.name(), shuffle.offset(), plan.width);
    let received = match lanes {
        Lanes::All | Lanes::Live => format!("wf::shuffle_{name}<{w}>(s, {k})"),
        Lanes::Mask(mask) => format!("wf::shuffle_{name}_masked<{w}>({mask}u, s, {k})"),
        Lanes::Prefix => format!("wf::shuffle_{name}_masked<{w}>(mask, s, {k})"),
    };
    let condition = condition(shuffle, guard, lanes, w);
    if let (Combine::ReceivedRight, None) = (combine, &condition) {
        out.line(format!("s = combine(s, {received});  // {shuffle}"));
        return;
    }
    if let (Combine::ReceivedLeft, None) = (combine, &condition) {
        out.line(format!("s = combine({received}, s);  // {shuffle}"));
        return;
    }
    if let (Combine::Replace { .. }, None) = (combine, &condition) {
        out.line(format!("s = {received};  // {shuffle}"));
        return;
    }
    out.braces("", "}", |out| {
        out.line(format!("const State received = {received};  // {shuffle}"));
        match (combine, condition) {
            (Combine::ReceivedLeftWhereBit(bit), None) => {
                out.line(format!("const bool upper = (lane & {bit}) != 0;"));
                out.line("s = combine(upper ? received : s, upper ? s : received);");
            }
            (Combine::ReceivedRight, Some(condition)) => {
                out.line(format!("if ({condition}) s = combine(s, received);"));
            }
            (Combine::ReceivedLeft, Some(condition)) => {
                out.line(format!("if ({condition}) s = combine(received, s);"));
            }
            (
                Combine::Replace {
                    otherwise: Otherwise::Own,
                },
                Some(condition),
            ) => {
                out.line(format!("if ({condition}) s = received;"));
            }
            (
                Combine::Replace {
                    otherwise: Otherwise::Identity,
                },
                Some(condition),
            ) => {
                out.line(format!("s = {condition} ? received : identity();"));
            }
            (combine, condition) => unreachable!("no plan has {combine:?} under {condition:?}"),
        }
    });
}

/// When a lane uses what it receives; `None` for always. Positions are counted in the group.
fn condition(shuffle: Shuffle, guard: Guard, lanes: &Lanes, width: Width) -> Option<String> {
    let bound = match (guard, lanes) {
        (_, Lanes::Live) | (Guard::SourceBelow(_), Lanes::Prefix) => "live".to_owned(),
        (Guard::Always, _) => return None,
        (Guard::SourceInGroup, _) => width.to_string(),
        (Guard::SourceBelow(bound), _) => bound.to_string(),
    };
    let open = bound == "live";
    let last = width.lanes() - 1;
    match shuffle {
        // A source that stands before a lane that exists exists too; past the end of a row it need not.
        Shuffle::Up(k) if matches!(lanes, Lanes::Live) => {
            Some(format!("lane >= {k} && lane - {k} < {bound}"))
        }
        Shuffle::Up(k) => Some(format!("lane >= {k}")),
        Shuffle::Down(k) => Some(format!("lane + {k} < {bound}")),
        Shuffle::Xor(k) => open.then(|| format!("(lane ^ {k}) < {bound}")),
        Shuffle::Lane(k) => open.then(|| format!("{k} < {bound}")),
        Shuffle::Rotate(k) => open.then(|| format!("((lane + {k}) & {last}) < {bound}")),
    }
}
