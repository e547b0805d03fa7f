//! The shuffles, votes and redux of every golden, read back from its text into plans and proved again.

use warpfold_codegen::ir::{Form, Land, Named, Operator, Spec};
use warpfold_lanes::{
    Combine, Direction, Goal, Guard, Landing, Mask, Order, Otherwise, Plan, ScanKind, Shuffle, Step, WARP,
    Width, prove,
};

use crate::condition::holds;
use crate::{Golden, all};

#[test]
fn every_step_that_is_written_is_proved() {
    let mut plans = 0;
    for golden in all() {
        plans += check(&golden, &golden.text).unwrap_or_else(|error| panic!("{}: {error}", golden.name));
    }
    assert!(plans > 1000, "only {plans} plans were read");
}

#[test]
fn a_step_that_reads_another_lane_is_found() {
    let goldens = all();
    let mutated = |name: &str, from: &str, to: &str| {
        let golden = goldens.iter().find(|golden| golden.name == name).unwrap();
        assert!(golden.text.contains(from), "{name} has {from}");
        check(golden, &golden.text.replace(from, to))
    };
    for (name, from, to) in [
        (
            "row_max",
            "wf::shuffle_xor<32>(s, 16)",
            "wf::shuffle_xor<32>(s, 8)",
        ),
        (
            "log_sum_exp",
            "upper ? received : s, upper ? s : received",
            "s, received",
        ),
        ("offsets", "if (lane >= 4)", "if (lane >= 3)"),
        ("offsets", "combine(received, s)", "combine(s, received)"),
        ("minimum", "lane + 8 < live", "lane + 8 < 32"),
        ("masked", "0x0000ffffu", "0x00000fffu"),
        ("partner", "lane + 3 < live", "lane + 2 < live"),
        ("any", "return wf::any<32>(s);", "return wf::any<16>(s);"),
        (
            "any",
            "return wf::any<32>(s);",
            "return wf::any_masked<32>(0x0000ffffu, s);",
        ),
        (
            "any",
            "return wf::any_masked<32>(wf::prefix(live), s);",
            "return wf::any<32>(s);",
        ),
        (
            "ballot",
            "return wf::ballots<16>(s);",
            "return wf::ballots<8>(s);",
        ),
    ] {
        assert!(
            mutated(name, from, to).is_err(),
            "{name} with {to} for {from} is accepted"
        );
    }
}

/// Proves every function of `text` that moves states; gives the number of plans.
fn check(golden: &Golden, text: &str) -> Result<usize, String> {
    let mut plans = 0;
    let mut rest = text;
    while let Some(start) = next_function(rest) {
        let function = &rest[start..];
        // Members of a nested struct stand further in.
        let nested = rest[..start].ends_with("  ");
        let end = function
            .find(if nested { "\n    }\n" } else { "\n  }\n" })
            .or_else(|| function.find("}\n"))
            .ok_or("a function has no end")?;
        let (head, body) = function[..end].split_once('\n').unwrap_or((&function[..end], ""));
        rest = &rest[start + 1..];
        if head.contains("(State s") || head.contains(" ballot(") {
            plans += function_proved(&golden.spec, nested, head, body)
                .map_err(|error| format!("{}: {error}", head.trim()))?;
        }
    }
    Ok(plans)
}

/// Where the next function that may move states begins: one that gives a state, or the votes of a group.
fn next_function(text: &str) -> Option<usize> {
    ["  static WF_FN State ", "  static WF_FN wf::u32 ballot("]
        .iter()
        .filter_map(|head| text.find(head))
        .min()
}

