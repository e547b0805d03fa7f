//! warpfold's side of the contest on a GPU: the data, the timing and the check of results, as the peers do them.

use std::collections::HashMap;
use std::sync::Arc;

use cudarc::driver::sys::{CUevent_flags, CUgraphInstantiate_flags, CUstreamCaptureMode};
use cudarc::driver::{
    CudaContext, CudaFunction, CudaGraph, CudaSlice, CudaStream, DeviceRepr, LaunchConfig, PushKernelArg,
    ValidAsZeroBits,
};
use cudarc::nvrtc::{CompileOptions, compile_ptx_with_opts};

use crate::contest::Prepared;

/// The harness's own kernels: no part of warpfold is used to check warpfold.
const KERNELS: &str = include_str!("gpu.cu");
/// Launches in one graph.
const INNER: u32 = 20;
/// Clock cycles for which the GPU is kept busy while the host enqueues the launch that is timed.
const SPIN: i64 = 400_000;

/// An element or result type of the benches.
pub trait Number: DeviceRepr + ValidAsZeroBits + Default + 'static {
    /// The type's name in the harness's kernels.
    const NAME: &'static str;
    /// The value as a number.
    fn number(self) -> f64;
}

macro_rules! number {
    ($($kind:ty, $name:literal, $value:ident => $number:expr;)*) => {$(
        impl Number for $kind {
            const NAME: &'static str = $name;
            fn number(self) -> f64 {
                let $value = self;
                $number
            }
        }
    )*};
}

number! {
    half::f16, "f16", x => x.to_f64();
    f32, "f32", x => f64::from(x);
    f64, "f64", x => x;
    i8, "i8", x => f64::from(x);
    i16, "i16", x => f64::from(x);
    i32, "i32", x => f64::from(x);
    u64, "u64", x => x as f64;
}

/// What a cell's launch is: it enqueues the work on the card's stream.
pub type Launch = Box<dyn FnMut() -> Result<(), String>>;

/// A GPU with the harness's kernels.
pub struct Card {
    /// The stream everything runs on.
    pub stream: Arc<CudaStream>,
    functions: HashMap<String, CudaFunction>,
}

/// A launch that is ready to be timed.
pub struct Timed {
    launch: Launch,
    graph: Option<CudaGraph>,
}

fn words(error: impl std::fmt::Debug) -> String {
    format!("{error:?}")
}

impl Card {
    /// The first GPU.
    ///
    /// # Errors
    /// When there is no driver, no GPU or no NVRTC.
    pub fn first() -> Result<Self, String> {
        // SAFETY: the check only opens libraries by cudarc's own names, whose loading has no other effects.
        let (driver, nvrtc) = unsafe {
            (
                cudarc::driver::sys::is_culib_present(),
                cudarc::nvrtc::sys::is_culib_present(),
            )
        };
        if !driver {
            return Err("no CUDA driver on this machine".to_owned());
        }
        if !nvrtc {
            return Err("no NVRTC on the library path".to_owned());
        }
        let context = CudaContext::new(0).map_err(words)?;
        // SAFETY: one stream is used for everything here, so no event has to order slices between streams;
        // recorded events would also forbid to capture graphs.
        unsafe { context.disable_event_tracking() };
        let stream = context.new_stream().map_err(words)?;
        // The oldest architecture that warpfold serves: the driver makes code for the card from it.
        let options = CompileOptions {
            arch: Some("compute_75"),
            ..CompileOptions::default()
        };
        let kernels = compile_ptx_with_opts(KERNELS, options).map_err(words)?;
        let module = context.load_module(kernels).map_err(words)?;
        let mut functions = HashMap::new();
        let kinds = ["f16", "f32", "f64", "i8", "i16", "i32", "u64"];
        let names = kinds
            .iter()
            .flat_map(|kind| [format!("make_{kind}"), format!("add_up_{kind}")]);
        for name in names.chain(["spin".to_owned()]).filter(|name| name != "make_u64") {
            functions.insert(name.clone(), module.load_function(&name).map_err(words)?);
        }
        Ok(Self { stream, functions })
    }

    /// The card's name.
    ///
    /// # Errors
    /// When the driver does not say.
    pub fn name(&self) -> Result<String, String> {
        self.stream.context().name().map_err(words)
    }

