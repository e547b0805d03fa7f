//! How often a call that is made again allocates on the host: on a GPU no more than cudarc's own launch of a kernel of one
//! input and one output, on the CPU a few times, however many rows there are.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use cudarc::driver::{CudaSlice, LaunchConfig, PushKernelArg};
use warpfold::{Error, Rows};
use warpfold_tests::check::gpu;
use warpfold_tests::own_cuda::Module;
use warpfold_tests::ran_on_gpu;
use warpfold_tests::specs::{apply, custom, filters, scans, shuffles, table};

/// Counts what each thread allocates.
struct Counting;

thread_local! {
    static ALLOCATED: Cell<u64> = const { Cell::new(0) };
    static BYTES: Cell<usize> = const { Cell::new(0) };
}

fn count(bytes: usize) {
    // A thread that ends has no counter any more.
    let _ = ALLOCATED.try_with(|count| count.set(count.get() + 1));
    let _ = BYTES.try_with(|count| count.set(count.get() + bytes));
}

// SAFETY: everything is passed on to the system's allocator as it comes; the counter is a number of the thread's that needs
// no memory of its own.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size);
        // SAFETY: as the caller promises.
        unsafe { System.realloc(memory, layout, size) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// How often this thread allocates during the second of two calls.
fn again(mut call: impl FnMut() -> Result<(), Error>) -> u64 {
    call().unwrap();
    let before = ALLOCATED.get();
    call().unwrap();
    ALLOCATED.get() - before
}

#[test]
fn the_counter_counts() {
    let allocated = again(|| {
        std::hint::black_box(vec![1_u8; 100]);
        Ok(())
    });
    assert_eq!(allocated, 1);
}

const COLS: usize = 100;
/// Few enough elements that one thread does the work.
const MANY: usize = 300;

/// The forms by name, each into memory that is there.
macro_rules! forms {
    ($rows:expr, $x:ident, $out:ident, $wide:ident, $counts:ident; $each:ident) => {
        let shape = Rows::new($rows, COLS);
        $each(
            "reduce rows",
            again(|| table::of_f32::sum::rows_into(shape, &$x, &mut $out)),
        );
        $each(
            "reduce rows in order",
            again(|| custom::sum_in_order::rows_into(shape, &$x, &mut $out)),
        );
        $each(
            "reduce columns",
            again(|| table::of_f32::sum::columns_into(shape, &$x, &mut $wide)),
        );
        $each(
            "reduce an array",
            again(|| table::of_f32::sum::array_into(&$x, &mut $out)),
        );
        $each(
            "apply",
            again(|| apply::softmax::rows_into(shape, &$x, &mut $wide)),
        );
        $each(
            "apply in place",
            again(|| apply::softmax::rows_in_place(shape, &mut $wide)),
        );
        $each(
            "scan rows",
            again(|| scans::sums::rows_into(shape, &$x, &mut $wide)),
        );
        $each(
            "scan an array",
            again(|| scans::sums::array_into(&$x, &mut $wide)),
        );
        $each(
            "filter rows",
            again(|| filters::positive::rows_into(shape, &$x, &mut $wide, &mut $counts)),
        );
        $each(
            "filter an array",
            again(|| filters::positive::array_into(&$x, &mut $wide, &mut $counts)),
        );
        $each(
            "shuffle",
            again(|| shuffles::neighbour::rows_into(shape, &$x, &mut $wide)),
        );
    };
}

/// Memory follows from what a filter keeps, not from what it looks at.
#[test]
fn a_filter_on_the_cpu_takes_room_for_what_it_keeps() {
    let mut x = vec![-1.0_f32; MANY * COLS];
    let bytes = |x: &[f32]| {
        let before = BYTES.get();
        let indices = filters::positive::indices(x).unwrap();
        let kept = filters::positive::array(x).unwrap();
        (BYTES.get() - before, indices, kept)
    };
    bytes(&x);
    let (none, indices, kept) = bytes(&x);
    assert_eq!((indices.capacity(), kept.capacity()), (0, 0));
    x[MANY] = 2.0;
    let (one, indices, kept) = bytes(&x);
    assert_eq!((indices, kept), (vec![MANY as u64], vec![2.0]));
    assert_eq!(one - none, size_of::<u64>() + size_of::<f32>());
    assert!(none < x.len(), "{none} bytes for nothing");
}

/// What is shared out to threads takes a few allocations; one for each row would be hundreds.
#[test]
fn a_call_on_the_cpu_allocates_a_few_times() {
    let x = vec![1.5_f32; MANY * COLS];
    let (mut out, mut counts) = (vec![0.0_f32; MANY], vec![0_u64; MANY]);
    let mut wide = vec![0.0_f32; MANY * COLS];
    let mut faults = Vec::new();
    let mut each = |form: &str, allocated: u64| {
        if allocated > 16 {
            faults.push(format!("{form}: {allocated}"));
        }
    };
    forms!(MANY, x, out, wide, counts; each);
    assert!(faults.is_empty(), "allocations: {}", faults.join(", "));
}

/// A launch of cudarc's own, of a kernel that reads one array and writes another.
fn of_cudarc(x: &CudaSlice<f32>, out: &mut CudaSlice<f32>, own: &Module) -> u64 {
    again(|| {
        let config = LaunchConfig {
            grid_dim: (1, 1, 1),
            block_dim: (32, 1, 1),
            shared_mem_bytes: 0,
        };
        let mut launch = own.stream.launch_builder(&own.function);
        launch.arg(x).arg(&mut *out);
        // SAFETY: the kernel takes two addresses and touches neither.
        unsafe { launch.launch(config) }?;
        Ok(())
    })
}

#[test]
fn a_call_on_a_gpu_allocates_no_more_than_a_launch_of_cudarcs() {
    if gpu().is_none() {
        return;
    }
    let own = Module::new("extern \"C\" __global__ void nothing(const float* x, float* out) {}").unwrap();
    let stream = own.stream.clone();
    let x = stream.clone_htod(&vec![1.5_f32; MANY * COLS]).unwrap();
    let mut out = stream.alloc_zeros::<f32>(MANY).unwrap();
    let mut counts = stream.alloc_zeros::<u64>(MANY).unwrap();
    let mut wide = stream.alloc_zeros::<f32>(MANY * COLS).unwrap();
    let allowed = of_cudarc(&x, &mut out, &own);
    let mut faults = Vec::new();
    let mut each = |form: &str, allocated: u64| {
        if allocated > allowed {
            faults.push(format!("{form}: {allocated}"));
        }
    };
    forms!(MANY, x, out, wide, counts; each);
    assert!(
        faults.is_empty(),
        "cudarc allocates {allowed} times; {}",
        faults.join(", ")
    );
    ran_on_gpu();
}
