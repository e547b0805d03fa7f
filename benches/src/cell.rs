//! What is measured: one [`Cell`] is one piece of work on one shape and type.
//!
//! The lists in [`crate::cells`] are the only source of cells; peers receive them word by word
//! ([`Cell::words`]) and never make up their own.

use serde::{Deserialize, Serialize};

/// A group of cells that share a results file, a table and a plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// One result a row, or one row of results a row.
    Rows,
    /// The same along the other axis: one result a column.
    Columns,
    /// One value, one scan or one filter over a whole array.
    Arrays,
    /// One result a segment between offsets, or one an element.
    Segments,
}

impl Family {
    /// Every family, in the order in which they are run.
    pub const ALL: [Self; 4] = [Self::Rows, Self::Columns, Self::Arrays, Self::Segments];

    /// The family's name in requests, file names and titles.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rows => "rows",
            Self::Columns => "columns",
            Self::Arrays => "arrays",
            Self::Segments => "segments",
        }
    }
}

/// What is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Work {
    /// The largest element.
    Max,
    /// The sum.
    Sum,
    /// Value and index of the largest element.
    ArgMax,
    /// The biased variance.
    Variance,
    /// `ln(sum(exp(x)))`, without overflow.
    LogSumExp,
    /// The inclusive running sum.
    RunningSum,
    /// The exclusive running sum.
    RunningSumExclusive,
    /// The inclusive running maximum.
    RunningMax,
    /// `exp(x - max) / sum(exp(x - max))`.
    Softmax,
    /// `x / sqrt(mean(x²) + eps) · gamma`.
    RmsNorm,
    /// `(x - mean) / sqrt(variance + eps) · gamma + beta`.
    LayerNorm,
    /// `sum(a · b)`.
    Dot,
    /// How many elements are above 0.
    Count,
    /// `max - min + mean`, by one state of 16 bytes: a struct of the user's.
    Summary,
    /// `h[t] = a[t] · h[t-1] + b[t]`.
    Recurrence,
    /// Keep the elements that are in the lowest 1 % of the range.
    Filter1,
    /// Keep the lower half of the range.
    Filter50,
    /// Keep the lowest 99 % of the range.
    Filter99,
}

/// The form of a result: it decides how many bytes are written and which ceiling applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One result a row, column or array.
    Reduce,
    /// One result an element.
    Elementwise,
    /// The kept elements, packed.
    Filter,
}

impl Work {
    /// Every work there is.
    pub const ALL: [Self; 18] = [
        Self::Max,
        Self::Sum,
        Self::ArgMax,
        Self::Variance,
        Self::LogSumExp,
        Self::RunningSum,
        Self::RunningSumExclusive,
        Self::RunningMax,
        Self::Softmax,
        Self::RmsNorm,
        Self::LayerNorm,
        Self::Dot,
        Self::Count,
        Self::Summary,
        Self::Recurrence,
        Self::Filter1,
        Self::Filter50,
        Self::Filter99,
    ];

    /// The work's name in requests and results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Max => "max",
            Self::Sum => "sum",
            Self::ArgMax => "argmax",
            Self::Variance => "variance",
            Self::LogSumExp => "log_sum_exp",
            Self::RunningSum => "running_sum",
            Self::RunningSumExclusive => "running_sum_exclusive",
            Self::RunningMax => "running_max",
            Self::Softmax => "softmax",
            Self::RmsNorm => "rms_norm",
            Self::LayerNorm => "layer_norm",
            Self::Dot => "dot",
            Self::Count => "count",
            Self::Summary => "summary",
            Self::Recurrence => "recurrence",
            Self::Filter1 => "filter_1",
            Self::Filter50 => "filter_50",
            Self::Filter99 => "filter_99",
        }
    }

    /// The form of the result.
    pub const fn form(self) -> Form {
        match self {
            Self::Max
            | Self::Sum
            | Self::ArgMax
            | Self::Variance
            | Self::LogSumExp
            | Self::Dot
            | Self::Count
            | Self::Summary => Form::Reduce,
            Self::RunningSum
            | Self::RunningSumExclusive
            | Self::RunningMax
            | Self::Softmax
            | Self::RmsNorm
            | Self::LayerNorm
            | Self::Recurrence => Form::Elementwise,
            Self::Filter1 | Self::Filter50 | Self::Filter99 => Form::Filter,
        }
    }

    /// How many arrays with one element a position are read.
    pub const fn inputs(self) -> u64 {
        match self {
            Self::Dot | Self::Recurrence => 2,
            _ => 1,
        }
    }

    /// The share of elements that a filter keeps (1 for anything else).
    pub const fn kept(self) -> f64 {
        match self {
            Self::Filter1 => 0.01,
            Self::Filter50 => 0.5,
            Self::Filter99 => 0.99,
            _ => 1.0,
        }
    }
}

/// The type of the elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DType {
    /// `f16`
    F16,
    /// `f32`
    F32,
    /// `f64`
    F64,
    /// `i8`
    I8,
    /// `i16`
    I16,
    /// `i32`
    I32,
}

impl DType {
    /// Rust's name of the type.
    pub const fn name(self) -> &'static str {
        match self {
            Self::F16 => "f16",
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::I8 => "i8",
            Self::I16 => "i16",
            Self::I32 => "i32",
        }
    }

    /// Bytes of one element.
    pub const fn size(self) -> u64 {
        match self {
            Self::I8 => 1,
            Self::F16 | Self::I16 => 2,
            Self::F32 | Self::I32 => 4,
            Self::F64 => 8,
        }
    }
}

/// How long segments are; [`crate::data::length`] has the formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// All alike.
    Even,
    /// As the degrees of a graph: a share of 4 / k has k elements or more.
    PowerLaw,
    /// One of 10^8 among many of up to 50.
    Giant,
    /// Half of them empty, by chance.
    HalfEmpty,
}

