//! The columns: one result a column, or one an element.

use warpfold::Rows;

use super::{Ours, specs};
use crate::cell::{Cell, Work};
use crate::contest::Prepared;
use crate::report::OURS;

impl Ours {
    pub(super) fn columns(&mut self, cell: &Cell) -> Result<Vec<Prepared>, String> {
        let shape = Rows::new(cell.rows as usize, cell.cols as usize);
        let (x, n) = self.f32(cell)?;
        Ok(match cell.work {
            Work::Sum => {
                vec![self.enter(cell, OURS, move |out| {
                    specs::sum::columns_into(shape, &x.slice(..n), out)
                })]
            }
            Work::Max => {
                vec![self.enter(cell, OURS, move |out| {
                    specs::max::columns_into(shape, &x.slice(..n), out)
                })]
            }
            Work::RunningSum => {
                vec![self.enter(cell, OURS, move |out| {
                    specs::running_sum::columns_into(shape, &x.slice(..n), out)
                })]
            }
            _ => Vec::new(),
        })
    }
}
