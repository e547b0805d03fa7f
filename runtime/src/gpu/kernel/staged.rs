//! The kernels over staged rows.

use super::Entry;

/// What a kernel over staged rows is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Staged {
    /// Columns.
    pub cols: u32,
    /// Rows of a lane.
    pub each: u32,
    /// Warps of a block.
    pub warps: u32,
    /// Bytes of shared memory that an element takes.
    pub bytes: u32,
    /// Where its results begin among them.
    pub out: u32,
}

impl Entry {
    /// The name of a kernel over staged rows, and its template arguments after the spec and the order.
    pub(super) fn staged_call(self) -> (&'static str, String) {
        let (Self::ReduceStaged(rows) | Self::ApplyStaged(rows) | Self::ScanStaged { rows, .. }) = self
        else {
            unreachable!("only kernels over staged rows come here")
        };
        let Staged {
            cols,
            each,
            warps,
            bytes,
            out,
        } = rows;
        match self {
            Self::ReduceStaged(_) => ("rows_reduce_staged", format!("{cols}, {each}, {warps}, {bytes}")),
            Self::ScanStaged {
                exclusive, reverse, ..
            } => (
                "rows_scan_staged",
                format!("{cols}, {each}, {warps}, {bytes}, {out}, {exclusive}, {reverse}"),
            ),
            _ => (
                "rows_apply_staged",
                format!("{cols}, {each}, {warps}, {bytes}, {out}"),
            ),
        }
    }
}
