//! warpfold in the contest: its specs through its public API, on data of cudarc's, as a user would call them.

mod arrays;
mod columns;
mod rows;
mod segments;
pub mod specs;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use cudarc::driver::CudaSlice;
use half::f16;

use crate::cell::{Cell, Family, Work};
use crate::contest::{Contestant, Prepared};
use crate::data;
use crate::gpu::{Card, Launch, Number, Timed};

/// warpfold on the first GPU.
pub struct Ours {
    card: Card,
    inputs: Inputs,
    entries: Vec<(String, Timed)>,
}

/// A buffer that grows when a cell needs more of it.
type Kept<T> = Option<Arc<CudaSlice<T>>>;

/// Inputs that cells share, each a part of the same sequence.
#[derive(Default)]
struct Inputs {
    f16: Kept<f16>,
    f32: Kept<f32>,
    f64: Kept<f64>,
    i8: Kept<i8>,
    i16: Kept<i16>,
    i32: Kept<i32>,
    second: Kept<f32>,
    halved: Kept<f32>,
}

/// The elements of a cell: the buffer, and how many of it take part.
type Part<T> = (Arc<CudaSlice<T>>, usize);

impl Ours {
    /// warpfold on the first GPU.
    ///
    /// # Errors
    /// When there is no driver, no GPU or no NVRTC.
    pub fn first() -> Result<Self, String> {
        Ok(Self {
            card: Card::first()?,
            inputs: Inputs::default(),
            entries: Vec::new(),
        })
    }

    /// The card's name.
    ///
    /// # Errors
    /// When the driver does not say.
    pub fn card_name(&self) -> Result<String, String> {
        self.card.name()
    }

    /// The elements of a cell.
    fn elements<T: Number>(
        &mut self,
        cell: &Cell,
        kept: fn(&mut Inputs) -> &mut Kept<T>,
    ) -> Result<Part<T>, String> {
        sequence(&self.card, kept(&mut self.inputs), cell.span() as usize, 0, 1.0)
    }

    fn f16(&mut self, cell: &Cell) -> Result<Part<f16>, String> {
        self.elements(cell, |inputs| &mut inputs.f16)
    }

    fn f32(&mut self, cell: &Cell) -> Result<Part<f32>, String> {
        self.elements(cell, |inputs| &mut inputs.f32)
    }

    fn f64(&mut self, cell: &Cell) -> Result<Part<f64>, String> {
        self.elements(cell, |inputs| &mut inputs.f64)
    }

    fn i8(&mut self, cell: &Cell) -> Result<Part<i8>, String> {
        self.elements(cell, |inputs| &mut inputs.i8)
    }

    fn i16(&mut self, cell: &Cell) -> Result<Part<i16>, String> {
        self.elements(cell, |inputs| &mut inputs.i16)
    }

    fn i32(&mut self, cell: &Cell) -> Result<Part<i32>, String> {
        self.elements(cell, |inputs| &mut inputs.i32)
    }

    /// The second array of `dot` and `recurrence`.
    fn second(&mut self, cell: &Cell) -> Result<Part<f32>, String> {
        let halved = cell.work == Work::Recurrence;
        let kept = if halved {
            &mut self.inputs.halved
        } else {
            &mut self.inputs.second
        };
        sequence(
            &self.card,
            kept,
            cell.span() as usize,
            data::SECOND,
            if halved { 0.5 } else { 1.0 },
        )
    }

    /// The weights of the columns.
    fn gamma(&self, cell: &Cell) -> Result<CudaSlice<f32>, String> {
        self.card.make(cell.cols as usize, data::GAMMA, 0.5, 1.0)
    }

    /// The biases of the columns.
    fn beta(&self, cell: &Cell) -> Result<CudaSlice<f32>, String> {
        self.card.make(cell.cols as usize, data::BETA, 1.0, 0.0)
    }

