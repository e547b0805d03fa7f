//! How messages get from every rank to every rank.

use std::mem::MaybeUninit;
use std::sync::Arc;
use std::time::Duration;

use cudarc::driver::sys::CUdeviceptr;
use cudarc::driver::{CudaEvent, CudaStream};

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

    /// The same from device to device, where it can.
    fn on_device(&mut self) -> Option<&mut dyn OnDevice> {
        None
    }
}

/// A transport that takes bytes from a device and leaves them there.
pub(crate) trait OnDevice {
    /// A stream of its device.
    fn device(&self) -> &Arc<CudaStream>;

    /// Enqueues: `bytes` bytes of every rank, rank by rank, to `all`. The caller holds both until the stream is past this.
    fn gather(
        &mut self,
        stream: &CudaStream,
        own: CUdeviceptr,
        all: CUdeviceptr,
        bytes: usize,
        timeout: Duration,
    ) -> Result<(), Error>;

    /// Waits until the event has come, and no longer than the timeout; after an error this rank has left.
    fn wait(&mut self, done: &CudaEvent, timeout: Duration) -> Result<(), Error>;
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
