//! A plan in text: the steps, who reads whom, and what each lane holds afterwards.
//!
//! Lanes that behave alike share a line, so that a warp of 32 stays readable. Only lanes that the result depends
//! on are followed; the others are named as not needed, or as holding what nobody may use.

use crate::picture::{Cell, Picture};
use crate::plan::{Action, Combine, Plan, Step};
use crate::proof::Proved;
use crate::word::Word;
use std::fmt;

/// ```
/// use warpfold_lanes::{Landing, Mask, Order, Width, reduce};
///
/// let plan = reduce(Width::new(4).unwrap(), Landing::Lane(0), Order::AnyOrder, Mask::FULL);
/// assert_eq!(plan.to_string(), "\
/// reduce to lane 0, any order · width 4 · mask 0xffffffff
/// step 1  down 2: combine(own, received)
///         lanes 0 1 read lanes 2 3
///         lane 0 holds 0 2, lane 1 holds 1 3
///         nobody may use lanes 2 3
/// step 2  down 1: combine(own, received)
///         lane 0 reads lane 1
///         lane 0 holds 0-3
///         nobody may use lanes 1-3
/// ");
/// ```
impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} · width {} · mask {}", self.goal, self.width, self.mask)?;
        if self.present < crate::WARP {
            write!(f, " · {} lanes exist", self.present)?;
        }
        writeln!(f)?;
        if !self.note.is_empty() {
            writeln!(f, "{:8}{}", "", self.note)?;
        }
        let picture = Picture::of(self);
        for (index, (step, actions)) in picture.steps.iter().enumerate() {
            writeln!(
                f,
                "{:<8}{step}: {}",
                format!("step {}", index + 1),
                meaning(*step)
            )?;
            let lines = [
                reads(&picture.reads(index)),
                kept(&picture, index, actions),
                holds(&picture, index),
                rest(&picture, index),
            ];
            for line in lines.iter().flatten() {
                writeln!(f, "{:8}{line}", "")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Proved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.plan().fmt(f)
    }
}

/// What a lane makes of what it receives.
fn meaning(step: Step) -> String {
    match step {
        Step::Shuffle {
            combine: Combine::ReceivedRight,
            ..
        } => "combine(own, received)".into(),
        Step::Shuffle {
            combine: Combine::ReceivedLeft,
            ..
        } => "combine(received, own)".into(),
        Step::Shuffle {
            combine: Combine::ReceivedLeftWhereBit(k),
            ..
        } => {
            format!("combine(own, received), or combine(received, own) in lanes with bit {k} set")
        }
        Step::Shuffle {
            combine: Combine::Replace { .. },
            ..
        } => "take what is received".into(),
        Step::Vote => "every lane learns what each lane of its group said".into(),
        Step::Redux => "every lane learns what all lanes of the mask come to".into(),
    }
}

/// Who reads whom.
fn reads(reads: &[(u32, u32)]) -> Option<String> {
    let swap = reads
        .iter()
        .all(|&(lane, source)| lane != source && reads.contains(&(source, lane)));
    let one_way: Vec<(u32, u32)> = reads
        .iter()
        .copied()
        .filter(|&(lane, source)| !swap || lane < source)
        .collect();
    if let [(_, first), .., (_, last)] = one_way[..]
        && one_way.iter().all(|&(_, source)| source == first)
    {
        let lanes = lanes(one_way.iter().map(|&(lane, _)| lane));
        return Some(format!("{lanes} read lane {last}"));
    }
    let runs = one_way
        .chunk_by(|a, b| b.0 == a.0 + 1 && b.1 == a.1 + 1)
        .map(|run| {
            let side = |pick: fn(&(u32, u32)) -> u32| run.iter().map(pick);
            (
                side(|read| read.0).collect::<Word>(),
                side(|read| read.1).collect::<Word>(),
            )
        });
    if swap {
        let pairs: Vec<String> = runs.map(|(low, high)| format!("{low} and {high}")).collect();
        return list(&pairs).map(|pairs| format!("lanes read each other: {pairs}"));
    }
    let say = |(readers, sources): (Word, Word)| match readers.letters() {
        [reader] => format!("lane {reader} reads lane {sources}"),
        _ => format!("lanes {readers} read lanes {sources}"),
    };
    list(&runs.map(say).collect::<Vec<_>>())
}

/// Which lanes receive nothing, and what they hold instead.
fn kept(picture: &Picture, step: usize, actions: &[Action]) -> Option<String> {
    let doing = |wanted: Action| -> Word {
        let matters = picture.after(step).filter(|(_, cell)| cell.matters);
        matters
            .map(|(lane, _)| lane)
            .filter(|&lane| actions[lane as usize] == wanted)
            .collect()
    };
    let say = |word: &Word, one: &str, many: &str| match word.letters() {
        [] => None,
        [lane] => Some(format!("lane {lane} {one}")),
        _ => Some(format!("lanes {word} {many}")),
    };
    let keep = say(&doing(Action::Keep), "keeps its own", "keep their own");
    let identity = say(
        &doing(Action::TakeIdentity),
        "takes the identity",
        "take the identity",
    );
    let lines: Vec<String> = [keep, identity].into_iter().flatten().collect();
    list(&lines)
}

/// What the lanes that matter hold.
fn holds(picture: &Picture, step: usize) -> Option<String> {
    let matters: Vec<(u32, &Word)> = picture
        .after(step)
        .filter(|(_, cell)| cell.matters)
        .filter_map(|(lane, cell)| cell.word.as_ref().map(|word| (lane, word)))
        .collect();
    let alike = matters.chunk_by(|a, b| a.1 == b.1 && a.0 + 1 == b.0);
    let say = |run: &[(u32, &Word)]| {
        let verb = if run.len() == 1 { "holds" } else { "hold" };
        format!("{} {verb} {}", lanes(run.iter().map(|held| held.0)), run[0].1)
    };
    list(&alike.map(say).collect::<Vec<_>>())
}

/// The lanes that the result does not depend on.
fn rest(picture: &Picture, step: usize) -> Option<String> {
    let group = |what: &str, chosen: fn(&Cell) -> bool| {
        let chosen: Vec<u32> = picture
            .after(step)
            .filter(|(_, cell)| chosen(cell))
            .map(|(lane, _)| lane)
            .collect();
        (!chosen.is_empty()).then(|| format!("{what} {}", lanes(chosen.into_iter())))
    };
    let unneeded = group("nobody needs", |cell| cell.word.is_some() && !cell.matters);
    let unusable = group("nobody may use", |cell| cell.word.is_none());
    let lines: Vec<String> = [unneeded, unusable].into_iter().flatten().collect();
    list(&lines)
}

fn lanes(lanes: impl Iterator<Item = u32>) -> String {
    let word: Word = lanes.collect();
    if word.letters().len() == 1 {
        format!("lane {word}")
    } else {
        format!("lanes {word}")
    }
}

/// A list with its middle left out where it is long.
fn list(items: &[String]) -> Option<String> {
    match items {
        [] => None,
        [first, second, _, _, .., last] => Some(format!("{first}, {second}, … {last}")),
        _ => Some(items.join(", ")),
    }
}
