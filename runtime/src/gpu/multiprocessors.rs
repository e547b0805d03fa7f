//! What placement asks of a GPU, and how much of it a stream is to have.
//!
//! A stream may be planned for fewer multiprocessors than its GPU has. That is placement alone: it changes how many blocks
//! a launch has and which kernel takes it, and no bit of a result.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock, Weak};

use cudarc::driver::sys::CUdevice_attribute;
use cudarc::driver::{CudaContext, CudaStream};

use crate::error::Error;
use crate::gpu::schedule::Machine;

/// What the schedule asks of a device, asked of the driver once a thread and context.
pub(super) fn machine(context: &Arc<CudaContext>) -> Result<Machine, Error> {
    thread_local! {
        // As many as the thread uses contexts: one, as a rule.
        static KNOWN: RefCell<Vec<(usize, Machine)>> = const { RefCell::new(Vec::new()) };
    }
    let key = context.cu_ctx() as usize;
    let known = KNOWN.with_borrow(|known| known.iter().find(|known| known.0 == key).copied());
    if let Some((_, machine)) = known {
        return Ok(machine);
    }
    let (major, minor) = context.compute_capability()?;
    let count = context.attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
    let shared =
        context.attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?;
    let machine = Machine {
        shared: shared.max(0).unsigned_abs(),
        arch: major * 10 + minor,
        multiprocessors: u64::from(count.max(1).unsigned_abs()),
    };
    KNOWN.with_borrow_mut(|known| known.push((key, machine)));
    Ok(machine)
}

/// The same of what the stream is to have of it.
pub(super) fn machine_of(stream: &Arc<CudaStream>) -> Result<Machine, Error> {
    let machine = machine(stream.context())?;
    Ok(Machine {
        multiprocessors: within(stream, machine.multiprocessors),
        ..machine
    })
}

/// What is said of a stream while anybody holds it.
struct Part {
    stream: Weak<CudaStream>,
    multiprocessors: u64,
}

static PARTS: RwLock<Vec<Part>> = RwLock::new(Vec::new());
/// Whether anything was ever said of any stream: launches of programs that say nothing look no further.
static SAID: AtomicBool = AtomicBool::new(false);

/// Whether any stream was ever to have part of a GPU.
pub(super) fn is_any_part() -> bool {
    SAID.load(Ordering::Acquire)
}

/// How many of `all` multiprocessors the stream is to have.
pub(super) fn within(stream: &Arc<CudaStream>, all: u64) -> u64 {
    if !is_any_part() {
        return all;
    }
    let parts = PARTS.read().unwrap_or_else(PoisonError::into_inner);
    // A stream's place in memory is its own as long as a part points to it.
    let own = parts
        .iter()
        .find(|part| std::ptr::eq(part.stream.as_ptr(), Arc::as_ptr(stream)));
    own.map_or(all, |part| part.multiprocessors.min(all))
}

/// Plans what runs on the stream for so many multiprocessors from now on.
pub(crate) fn restrict(stream: &Arc<CudaStream>, count: usize) -> Result<(), Error> {
    let multiprocessors = checked(count, machine(stream.context())?.multiprocessors)?;
    let mut parts = PARTS.write().unwrap_or_else(PoisonError::into_inner);
    parts.retain(|part| {
        part.stream.strong_count() > 0 && !std::ptr::eq(part.stream.as_ptr(), Arc::as_ptr(stream))
    });
    parts.push(Part {
        stream: Arc::downgrade(stream),
        multiprocessors,
    });
    SAID.store(true, Ordering::Release);
    Ok(())
}

/// As many as a device with `most` of them can be planned for.
pub(crate) fn checked(count: usize, most: u64) -> Result<u64, Error> {
    let wanted = count as u64;
    if (1..=most).contains(&wanted) {
        return Ok(wanted);
    }
    Err(Error::Multiprocessors { given: count, most })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::device::Device;

    #[test]
    fn what_is_said_of_a_stream_holds_for_it_alone() {
        let test = "what_is_said_of_a_stream_holds_for_it_alone";
        let devices = [Device::gpu(0), Device::gpu(0)];
        let [Ok(told), Ok(other)] = &devices else {
            let _ = writeln!(std::io::stderr(), "skipped: {test}: no gpu: {devices:?}");
            return;
        };
        let streams = [told, other].map(|device| device.stream().expect("a GPU has a stream"));
        let counts = || streams.map(|stream| machine_of(stream).unwrap().multiprocessors);
        let all = machine(streams[0].context()).unwrap().multiprocessors;
        for count in [1, all, 2] {
            told.clone().with_multiprocessors(count as usize).unwrap();
            assert_eq!(counts(), [count, all]);
            assert_eq!(within(streams[0], 1000), count);
        }
        assert!(told.clone().with_multiprocessors(0).is_err());
        assert_eq!(counts(), [2, all], "a refusal changes nothing");
        // Of a stream that is gone nothing is kept.
        let gone = Device::gpu(0).unwrap().with_multiprocessors(1).unwrap();
        let at = Arc::as_ptr(gone.stream().unwrap());
        drop(gone);
        told.clone().with_multiprocessors(1).unwrap();
        let parts = PARTS.read().unwrap();
        assert!(!parts.iter().any(|part| std::ptr::eq(part.stream.as_ptr(), at)));
        let _ = writeln!(std::io::stderr(), "ran on gpu: {test}");
    }

    #[test]
    fn a_device_is_planned_for_one_to_all_of_its_multiprocessors() {
        for count in [1, 2, 131, 132] {
            assert_eq!(checked(count, 132).unwrap(), count as u64);
        }
        for count in [0, 133, usize::MAX] {
            let error = checked(count, 132).unwrap_err();
            assert!(
                matches!(error, Error::Multiprocessors { most: 132, .. }),
                "{error}"
            );
            let text = error.to_string();
            assert!(text.contains(&count.to_string()), "{text}");
            assert!(text.contains("\nhelp: ask for 1 to 132"), "{text}");
        }
    }
}
