//! The segments: one result a segment between offsets, or one an element.

use super::Ours;
use super::specs::{self, of_i32};
use crate::cell::{Cell, DType, Work};
use crate::contest::Prepared;
use crate::data;
use crate::report::OURS;

/// A launch over segments of one plain parameter.
macro_rules! segments {
    ($self:ident, $cell:ident, $offsets:ident, $kind:ident, $($spec:ident)::+) => {{
        let (x, n) = $self.$kind($cell)?;
        vec![$self.enter($cell, OURS, move |out| $($spec)::+::segments_into(&$offsets, &x.slice(..n), out))]
    }};
}

impl Ours {
    pub(super) fn segments(&mut self, cell: &Cell) -> Result<Vec<Prepared>, String> {
        let offsets = self
            .card
            .stream
            .clone_htod(data::offsets(cell).as_slice())
            .map_err(|error| format!("{error:?}"))?;
        Ok(match (cell.dtype, cell.work) {
            (DType::F32, Work::Sum) => segments!(self, cell, offsets, f32, specs::sum),
            (DType::F32, Work::RunningSum) => segments!(self, cell, offsets, f32, specs::running_sum),
            (DType::I32, Work::Sum) => segments!(self, cell, offsets, i32, of_i32::sum),
            (DType::I32, Work::RunningSum) => segments!(self, cell, offsets, i32, of_i32::running_sum),
            _ => Vec::new(),
        })
    }
}
