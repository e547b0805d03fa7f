//! The shape of rows in memory, and what it asks of the arrays of a call.

use crate::error::Error;

/// `rows` rows of `cols` columns each, `stride` elements from the start of one to the start of the next.
///
/// An input needs (rows - 1) × stride + cols elements; more are fine. Results are dense unless
/// [`out_stride`](Self::out_stride) says otherwise.
///
/// ```
/// use warpfold::Rows;
/// let shape = Rows::new(8205, 20).stride(32);
/// assert_eq!((shape.rows(), shape.cols()), (8205, 20));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct Rows {
    #[cfg_attr(feature = "serde", serde(rename = "rows"))]
    count: usize,
    cols: usize,
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    stride: Option<usize>,
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    out_stride: Option<usize>,
    #[cfg_attr(feature = "serde", serde(skip))]
    array: bool,
}

impl Rows {
    /// Dense rows.
    pub const fn new(rows: usize, cols: usize) -> Self {
        Self {
            count: rows,
            cols,
            stride: None,
            out_stride: None,
            array: false,
        }
    }

    /// The one row of a whole array of `n` elements.
    pub(crate) const fn array(n: usize) -> Self {
        Self {
            array: true,
            ..Self::new(1, n)
        }
    }

    /// With `stride` elements from the start of one row of the inputs to the start of the next.
    #[must_use]
    pub const fn stride(self, stride: usize) -> Self {
        Self {
            stride: Some(stride),
            ..self
        }
    }

    /// With `stride` elements from the start of one row of the results to the start of the next.
    ///
    /// What lies between is left as it is by an `_into` call, and is zero in a new array.
    #[must_use]
    pub const fn out_stride(self, stride: usize) -> Self {
        Self {
            out_stride: Some(stride),
            ..self
        }
    }

    /// How many rows.
    pub const fn rows(self) -> usize {
        self.count
    }

    /// How many columns.
    pub const fn cols(self) -> usize {
        self.cols
    }

    /// Elements from one row of the inputs to the next.
    pub const fn input_stride(self) -> usize {
        match self.stride {
            Some(stride) => stride,
            None => self.cols,
        }
    }

    /// The same with another number of rows.
    pub(crate) const fn with_rows(self, rows: usize) -> Self {
        Self { count: rows, ..self }
    }

    /// The shape with everything known, where each row's result has `out_cols` columns.
    pub(crate) fn checked(self, out_cols: usize) -> Result<Shape, Error> {
        let stride = self.input_stride();
        let out_stride = self.out_stride.unwrap_or(out_cols);
        if stride < self.cols {
            return Err(Error::Stride {
                what: "stride",
                stride,
                cols: self.cols,
            });
        }
        if out_stride < out_cols {
            return Err(Error::Stride {
                what: "out_stride",
                stride: out_stride,
                cols: out_cols,
            });
        }
        // Of one row, or of rows without columns, no stride is ever taken.
        let taken = |stride, cols| if self.count > 1 && cols > 0 { stride } else { cols };
        let (stride, out_stride) = (taken(stride, self.cols), taken(out_stride, out_cols));
        // Most shapes are small enough for every product, and every launch comes here.
        let small = self.count | stride | out_stride < SMALL;
        let extent = |stride, cols| {
            if small && self.count > 0 && cols > 0 {
                return Ok((self.count - 1) * stride + cols);
            }
            extent(self.count, stride, cols)
        };
        let (needed, out_needed) = (extent(stride, self.cols)?, extent(out_stride, out_cols)?);
        // A kernel may form rows × stride while it steps past the last row.
        if !small {
            past(self.count, stride)?;
            past(self.count, out_stride)?;
        }
        Ok(Shape {
            rows: self.count,
            cols: self.cols,
            stride,
            out_cols,
            out_stride,
            needed,
            out_needed,
            array: self.array,
        })
    }
}

/// Rows and strides below this have products that fit.
const SMALL: usize = 1 << (usize::BITS / 2 - 1);

