//! Scratch of captured launches: memory that a graph holds for as long as it, or what was instantiated of it, exists.
//!
//! The memory is taken while the graph is captured, and cleared then, on a stream of its own that no capture knows of; a
//! user object of the graph gives it back to a pool when the driver says that nothing uses it any more. Launches of one
//! stream within one capture follow each other and share; all others have memory of their own. Two instances of one graph would
//! share too: as with graphs that allocate, only one of them may run at a time.

use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::sys::{
    self, CUgraph, CUstreamCaptureMode, CUstreamCaptureStatus, CUuserObject_flags, CUuserObjectRetain_flags,
};
use cudarc::driver::{CudaSlice, CudaStream, DevicePtrMut};

use super::{Area, Room};
use crate::error::Error;
use crate::launch::allocate;

/// One stream within one capture.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    capture: u64,
    stream: usize,
}

/// A capture under way.
pub(super) struct Capture {
    key: Key,
    graph: CUgraph,
}

/// What graphs share and nobody holds: memory to be taken again, and a stream to clear it on.
struct Pool {
    stream: Arc<CudaStream>,
    free: Vec<CudaSlice<u8>>,
}

/// What a graph holds of the pool.
struct Held {
    context: usize,
    key: Key,
    memory: CudaSlice<u8>,
}

/// The pool of each context. Never locked around a call of the driver: it may call back with memory to put there.
static POOLS: Mutex<Option<HashMap<usize, Pool>>> = Mutex::new(None);
/// The areas of captures whose graphs exist.
static AREAS: Mutex<Option<HashMap<Key, Area>>> = Mutex::new(None);

