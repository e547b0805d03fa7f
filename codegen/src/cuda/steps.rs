//! Warp steps: proved plans, unrolled into shuffles with a comment each.
//!
//! Every shuffle, vote and redux that carries a state is written here and nowhere else, from a [`Proved`] plan.

use warpfold_lanes::{
    Direction, Guard, Landing, Mask, Plan, Proved, ScanKind, Shuffle, Step, Width, exchange, exchange_live,
    partial, prove, reduce, redux, scan, vote_plan,
};

use super::fold::order;
use super::shuffles::{Lanes, steps};
use super::text::Text;
use crate::ir::{Form, Land, Named, Operator, Scalar, Spec, Ty};

/// The members of `Spec` that move states between lanes.
pub(super) fn write(out: &mut Text, spec: &Spec) {
    match spec.form {
        Form::Reduce { .. } => {
            for width in Width::ALL {
                reductions(out, spec, width);
            }
            short_reduction(out, spec);
        }
        Form::Scan { reverse, .. } => {
            for width in Width::ALL {
                reductions(out, spec, width);
                scans(out, width);
            }
            short_reduction(out, spec);
            short_scan(out, reverse);
        }
        Form::Shuffle { from } => exchanges(out, from, spec.width.unwrap_or(Width::WARP)),
        Form::Filter { .. } => return,
    }
    users_own(out, spec);
}

/// Combines every group of `width` lanes, once for all lanes and once for the first.
fn reductions(out: &mut Text, spec: &Spec, width: Width) {
    let w = width.lanes();
    out.gap();
    out.line(format!("// Every group of {w}: all its lanes get the result."));
    let plan = proved(reduction(spec, width, Landing::All, Mask::FULL));
    method(out, "reduce_all", &format!("wf::Width<{w}>"), |out| {
        if let (Some(name), Width::WARP) = (redux_name(spec), width) {
            let _ = proved(redux(Mask::FULL));
            out.line("#if WF_REDUX");
            out.line(format!(
                "return wf::redux_{name}(s);  // redux: all 32 lanes, any order"
            ));
            out.line("#else");
            steps(out, &plan, &Lanes::All);
            out.line("return s;");
            out.line("#endif");
        } else if let Some(name) = vote_name(spec) {
            let _ = proved(vote_plan(width, Mask::FULL));
            out.line(format!("return wf::{name}<{w}>(s);  // vote"));
        } else {
            steps(out, &plan, &Lanes::All);
            out.line("return s;");
        }
    });
    out.line(format!(
        "// Every group of {w}: its first lane gets the result, with the same bits."
    ));
    if redux_name(spec).is_some() && width == Width::WARP || vote_name(spec).is_some() {
        method(out, "reduce_first", &format!("wf::Width<{w}> width"), |out| {
            out.line("return reduce_all(s, width);");
        });
    } else {
        let plan = proved(reduction(spec, width, Landing::Lane(0), Mask::FULL));
        method(out, "reduce_first", &format!("wf::Width<{w}>"), |out| {
            steps(out, &plan, &Lanes::All);
            out.line("return s;");
        });
    }
}

/// Scans every group, and hands every lane the value of the lane before.
fn scans(out: &mut Text, width: Width) {
    let w = width.lanes();
    out.line(format!(
        "// Every group of {w}: lane l gets lanes 0 to l, combined."
    ));
    let plan = proved(scan(width, ScanKind::Inclusive, Direction::Forward, Mask::FULL));
    method(out, "scan_inclusive", &format!("wf::Width<{w}>"), |out| {
        steps(out, &plan, &Lanes::All);
        out.line("return s;");
    });
    out.line(format!(
        "// Every group of {w}: lane l gets what lane l - 1 holds; lane 0 keeps its own."
    ));
    method(out, "shift_from_lower", &format!("wf::Width<{w}>"), |out| {
        if w > 1 {
            steps(
                out,
                &proved(exchange(Shuffle::Up(1), width, Mask::FULL)),
                &Lanes::All,
            );
        }
        out.line("return s;");
    });
}

/// A warp that has only its first `live` lanes: the steps are the same for every prefix, and each is proved.
fn short_reduction(out: &mut Text, spec: &Spec) {
    let order = order(spec);
    let plan = prefixes(|live| partial::reduce(live, Landing::Lane(0), order));
    out.gap();
    out.line("// A warp whose lanes from `live` on do not exist: its first lane gets the result.");
    method(out, "reduce_first_of", "wf::u32 live", |out| {
        steps(out, &plan, &Lanes::Prefix);
        out.line("return s;");
    });
}

