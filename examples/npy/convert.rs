//! From file to file: short rows many at a time, long rows block by block.
//!
//! What is written follows from the array alone, never from the size of the pieces: a row of up to [`BLOCK`] columns is
//! one row of a launch, a longer one is taken in blocks of that length whose states are combined in order.

use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use warpfold::prelude::*;

use super::file::{Sink, Source};
use super::operation::{Operation, Task, argmax, exponentials, log_sum_exp, max, moments, sum, variance};
use super::slots::{Piece, Results, Slots};

/// Columns up to which a row is one row of a launch.
pub const BLOCK: usize = 1 << 20;

/// What is to be done.
pub struct Order<'a> {
    /// The operation.
    pub operation: Operation,
    /// The file that is read.
    pub input: &'a Path,
    /// The file that is written.
    pub output: &'a Path,
    /// Whether the whole array is one row.
    pub whole: bool,
    /// Bytes of the input that are under way at once in each of two slots: at least a row, or a block of a long one.
    pub piece: usize,
}

/// Does it.
pub fn convert(device: &Device, order: &Order<'_>) -> Result<(), Box<dyn Error>> {
    let source = Source::open(order.input)?;
    let one_row = order.whole || source.shape().len() < 2;
    let (outer, cols) = match source.shape().split_last() {
        Some((&last, outer)) if !one_row => (outer.to_vec(), last),
        _ => (Vec::new(), source.len()),
    };
    let rows = outer.iter().product();
    if cols == 0 {
        return Err(format!(
            "{}: the rows have no elements\nhelp: pass an array whose last axis is not empty",
            order.input.display()
        )
        .into());
    }
    let all = if one_row {
        vec![cols]
    } else {
        source.shape().to_vec()
    };
    let sink = match order.operation {
        Operation::Argmax => Sink::create::<u64>(order.output, &outer)?,
        Operation::Softmax | Operation::Cumsum | Operation::KeepPositive => {
            Sink::create::<f32>(order.output, &all)?
        }
        _ => Sink::create::<f32>(order.output, &outer)?,
    };
    let passes = if order.operation == Operation::Softmax && cols > BLOCK {
        2
    } else {
        1
    };
    let mut run = Run {
        operation: order.operation,
        list: one_row && order.operation == Operation::KeepPositive,
        rows,
        cols,
        bar: Bar::new((passes * source.len() * size_of::<f32>()) as u64),
        source,
        sink,
    };
    if cols > BLOCK || run.list {
        run.long_rows(device)?;
    } else {
        run.short_rows(device, order.piece / size_of::<f32>())?;
    }
    run.bar.done();
    if run.list {
        run.sink.finish_as_list::<f32>()
    } else {
        run.sink.finish()
    }
}

struct Run {
    operation: Operation,
    /// Whether the result is a list whose length is known at its end.
    list: bool,
    rows: usize,
    cols: usize,
    source: Source,
    sink: Sink,
    bar: Bar,
}

impl Run {
    fn short_rows(&mut self, device: &Device, piece: usize) -> Result<(), Box<dyn Error>> {
        let Self { cols, rows, .. } = *self;
        let height = (piece / cols).clamp(1, rows.max(1));
        let task = Task::Rows(self.operation);
        let mut slots = Slots::new(device, height * cols, height, &[task])?;
        let (source, sink, bar, operation) =
            (&mut self.source, &mut self.sink, &mut self.bar, self.operation);
        let mut store = |_: Piece, results: Results<'_>| match operation {
            Operation::Argmax => sink.write(results.longs),
            _ => sink.write(results.floats[0]),
        };
        for first in (0..rows).step_by(height) {
            let piece = Piece {
                at: first * cols,
                shape: Rows::new(height.min(rows - first), cols),
                task,
            };
            slots.pass(piece, |into| source.read(piece.at, into), &mut store)?;
            bar.advance(piece.len());
        }
        slots.finish(&mut store)
    }

    fn long_rows(&mut self, device: &Device) -> Result<(), Box<dyn Error>> {
        let tasks = match self.operation {
            Operation::Softmax => vec![
                Task::State(Operation::Softmax),
                Task::Shares {
                    largest: 0.0,
                    total: 0.0,
                },
            ],
            Operation::Cumsum => vec![Task::CumsumFrom],
            Operation::KeepPositive => vec![Task::Kept],
            operation => vec![Task::State(operation)],
        };
        let mut slots = Slots::new(device, self.cols.min(BLOCK), 1, &tasks)?;
        for row in 0..self.rows {
            let row = row * self.cols;
            match self.operation {
                Operation::Softmax => {
                    let state = self.state(&mut slots, row)?;
                    let (largest, total) = (state.floats[0], state.floats[1]);
                    self.blocks(&mut slots, row, Task::Shares { largest, total })?;
                }
                Operation::Cumsum => {
                    slots.begin_row()?;
                    self.blocks(&mut slots, row, Task::CumsumFrom)?;
                }
                Operation::KeepPositive => {
                    self.blocks(&mut slots, row, Task::Kept)?;
                    if !self.list {
                        self.fill(row + self.cols)?;
                    }
                }
                Operation::Argmax => {
                    let state = self.state(&mut slots, row)?;
                    self.sink.write(&[state.long])?;
                }
                operation => {
                    let state = self.state(&mut slots, row)?;
                    self.sink.write(&[state.finish(operation)])?;
                }
            }
        }
        Ok(())
    }

    /// Writes what comes of a row's blocks.
    fn blocks(&mut self, slots: &mut Slots, row: usize, task: Task) -> Result<(), Box<dyn Error>> {
        let (source, sink, bar) = (&mut self.source, &mut self.sink, &mut self.bar);
        let mut store = |_: Piece, results: Results<'_>| {
            // A filter's block begins with what it kept.
            let kept = results
                .longs
                .first()
                .map(|&kept| usize::try_from(kept))
                .transpose()?;
            sink.write(&results.floats[0][..kept.unwrap_or(results.floats[0].len())])
        };
        for piece in blocks(row, self.cols, task) {
            slots.pass(piece, |into| source.read(piece.at, into), &mut store)?;
            bar.advance(piece.len());
        }
        slots.finish(&mut store)
    }

    /// The state of a row, combined from those of its blocks in order.
    fn state(&mut self, slots: &mut Slots, row: usize) -> Result<State, Box<dyn Error>> {
        let (source, bar, operation) = (&mut self.source, &mut self.bar, self.operation);
        let mut state = None;
        let mut combine = |piece: Piece, results: Results<'_>| {
            let block = State::of(&results, piece.at - row);
            state = Some(match state {
                None => block,
                Some(state) => block.after(state, operation),
            });
            Ok(())
        };
        for piece in blocks(row, self.cols, Task::State(operation)) {
            slots.pass(piece, |into| source.read(piece.at, into), &mut combine)?;
            bar.advance(piece.len());
        }
        slots.finish(&mut combine)?;
        state.ok_or_else(|| "a row has a block".into())
    }

    /// Writes zeros up to an element of the result.
    fn fill(&mut self, until: usize) -> Result<(), Box<dyn Error>> {
        let zeros = vec![0.0_f32; BLOCK];
        while self.sink.written() < until {
            self.sink
                .write(&zeros[..BLOCK.min(until - self.sink.written())])?;
        }
        Ok(())
    }
}