fn function_proved(spec: &Spec, nested: bool, head: &str, body: &str) -> Result<usize, String> {
    if body.trim() == "return reduce_all(s, width);" {
        return Ok(1);
    }
    let name = head
        .trim()
        .strip_prefix("static WF_FN ")
        .and_then(|rest| rest.split_once(' '))
        .map(|(_, rest)| rest)
        .and_then(|rest| rest.split('(').next())
        .unwrap();
    let widths = head
        .split("wf::Width<")
        .nth(1)
        .and_then(|rest| rest.split('>').next());
    let width = widths
        .map_or(Some(Width::WARP), |width| Width::new(width.parse().unwrap()))
        .unwrap();
    // With `#if WF_REDUX` there are two ways through the function.
    let ways: Vec<&str> = match body.split_once("#else\n") {
        Some((redux, shuffles)) => vec![redux, shuffles],
        None => vec![body],
    };
    let mut plans = 0;
    for way in ways {
        for live in if head.contains("live") {
            1..=width.lanes()
        } else {
            WARP..=WARP
        } {
            let (width, mask, present, goal) = wanted(spec, nested, name, width, live);
            let steps = steps(way, width, mask, live)?;
            prove(Plan {
                width,
                mask,
                present,
                steps,
                goal,
                note: "",
            })
            .map_err(|refusal| format!("live {live}: {refusal}"))?;
            plans += 1;
        }
    }
    Ok(plans)
}

/// What a function of that name promises.
fn wanted(spec: &Spec, nested: bool, name: &str, width: Width, live: u32) -> (Width, Mask, u32, Goal) {
    let symmetric = !matches!(
        spec.op,
        None | Some(Operator::Custom(_) | Operator::Named(Named::Welford))
    );
    let order = match spec.any_order {
        // The parts of a tile's fold are scalars.
        true if symmetric || nested => Order::Symmetric,
        true => Order::AnyOrder,
        false => Order::InOrder,
    };
    let reduce = |landing| Goal::Reduce { landing, order };
    let scan = |kind, direction| Goal::Scan { kind, direction };
    let reverse = matches!(spec.form, Form::Scan { reverse: true, .. });
    let before = if reverse { Shuffle::Down(1) } else { Shuffle::Up(1) };
    let short = |goal| (Width::WARP, Mask::prefix(live), live, goal);
    let full = |goal| (width, Mask::FULL, WARP, goal);
    match name {
        "of_first" => full(Goal::Exchange {
            shuffle: Shuffle::Lane(0),
            live: width.lanes(),
        }),
        // A ballot keeps the order of the lanes.
        "ballot" => full(Goal::Reduce {
            landing: Landing::All,
            order: Order::InOrder,
        }),
        "reduce_all" => full(reduce(Landing::All)),
        "reduce_first" => full(reduce(Landing::Lane(0))),
        "scan_inclusive" => full(scan(ScanKind::Inclusive, Direction::Forward)),
        // A group of one lane has nobody to read from; the plan without steps is then a reduction of that lane.
        "shift_from_lower" if width.lanes() == 1 => full(reduce(Landing::All)),
        "shift_from_lower" => full(Goal::Exchange {
            shuffle: Shuffle::Up(1),
            live: width.lanes(),
        }),
        "reduce_first_of" => short(reduce(Landing::Lane(0))),
        "scan_inclusive_of" => short(scan(ScanKind::Inclusive, Direction::Forward)),
        "scan_back_of" => short(scan(ScanKind::Inclusive, Direction::Reverse)),
        "from_before_of" => short(Goal::Exchange {
            shuffle: before,
            live,
        }),
        "exchange" => match spec.form {
            Form::Shuffle { from } => full(Goal::Exchange { shuffle: from, live }),
            _ => panic!("only shuffles exchange"),
        },
        "warp" => {
            let width = spec.width.unwrap_or(Width::WARP);
            let goal = match spec.form {
                Form::Reduce { land: Land::All, .. } => reduce(Landing::All),
                Form::Reduce {
                    land: Land::Lane(lane),
                    ..
                } => reduce(Landing::Lane(lane)),
                Form::Scan {
                    exclusive, reverse, ..
                } => scan(
                    if exclusive {
                        ScanKind::Exclusive
                    } else {
                        ScanKind::Inclusive
                    },
                    if reverse {
                        Direction::Reverse
                    } else {
                        Direction::Forward
                    },
                ),
                Form::Shuffle { from } => Goal::Exchange {
                    shuffle: from,
                    live: width.lanes(),
                },
                Form::Filter { .. } => panic!("filters have no warp step"),
            };
            (width, spec.mask, WARP, goal)
        }
        other => panic!("`{other}` moves states; say here what it promises"),
    }
}