impl Spread {
    /// Every spread; a cell of segments holds the place in this list.
    pub const ALL: [Self; 4] = [Self::Even, Self::PowerLaw, Self::Giant, Self::HalfEmpty];
}

/// One measurement: work, shape, type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    /// Which results file the cell belongs to.
    pub family: Family,
    /// What is computed.
    pub work: Work,
    /// Rows of the matrix; 1 for whole arrays; how many segments there are.
    pub rows: u64,
    /// Columns that take part; the length for whole arrays, and of segments that have elements, where all are alike.
    pub cols: u64,
    /// Elements from one row's start to the next one's; of segments the place of their [`Spread`] in [`Spread::ALL`].
    pub stride: u64,
    /// The type of the elements.
    pub dtype: DType,
}

/// Up to this many elements a cell is about latency: the data stay in the L2 cache and the launches are
/// replayed from a CUDA graph.
pub const GRAPH_ELEMENTS: u64 = 1 << 20;

impl Cell {
    /// How long the segments are.
    pub const fn spread(&self) -> Spread {
        Spread::ALL[(self.stride % 4) as usize]
    }

    /// Elements from the first to the last that is touched.
    pub fn span(&self) -> u64 {
        if self.family == Family::Segments {
            return crate::data::offsets(self)
                .last()
                .map_or(0, |&last| u64::from(last));
        }
        match self.rows {
            0 => 0,
            rows => (rows - 1) * self.stride + self.cols,
        }
    }

    /// Whether launches are replayed from a CUDA graph.
    pub fn graph(&self) -> bool {
        self.family != Family::Segments && self.rows * self.stride <= GRAPH_ELEMENTS
    }

    /// How many results the work writes; for a filter the most it may write.
    pub fn results(&self) -> u64 {
        match (self.work.form(), self.family) {
            (Form::Reduce, Family::Columns) => self.cols,
            (Form::Elementwise | Form::Filter, Family::Segments) => self.span(),
            (Form::Reduce, _) => self.rows,
            _ => self.rows * self.cols,
        }
    }

    /// Where results are compared with the reference: up to eight places, spread evenly.
    ///
    /// A filter's are in the first part of its output, which is kept for certain.
    pub fn positions(&self) -> Vec<u64> {
        let kept = match self.work.form() {
            Form::Filter => (self.results() as f64 * self.work.kept() * 0.9) as u64,
            _ => self.results(),
        };
        let places = kept.min(8);
        // Odd multiples of a sixteenth: the middle of each eighth, so neither end is favoured.
        (0..places)
            .map(|k| {
                u64::try_from(u128::from(2 * k + 1) * u128::from(kept) / u128::from(2 * places)).unwrap_or(0)
            })
            .collect()
    }

    /// The cell's name in results: work, type and shape.
    pub fn name(&self) -> String {
        let work = self.work.name();
        let dtype = self.dtype.name();
        match self.family {
            Family::Arrays => format!("{work} {dtype} {}", self.cols),
            Family::Segments => match self.spread() {
                Spread::Even => format!("{work} {dtype} {}", self.cols),
                Spread::PowerLaw => format!("{work} {dtype} power_law"),
                Spread::Giant => format!("{work} {dtype} giant"),
                Spread::HalfEmpty => format!("{work} {dtype} half_empty"),
            },
            Family::Rows | Family::Columns if self.stride != self.cols => {
                format!("{work} {dtype} {}x{}/{}", self.rows, self.cols, self.stride)
            }
            Family::Rows | Family::Columns => format!("{work} {dtype} {}x{}", self.rows, self.cols),
        }
    }

    /// The cell as the words of a request: `family work rows cols stride dtype graph positions`.
    pub fn words(&self) -> String {
        let positions: Vec<String> = self.positions().iter().map(u64::to_string).collect();
        format!(
            "{} {} {} {} {} {} {} {}",
            self.family.name(),
            self.work.name(),
            self.rows,
            self.cols,
            self.stride,
            self.dtype.name(),
            u8::from(self.graph()),
            positions.join(",")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(work: Work, rows: u64, cols: u64, stride: u64) -> Cell {
        Cell {
            family: Family::Rows,
            work,
            rows,
            cols,
            stride,
            dtype: DType::F32,
        }
    }

    #[test]
    fn words_are_what_the_peers_read() {
        let words = cell(Work::Max, 4, 20, 32).words();
        assert_eq!(words, "rows max 4 20 32 f32 1 0,1,2,3");
    }

    #[test]
    fn positions_stay_inside_the_results() {
        for work in Work::ALL {
            for (rows, cols) in [(1, 1), (3, 7), (1 << 13, 1 << 15), (262, 1_000_003)] {
                let cell = cell(work, rows, cols, cols);
                let positions = cell.positions();
                assert!(positions.len() <= 8);
                assert!(
                    positions.iter().all(|&p| p < cell.results()),
                    "{cell:?} {positions:?}"
                );
                assert!(
                    positions.windows(2).all(|pair| pair[0] < pair[1]),
                    "{cell:?} {positions:?}"
                );
            }
        }
    }

    #[test]
    fn a_padded_row_touches_no_more_than_its_columns_at_the_end() {
        assert_eq!(cell(Work::Sum, 3, 20, 32).span(), 2 * 32 + 20);
        assert_eq!(cell(Work::Sum, 0, 20, 32).span(), 0);
    }

    #[test]
    fn work_names_tell_works_apart() {
        let names: std::collections::HashSet<&str> = Work::ALL.iter().map(|work| work.name()).collect();
        assert_eq!(names.len(), Work::ALL.len());
    }
}
