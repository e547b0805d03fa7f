//! Launches whose kernel is loaded, and those of them that a thread asks for again.
//!
//! Which kernel a call over rows launches follows from its spec, its shape, its context and how its data is aligned. A program
//! that makes one call many times asks for the same launch each time: a thread finds its last few without planning them anew.

use std::any::TypeId;
use std::cell::RefCell;
use std::ffi::c_void;
use std::sync::Arc;

use cudarc::driver::sys::CUfunction;
use cudarc::driver::{CudaStream, result};

use super::multiprocessors::{is_any_part, within};
use super::schedule::{Launch, Machine, Packs, Scratch};
use super::{RowShape, at, cache, scratch, slot_bytes};
use crate::error::Error;
use crate::gpu::scratch::Pointers;
use crate::rows::Shape;
use crate::spec::Facts;

/// All that the driver is told of a launch but its parameters.
#[derive(Clone, Copy)]
pub(super) struct Ready {
    /// Of a module that stays loaded for the process's life.
    function: CUfunction,
    blocks: u32,
    threads: u32,
    shared: u32,
    /// Whether the launch promises that its blocks run at once.
    resident: bool,
    scratch: Option<Scratch>,
}

impl Ready {
    /// The launch, its kernel compiled and loaded where nobody has done so before.
    pub(super) fn of(
        spec: Facts,
        stream: &Arc<CudaStream>,
        launch: &Launch,
        machine: &Machine,
    ) -> Result<Self, Error> {
        let loaded = cache::get(spec, stream.context(), launch.kernel, machine)?;
        let blocks = if launch.strides {
            let at_once = loaded.resident_blocks(launch.kernel.threads)?;
            launch
                .blocks
                .min(within(stream, machine.multiprocessors) * at_once)
        } else {
            launch.blocks
        };
        let Some(blocks) = u32::try_from(blocks)
            .ok()
            .filter(|&blocks| i32::try_from(blocks).is_ok())
        else {
            return Err(Error::Unsupported {
                spec: spec.info.name,
                what: format!("{blocks} blocks are more than one launch takes"),
                remedy: "split the rows over several calls",
            });
        };
        Ok(Self {
            function: loaded.function(),
            blocks,
            threads: launch.kernel.threads,
            shared: launch.kernel.shared(),
            resident: launch.kernel.entry.is_resident(),
            scratch: launch.scratch,
        })
    }

    /// Enqueues it.
    pub(super) fn start(&self, stream: &CudaStream, parameters: &mut [*mut c_void]) -> Result<(), Error> {
        stream.context().bind_to_thread()?;
        let start = if self.resident {
            result::launch_cooperative_kernel
        } else {
            result::launch_kernel
        };
        // SAFETY: the kernel was compiled from the source whose parameters these are, in its order and layout; every
        // pointer in them was checked to have as many elements as the shape needs and lives until the stream is past the
        // launch (cudarc frees in stream order). The context, whose module holds the kernel, is current.
        unsafe {
            start(
                self.function,
                (self.blocks, 1, 1),
                (self.threads, 1, 1),
                self.shared,
                stream.cu_stream(),
                parameters,
            )
        }?;
        Ok(())
    }

    /// Enqueues it with the parameters `args, results, shape[, scratch]`.
    pub(super) fn over_rows(
        &self,
        spec: Facts,
        stream: &Arc<CudaStream>,
        shape: &Shape,
        args: *mut c_void,
        results: *mut c_void,
    ) -> Result<(), Error> {
        let mut rows = RowShape::of(shape);
        let mut run =
            |scratch: &mut Pointers| self.start(stream, &mut [args, results, at(&mut rows), at(scratch)]);
        match self.scratch {
            // Kernels in parts take scratch even where one part does the whole row and never touches it.
            None => run(&mut Pointers::none()),
            Some(need) => scratch::with(stream, need, slot_bytes(spec.info.state.size), run),
        }
    }
}

/// What a launch over rows follows from, on streams that have all multiprocessors.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Key {
    spec: TypeId,
    context: usize,
    shape: Shape,
    packs: Packs,
}

/// As many launches as a loop is likely to take turns with: each that is not found costs a look at all.
const KEPT: usize = 8;

/// The last launches of a thread.
struct Known {
    launches: [Option<(Key, Ready)>; KEPT],
    next: usize,
}

