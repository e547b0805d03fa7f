//! Small calls on the CPU, right and wrong, against plain loops.
//!
//! The operator is a step of a linear generator, `h -> a * h + b` in wrapping integers: it does not commute, so that an
//! element out of place, left out or met twice changes the result. A call that is wrong must be refused and leave its
//! output as it was; one that is right writes what the loop gives and nothing beside it.

mod specs;
mod wanted;

use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

use warpfold::{Error, Rows};
use warpfold_programs::Rng;

use crate::Tally;
use wanted::wanted;

/// What stands in outputs before a call.
const BEFORE: u32 = 0xdead_beef;

/// A launch of one of the specs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One result a row.
    ReduceRows,
    /// One result a column.
    ReduceColumns,
    /// One result.
    ReduceArray,
    /// One result a segment.
    ReduceSegments,
    /// The row's result given to its elements.
    Apply,
    /// Scans, forward.
    ScanRows,
    /// Of everything.
    ScanArray,
    /// Of segments.
    ScanSegments,
    /// Scans from the end, without their own element.
    BackRows,
    /// Of everything.
    BackArray,
    /// What is kept of each row.
    FilterRows,
    /// What is kept.
    FilterArray,
    /// Where it stood.
    FilterIndices,
    /// An exchange in groups of eight.
    Shuffle,
}

const FORMS: [Form; 14] = [
    Form::ReduceRows,
    Form::ReduceColumns,
    Form::ReduceArray,
    Form::ReduceSegments,
    Form::Apply,
    Form::ScanRows,
    Form::ScanArray,
    Form::ScanSegments,
    Form::BackRows,
    Form::BackArray,
    Form::FilterRows,
    Form::FilterArray,
    Form::FilterIndices,
    Form::Shuffle,
];

/// One call.
#[derive(Clone, Debug)]
pub struct Call {
    /// What is launched.
    pub form: Form,
    /// Rows and columns, with or without strides.
    pub rows: usize,
    /// Columns.
    pub cols: usize,
    /// The stride, where one is given.
    pub stride: Option<usize>,
    /// The stride of the results, where one is given.
    pub out_stride: Option<usize>,
    /// Where segments begin and end.
    pub offsets: Vec<u32>,
    /// The elements.
    pub x: Vec<u32>,
    /// How many elements the output has room for.
    pub room: usize,
    /// How many counts.
    pub count_room: usize,
}

impl Call {
    /// The call of a number.
    pub fn random(number: u64) -> Self {
        let mut rng = Rng::new(number);
        let form = *rng.pick(&FORMS);
        let (rows, cols) = (
            rng.below(6),
            [rng.below(5), rng.below(40), rng.below(140)][rng.below(3)],
        );
        let near = |rng: &mut Rng, n: usize| {
            (n + [0, 0, 1, 7][rng.below(4)]).saturating_sub(usize::from(rng.chance(6)))
        };
        let stride = rng.chance(40).then(|| near(&mut rng, cols));
        let of_result = if form == Form::ReduceRows { 1 } else { cols };
        let out_stride = (rng.chance(30) && form != Form::ReduceColumns).then(|| near(&mut rng, of_result));
        let mut call = Call {
            form,
            rows,
            cols,
            stride,
            out_stride,
            offsets: Vec::new(),
            x: Vec::new(),
            room: 0,
            count_room: near(&mut rng, rows.max(1)),
        };
        let elements = match form {
            Form::ReduceArray
            | Form::ReduceSegments
            | Form::ScanArray
            | Form::ScanSegments
            | Form::BackArray
            | Form::FilterArray
            | Form::FilterIndices => rng.below(300),
            _ => near(&mut rng, wanted::extent(rows, stride.unwrap_or(cols), cols)),
        };
        call.x = (0..elements).map(|_| rng.word() as u32).collect();
        call.offsets = offsets(elements, &mut rng);
        let out = match form {
            Form::ReduceRows => wanted::extent(rows, out_stride.unwrap_or(1), 1),
            Form::ReduceColumns => cols,
            Form::ReduceArray => 1,
            Form::ReduceSegments => call.offsets.len().saturating_sub(1),
            Form::Apply | Form::ScanRows | Form::BackRows | Form::FilterRows | Form::Shuffle => {
                wanted::extent(rows, out_stride.unwrap_or(cols), cols)
            }
            _ => elements,
        };
        call.room = near(&mut rng, out);
        call
    }

    /// The shape as it is passed.
    pub fn shape(&self) -> Rows {
        let mut shape = Rows::new(self.rows, self.cols);
        if let Some(stride) = self.stride {
            shape = shape.stride(stride);
        }
        if let Some(stride) = self.out_stride {
            shape = shape.out_stride(stride);
        }
        shape
    }
}

