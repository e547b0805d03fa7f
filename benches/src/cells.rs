//! Which cells are measured: the lists, and what of them `--quick` leaves.

use crate::cell::{Cell, DType, Family, Spread, Work};

/// Elements of a full-size cell: 1 GiB of `f32`, eighteen times an H200's L2 cache.
pub const FULL: u64 = 1 << 28;

/// Columns and stride of the row cells: the padded row, short, odd, middling and long ones.
pub const COLUMNS: [(u64, u64); 14] = [
    (20, 32),
    (21, 21),
    (32, 32),
    (33, 33),
    (100, 100),
    (128, 128),
    (513, 513),
    (1000, 1000),
    (1024, 1024),
    (2049, 2049),
    (4096, 4096),
    (16_384, 16_384),
    (65_536, 65_536),
    (1_000_003, 1_000_003),
];

/// The works measured on rows.
pub const ROW_WORKS: [Work; 9] = [
    Work::Max,
    Work::Sum,
    Work::ArgMax,
    Work::Variance,
    Work::LogSumExp,
    Work::RunningSum,
    Work::Softmax,
    Work::RmsNorm,
    Work::LayerNorm,
];

const QUICK_WORKS: [Work; 5] = [
    Work::Max,
    Work::Sum,
    Work::RunningSum,
    Work::Softmax,
    Work::RmsNorm,
];
const QUICK_COLUMNS: [u64; 7] = [20, 33, 128, 1000, 4096, 65_536, 1_000_003];

/// The cells of a family, the whole list or the quick one.
pub fn cells(family: Family, quick: bool) -> Vec<Cell> {
    match family {
        Family::Rows => rows(quick),
        Family::Columns => columns(quick),
        Family::Arrays => arrays(quick),
        Family::Segments => segments(quick),
    }
}

fn row_cell(work: Work, elements: u64, (cols, stride): (u64, u64), dtype: DType) -> Cell {
    let rows = (elements / stride).max(1);
    Cell {
        family: Family::Rows,
        work,
        rows,
        cols,
        stride,
        dtype,
    }
}

fn rows(quick: bool) -> Vec<Cell> {
    let works: &[Work] = if quick { &QUICK_WORKS } else { &ROW_WORKS };
    let mut list = Vec::new();
    for &work in works {
        for shape in COLUMNS {
            if !quick || QUICK_COLUMNS.contains(&shape.0) {
                list.push(row_cell(work, FULL, shape, DType::F32));
            }
        }
    }
    if quick {
        return list;
    }
    for dtype in [DType::F16, DType::F64] {
        for work in [Work::Max, Work::Sum, Work::Softmax] {
            for cols in [32, 128, 1024, 4096, 65_536] {
                // The same number of bytes for f64, so that inputs and outputs of all peers fit the card.
                let elements = if dtype == DType::F64 { FULL / 2 } else { FULL };
                list.push(row_cell(work, elements, (cols, cols), dtype));
            }
        }
    }
    for work in [Work::Max, Work::Sum, Work::Softmax, Work::RunningSum] {
        for shape in [(20, 32), (128, 128), (1024, 1024), (65_536, 65_536)] {
            list.push(row_cell(work, 1 << 20, shape, DType::F32));
        }
    }
    // The launch that started it all: 8,205 rows of 20.
    list.push(Cell {
        family: Family::Rows,
        work: Work::Max,
        rows: 8205,
        cols: 20,
        stride: 32,
        dtype: DType::F32,
    });
    list
}

fn columns(quick: bool) -> Vec<Cell> {
    let works: &[Work] = if quick {
        &[Work::Sum]
    } else {
        &[Work::Sum, Work::Max, Work::RunningSum]
    };
    let mut list = Vec::new();
    for &work in works {
        for (rows, cols) in [(1024, 262_144), (262_144, 1024)] {
            list.push(Cell {
                family: Family::Columns,
                work,
                rows,
                cols,
                stride: cols,
                dtype: DType::F32,
            });
        }
    }
    list
}

/// Segments of one length.
const LENGTHS: [u64; 6] = [1, 7, 32, 100, 1000, 100_000];

