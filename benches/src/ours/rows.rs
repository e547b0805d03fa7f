//! The rows: one result a row, or one row of results a row.

use warpfold::Rows;

use super::Ours;
use super::specs::{self, closure, of_f16, of_f64};
use crate::cell::{Cell, DType, Work};
use crate::contest::Prepared;
use crate::data::EPSILON;
use crate::report::OURS;

/// The variant's name in the contest.
const CLOSURE: &str = "warpfold_closure";

/// The shape of a cell: padded rows in, dense results out.
fn shape(cell: &Cell) -> Rows {
    Rows::new(cell.rows as usize, cell.cols as usize).stride(cell.stride as usize)
}

/// A launch over rows of one plain parameter.
macro_rules! rows {
    ($self:ident, $cell:ident, $kind:ident, $name:expr, $($spec:ident)::+) => {{
        let (x, n) = $self.$kind($cell)?;
        let shape = shape($cell);
        $self.enter($cell, $name, move |out| $($spec)::+::rows_into(shape, &x.slice(..n), out))
    }};
}

impl Ours {
    pub(super) fn rows(&mut self, cell: &Cell) -> Result<Vec<Prepared>, String> {
        match cell.dtype {
            DType::F32 => self.rows_f32(cell),
            DType::F16 => self.rows_f16(cell),
            DType::F64 => self.rows_f64(cell),
            DType::I8 | DType::I16 | DType::I32 => Ok(Vec::new()),
        }
    }

    fn rows_f32(&mut self, cell: &Cell) -> Result<Vec<Prepared>, String> {
        Ok(match cell.work {
            Work::Max => vec![
                rows!(self, cell, f32, OURS, specs::max),
                rows!(self, cell, f32, CLOSURE, closure::max),
            ],
            Work::Sum => vec![
                rows!(self, cell, f32, OURS, specs::sum),
                rows!(self, cell, f32, CLOSURE, closure::sum),
            ],
            Work::ArgMax => vec![self.rows_argmax(cell)?, self.argmax_closure(cell)?],
            Work::Variance => vec![
                rows!(self, cell, f32, OURS, specs::variance),
                rows!(self, cell, f32, CLOSURE, closure::variance),
            ],
            Work::LogSumExp => vec![
                rows!(self, cell, f32, OURS, specs::log_sum_exp),
                rows!(self, cell, f32, CLOSURE, closure::log_sum_exp),
            ],
            Work::RunningSum => vec![
                rows!(self, cell, f32, OURS, specs::running_sum),
                rows!(self, cell, f32, CLOSURE, closure::running_sum),
            ],
            Work::Softmax => vec![
                rows!(self, cell, f32, OURS, specs::softmax),
                rows!(self, cell, f32, CLOSURE, closure::softmax),
            ],
            Work::RmsNorm => vec![self.rms_norm(cell)?],
            Work::LayerNorm => vec![self.layer_norm(cell)?],
            _ => Vec::new(),
        })
    }

    fn rows_argmax(&mut self, cell: &Cell) -> Result<Prepared, String> {
        let (x, n) = self.f32(cell)?;
        let shape = shape(cell);
        // The indices are what is checked; the values go beside them.
        let values = self.output::<f32>(cell.results() as usize)?;
        Ok(self.enter::<u64>(cell, OURS, move |indices| {
            specs::argmax::rows_into(shape, &x.slice(..n), &mut *values.borrow_mut(), indices)
        }))
    }

    fn argmax_closure(&mut self, cell: &Cell) -> Result<Prepared, String> {
        let (x, n) = self.f32(cell)?;
        let shape = shape(cell);
        Ok(self.enter::<u64>(cell, CLOSURE, move |indices| {
            closure::argmax::rows_into(shape, &x.slice(..n), indices)
        }))
    }

    fn rms_norm(&mut self, cell: &Cell) -> Result<Prepared, String> {
        let (x, n) = self.f32(cell)?;
        let (shape, gamma) = (shape(cell), self.gamma(cell)?);
        Ok(self.enter(cell, OURS, move |out| {
            specs::rms_norm::rows_into(shape, &x.slice(..n), &gamma, EPSILON as f32, out)
        }))
    }

    fn layer_norm(&mut self, cell: &Cell) -> Result<Prepared, String> {
        let (x, n) = self.f32(cell)?;
        let (shape, gamma, beta) = (shape(cell), self.gamma(cell)?, self.beta(cell)?);
        Ok(self.enter(cell, OURS, move |out| {
            specs::layer_norm::rows_into(shape, &x.slice(..n), &gamma, &beta, EPSILON as f32, out)
        }))
    }

    fn rows_f16(&mut self, cell: &Cell) -> Result<Vec<Prepared>, String> {
        Ok(match cell.work {
            Work::Max => vec![rows!(self, cell, f16, OURS, of_f16::max)],
            Work::Sum => vec![rows!(self, cell, f16, OURS, of_f16::sum)],
            Work::Softmax => vec![rows!(self, cell, f16, OURS, of_f16::softmax)],
            _ => Vec::new(),
        })
    }

    fn rows_f64(&mut self, cell: &Cell) -> Result<Vec<Prepared>, String> {
        Ok(match cell.work {
            Work::Max => vec![rows!(self, cell, f64, OURS, of_f64::max)],
            Work::Sum => vec![rows!(self, cell, f64, OURS, of_f64::sum)],
            Work::Softmax => vec![rows!(self, cell, f64, OURS, of_f64::softmax)],
            _ => Vec::new(),
        })
    }
}