    /// Elements of a sequence of [`crate::data`]: `bias + scale · unit(position + start)`, or the small integers.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn make<T: Number>(
        &self,
        count: usize,
        start: u32,
        scale: f64,
        bias: f64,
    ) -> Result<CudaSlice<T>, String> {
        let out = self.stream.alloc_zeros::<T>(count).map_err(words)?;
        let function = &self.functions[&format!("make_{}", T::NAME)];
        let length = count as u64;
        let grid = LaunchConfig {
            grid_dim: (1056, 1, 1),
            block_dim: (256, 1, 1),
            shared_mem_bytes: 0,
        };
        let mut builder = self.stream.launch_builder(function);
        builder.arg(&out).arg(&length).arg(&start).arg(&scale).arg(&bias);
        // SAFETY: the kernel writes `length` elements of the slice, and its parameters have these types in order.
        unsafe { builder.launch(grid) }.map_err(words)?;
        Ok(out)
    }

    /// What came out of a first launch: the results at `positions` and the sums.
    ///
    /// # Errors
    /// When the launch or the check failed.
    pub fn check<T: Number>(
        &self,
        name: &str,
        results: &CudaSlice<T>,
        length: usize,
        positions: &[u64],
    ) -> Result<Prepared, String> {
        let sums = self.stream.alloc_zeros::<f64>(2).map_err(words)?;
        let function = &self.functions[&format!("add_up_{}", T::NAME)];
        let count = length.min(results.len()) as u64;
        let grid = LaunchConfig {
            grid_dim: (264, 1, 1),
            block_dim: (512, 1, 1),
            shared_mem_bytes: 0,
        };
        let mut builder = self.stream.launch_builder(function);
        builder.arg(results).arg(&count).arg(&sums);
        // SAFETY: the kernel reads `count` elements of the slice and adds to the two sums; the types agree.
        unsafe { builder.launch(grid) }.map_err(words)?;
        let sums = self.stream.clone_dtoh(&sums).map_err(words)?;
        let mut at = Vec::new();
        for &place in positions {
            let place = place as usize;
            let value = if place < length {
                let one = self
                    .stream
                    .clone_dtoh(&results.slice(place..=place))
                    .map_err(words)?;
                one.into_iter().next().map(Number::number)
            } else {
                None
            };
            at.push(value);
        }
        Ok(Prepared {
            name: name.to_owned(),
            at,
            total: sums[0],
            magnitude: sums[1],
            error: None,
        })
    }

    /// Makes a launch that has run once ready to be timed: as it is, or recorded into a graph.
    ///
    /// # Errors
    /// When it cannot be captured.
    pub fn ready(&self, mut launch: Launch, graph: bool) -> Result<Timed, String> {
        let graph = if graph {
            Some(self.record(&mut launch)?)
        } else {
            None
        };
        Ok(Timed { launch, graph })
    }

    fn record(&self, launch: &mut Launch) -> Result<CudaGraph, String> {
        self.stream.synchronize().map_err(words)?;
        self.stream
            .begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL)
            .map_err(words)?;
        let launched = (0..INNER).try_for_each(|_| launch());
        let graph = self
            .stream
            .end_capture(CUgraphInstantiate_flags::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH);
        launched?;
        graph
            .map_err(words)?
            .ok_or_else(|| "the launches left nothing in the graph".to_owned())
    }

    /// The times of some launches in µs, one by one, after one that is not counted.
    ///
    /// # Errors
    /// When a launch fails.
    pub fn time(&self, timed: &mut Timed, launches: u32) -> Result<Vec<f64>, String> {
        let context = self.stream.context();
        timed.go()?;
        let mut times = Vec::new();
        for _ in 0..launches {
            let begin = context
                .new_event(Some(CUevent_flags::CU_EVENT_DEFAULT))
                .map_err(words)?;
            let end = context
                .new_event(Some(CUevent_flags::CU_EVENT_DEFAULT))
                .map_err(words)?;
            self.spin()?;
            begin.record(&self.stream).map_err(words)?;
            timed.go()?;
            end.record(&self.stream).map_err(words)?;
            end.synchronize().map_err(words)?;
            let us = 1e3 * f64::from(begin.elapsed_ms(&end).map_err(words)?);
            times.push(if timed.graph.is_some() {
                us / f64::from(INNER)
            } else {
                us
            });
        }
        Ok(times)
    }

    /// Waits for everything that was enqueued.
    ///
    /// # Errors
    /// When something enqueued has failed.
    pub fn synchronize(&self) -> Result<(), String> {
        self.stream.synchronize().map_err(words)
    }

    /// Keeps the GPU busy for about 200 µs.
    ///
    /// # Errors
    /// When the launch fails.
    pub fn spin(&self) -> Result<(), String> {
        let grid = LaunchConfig {
            grid_dim: (1, 1, 1),
            block_dim: (1, 1, 1),
            shared_mem_bytes: 0,
        };
        let mut builder = self.stream.launch_builder(&self.functions["spin"]);
        builder.arg(&SPIN);
        // SAFETY: the kernel touches no memory and takes one 64-bit integer.
        unsafe { builder.launch(grid) }.map(drop).map_err(words)
    }
}

impl Timed {
    /// The launch itself, to be used otherwise.
    pub fn into_launch(self) -> Launch {
        self.launch
    }

    fn go(&mut self) -> Result<(), String> {
        match &self.graph {
            Some(graph) => graph.launch().map_err(words),
            None => (self.launch)(),
        }
    }
}