/// The steps that a function's lines perform.
fn steps(body: &str, width: Width, mask: Mask, live: u32) -> Result<Vec<Step>, String> {
    let mut steps = Vec::new();
    let mut received = None;
    let mut upper = None;
    for line in body.lines().map(|line| line.split("//").next().unwrap().trim()) {
        let mut push = |shuffle, combine, guard| {
            steps.push(Step::Shuffle {
                shuffle,
                combine,
                guard,
            });
        };
        if let Some(call) = line.strip_prefix("const State received = ") {
            received = Some(shuffle(call.trim_end_matches(';'), width, mask, live)?);
        } else if let Some(bit) = line.strip_prefix("const bool upper = (lane & ") {
            upper = bit.split(')').next().and_then(|bit| bit.parse().ok());
        } else if line == "s = combine(upper ? received : s, upper ? s : received);" {
            push(
                received.take().ok_or(line)?,
                Combine::ReceivedLeftWhereBit(upper.take().ok_or(line)?),
                Guard::Always,
            );
        } else if line == "s = combine(s, received);" {
            push(
                received.take().ok_or(line)?,
                Combine::ReceivedRight,
                Guard::Always,
            );
        } else if let Some((condition, action)) = line
            .strip_prefix("if (")
            .and_then(|rest| rest.split_once(") s = "))
        {
            let shuffle = received.take().ok_or(line)?;
            let combine = match action {
                "combine(s, received);" => Combine::ReceivedRight,
                "combine(received, s);" => Combine::ReceivedLeft,
                "received;" => Combine::Replace {
                    otherwise: Otherwise::Own,
                },
                _ => return Err(format!("what is `{line}`?")),
            };
            push(shuffle, combine, guard(condition, shuffle, width, live)?);
        } else if let Some(condition) = line
            .strip_prefix("s = ")
            .and_then(|rest| rest.strip_suffix(" ? received : identity();"))
        {
            let shuffle = received.take().ok_or(line)?;
            let combine = Combine::Replace {
                otherwise: Otherwise::Identity,
            };
            push(shuffle, combine, guard(condition, shuffle, width, live)?);
        } else if let Some(call) = line
            .strip_prefix("s = combine(s, wf::")
            .and_then(|rest| rest.strip_suffix(");"))
        {
            push(
                shuffle(&format!("wf::{call}"), width, mask, live)?,
                Combine::ReceivedRight,
                Guard::Always,
            );
        } else if let Some(call) = line
            .strip_prefix("s = combine(wf::")
            .and_then(|rest| rest.strip_suffix(", s);"))
        {
            push(
                shuffle(&format!("wf::{call}"), width, mask, live)?,
                Combine::ReceivedLeft,
                Guard::Always,
            );
        } else if let Some(call) = line
            .strip_prefix("s = wf::")
            .and_then(|rest| rest.strip_suffix(';'))
        {
            let combine = Combine::Replace {
                otherwise: Otherwise::Own,
            };
            push(
                shuffle(&format!("wf::{call}"), width, mask, live)?,
                combine,
                Guard::SourceInGroup,
            );
        } else if line.starts_with("return wf::redux_") {
            steps.push(Step::Redux);
        } else if let Some(named) = vote(line, width, live)? {
            if named != mask {
                return Err(format!("`{line}` names {named}, not {mask}"));
            }
            steps.push(Step::Vote);
        } else if !known(line, width) {
            return Err(format!("what is `{line}`?"));
        }
    }
    Ok(steps)
}

