//! How messages get from every rank to every rank.

use std::mem::MaybeUninit;
use std::time::Duration;

use crate::error::Error;
use crate::group::message::Bytes;

/// The bytes of one rank.
pub(crate) type Block = Vec<MaybeUninit<u8>>;

/// Ranks that exchange bytes.
pub(crate) trait Transport: Send {
    /// Gives `message` to all ranks and gets theirs, rank by rank, this rank's own included. All ranks pass as many bytes.
    ///
    /// After an error this rank has left: it makes no other call, and the others learn of it, at the latest when they
    /// have waited for `timeout`.
    fn gather(&mut self, message: &Bytes, timeout: Duration) -> Result<Vec<Block>, Error>;
}

/// This rank alone.
pub(crate) struct Alone;

impl Transport for Alone {
    fn gather(&mut self, message: &Bytes, _: Duration) -> Result<Vec<Block>, Error> {
        Ok(vec![message.to_vec()])
    }
}

/// What a rank that does not come is reported as.
pub(crate) fn late(rank: usize, timeout: Duration) -> Error {
    Error::GroupLost {
        what: format!("rank {rank} did not come within {timeout:?}"),
    }
}

/// What a rank that has ended is reported as.
pub(crate) fn gone(rank: usize) -> Error {
    Error::GroupLost {
        what: format!("rank {rank} has left the group"),
    }
}
