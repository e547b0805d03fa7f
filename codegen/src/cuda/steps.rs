//! Warp steps: proved plans, unrolled into shuffles with a comment each.
//!
//! Every shuffle, vote and redux that carries a state is written here and nowhere else, from a [`Proved`] plan.

use warpfold_lanes::{
    Direction, Guard, Landing, Mask, Order, Plan, Proved, ScanKind, Shuffle, Step, Width, exchange,
    exchange_live, partial, reduce, redux, scan, vote_plan,
};

use super::fold::{FoldKind, fold, order};
use super::shuffles::{Lanes, steps};
use super::text::Text;
use crate::ir::{Form, Land, Named, Operator, Scalar, Spec, Ty};
use crate::proofs::prove;

/// The members of `Spec` that move states between lanes.
pub(super) fn write(out: &mut Text, spec: &Spec) {
    match spec.form {
        Form::Reduce { .. } => {
            let states = Reduction::of_states(spec);
            for width in Width::ALL {
                reductions(out, &states, width);
            }
            short_reduction(out, spec);
            if matches!(fold(spec), FoldKind::Lane | FoldKind::Tile) {
                votes(out, spec);
            }
            parts_of_tiles(out, spec);
        }
        Form::Scan { reverse, .. } => {
            let states = Reduction::of_states(spec);
            for width in Width::ALL {
                reductions(out, &states, width);
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

/// What is reduced over the lanes.
struct Reduction {
    order: Order,
    /// `redux.sync` does it on a whole warp.
    redux: Option<&'static str>,
    /// A vote does it.
    vote: Option<&'static str>,
}

impl Reduction {
    /// The states of a spec.
    fn of_states(spec: &Spec) -> Self {
        Self {
            order: order(spec),
            redux: redux_name(spec),
            vote: vote_name(spec),
        }
    }
}

/// Whether a group's votes tell an operator of the table all it needs, and how: one vote for each element of a lane.
fn votes(out: &mut Text, spec: &Spec) {
    let op = match spec.op {
        Some(Operator::Named(Named::Count)) => Some("Count"),
        Some(Operator::Named(Named::Ballot)) => Some("Ballot"),
        _ => None,
    };
    out.gap();
    out.line(format!("static constexpr bool votes = {};", op.is_some()));
    let Some(op) = op else { return };
    out.line("// The state of the elements from `first` on, up to 32, of which W lanes have V neighbours each and said this.");
    out.line("template <int W, int V>");
    out.line(format!(
        "static WF_FN State of_votes(wf::u32 said, wf::u64 first) {{ return wf::{op}::of_votes<W, V>(said, first); }}"
    ));
    // Below 8 lanes a shuffle or two take less than to cut a group's bits out of the warp's.
    for width in Width::ALL.into_iter().filter(|width| width.lanes() >= 8) {
        let _ = proved(vote_plan(width, Mask::FULL));
        out.line(format!(
            "// Every group of {width}: bit k * {width} + l is what its lane l says of the element numbered k."
        ));
        out.line("template <int COUNT>");
        out.braces(
            format!("static WF_FN wf::u32 ballot(const bool (&s)[COUNT], wf::Width<{width}>)"),
            "}",
            |out| {
                out.line(format!(
                    "return wf::ballots<{width}>(s);  // vote, on one element after the other"
                ));
            },
        );
    }
}

/// The two reductions of an operator that folds a group's elements its own way: of what all lanes must know, and of
/// what each then makes of its elements. Both are of scalars whose operands may change sides without changing bits.
fn parts_of_tiles(out: &mut Text, spec: &Spec) {
    let Some(Operator::Named(op)) = spec.op else {
        return;
    };
    let redux = match op {
        Named::Count => Some("add"),
        Named::Argmin | Named::Argmax => Some("min"),
        Named::Softmax | Named::Welford => None,
        _ => return,
    };
    let (shares, pivots) = (op != Named::Count, op == Named::Welford);
    out.gap();
    out.line(format!("static constexpr bool shares = {shares};"));
    out.line(format!("static constexpr bool pivots = {pivots};"));
    let structs = [
        ("Share", "Shared", "share", None),
        ("Parts", "Part", "add_parts", redux),
    ];
    for (name, state, combine, redux) in structs {
        if name == "Share" && !shares {
            continue;
        }
        out.line(if name == "Share" {
            "// What the lanes of a group share of their elements."
        } else {
            "// What they make of their elements then."
        });
        out.braces(format!("struct {name}"), "};", |out| {
            out.line(format!("using State = Table::{state};"));
            out.line("static constexpr bool any_order = true;");
            out.line(format!(
                "static WF_FN State combine(State left, State right) {{ return Table::{combine}(left, right); }}"
            ));
            let reduction = Reduction {
                order: Order::Symmetric,
                redux,
                vote: None,
            };
            for width in Width::ALL {
                reductions(out, &reduction, width);
                if pivots && name == "Share" {
                    of_first(out, width);
                }
            }
        });
    }
}

/// Hands every lane of a group what its first lane holds.
fn of_first(out: &mut Text, width: Width) {
    out.line(format!(
        "// Every group of {width}: all lanes get what the first holds."
    ));
    method(out, "of_first", &format!("wf::Width<{width}>"), |out| {
        if width.lanes() > 1 {
            let plan = proved(exchange(Shuffle::Lane(0), width, Mask::FULL));
            steps(out, &plan, &Lanes::All);
        }
        out.line("return s;");
    });
}

/// Combines every group of `width` lanes, once for all lanes and once for the first.
fn reductions(out: &mut Text, reduction: &Reduction, width: Width) {
    let w = width.lanes();
    out.gap();
    out.line(format!("// Every group of {w}: all its lanes get the result."));
    let plan = proved(reduce(width, Landing::All, reduction.order, Mask::FULL));
    method(out, "reduce_all", &format!("wf::Width<{w}>"), |out| {
        if let (Some(name), Width::WARP) = (reduction.redux, width) {
            let _ = proved(redux(Mask::FULL));
            out.line("#if WF_REDUX");
            out.line(format!(
                "return wf::redux_{name}(s);  // redux: all 32 lanes, any order"
            ));
            out.line("#else");
            steps(out, &plan, &Lanes::All);
            out.line("return s;");
            out.line("#endif");
        } else if let Some(name) = reduction.vote {
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
    if reduction.redux.is_some() && width == Width::WARP || reduction.vote.is_some() {
        method(out, "reduce_first", &format!("wf::Width<{w}> width"), |out| {
            out.line("return reduce_all(s, width);");
        });
    } else {
        let plan = proved(reduce(width, Landing::Lane(0), reduction.order, Mask::FULL));
        method(out, "reduce_first", &format!("wf::Width<{w}>"), |out| {
            steps(out, &plan, &Lanes::All);
            out.line("return s;");
        });
    }
}

/// The scans of groups of every width, of whatever state the struct around them combines.
pub(super) fn all_scans(out: &mut Text) {
    for width in Width::ALL {
        scans(out, width);
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
    out.gap();
    out.line("// A warp whose lanes from `live` on do not exist: its first lane gets the result.");
    if let Some(name) = vote_name(spec) {
        let _ = prefixes(partial::vote);
        method(out, "reduce_first_of", "wf::u32 live", |out| {
            out.line(format!(
                "return wf::{name}_masked<32>(wf::prefix(live), s);  // vote"
            ));
        });
        return;
    }
    let plan = prefixes(|live| partial::reduce(live, Landing::Lane(0), order));
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
    let vote = vote_name(spec);
    let plan = proved(match &spec.form {
        // A vote tells every lane, whichever was asked for.
        Form::Reduce { .. } if vote.is_some() => vote_plan(width, spec.mask),
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
        if let Some(name) = vote {
            out.line(if spec.mask == Mask::FULL {
                format!("return wf::{name}<{width}>(s);  // vote")
            } else {
                format!("return wf::{name}_masked<{width}>({}u, s);  // vote", spec.mask)
            });
            return;
        }
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
