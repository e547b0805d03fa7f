//! Whole arrays: one value, one scan, one filter.

use super::Ours;
use super::specs::{self, closure, of_f16, of_f64, of_i8, of_i16, of_i32, structs};
use crate::cell::{Cell, DType, Work};
use crate::contest::Prepared;
use crate::data;
use crate::report::OURS;

const CLOSURE: &str = "warpfold_closure";

/// A launch over an array of one plain parameter.
macro_rules! array {
    ($self:ident, $cell:ident, $kind:ident, $name:expr, $($spec:ident)::+) => {{
        let (x, n) = $self.$kind($cell)?;
        $self.enter($cell, $name, move |out| $($spec)::+::array_into(&x.slice(..n), out))
    }};
}

/// A filter of the elements below the cell's limit.
macro_rules! filter {
    ($self:ident, $cell:ident, $kind:ident, $limit:expr, $($spec:ident)::+) => {{
        let (x, n) = $self.$kind($cell)?;
        let limit = $limit;
        $self.enter_filter($cell, OURS, move |out, count| $($spec)::+::array_into(&x.slice(..n), limit, out, count))
    }};
}

impl Ours {
    pub(super) fn arrays(&mut self, cell: &Cell) -> Result<Vec<Prepared>, String> {
        match cell.dtype {
            DType::F32 => self.arrays_f32(cell),
            DType::F64 => self.arrays_f64(cell),
            DType::I32 => self.arrays_i32(cell),
            DType::F16 | DType::I8 | DType::I16 => self.arrays_small(cell),
        }
    }

    fn arrays_f32(&mut self, cell: &Cell) -> Result<Vec<Prepared>, String> {
        Ok(match cell.work {
            Work::Max => vec![array!(self, cell, f32, OURS, specs::max)],
            Work::Sum => vec![
                array!(self, cell, f32, OURS, specs::sum),
                array!(self, cell, f32, CLOSURE, closure::sum),
            ],
            Work::ArgMax => {
                let (x, n) = self.f32(cell)?;
                let value = self.output::<f32>(1)?;
                vec![self.enter::<u64>(cell, OURS, move |index| {
                    specs::argmax::array_into(&x.slice(..n), &mut *value.borrow_mut(), index)
                })]
            }
            Work::LogSumExp => vec![
                array!(self, cell, f32, OURS, specs::log_sum_exp),
                array!(self, cell, f32, CLOSURE, closure::log_sum_exp),
            ],
            Work::Summary => vec![array!(self, cell, f32, OURS, structs::summary)],
            Work::Count => {
                let (x, n) = self.f32(cell)?;
                vec![self.enter::<u64>(cell, OURS, move |out| {
                    specs::count::array_into(&x.slice(..n), out)
                })]
            }
            Work::Dot => {
                let ((x, n), (y, m)) = (self.f32(cell)?, self.second(cell)?);
                vec![self.enter(cell, OURS, move |out| {
                    specs::dot::array_into(&x.slice(..n), &y.slice(..m), out)
                })]
            }
            Work::RunningSum => vec![
                array!(self, cell, f32, OURS, specs::running_sum),
                array!(self, cell, f32, CLOSURE, closure::running_sum),
            ],
            Work::RunningSumExclusive => vec![array!(self, cell, f32, OURS, specs::running_sum_exclusive)],
            Work::RunningMax => vec![array!(self, cell, f32, OURS, specs::running_max)],
            Work::Recurrence => {
                let ((b, n), (a, m)) = (self.f32(cell)?, self.second(cell)?);
                let (b2, a2) = (b.clone(), a.clone());
                vec![
                    self.enter(cell, OURS, move |out| {
                        specs::recurrence::array_into(&a.slice(..m), &b.slice(..n), out)
                    }),
                    self.enter(cell, CLOSURE, move |out| {
                        closure::recurrence::array_into(&a2.slice(..m), &b2.slice(..n), out)
                    }),
                ]
            }
            Work::Filter1 | Work::Filter50 | Work::Filter99 => {
                vec![filter!(
                    self,
                    cell,
                    f32,
                    data::threshold(cell.work, cell.dtype) as f32,
                    specs::below
                )]
            }
            _ => Vec::new(),
        })
    }

    fn arrays_f64(&mut self, cell: &Cell) -> Result<Vec<Prepared>, String> {
        Ok(match cell.work {
            Work::Max => vec![array!(self, cell, f64, OURS, of_f64::max)],
            Work::Sum => vec![array!(self, cell, f64, OURS, of_f64::sum)],
            Work::RunningSum => vec![array!(self, cell, f64, OURS, of_f64::running_sum)],
            Work::RunningSumExclusive => vec![array!(self, cell, f64, OURS, of_f64::running_sum_exclusive)],
            Work::Filter50 => vec![filter!(
                self,
                cell,
                f64,
                data::threshold(cell.work, cell.dtype),
                of_f64::below
            )],
            _ => Vec::new(),
        })
    }

    fn arrays_i32(&mut self, cell: &Cell) -> Result<Vec<Prepared>, String> {
        Ok(match cell.work {
            Work::Max => vec![array!(self, cell, i32, OURS, of_i32::max)],
            Work::Sum => vec![array!(self, cell, i32, OURS, of_i32::sum)],
            Work::RunningSum => vec![array!(self, cell, i32, OURS, of_i32::running_sum)],
            Work::RunningSumExclusive => vec![array!(self, cell, i32, OURS, of_i32::running_sum_exclusive)],
            Work::Filter50 => {
                vec![filter!(
                    self,
                    cell,
                    i32,
                    data::threshold(cell.work, cell.dtype) as i32,
                    of_i32::below
                )]
            }
            _ => Vec::new(),
        })
    }

    fn arrays_small(&mut self, cell: &Cell) -> Result<Vec<Prepared>, String> {
        Ok(match (cell.dtype, cell.work) {
            (DType::F16, Work::Sum) => vec![array!(self, cell, f16, OURS, of_f16::sum)],
            (DType::I8, Work::RunningSum) => vec![array!(self, cell, i8, OURS, of_i8::running_sum)],
            (DType::I16, Work::RunningSum) => vec![array!(self, cell, i16, OURS, of_i16::running_sum)],
            (DType::I8, Work::ArgMax) => {
                let (x, n) = self.i8(cell)?;
                let value = self.output::<i8>(1)?;
                vec![self.enter::<u64>(cell, OURS, move |index| {
                    of_i8::argmax::array_into(&x.slice(..n), &mut *value.borrow_mut(), index)
                })]
            }
            _ => Vec::new(),
        })
    }
}