/// The mask that a vote of groups of that width names; `None` where the line is no vote.
fn vote(line: &str, width: Width, live: u32) -> Result<Option<Mask>, String> {
    if line == format!("return wf::ballots<{width}>(s);") {
        return Ok(Some(Mask::FULL));
    }
    let names = ["return wf::any", "return wf::all"];
    let Some(call) = names.iter().find_map(|name| line.strip_prefix(name)) else {
        return Ok(None);
    };
    match call.split_once(">(") {
        Some((wide, "s);")) if wide == format!("<{width}") => Ok(Some(Mask::FULL)),
        Some((wide, rest)) if wide == format!("_masked<{width}") => match rest.split(',').next() {
            Some("wf::prefix(live)") => Ok(Some(Mask::prefix(live))),
            mask => constant(mask).map(Some),
        },
        _ => Err(format!("what is `{line}`?")),
    }
}

/// Lines that move nothing.
fn known(line: &str, width: Width) -> bool {
    let lane = format!("const wf::u32 lane = wf::lane_in_group<{width}>();");
    matches!(
        line,
        "" | "{" | "}" | "return s;" | "#if WF_REDUX" | "#endif" | "const wf::u32 mask = wf::prefix(live);"
    ) || line == lane
}

/// `0x0000ffffu`.
fn constant(mask: Option<&str>) -> Result<Mask, String> {
    let digits = mask
        .unwrap_or_default()
        .trim_start_matches("0x")
        .trim_end_matches('u');
    u32::from_str_radix(digits, 16)
        .map(Mask)
        .map_err(|_| format!("what mask is `{digits}`?"))
}

/// `wf::shuffle_xor<8>(s, 4)` or `wf::shuffle_xor_masked<8>(mask, s, 4)`.
fn shuffle(call: &str, width: Width, mask: Mask, live: u32) -> Result<Shuffle, String> {
    let wrong = || format!("what is `{call}`?");
    let (name, rest) = call
        .strip_prefix("wf::shuffle_")
        .and_then(|rest| rest.split_once('<'))
        .ok_or_else(wrong)?;
    let (lanes, args) = rest.split_once(">(").ok_or_else(wrong)?;
    let args: Vec<&str> = args.trim_end_matches(')').split(", ").collect();
    if lanes.parse() != Ok(width.lanes()) {
        return Err(format!("`{call}` is not {width} lanes wide"));
    }
    let named = match (name.strip_suffix("_masked"), args.as_slice()) {
        (None, ["s", _]) => Mask::FULL,
        (Some(_), ["mask", "s", _]) => Mask::prefix(live),
        (Some(_), [mask, "s", _]) => constant(Some(mask))?,
        _ => return Err(wrong()),
    };
    if named != mask {
        return Err(format!("`{call}` names {named}, not {mask}"));
    }
    let k = args.last().and_then(|k| k.parse().ok()).ok_or_else(wrong)?;
    match name.trim_end_matches("_masked") {
        "up" => Ok(Shuffle::Up(k)),
        "down" => Ok(Shuffle::Down(k)),
        "xor" => Ok(Shuffle::Xor(k)),
        "lane" => Ok(Shuffle::Lane(k)),
        "rotate" => Ok(Shuffle::Rotate(k)),
        _ => Err(wrong()),
    }
}

/// The guard that a condition is, tried on every lane of a group.
fn guard(condition: &str, shuffle: Shuffle, width: Width, live: u32) -> Result<Guard, String> {
    let means = |guard: Guard| {
        (0..width.lanes().min(live.max(1))).all(|lane| {
            let source = shuffle.source(lane, width);
            let admitted = match guard {
                Guard::SourceBelow(bound) => source.in_group && width.position(source.lane) < bound,
                _ => source.in_group,
            };
            holds(condition, lane, live) == admitted
        })
    };
    [Guard::SourceInGroup, Guard::SourceBelow(live)]
        .into_iter()
        .find(|guard| means(*guard))
        .ok_or_else(|| format!("`{condition}` is no guard of {shuffle}"))
}
