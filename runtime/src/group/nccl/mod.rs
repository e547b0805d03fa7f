//! Ranks that are GPUs, over NCCL.

pub(crate) mod library;

use std::mem::MaybeUninit;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cudarc::driver::sys::CUdeviceptr;
use cudarc::driver::{CudaEvent, CudaSlice, CudaStream, DevicePtr, DevicePtrMut, result};

use crate::error::Error;
use crate::group::message::Bytes;
use crate::group::nccl::library::{Communicator, IN_PROGRESS, Id, Nccl, SUCCESS, Status};
use crate::group::transport::{Block, OnDevice, Transport};
use crate::launch::allocate;

/// How long a rank that leaves in good order waits for NCCL to say goodbye to the others.
const GOODBYE: Duration = Duration::from_secs(5);

/// One rank.
pub(crate) struct Rank {
    nccl: &'static Nccl,
    communicator: Communicator,
    size: usize,
    /// Its messages from the host travel on this stream.
    stream: Arc<CudaStream>,
    ended: bool,
}

// SAFETY: NCCL's communicators may be used from any thread, by one at a time: every use takes `&mut self`.
unsafe impl Send for Rank {}

/// Asks until the answer is not "in progress", or until `end`: at first without a pause, for answers that take microseconds.
fn patiently<T>(end: Instant, mut ask: impl FnMut() -> Option<T>) -> Option<T> {
    let begun = Instant::now();
    loop {
        if let Some(answer) = ask() {
            return Some(answer);
        }
        let now = Instant::now();
        if now >= end {
            return None;
        }
        if now - begun < Duration::from_millis(20) {
            std::hint::spin_loop();
        } else {
            std::thread::sleep(Duration::from_micros(100));
        }
    }
}

impl Rank {
    /// Joins the group of this id; all ranks do within the timeout.
    pub fn join(
        id: Id,
        rank: usize,
        size: usize,
        stream: Arc<CudaStream>,
        timeout: Duration,
    ) -> Result<Self, Error> {
        let nccl = library::get()?;
        stream.context().bind_to_thread()?;
        let communicator = nccl.begin(id, rank, size)?;
        let mut joined = Self {
            nccl,
            communicator,
            size,
            stream,
            ended: false,
        };
        joined.finished("joining a group", SUCCESS, Instant::now() + timeout, timeout)?;
        Ok(joined)
    }

    fn late(timeout: Duration) -> Error {
        Error::GroupLost {
            what: format!("the other ranks did not all come within {timeout:?}"),
        }
    }

    /// Ends the communicator, and with it what waits on the device.
    fn end(&mut self) {
        if !self.ended {
            self.ended = true;
            // SAFETY: it was made by `begin` and is used no more.
            unsafe { self.nccl.abort(self.communicator) };
        }
    }

    /// Waits until a call that gave `status` is done.
    fn finished(
        &mut self,
        doing: &str,
        status: Status,
        end: Instant,
        timeout: Duration,
    ) -> Result<(), Error> {
        if status != SUCCESS && status != IN_PROGRESS {
            self.end();
            return Err(self.nccl.error(doing, status));
        }
        let (nccl, communicator) = (self.nccl, self.communicator);
        let state = patiently(end, || {
            // SAFETY: it has not been ended: that comes with an error, after which no call is made.
            match unsafe { nccl.state(communicator) } {
                IN_PROGRESS => None,
                state => Some(state),
            }
        });
        match state {
            Some(SUCCESS) => Ok(()),
            Some(status) => {
                self.end();
                Err(self.nccl.error(doing, status))
            }
            None => {
                self.end();
                Err(Self::late(timeout))
            }
        }
    }
}

impl OnDevice for Rank {
    fn device(&self) -> &Arc<CudaStream> {
        &self.stream
    }