/// Offsets of up to eight segments, a few of them wrong.
fn offsets(elements: usize, rng: &mut Rng) -> Vec<u32> {
    let segments = rng.below(8);
    let mut offsets: Vec<u32> = (0..segments).map(|_| rng.below(elements + 1) as u32).collect();
    offsets.sort_unstable();
    offsets.insert(0, 0);
    if rng.chance(8) {
        let at = rng.below(offsets.len());
        offsets[at] = offsets[at].wrapping_sub(1 + rng.below(3) as u32) % 400;
    }
    offsets
}

/// What a call wrote: its output and its counts.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Written {
    out: Vec<u32>,
    counts: Vec<u64>,
}

/// What a call must do.
#[derive(Clone, Debug)]
enum Wanted {
    /// Refuse, and write nothing.
    Refusal,
    /// Write these elements and counts, and leave the others; those past `free` may hold anything.
    Writes {
        out: Vec<(usize, u32)>,
        counts: Vec<u64>,
        free: Option<usize>,
    },
}

/// Runs a call; says whether it was right.
///
/// # Errors
///
/// How what it did differs from what the loops say.
pub fn run(call: &Call) -> Result<bool, String> {
    let before = Written {
        out: vec![BEFORE; call.room],
        counts: vec![u64::from(BEFORE); call.count_room],
    };
    let mut after = before.clone();
    let answer = catch_unwind(AssertUnwindSafe(|| {
        specs::launch(call, &mut after.out, &mut after.counts)
    }));
    let answer = answer.map_err(|_| "it panics".to_owned())?;
    match (wanted(call), answer) {
        (Wanted::Refusal, Ok(())) => Err("it is wrong, and was taken".to_owned()),
        (Wanted::Refusal, Err(error)) => {
            typed(&error)?;
            same("after it was refused, the output", &after, &before)?;
            Ok(false)
        }
        (Wanted::Writes { .. }, Err(error)) => Err(format!("it is right, and was refused: {error}")),
        (Wanted::Writes { out, counts, free }, Ok(())) => {
            let mut wanted = before;
            for (at, value) in out {
                wanted.out[at] = value;
            }
            wanted.counts[..counts.len()].copy_from_slice(&counts);
            if let Some(free) = free {
                wanted.out.truncate(free);
                after.out.truncate(free);
            }
            same("the output", &after, &wanted)?;
            Ok(true)
        }
    }
}

fn typed(error: &Error) -> Result<(), String> {
    let right = matches!(
        error,
        Error::TooShort { .. } | Error::Stride { .. } | Error::Offsets { .. } | Error::Length { .. }
    );
    let text = error.to_string();
    if right && text.contains("\nhelp: ") {
        Ok(())
    } else {
        Err(format!("another error, or one without help: {text}"))
    }
}

fn same<T: PartialEq + Debug>(what: &str, found: &T, wanted: &T) -> Result<(), String> {
    if found == wanted {
        Ok(())
    } else {
        Err(format!("{what} is {found:?} and should be {wanted:?}"))
    }
}

/// Runs the calls of some numbers.
pub fn campaign(numbers: std::ops::Range<u64>) -> Tally {
    let mut tally = Tally::default();
    for number in numbers {
        let call = Call::random(number);
        match run(&call) {
            Ok(right) => tally.reached += u64::from(right),
            Err(fault) => tally.faults.push((number, format!("{fault}\n{call:?}"))),
        }
        tally.runs += 1;
    }
    tally
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_calls_give_what_loops_give() {
        let tally = campaign(0..30_000);
        println!("{tally}");
        assert!(tally.faults.is_empty(), "{tally}");
        let right = tally.percent_reached();
        assert!((50..95).contains(&right), "both right and wrong calls: {tally}");
    }

    #[test]
    fn every_form_is_called_right_and_wrong() {
        for form in FORMS {
            let of_form = (0..4_000).map(Call::random).filter(|call| call.form == form);
            let (right, wrong): (Vec<Call>, Vec<Call>) =
                of_form.partition(|call| matches!(wanted(call), Wanted::Writes { .. }));
            assert!(
                right.len() > 20 && wrong.len() > 3,
                "{form:?}: {} and {}",
                right.len(),
                wrong.len()
            );
        }
    }

    #[test]
    fn an_element_out_of_place_is_noticed() {
        let mut call = Call {
            form: Form::ReduceRows,
            rows: 1,
            cols: 9,
            stride: None,
            out_stride: None,
            offsets: Vec::new(),
            x: (1..10).collect(),
            room: 1,
            count_room: 0,
        };
        let result = |call: &Call| match wanted(call) {
            Wanted::Writes { out, .. } => out[0].1,
            Wanted::Refusal => panic!("it is right"),
        };
        let in_place = result(&call);
        call.x.swap(3, 4);
        assert_ne!(result(&call), in_place);
    }
}