/// Scans of a warp that is short of lanes, and the move to the lane that is met next.
fn short_scan(out: &mut Text, reverse: bool) {
    let scan = |direction| prefixes(|live| partial::scan(live, ScanKind::Inclusive, direction));
    out.line("// A warp whose lanes from `live` on do not exist: lane l gets lanes 0 to l, combined.");
    method(out, "scan_inclusive_of", "wf::u32 live", |out| {
        steps(out, &scan(Direction::Forward), &Lanes::Prefix);
        out.line("return s;");
    });
    if reverse {
        out.line("// The same from the other end: lane l gets lanes live - 1 down to l, combined.");
        method(out, "scan_back_of", "wf::u32 live", |out| {
            steps(out, &scan(Direction::Reverse), &Lanes::Prefix);
            out.line("return s;");
        });
    }
    let before = if reverse { Shuffle::Down(1) } else { Shuffle::Up(1) };
    out.line(
        "// Every lane gets what the lane met before it holds; the one that is met first keeps its own.",
    );
    method(out, "from_before_of", "wf::u32 live", |out| {
        steps(
            out,
            &prefixes(|live| short_exchange(before, live)),
            &Lanes::Prefix,
        );
        out.line("return s;");
    });
}

/// The exchange of a warp that has only its first `live` lanes.
fn short_exchange(shuffle: Shuffle, live: u32) -> Plan {
    let mut plan = exchange_live(shuffle, Width::WARP, Mask::prefix(live), live);
    plan.present = live;
    if let Some(Step::Shuffle { guard, .. }) = plan.steps.first_mut() {
        *guard = Guard::SourceBelow(live);
    }
    plan
}

/// A shuffle spec's own move, for a group whose lanes from `live` on have no element.
fn exchanges(out: &mut Text, from: Shuffle, width: Width) {
    let w = width.lanes();
    let _ = (1..=w)
        .map(|live| proved(exchange_live(from, width, Mask::FULL, live)))
        .collect::<Vec<_>>();
    let plan = proved(exchange(from, width, Mask::FULL));
    out.gap();
    out.line(format!(
        "// {from} in every group of {w}: a lane whose source is not below `live` keeps its own."
    ));
    method(out, "exchange", &format!("wf::Width<{w}>, wf::u32 live"), |out| {
        steps(out, &plan, &Lanes::Live);
        out.line("return s;");
    });
}

/// The warp function with the width, the landing lane and the mask that the user wrote.
fn users_own(out: &mut Text, spec: &Spec) {
    let width = spec.width.unwrap_or(Width::WARP);
    let plan = proved(match &spec.form {
        Form::Reduce { land, .. } => {
            let landing = match land {
                Land::All => Landing::All,
                Land::Lane(lane) => Landing::Lane(*lane),
            };
            reduction(spec, width, landing, spec.mask)
        }
        Form::Scan {
            exclusive, reverse, ..
        } => {
            let kind = if *exclusive {
                ScanKind::Exclusive
            } else {
                ScanKind::Inclusive
            };
            let direction = if *reverse {
                Direction::Reverse
            } else {
                Direction::Forward
            };
            scan(width, kind, direction, spec.mask)
        }
        Form::Shuffle { from } => exchange(*from, width, spec.mask),
        Form::Filter { .. } => return,
    });
    out.gap();
    out.line(format!(
        "// The spec's warp step for kernels of your own: {}, groups of {width}.",
        plan.plan().goal
    ));
    if spec.mask == Mask::FULL {
        out.line("// All 32 lanes of the warp must call it.");
    } else {
        out.line(format!(
            "// Exactly the lanes of mask {} must call it.",
            spec.mask
        ));
    }
    method(out, "warp", "", |out| {
        steps(
            out,
            &plan,
            &if spec.mask == Mask::FULL {
                Lanes::All
            } else {
                Lanes::Mask(spec.mask)
            },
        );
        out.line("return s;");
    });
}

fn method(out: &mut Text, name: &str, further: &str, body: impl FnOnce(&mut Text)) {
    let separator = if further.is_empty() { "" } else { ", " };
    out.braces(
        format!("static WF_FN State {name}(State s{separator}{further})"),
        "}",
        body,
    );
}

/// The plan of a reduction, in any order where the operator allows that.
fn reduction(spec: &Spec, width: Width, landing: Landing, mask: Mask) -> Plan {
    reduce(width, landing, order(spec), mask)
}

/// The front end has proved the user's plan and the library's own are proved by tests.
fn proved(plan: Plan) -> Proved {
    prove(plan).unwrap_or_else(|refusal| unreachable!("a plan that was checked is refused: {refusal}"))
}

/// The one plan that stands for all prefixes of a warp, each of which is proved.
fn prefixes(plan: impl Fn(u32) -> Plan) -> Proved {
    for live in 1..32 {
        let _ = proved(plan(live));
    }
    proved(plan(32))
}

/// `redux.sync` does what the operator does, on 32-bit integers.
fn redux_name(spec: &Spec) -> Option<&'static str> {
    let Some(Operator::Named(op)) = spec.op else {
        return None;
    };
    matches!(spec.state, Ty::Scalar(Scalar::I32 | Scalar::U32)).then_some(())?;
    Some(match op {
        Named::Sum => "add",
        Named::Min | Named::Minimum => "min",
        Named::Max | Named::Maximum => "max",
        Named::And => "and",
        Named::Or | Named::Ballot => "or",
        Named::Xor => "xor",
        _ => return None,
    })
}

/// A vote does what the operator does.
fn vote_name(spec: &Spec) -> Option<&'static str> {
    match spec.op {
        Some(Operator::Named(Named::Any)) => Some("any"),
        Some(Operator::Named(Named::All)) => Some("all"),
        _ => None,
    }
}