    fn gather(
        &mut self,
        stream: &CudaStream,
        own: CUdeviceptr,
        all: CUdeviceptr,
        bytes: usize,
        timeout: Duration,
    ) -> Result<(), Error> {
        stream.context().bind_to_thread()?;
        // SAFETY: the communicator is alive (see `finished`); the caller holds both memories until the stream is past this.
        let status = unsafe {
            self.nccl
                .all_gather(self.communicator, own, all, bytes, stream.cu_stream())
        };
        self.finished("enqueueing", status, Instant::now() + timeout, timeout)
    }

    fn wait(&mut self, done: &CudaEvent, timeout: Duration) -> Result<(), Error> {
        done.context().bind_to_thread()?;
        let nccl = self.nccl;
        let (communicator, mut asked) = (self.communicator, 0_u32);
        let found = patiently(Instant::now() + timeout, || match done.try_is_complete() {
            Ok(true) => Some(Ok(())),
            Ok(false) => {
                asked = asked.wrapping_add(1);
                if !asked.is_multiple_of(64) {
                    return None;
                }
                // SAFETY: as in `finished`.
                match unsafe { nccl.state(communicator) } {
                    SUCCESS | IN_PROGRESS => None,
                    status => Some(Err(nccl.error("waiting for the other ranks", status))),
                }
            }
            Err(error) => Some(Err(error.into())),
        });
        match found {
            Some(Ok(())) => Ok(()),
            Some(Err(error)) => {
                self.end();
                Err(error)
            }
            None => {
                self.end();
                Err(Self::late(timeout))
            }
        }
    }
}

impl Transport for Rank {
    fn gather(&mut self, message: &Bytes, timeout: Duration) -> Result<Vec<Block>, Error> {
        let stream = Arc::clone(&self.stream);
        let mut own: CudaSlice<u8> = allocate(&stream, message.len(), false)?;
        let mut all: CudaSlice<u8> = allocate(&stream, message.len() * self.size, false)?;
        let addresses = (own.device_ptr_mut(&stream).0, all.device_ptr_mut(&stream).0);
        stream.context().bind_to_thread()?;
        // SAFETY: the memory was just allocated on this stream for that many bytes; the message lives until the copy is done,
        // which `wait` sees, as the copy stands before it on the stream.
        unsafe { result::memcpy_htod_async(addresses.0, message, stream.cu_stream()) }?;
        OnDevice::gather(self, &stream, addresses.0, addresses.1, message.len(), timeout)?;
        let done = stream.record_event(None)?;
        self.wait(&done, timeout)?;
        let mut bytes = vec![MaybeUninit::new(0_u8); message.len() * self.size];
        // SAFETY: as above; the host waits for the copy.
        unsafe { result::memcpy_dtoh_async(&mut bytes, all.device_ptr(&stream).0, stream.cu_stream()) }?;
        stream.synchronize()?;
        Ok(bytes.chunks(message.len()).map(<[_]>::to_vec).collect())
    }

    fn on_device(&mut self) -> Option<&mut dyn OnDevice> {
        Some(self)
    }
}

impl Drop for Rank {
    fn drop(&mut self) {
        if self.ended {
            return;
        }
        // Nothing in here may panic: a rank may be dropped by a panic. What NCCL says is of no use to anybody any more.
        let _ = self.stream.context().bind_to_thread();
        let (nccl, communicator) = (self.nccl, self.communicator);
        // SAFETY: it has not been ended.
        let status = unsafe { nccl.finalize(communicator) };
        let finished = status == SUCCESS || status == IN_PROGRESS;
        let state = || {
            // SAFETY: as above.
            match unsafe { nccl.state(communicator) } {
                IN_PROGRESS => None,
                state => Some(state),
            }
        };
        let gone = finished.then(|| patiently(Instant::now() + GOODBYE, state));
        if gone.flatten() == Some(SUCCESS) {
            self.ended = true;
            // SAFETY: finalizing is done, and it is used no more.
            unsafe { self.nccl.destroy(self.communicator) };
        } else {
            self.end();
        }
    }
}