impl Known {
    const fn none() -> Self {
        Self {
            launches: [None; KEPT],
            next: 0,
        }
    }

    fn find(&self, is: impl Fn(&Key) -> bool) -> Option<&Ready> {
        let mut known = self.launches.iter().flatten();
        known.find(|(key, _)| is(key)).map(|(_, ready)| ready)
    }

    /// Keeps a launch in the place of the one that was kept first.
    fn keep(&mut self, key: Key, ready: Ready) {
        self.launches[self.next] = Some((key, ready));
        self.next = (self.next + 1) % KEPT;
    }
}

thread_local! {
    static KNOWN: RefCell<Known> = const { RefCell::new(Known::none()) };
}

/// A call over the rows of a shape that one launch answers: a reduction or a scan, which the spec tells apart.
pub(super) struct OverRows<'a> {
    pub spec: Facts,
    pub stream: &'a Arc<CudaStream>,
    pub shape: &'a Shape,
}

impl OverRows<'_> {
    fn context(&self) -> usize {
        self.stream.context().cu_ctx() as usize
    }

    /// Enqueues the launch, where this thread had it lately; otherwise gives `None`.
    pub(super) fn again(
        &self,
        packs: Packs,
        args: *mut c_void,
        results: *mut c_void,
    ) -> Option<Result<(), Error>> {
        // Which part of a GPU a stream has may change from call to call.
        if is_any_part() {
            return None;
        }
        let (spec, context) = (self.spec.id, self.context());
        let is = |key: &Key| {
            key.spec == spec && key.shape == *self.shape && key.packs == packs && key.context == context
        };
        KNOWN.with_borrow(|known| {
            let ready = known.find(is)?;
            Some(ready.over_rows(self.spec, self.stream, self.shape, args, results))
        })
    }

    /// Enqueues the launch, and keeps it for the thread's next such call.
    pub(super) fn first(
        &self,
        packs: Packs,
        launch: &Launch,
        machine: &Machine,
        args: *mut c_void,
        results: *mut c_void,
    ) -> Result<(), Error> {
        let ready = Ready::of(self.spec, self.stream, launch, machine)?;
        if !is_any_part() {
            let key = Key {
                spec: self.spec.id,
                context: self.context(),
                shape: *self.shape,
                packs,
            };
            KNOWN.with_borrow_mut(|known| known.keep(key, ready));
        }
        ready.over_rows(self.spec, self.stream, self.shape, args, results)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::kernel::Load;
    use crate::rows::Rows;

    fn key(rows: usize, load: Load) -> Key {
        Key {
            spec: TypeId::of::<u8>(),
            context: 1,
            shape: Rows::new(rows, 20).checked(1).unwrap(),
            packs: Packs {
                load,
                store: Load::Any,
                starts: true,
                outputs: true,
            },
        }
    }

    fn ready(blocks: u32) -> Ready {
        Ready {
            function: std::ptr::null_mut(),
            blocks,
            threads: 256,
            shared: 0,
            resident: false,
            scratch: None,
        }
    }

    #[test]
    fn a_launch_is_known_by_all_that_it_follows_from() {
        let mut known = Known::none();
        known.keep(key(3, Load::Whole), ready(3));
        let blocks = |key: &Key| known.find(|it| it == key).map(|ready| ready.blocks);
        assert_eq!(blocks(&key(3, Load::Whole)), Some(3));
        assert_eq!(blocks(&key(4, Load::Whole)), None);
        assert_eq!(blocks(&key(3, Load::Any)), None);
        let elsewhere = Key {
            context: 2,
            ..key(3, Load::Whole)
        };
        assert_eq!(blocks(&elsewhere), None);
        let other = Key {
            spec: TypeId::of::<u16>(),
            ..key(3, Load::Whole)
        };
        assert_eq!(blocks(&other), None);
    }

    #[test]
    fn what_was_kept_first_is_forgotten_first() {
        let mut known = Known::none();
        for rows in 0..=KEPT {
            known.keep(key(rows, Load::Any), ready(rows as u32));
        }
        let blocks = |rows| {
            let wanted = key(rows, Load::Any);
            known.find(|it| *it == wanted).map(|ready| ready.blocks)
        };
        assert_eq!(blocks(0), None);
        for rows in 1..=KEPT {
            assert_eq!(blocks(rows), Some(rows as u32));
        }
    }
}