    /// Runs a launch once into an output of the cell's size, reports what came out and keeps the launch.
    fn enter<T: Number>(
        &mut self,
        cell: &Cell,
        name: &str,
        mut into: impl FnMut(&mut CudaSlice<T>) -> Result<(), warpfold::Error> + 'static,
    ) -> Prepared {
        let tried = self.output(cell.results() as usize).and_then(|out| {
            let target = Rc::clone(&out);
            let launch = move || into(&mut target.borrow_mut()).map_err(|error| error.to_string());
            self.keep(cell, name, Box::new(launch), &out, || Ok(cell.results() as usize))
        });
        named(name, tried)
    }

    /// As [`Ours::enter`], for a filter: the second output gets how many were kept.
    fn enter_filter<T: Number>(
        &mut self,
        cell: &Cell,
        name: &str,
        mut into: impl FnMut(&mut CudaSlice<T>, &mut CudaSlice<u64>) -> Result<(), warpfold::Error> + 'static,
    ) -> Prepared {
        let tried = self.output(cell.results() as usize).and_then(|out| {
            let kept = self.output::<u64>(1)?;
            let (target, count) = (Rc::clone(&out), Rc::clone(&kept));
            let launch = move || {
                into(&mut target.borrow_mut(), &mut count.borrow_mut()).map_err(|error| error.to_string())
            };
            let stream = Arc::clone(&self.card.stream);
            let length = move || {
                let count = stream
                    .clone_dtoh(&*kept.borrow())
                    .map_err(|error| format!("{error:?}"))?;
                Ok(count.first().map_or(0, |&count| count as usize))
            };
            self.keep(cell, name, Box::new(launch), &out, length)
        });
        named(name, tried)
    }

    fn output<T: Number>(&self, length: usize) -> Result<Rc<RefCell<CudaSlice<T>>>, String> {
        let out = self
            .card
            .stream
            .alloc_zeros(length)
            .map_err(|error| format!("{error:?}"))?;
        Ok(Rc::new(RefCell::new(out)))
    }

    fn keep<T: Number>(
        &mut self,
        cell: &Cell,
        name: &str,
        mut launch: Launch,
        out: &Rc<RefCell<CudaSlice<T>>>,
        length: impl FnOnce() -> Result<usize, String>,
    ) -> Result<Prepared, String> {
        launch()?;
        self.card
            .stream
            .synchronize()
            .map_err(|error| format!("{error:?}"))?;
        let prepared = self
            .card
            .check(name, &out.borrow(), length()?, &cell.positions())?;
        let timed = self.card.ready(launch, cell.graph())?;
        self.entries.push((name.to_owned(), timed));
        Ok(prepared)
    }
}

fn sequence<T: Number>(
    card: &Card,
    kept: &mut Kept<T>,
    count: usize,
    start: u32,
    scale: f64,
) -> Result<Part<T>, String> {
    match kept {
        Some(slice) if slice.len() >= count => Ok((Arc::clone(slice), count)),
        _ => {
            // The old one goes first: the largest cells need its memory.
            *kept = None;
            let slice = Arc::new(card.make(count, start, scale, 0.0)?);
            *kept = Some(Arc::clone(&slice));
            Ok((slice, count))
        }
    }
}

fn named(name: &str, tried: Result<Prepared, String>) -> Prepared {
    tried.unwrap_or_else(|error| Prepared {
        name: name.to_owned(),
        at: Vec::new(),
        total: 0.0,
        magnitude: 0.0,
        error: Some(error),
    })
}

impl Contestant for Ours {
    fn prepare(&mut self, cell: &Cell) -> Result<Vec<Prepared>, String> {
        self.entries.clear();
        match cell.family {
            Family::Rows => self.rows(cell),
            Family::Columns => self.columns(cell),
            Family::Arrays => self.arrays(cell),
            Family::Segments => self.segments(cell),
        }
    }

    fn time(&mut self, name: &str, launches: u32) -> Result<Vec<f64>, String> {
        let entry = self.entries.iter_mut().find(|entry| entry.0 == name);
        let (_, timed) = entry.ok_or_else(|| format!("nothing prepared under the name {name}"))?;
        self.card.time(timed, launches)
    }

    fn release(&mut self) -> Result<(), String> {
        self.entries.clear();
        Ok(())
    }
}
