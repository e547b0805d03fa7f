//! The limit: how many bytes a cell must move, and how long that takes at the rates measured in the same run.

use serde::{Deserialize, Serialize};

use crate::cell::{Cell, DType, Family, Form, Work};

/// What the memory of the card did in this run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ceilings {
    /// A plain vectorised copy: bytes read plus bytes written, in GB/s.
    pub copy_gb_s: f64,
    /// A plain vectorised sum that only reads, in GB/s.
    pub read_gb_s: f64,
    /// One empty kernel inside a CUDA graph, in µs: the limit of the cells that are about latency.
    pub empty_kernel_us: f64,
}

/// What DRAM hands out at once. A row of 20 `f32` in a stride of 32 touches the first 80 of each 128 bytes,
/// and the memory moves all 128: measured, such rows take as long as full ones.
pub const DRAM_BYTES: u64 = 64;

/// Columns up to which a softmax can keep its row on the chip of an H200 (a cluster of sixteen blocks).
/// Longer rows have to be read twice.
pub const ON_CHIP_COLUMNS: u64 = 131_072;

/// Bytes of an offset of segments.
pub const OFFSET_BYTES: u64 = 4;

/// Bytes read, each input once, in whole pieces of [`DRAM_BYTES`].
pub fn read(cell: &Cell) -> u64 {
    let size = cell.dtype.size();
    if cell.family == Family::Segments {
        return cell.span() * size + (cell.rows + 1) * OFFSET_BYTES;
    }
    let row = cell.cols * size;
    let rows = if cell.stride == cell.cols {
        cell.rows * row
    } else {
        // Rows start on a piece here: every stride of the lists is a multiple of one.
        cell.rows * row.next_multiple_of(DRAM_BYTES).min(cell.stride * size)
    };
    rows * cell.work.inputs()
}

/// Bytes of one result.
const fn result_size(cell: &Cell) -> u64 {
    match (cell.work, cell.dtype) {
        (Work::ArgMax, dtype) => dtype.size() + 8, // the value and a 64-bit index
        (Work::Count, _) => 8,
        // Reductions of `f16` are kept in the state's type.
        (Work::Sum | Work::Variance | Work::LogSumExp | Work::Dot, DType::F16) => 4,
        (_, dtype) => dtype.size(),
    }
}

/// Bytes written, each result once.
pub fn written(cell: &Cell) -> u64 {
    let results = match cell.work.form() {
        Form::Filter => (cell.results() as f64 * cell.work.kept()) as u64,
        _ => cell.results(),
    };
    results * result_size(cell)
}

/// The least time the cell can take, in µs.
pub fn limit_us(cell: &Cell, ceilings: &Ceilings) -> f64 {
    if cell.graph() {
        return ceilings.empty_kernel_us;
    }
    let (read, written) = (read(cell) as f64, written(cell) as f64);
    match (cell.work.form(), cell.family) {
        (Form::Reduce, _) => (read + written) / (ceilings.read_gb_s * 1e3),
        // Rows that no chip keeps are read a second time.
        (Form::Elementwise, Family::Rows) if cell.cols > ON_CHIP_COLUMNS && !is_scan(cell.work) => {
            (2.0 * read + written) / (ceilings.copy_gb_s * 1e3)
        }
        // What is read but not written back goes at the reading rate.
        (Form::Filter, _) => {
            2.0 * written / (ceilings.copy_gb_s * 1e3)
                + (read - written).max(0.0) / (ceilings.read_gb_s * 1e3)
        }
        (Form::Elementwise, _) => (read + written) / (ceilings.copy_gb_s * 1e3),
    }
}

const fn is_scan(work: Work) -> bool {
    matches!(
        work,
        Work::RunningSum | Work::RunningSumExclusive | Work::RunningMax | Work::Recurrence
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const H200: Ceilings = Ceilings {
        copy_gb_s: 4263.0,
        read_gb_s: 4520.0,
        empty_kernel_us: 0.84,
    };

    fn rows(work: Work, cols: u64, stride: u64) -> Cell {
        Cell {
            family: Family::Rows,
            work,
            rows: (1 << 28) / stride,
            cols,
            stride,
            dtype: DType::F32,
        }
    }

    fn near(got: f64, want: f64) {
        assert!((got - want).abs() < 1.0, "{got} instead of {want}");
    }

    #[test]
    fn the_limits_are_the_published_ones() {
        near(limit_us(&rows(Work::Max, 20, 32), &H200), 245.0);
        near(limit_us(&rows(Work::Max, 32, 32), &H200), 245.0);
        near(limit_us(&rows(Work::Sum, 128, 128), &H200), 239.4);
        near(limit_us(&rows(Work::Sum, 65_536, 65_536), &H200), 237.6);
        near(limit_us(&rows(Work::Softmax, 4096, 4096), &H200), 503.7);
        near(limit_us(&rows(Work::RunningSum, 32, 32), &H200), 503.7);
    }

    #[test]
    fn half_kept_costs_a_read_and_half_a_write() {
        let cell = Cell {
            family: Family::Arrays,
            rows: 1,
            cols: 1 << 28,
            stride: 1 << 28,
            ..rows(Work::Filter50, 1, 1)
        };
        near(limit_us(&cell, &H200), 370.7);
    }

    #[test]
    fn rows_too_long_for_the_chip_are_read_twice() {
        let long = rows(Work::Softmax, 1_000_003, 1_000_003);
        let once = rows(Work::RunningSum, 1_000_003, 1_000_003);
        near(limit_us(&long, &H200), 1.5 * limit_us(&once, &H200));
    }

    #[test]
    fn small_cells_are_limited_by_the_launch() {
        let cell = Cell {
            rows: 100,
            ..rows(Work::Max, 20, 32)
        };
        near(limit_us(&cell, &H200), 0.84);
    }
}
