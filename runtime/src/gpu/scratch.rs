//! Device memory in which the blocks of a launch leave states for each other.
//!
//! Each stream has its own, kept between launches: they follow each other on the stream, kernels leave it ready for the
//! next, and so nothing is allocated or cleared on the way. While a graph is captured the memory is the graph's own,
//! allocated and cleared by it, because it may run later, beside anything.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::sys::{CUdeviceptr, CUstreamCaptureStatus};
use cudarc::driver::{CudaSlice, CudaStream, DevicePtrMut};

use crate::element::Element;
use crate::error::Error;
use crate::gpu::schedule::Scratch;
use crate::launch::allocate;

/// `wf::RowScratch` or `wf::Relay`: a kernel reads as much of it as it has.
#[repr(C)]
pub(crate) struct Pointers {
    first: CUdeviceptr,
    second: u64,
    third: CUdeviceptr,
}

impl Pointers {
    /// For kernels that take scratch and do not use it.
    pub(crate) const fn none() -> Self {
        Self {
            first: 0,
            second: 0,
            third: 0,
        }
    }
}

/// The memory of one stream.
#[derive(Default)]
struct Area {
    /// States of parts of rows.
    states: Option<CudaSlice<u8>>,
    /// Zero before and after each launch.
    tickets: Option<CudaSlice<u32>>,
    /// Records that carry the number of their launch; zero before the first.
    records: Option<CudaSlice<u64>>,
    /// Tickets drawn, blocks done, launches so far.
    control: Option<CudaSlice<u32>>,
}

/// Runs `launch` with the scratch it needs, and keeps others off that scratch until it is enqueued.
pub(crate) fn with(
    stream: &Arc<CudaStream>,
    need: Scratch,
    slot: usize,
    launch: impl FnOnce(&mut Pointers) -> Result<(), Error>,
) -> Result<(), Error> {
    if stream.capture_status()? != CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE {
        let mut own = Area::default();
        return launch(&mut own.pointers(stream, need, slot)?);
    }
    let area = of_stream(stream);
    let mut area = area.lock().unwrap_or_else(PoisonError::into_inner);
    launch(&mut area.pointers(stream, need, slot)?)
}

/// The area of a stream.
fn of_stream(stream: &Arc<CudaStream>) -> Arc<Mutex<Area>> {
    type Areas = HashMap<(usize, usize), Arc<Mutex<Area>>>;
    static AREAS: Mutex<Option<Areas>> = Mutex::new(None);
    let key = (stream.context().cu_ctx() as usize, stream.cu_stream() as usize);
    let mut areas = AREAS.lock().unwrap_or_else(PoisonError::into_inner);
    let areas = areas.get_or_insert_default();
    if let Some(area) = areas.get(&key) {
        return Arc::clone(area);
    }
    // A new stream: forget the areas whose stream nobody else holds any more.
    areas.retain(|_, area| area.lock().unwrap_or_else(PoisonError::into_inner).is_wanted());
    Arc::clone(areas.entry(key).or_default())
}

impl Area {
    fn pointers(&mut self, stream: &Arc<CudaStream>, need: Scratch, slot: usize) -> Result<Pointers, Error> {
        let size = |count: u64, each: usize| {
            let bytes = count
                .checked_mul(each as u64)
                .and_then(|bytes| usize::try_from(bytes).ok());
            bytes.ok_or(Error::HostMemory { bytes: usize::MAX })
        };
        Ok(match need {
            Scratch::Parts { slots, tickets } => Pointers {
                first: room(&mut self.states, stream, size(slots, slot)?, false)?,
                second: room(&mut self.tickets, stream, size(tickets, 1)?, true)?,
                third: 0,
            },
            Scratch::Relay { words } => Pointers {
                first: room(&mut self.records, stream, size(words, 1)?, true)?,
                second: words,
                third: room(&mut self.control, stream, 4, true)?,
            },
        })
    }

    /// Whether anybody but the area itself holds its stream.
    fn is_wanted(&self) -> bool {
        let own = [
            self.states.as_ref().map(CudaSlice::stream),
            self.tickets.as_ref().map(CudaSlice::stream),
            self.records.as_ref().map(CudaSlice::stream),
            self.control.as_ref().map(CudaSlice::stream),
        ];
        let held = own.iter().flatten().count();
        own.into_iter()
            .flatten()
            .next()
            .is_some_and(|stream| Arc::strong_count(stream) > held)
    }
}

/// The address of at least `len` elements. What is too small is freed in stream order, after the launches that use it.
fn room<T: Element>(
    place: &mut Option<CudaSlice<T>>,
    stream: &Arc<CudaStream>,
    len: usize,
    zeroed: bool,
) -> Result<CUdeviceptr, Error> {
    let known = place.as_ref().map_or(0, CudaSlice::len);
    if known < len || place.is_none() {
        *place = Some(allocate(stream, len.max(known.saturating_mul(2)).max(1), zeroed)?);
    }
    // Allocated on this stream: nothing has to be waited for.
    Ok(place.as_mut().map_or(0, |slice| slice.device_ptr_mut(stream).0))
}