/// That the row after the last one ends within the address space.
fn past(rows: usize, stride: usize) -> Result<(), Error> {
    match extent(rows.saturating_add(1), stride, stride) {
        Ok(_) => Ok(()),
        Err(_) => Err(Error::Overflow { rows, stride }),
    }
}

/// (rows - 1) × stride + cols; 0 where there is no element.
fn extent(rows: usize, stride: usize, cols: usize) -> Result<usize, Error> {
    if rows == 0 || cols == 0 {
        return Ok(0);
    }
    let start = (rows - 1).checked_mul(stride);
    match start.and_then(|start| start.checked_add(cols)) {
        Some(extent) => Ok(extent),
        None => Err(Error::Overflow { rows, stride }),
    }
}

/// [`Rows`], checked: no product of these numbers overflows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Rows.
    pub rows: usize,
    /// Columns of a row of the inputs.
    pub cols: usize,
    /// Elements from one row of the inputs to the next.
    pub stride: usize,
    /// Columns of a row of the results.
    pub out_cols: usize,
    /// Elements from one row of the results to the next.
    pub out_stride: usize,
    /// Elements that an input needs.
    pub needed: usize,
    /// Elements that an output needs.
    pub out_needed: usize,
    /// Whether the one row is an array, which has an order of its own.
    pub array: bool,
}

impl Shape {
    /// Whether the results leave elements between them unwritten.
    pub fn has_gaps(&self) -> bool {
        self.out_stride != self.out_cols && self.rows > 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dense_rows_need_their_product() {
        let shape = Rows::new(3, 20).checked(1).unwrap();
        assert_eq!((shape.needed, shape.out_needed, shape.out_stride), (60, 3, 1));
    }

    #[test]
    fn the_last_row_needs_no_full_stride() {
        let shape = Rows::new(8205, 20).stride(32).checked(20).unwrap();
        assert_eq!((shape.needed, shape.out_needed), (8204 * 32 + 20, 8205 * 20));
    }

    #[test]
    fn nothing_needs_nothing() {
        assert_eq!(Rows::new(0, 20).checked(1).unwrap().needed, 0);
        let shape = Rows::new(7, 0).checked(1).unwrap();
        assert_eq!((shape.needed, shape.out_needed), (0, 7));
    }

    #[test]
    fn a_stride_that_is_never_taken_may_be_anything() {
        for (rows, cols) in [(1, 12), (3, 0), (0, 12), (0, 0)] {
            let shape = Rows::new(rows, cols).stride(usize::MAX).out_stride(usize::MAX);
            let shape = shape.checked(cols).unwrap();
            assert_eq!((shape.needed, shape.out_needed), (rows * cols, rows * cols));
            assert_eq!((shape.stride, shape.out_stride), (cols, cols));
        }
        assert!(Rows::new(2, 12).stride(usize::MAX).checked(1).is_err());
        assert!(Rows::new(1, 12).stride(11).checked(1).is_err());
    }

    #[test]
    fn a_stride_below_the_columns_is_refused() {
        assert!(matches!(
            Rows::new(3, 20).stride(19).checked(1),
            Err(Error::Stride {
                what: "stride",
                stride: 19,
                cols: 20
            })
        ));
        assert!(matches!(
            Rows::new(3, 20).out_stride(19).checked(20),
            Err(Error::Stride {
                what: "out_stride",
                ..
            })
        ));
    }

    #[test]
    fn products_past_64_bits_are_refused() {
        assert!(matches!(
            Rows::new(1 << 40, 1).stride(1 << 40).checked(1),
            Err(Error::Overflow { .. })
        ));
        assert!(matches!(
            Rows::new(usize::MAX, usize::MAX).checked(1),
            Err(Error::Overflow { .. })
        ));
        assert!(matches!(
            Rows::new(2, usize::MAX).checked(1),
            Err(Error::Overflow { .. })
        ));
        assert!(matches!(
            Rows::new(1, usize::MAX).checked(1),
            Err(Error::Overflow { rows: 1, .. })
        ));
        assert!(matches!(
            Rows::new(2, 1).out_stride(1 << 63).checked(1),
            Err(Error::Overflow {
                rows: 2,
                stride: 0x8000_0000_0000_0000
            })
        ));
    }
}
