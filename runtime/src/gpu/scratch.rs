//! Device memory in which the blocks of a launch leave states for each other.
//!
//! Each stream has its own, kept between launches: they follow each other on the stream, kernels leave it ready for the
//! next, and so nothing is allocated or cleared on the way. While a graph is captured the memory is the graph's own,
//! because it may run later, beside anything; it is there and clear before the graph runs, so that what a graph holds of a
//! call is its kernels and nothing else.

mod graph;

use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::sys::CUdeviceptr;
use cudarc::driver::{CudaSlice, CudaStream, DevicePtrMut};
use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::gpu::schedule::Scratch;
use crate::launch::allocate;

/// `wf::RowScratch`, `wf::Relay` or `wf::RowRelay`: a kernel reads as much of it as it has.
#[repr(C)]
pub(crate) struct Pointers {
    first: CUdeviceptr,
    second: u64,
    third: CUdeviceptr,
    fourth: CUdeviceptr,
}

impl Pointers {
    /// For kernels that take scratch and do not use it.
    pub(crate) const fn none() -> Self {
        Self {
            first: 0,
            second: 0,
            third: 0,
            fourth: 0,
        }
    }
}

/// Memory of a stream, or of a graph, which holds it by other means.
struct Room {
    address: CUdeviceptr,
    bytes: usize,
    held: Option<CudaSlice<u8>>,
}

/// The memory of one stream, or of one stream within a capture.
#[derive(Default)]
struct Area {
    /// States of parts of rows.
    states: Option<Room>,
    /// Words that are zero before and after each launch.
    tickets: Option<Room>,
    /// Records that carry the number of their launch; zero before the first.
    records: Option<Room>,
    /// Tickets drawn, blocks done, launches so far.
    control: Option<Room>,
}

/// Where an area's memory comes from: so many bytes, cleared or not.
type Source<'a> = &'a dyn Fn(usize, bool) -> Result<Room, Error>;

/// Runs `launch` with the scratch it needs, and keeps others off that scratch until it is enqueued.
pub(crate) fn with(
    stream: &Arc<CudaStream>,
    need: Scratch,
    slot: usize,
    launch: impl FnOnce(&mut Pointers) -> Result<(), Error>,
) -> Result<(), Error> {
    if let Some(capture) = graph::capture(stream)? {
        let mut area = graph::take(&capture);
        let pointers = area.pointers(&|bytes, _| graph::room(stream, &capture, bytes), need, slot);
        graph::put(&capture, area);
        return launch(&mut pointers?);
    }
    let area = of_stream(stream);
    let mut area = area.lock().unwrap_or_else(PoisonError::into_inner);
    launch(&mut area.pointers(&|bytes, zeroed| room(stream, bytes, zeroed), need, slot)?)
}

/// The area of a stream.
fn of_stream(stream: &Arc<CudaStream>) -> Arc<Mutex<Area>> {
    type Areas = FxHashMap<(usize, usize), Arc<Mutex<Area>>>;
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
    fn pointers(&mut self, source: Source<'_>, need: Scratch, slot: usize) -> Result<Pointers, Error> {
        let size = |count: u64, each: usize| {
            let bytes = count
                .checked_mul(each as u64)
                .and_then(|bytes| usize::try_from(bytes).ok());
            bytes.ok_or(Error::HostMemory { bytes: usize::MAX })
        };
        Ok(match need {
            Scratch::Parts { slots, tickets } => Pointers {
                first: at_least(&mut self.states, source, size(slots, slot)?, false)?,
                second: at_least(&mut self.tickets, source, size(tickets, 4)?, true)?,
                third: 0,
                fourth: 0,
            },
            Scratch::Relay { words, tickets } => Pointers {
                first: at_least(&mut self.records, source, size(words, 8)?, true)?,
                second: words,
                third: at_least(&mut self.control, source, 16, true)?,
                fourth: if tickets > 0 {
                    at_least(&mut self.tickets, source, size(tickets, 4)?, true)?
                } else {
                    0
                },
            },
        })
    }

    /// Whether anybody but the area itself holds its stream.
    fn is_wanted(&self) -> bool {
        let rooms = [&self.states, &self.tickets, &self.records, &self.control];
        let own = rooms.map(|room| {
            room.as_ref()
                .and_then(|room| room.held.as_ref())
                .map(CudaSlice::stream)
        });
        let held = own.iter().flatten().count();
        own.into_iter()
            .flatten()
            .next()
            .is_some_and(|stream| Arc::strong_count(stream) > held)
    }
}

/// The address of at least so many bytes. What is too small is left to the launches that use it: a stream frees it in
/// its order, a graph keeps it.
fn at_least(
    place: &mut Option<Room>,
    source: Source<'_>,
    bytes: usize,
    zeroed: bool,
) -> Result<CUdeviceptr, Error> {
    match place {
        Some(room) if room.bytes >= bytes => Ok(room.address),
        _ => {
            let known = place.as_ref().map_or(0, |room| room.bytes);
            // Every element starts at 16 bytes, and no launch goes without.
            let room = source(bytes.max(known.saturating_mul(2)).max(16), zeroed)?;
            Ok(place.insert(room).address)
        }
    }
}

/// Memory of a stream.
fn room(stream: &Arc<CudaStream>, bytes: usize, zeroed: bool) -> Result<Room, Error> {
    let mut held = allocate(stream, bytes, zeroed)?;
    // Allocated on this stream: nothing has to be waited for.
    let address = held.device_ptr_mut(stream).0;
    Ok(Room {
        address,
        bytes,
        held: Some(held),
    })
}