fn segments(quick: bool) -> Vec<Cell> {
    let mut list = Vec::new();
    for dtype in [DType::F32, DType::I32] {
        for work in [Work::Sum, Work::RunningSum] {
            let mut add = |rows, cols, spread: Spread| {
                let stride = Spread::ALL.iter().position(|&it| it == spread).unwrap_or(0) as u64;
                list.push(Cell {
                    family: Family::Segments,
                    work,
                    rows,
                    cols,
                    stride,
                    dtype,
                });
            };
            for length in LENGTHS {
                if !quick || [7, 100, 100_000].contains(&length) {
                    add(FULL / length, length, Spread::Even);
                }
            }
            // A mean of 4 · ln(65536): about as many elements.
            add(FULL / 47, 0, Spread::PowerLaw);
            add(1_000_001, 0, Spread::Giant);
            if !quick {
                add(FULL / 32, 64, Spread::HalfEmpty);
            }
        }
        if quick {
            break;
        }
    }
    list
}

fn array_cell(work: Work, elements: u64, dtype: DType) -> Cell {
    Cell {
        family: Family::Arrays,
        work,
        rows: 1,
        cols: elements,
        stride: elements,
        dtype,
    }
}

fn arrays(quick: bool) -> Vec<Cell> {
    let sizes: &[u32] = if quick {
        &[16, 20, 28]
    } else {
        &[10, 16, 20, 24, 28]
    };
    let mut list = Vec::new();
    let mut add = |work, dtype| {
        for &power in sizes {
            list.push(array_cell(work, 1 << power, dtype));
        }
    };
    for work in [
        Work::Sum,
        Work::Max,
        Work::RunningSum,
        Work::RunningSumExclusive,
        Work::Filter50,
    ] {
        add(work, DType::F32);
    }
    if quick {
        return list;
    }
    for work in [
        Work::ArgMax,
        Work::Dot,
        Work::Count,
        Work::LogSumExp,
        Work::Summary,
        Work::RunningMax,
        Work::Recurrence,
        Work::Filter1,
        Work::Filter99,
    ] {
        add(work, DType::F32);
    }
    add(Work::RunningSum, DType::I8);
    add(Work::RunningSum, DType::I16);
    add(Work::ArgMax, DType::I8);
    add(Work::Sum, DType::F16);
    for dtype in [DType::I32, DType::F64] {
        for work in [
            Work::Sum,
            Work::Max,
            Work::RunningSum,
            Work::RunningSumExclusive,
            Work::Filter50,
        ] {
            add(work, dtype);
        }
    }
    list.push(array_cell(Work::Sum, 1 << 30, DType::F32));
    list.push(array_cell(Work::Max, 1 << 30, DType::F32));
    list
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_quick_list_is_part_of_the_whole_one() {
        for family in Family::ALL {
            let whole: HashSet<Cell> = cells(family, false).into_iter().collect();
            let quick = cells(family, true);
            assert!(!quick.is_empty());
            for cell in quick {
                assert!(whole.contains(&cell), "{cell:?}");
            }
        }
    }

    #[test]
    fn names_tell_cells_apart() {
        for family in Family::ALL {
            let list = cells(family, false);
            let names: HashSet<String> = list.iter().map(Cell::name).collect();
            assert_eq!(names.len(), list.len());
        }
    }

    #[test]
    fn segments_have_about_as_many_elements_as_other_cells() {
        for cell in segments(false).iter().filter(|cell| cell.rows < 10_000_000) {
            let offsets = crate::data::offsets(cell);
            assert_eq!(offsets.len() as u64, cell.rows + 1);
            let (span, most) = (cell.span(), FULL + FULL / 10);
            assert!((FULL / 3..most).contains(&span), "{} has {span}", cell.name());
        }
    }

    #[test]
    fn full_size_cells_are_full() {
        for cell in rows(false)
            .iter()
            .filter(|cell| cell.dtype == DType::F32 && !cell.graph())
        {
            assert!(cell.rows * cell.stride > FULL - (1 << 20), "{cell:?}");
            assert!(cell.rows * cell.stride <= FULL, "{cell:?}");
        }
    }

    #[test]
    fn every_work_of_the_rows_is_measured_on_every_column_count() {
        let list = rows(false);
        for work in ROW_WORKS {
            for (cols, stride) in COLUMNS {
                assert!(
                    list.iter()
                        .any(|cell| cell.work == work && cell.cols == cols && cell.stride == stride)
                );
            }
        }
    }
}
