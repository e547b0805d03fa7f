//! What `plan()` prints is what `cuda()` does: the steps of every golden's warp function, read back from its text.

#![allow(
    non_snake_case,
    clippy::assign_op_pattern,
    clippy::manual_is_multiple_of,
    reason = "the goldens are written for what the compiler has to take"
)]

use warpfold::Proved;
use warpfold_lanes::{Combine, Step};

/// A golden of the compiler's, compiled here, and the two texts of the spec in it.
macro_rules! goldens {
    ($($file:ident: $($spec:ident)::+;)*) => {
        $(
            mod $file {
                #[allow(unused_imports, reason = "for the goldens that take halves")]
                use half::f16;
                use warpfold::prelude::*;

                include!(concat!("../../codegen/tests/goldens/", stringify!($file), ".rs"));

                pub fn texts() -> (String, warpfold::Proved) {
                    ($($spec)::+::cuda(), $($spec)::+::plan())
                }
            }
        )*
        const GOLDENS: &[(&str, fn() -> (String, Proved))] = &[$((stringify!($file), $file::texts)),*];
    };
}

goldens! {
    affine: affine;
    affine_back: affine_back;
    any: any_set;
    ballot: signs;
    count: positive;
    dot: dot;
    language: language;
    last: last;
    last_writer: last_writer;
    log_sum_exp: log_sum_exp;
    masked: masked;
    minimum: minimum;
    offsets: offsets;
    partner: partner;
    ragged: ragged;
    recurrence: recurrence;
    rms_norm: rms_norm;
    rotated: rotated;
    row_max: row_max;
    softmax: softmax;
    top: top;
    variance: stats::variance;
    welford: layer_norm;
}

#[test]
fn the_plan_that_is_printed_is_the_plan_that_is_emitted() {
    for (name, texts) in GOLDENS {
        let (cuda, plan) = texts();
        let steps: Vec<String> = plan.plan().steps.iter().map(said).collect();
        assert_eq!(done(&cuda), steps, "{name}");
        assert!(!steps.is_empty(), "{name}");
    }
}

/// What is drawn of scans, votes and shuffles, of specs as people write them: a line for each lane that reads.
#[test]
fn the_drawing_covers_scans_votes_and_shuffles() {
    use warpfold_tests::specs::{filters, scans, shuffles, table};
    let drawn = |plan: &Proved, arrows: usize, says: &str| {
        let picture = plan.svg();
        assert!(picture.contains(says), "no `{says}` in:\n{picture}");
        assert_eq!(picture.matches("class=\"wf-read\"").count(), arrows, "{plan}");
    };
    // 31 + 30 + 28 + 24 + 16
    drawn(&scans::sums::plan(), 129, "inclusive scan, forward");
    drawn(&scans::offsets_back::plan(), 155, "exclusive scan, reverse");
    drawn(&shuffles::xor_16_of_32::plan(), 32, "exchange, xor 16");
    drawn(&shuffles::rotate_3_of_8::plan(), 8, "exchange, rotate 3");
    for vote in [table::any::plan(), table::all::plan(), filters::positive::plan()] {
        drawn(&vote, 32, "vote");
        assert!(
            vote.to_string()
                .contains("vote: every lane learns what each lane"),
            "{vote}"
        );
    }
    // What votes tell is counted, or put in order; states that somebody brings are combined step by step.
    for (plan, says) in [
        (table::count::plan(), "voted on and the bits counted"),
        (
            table::ballot::plan(),
            "vote on each, and the bits are put in the order of the columns",
        ),
    ] {
        assert!(
            plan.to_string().contains(says) && plan.svg().contains(says),
            "{plan}"
        );
    }
    let trace = table::any::trace(&[false, false, true]);
    assert_eq!(trace.end(), [Some(true); 32]);
}

/// A step in a few words.
fn said(step: &Step) -> String {
    let combine = match step {
        Step::Shuffle { combine, .. } => match combine {
            Combine::ReceivedRight => "right".to_owned(),
            Combine::ReceivedLeft => "left".to_owned(),
            Combine::ReceivedLeftWhereBit(bit) => format!("left where {bit}"),
            Combine::Replace { .. } => "replace".to_owned(),
        },
        Step::Vote | Step::Redux => "all".to_owned(),
    };
    format!("{step}, {combine}")
}

/// The steps of the function `warp`, in the same words, from the code and not from its comments.
fn done(cuda: &str) -> Vec<String> {
    let body = cuda.split("WF_FN State warp(State s) {").nth(1);
    let body = body.and_then(|body| body.split("\n  }").next());
    let mut steps: Vec<String> = Vec::new();
    let mut bit = "";
    for line in body.expect("every spec but a filter has a warp function").lines() {
        let line = line.split("//").next().unwrap_or_default().trim();
        if line.starts_with("return wf::any") || line.starts_with("return wf::all") {
            steps.push("vote, all".to_owned());
        } else if let Some(call) = line.split("wf::shuffle_").nth(1) {
            let (name, rest) = call.split_once('<').expect("a width");
            let k = rest.split([',', ')']).rfind(|k| k.trim().parse::<u32>().is_ok());
            let k = k.expect("an offset").trim();
            let combine = match line {
                _ if line.starts_with("s = combine(s, ") => ", right",
                _ if line.starts_with("s = combine(wf::") => ", left",
                _ if line.starts_with("s = wf::") => ", replace",
                _ => "",
            };
            steps.push(format!("{} {k}{combine}", name.trim_end_matches("_masked")));
        } else if let Some(rest) = line.strip_prefix("const bool upper = (lane & ") {
            bit = rest.split(')').next().unwrap_or_default();
        } else if let Some(last) = steps.last_mut() {
            if line.contains("combine(upper ? received : s, upper ? s : received)") {
                last.push_str(", left where ");
                last.push_str(bit);
            } else if line.contains("combine(s, received)") {
                last.push_str(", right");
            } else if line.contains("combine(received, s)") {
                last.push_str(", left");
            } else if line.contains("received") {
                last.push_str(", replace");
            }
        }
    }
    steps
}