fn locked<T>(of: &'static Mutex<Option<T>>, what: impl FnOnce(&mut T))
where
    T: Default,
{
    let mut it = of.lock().unwrap_or_else(PoisonError::into_inner);
    what(it.get_or_insert_default());
}

/// What the stream is being captured into, if it is.
pub(super) fn capture(stream: &CudaStream) -> Result<Option<Capture>, Error> {
    if stream.capture_status()? != CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_ACTIVE {
        return Ok(None);
    }
    let mut status = CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE;
    let (mut capture, mut graph) = (0, std::ptr::null_mut());
    // SAFETY: the stream is alive, the pointers are to places of the types the driver writes, and those for what stands
    // around the next node may be null.
    unsafe {
        sys::cuStreamGetCaptureInfo_v2(
            stream.cu_stream(),
            &raw mut status,
            &raw mut capture,
            &raw mut graph,
            std::ptr::null_mut(),
            std::ptr::null_mut(),
        )
    }
    .result()?;
    let stream = stream.cu_stream() as usize;
    Ok(Some(Capture {
        key: Key { capture, stream },
        graph,
    }))
}

/// The capture's area, to be put back.
pub(super) fn take(capture: &Capture) -> Area {
    let mut area = None;
    locked(&AREAS, |areas| area = areas.remove(&capture.key));
    area.unwrap_or_default()
}

/// Puts an area back that was taken.
pub(super) fn put(capture: &Capture, area: Area) {
    locked(&AREAS, |areas| drop(areas.insert(capture.key, area)));
}

/// Clear memory that the graph under capture holds from now on.
pub(super) fn room(stream: &Arc<CudaStream>, capture: &Capture, bytes: usize) -> Result<Room, Error> {
    let context = stream.context().cu_ctx() as usize;
    let relaxed = Relaxed::begin()?;
    let mut memory = clear_memory(stream, context, bytes)?;
    drop(relaxed);
    // Cleared, with its stream waited for: nothing is left to be ordered.
    let address = {
        let owner = Arc::clone(memory.stream());
        memory.device_ptr_mut(&owner).0
    };
    let bytes = memory.len();
    let held = Box::into_raw(Box::new(Held {
        context,
        key: capture.key,
        memory,
    }));
    let mut object = std::ptr::null_mut();
    // SAFETY: `give_back` takes what `held` points to, once, when the last reference goes; it is given none before the
    // call succeeds.
    let created = unsafe {
        sys::cuUserObjectCreate(
            &raw mut object,
            held.cast(),
            Some(give_back),
            1,
            CUuserObject_flags::CU_USER_OBJECT_NO_DESTRUCTOR_SYNC as u32,
        )
    };
    if let Err(error) = created.result() {
        // SAFETY: no user object came to be, so this is the only owner.
        drop(unsafe { Box::from_raw(held) });
        return Err(error.into());
    }
    // SAFETY: the graph is under capture, hence alive, and takes over the only reference to an object made just now.
    let retained = unsafe {
        sys::cuGraphRetainUserObject(
            capture.graph,
            object,
            1,
            CUuserObjectRetain_flags::CU_GRAPH_USER_OBJECT_MOVE as u32,
        )
    };
    if let Err(error) = retained.result() {
        // SAFETY: the graph did not take the reference, which is given up once.
        let _ = unsafe { sys::cuUserObjectRelease(object, 1) };
        return Err(error.into());
    }
    Ok(Room {
        address,
        bytes,
        held: None,
    })
}

/// The smallest free memory that suffices, else new; every byte zero.
fn clear_memory(stream: &Arc<CudaStream>, context: usize, bytes: usize) -> Result<CudaSlice<u8>, Error> {
    let (mut own, mut memory) = (None, None);
    locked(&POOLS, |pools| {
        let Some(pool) = pools.get_mut(&context) else {
            return;
        };
        own = Some(Arc::clone(&pool.stream));
        let fits = (0..pool.free.len()).filter(|&k| pool.free[k].len() >= bytes);
        memory = fits
            .min_by_key(|&k| pool.free[k].len())
            .map(|k| pool.free.swap_remove(k));
    });
    let own = if let Some(own) = own {
        own
    } else {
        let own = stream.context().new_stream()?;
        let pool = Pool {
            stream: Arc::clone(&own),
            free: Vec::new(),
        };
        // Of two threads the first stays; the other's stream lives as long as what it clears.
        locked(&POOLS, |pools| {
            pools.entry(context).or_insert(pool);
        });
        own
    };
    let memory = if let Some(mut memory) = memory {
        own.memset_zeros(&mut memory)?;
        memory
    } else {
        // A power of two, so that it serves the next graph too.
        allocate(&own, bytes.checked_next_power_of_two().unwrap_or(bytes), true)?
    };
    own.synchronize()?;
    Ok(memory)
}

/// What the driver calls when nothing uses the memory any more. Calls nothing of CUDA.
unsafe extern "C" fn give_back(held: *mut c_void) {
    // SAFETY: this is what `room` gave to the user object, and the driver passes it once.
    let held = unsafe { Box::from_raw(held.cast::<Held>()) };
    let Held { context, key, memory } = *held;
    locked(&AREAS, |areas| drop(areas.remove(&key)));
    let mut memory = Some(memory);
    locked(&POOLS, |pools| {
        if let Some(pool) = pools.get_mut(&context) {
            pool.free.extend(memory.take());
        }
    });
    // The pool of a context stays, so it was there. To free memory here would be to call CUDA.
    std::mem::forget(memory);
}

/// While it lives, calls of this thread that a capture would forbid are allowed: they concern other streams than those
/// under capture.
struct Relaxed(CUstreamCaptureMode);

impl Relaxed {
    fn begin() -> Result<Self, Error> {
        let mut mode = CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED;
        // SAFETY: the pointer is to a mode; the mode before comes back in its place.
        unsafe { sys::cuThreadExchangeStreamCaptureMode(&raw mut mode) }.result()?;
        Ok(Self(mode))
    }
}

impl Drop for Relaxed {
    fn drop(&mut self) {
        // SAFETY: as above; the mode of before is one that the driver gave.
        let _ = unsafe { sys::cuThreadExchangeStreamCaptureMode(&raw mut self.0) };
    }
}