/// The blocks of a row that starts at `row`.
fn blocks(row: usize, cols: usize, task: Task) -> impl Iterator<Item = Piece> {
    (0..cols).step_by(BLOCK).map(move |start| Piece {
        at: row + start,
        shape: Rows::new(1, BLOCK.min(cols - start)),
        task,
    })
}

/// The state of a block or a row: the fields of its operation's.
#[derive(Clone, Copy)]
struct State {
    floats: [f32; 3],
    long: u64,
}

impl State {
    /// What a block that starts at column `start` stored.
    fn of(results: &Results<'_>, start: usize) -> Self {
        let field = |floats: &[f32]| floats.first().copied().unwrap_or_default();
        Self {
            floats: results.floats.map(field),
            long: results.longs.first().map_or(0, |&index| index + start as u64),
        }
    }

    /// The state of `before` and this one behind it.
    fn after(self, before: Self, operation: Operation) -> Self {
        let (left, right) = (before.floats, self.floats);
        let (floats, long) = match operation {
            Operation::Max => ([max::combine(left[0], right[0]), 0.0, 0.0], 0),
            Operation::Argmax => {
                let (value, index) = argmax::combine((left[0], before.long), (right[0], self.long));
                ([value, 0.0, 0.0], index)
            }
            Operation::LogSumExp | Operation::Softmax => {
                let (largest, total) = exponentials::combine((left[0], left[1]), (right[0], right[1]));
                ([largest, total, 0.0], 0)
            }
            Operation::Variance => (moments::combine(left.into(), right.into()).into(), 0),
            Operation::Sum | Operation::Cumsum | Operation::KeepPositive => {
                ([sum::combine(left[0], right[0]), 0.0, 0.0], 0)
            }
        };
        Self { floats, long }
    }

    /// What is stored of it.
    fn finish(self, operation: Operation) -> f32 {
        let [a, b, c] = self.floats;
        match operation {
            Operation::LogSumExp => log_sum_exp::finish((a, b)),
            Operation::Variance => variance::finish((a, b, c)),
            _ => a,
        }
    }
}

/// A bar with the rate, on work that takes longer than a second; nothing where nobody looks at a terminal.
struct Bar {
    progress: ProgressBar,
    since: Instant,
    shown: bool,
}

impl Bar {
    fn new(bytes: u64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(bytes), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(
            "{bar:32} {binary_bytes}/{binary_total_bytes} {binary_bytes_per_sec} {eta} left",
        ) {
            bar.set_style(style);
        }
        Self {
            progress: bar,
            since: Instant::now(),
            shown: false,
        }
    }

    fn advance(&mut self, elements: usize) {
        self.progress.inc((elements * size_of::<f32>()) as u64);
        if !self.shown && self.since.elapsed() > Duration::from_secs(1) {
            self.progress.set_draw_target(ProgressDrawTarget::stderr());
            self.shown = true;
        }
    }

    fn done(&self) {
        self.progress.finish_and_clear();
    }
}
