//! Device memory that runs out in the middle of a call: the arrays are there and what blocks leave for each other has no place.
//!
//! The process that tries this gets its memory from a pool of a bounded size, which it fills to the last byte: other tests
//! that run on the GPU meanwhile keep theirs.

#![allow(
    clippy::cast_possible_truncation,
    reason = "positions in arrays of these sizes fit 32 bits"
)]

use std::process::Command;
use std::sync::Arc;

use cudarc::driver::sys::{
    self, CUmemAllocationHandleType, CUmemAllocationType, CUmemLocation, CUmemLocationType, CUmemPoolProps,
    CUresult,
};
use cudarc::driver::{CudaContext, CudaSlice, CudaStream, DriverError, result};
use warpfold::{Error, Rows};
use warpfold_tests::check::{gpu, steps_aside};
use warpfold_tests::data::random;
use warpfold_tests::specs::{apply, filters, scans, table};
use warpfold_tests::{Lacks, ran_on_gpu, skip};

/// Set where `inner` shall fill its memory.
const TASK: &str = "WARPFOLD_TEST_OF_MEMORY";
/// What it says where the driver knows no bounded pools.
const UNBOUNDED: &str = "no bounded pool: ";

/// Bytes of the pool, and what no pool of that size ever gives.
const POOL: usize = 256 << 20;
const TOO_MUCH: usize = 2 * POOL;
const MOST_PIECES: usize = 1 << 14;

const N: usize = 1 << 22;
/// Offsets of eight segments, of which two are short: they are done by a launch of their own, before that of the long ones.
const SEGMENTS: usize = 8;
const SHORT: usize = 9;
/// What is in outputs before a call.
const BEFORE: f32 = 7.0;

type Slice<T> = CudaSlice<T>;

/// What is in the outputs, as bits.
type Written = (Vec<u32>, Vec<u64>, Vec<u32>);

/// The memory of one call.
struct Arrays {
    x: Slice<f32>,
    offsets: Slice<u32>,
    out: Slice<f32>,
    counts: Slice<u64>,
    starts: Slice<u32>,
}

impl Arrays {
    fn new(stream: &Arc<CudaStream>, x: &[f32]) -> Result<Self, DriverError> {
        let arrays = Self {
            x: stream.clone_htod(x)?,
            offsets: stream.clone_htod(&offsets())?,
            out: stream.clone_htod(&vec![BEFORE; N])?,
            counts: stream.clone_htod(&[u64::MAX; 1])?,
            starts: stream.clone_htod(&[u32::MAX; SEGMENTS + 1])?,
        };
        stream.synchronize()?;
        Ok(arrays)
    }

    /// The bits of what a call has written, and of what it has left.
    fn written(&self, stream: &Arc<CudaStream>) -> Result<Written, DriverError> {
        let out = stream.clone_dtoh(&self.out)?;
        let (counts, starts) = (stream.clone_dtoh(&self.counts)?, stream.clone_dtoh(&self.starts)?);
        stream.synchronize()?;
        Ok((out.into_iter().map(f32::to_bits).collect(), counts, starts))
    }
}

fn offsets() -> [u32; SEGMENTS + 1] {
    std::array::from_fn(|i| if i < 3 { i * SHORT } else { i * (N / SEGMENTS) } as u32)
}

type Call = fn(&mut Arrays) -> Result<(), Error>;

const TWO_ROWS: Rows = Rows::new(2, N / 2);
const COLUMNS: Rows = Rows::new(N / 64, 64);

/// Every form whose kernels take scratch, into arrays that are there.
const CALLS: [(&str, Call); 12] = [
    ("rows", |a| {
        table::of_f32::sum::rows_into(TWO_ROWS, &a.x, &mut a.out)
    }),
    ("few short rows", |a| {
        let shape = Rows::new(2, 50_000);
        table::of_f32::sum::rows_into(shape, &a.x, &mut a.out)
    }),
    ("an array", |a| table::of_f32::sum::array_into(&a.x, &mut a.out)),
    ("rows scanned", |a| {
        scans::sums::rows_into(TWO_ROWS, &a.x, &mut a.out)
    }),
    ("an array scanned", |a| scans::sums::array_into(&a.x, &mut a.out)),
    ("a small array scanned", |a| {
        scans::sums::array_into(&a.x.slice(..200_000), &mut a.out)
    }),
    ("an array filtered", |a| {
        filters::positive::array_into(&a.x, &mut a.out, &mut a.counts)
    }),
    ("rows normalised", |a| {
        apply::l2_normalise::rows_into(TWO_ROWS, &a.x, &mut a.out)
    }),
    ("columns", |a| {
        table::of_f32::sum::columns_into(COLUMNS, &a.x, &mut a.out)
    }),
    ("columns scanned", |a| {
        scans::sums::columns_into(COLUMNS, &a.x, &mut a.out)
    }),
    ("segments scanned", |a| {
        scans::sums::segments_into(&a.offsets, &a.x, &mut a.out)
    }),
    ("segments filtered", |a| {
        filters::positive::segments_into(&a.offsets, &a.x, &mut a.out, &mut a.starts)
    }),
];

#[test]
fn inner() {
    if std::env::var_os(TASK).is_none() {
        return;
    }
    let context = CudaContext::new(0).unwrap();
    match bound(&context) {
        Ok(()) => {}
        Err(error) => return println!("{UNBOUNDED}{error:?}"),
    }
    let x: Vec<f32> = random(1, N);
    // A stream each, which has kept no scratch; that of one that is gone would become room in the next one's call.
    let streams = CALLS.map(|_| context.new_stream().unwrap());
    for ((name, call), stream) in CALLS.into_iter().zip(&streams) {
        let mut arrays = Arrays::new(stream, &x).unwrap();
        let before = arrays.written(stream).unwrap();
        let Some(mut filled) = fill(stream) else {
            return println!("{UNBOUNDED}it gives more than it has");
        };
        stream.synchronize().unwrap();
        let error = call(&mut arrays).expect_err(name);
        assert!(
            matches!(
                error,
                Error::Driver(DriverError(CUresult::CUDA_ERROR_OUT_OF_MEMORY))
            ),
            "{name}: {error}"
        );
        assert!(error.to_string().contains("\nhelp: "), "{name}: {error}");
        assert!(
            arrays.written(stream).unwrap() == before,
            "{name}: something was written"
        );
        // And once more, now that the first refusal may have left half of the scratch.
        assert!(call(&mut arrays).is_err(), "{name}: the second time");
        // A little more room each time: wherever it ends, within what a call takes or between two things of it, the call is
        // refused before anything is written, or is done.
        while filled.pop().is_some() {
            stream.synchronize().unwrap();
            if call(&mut arrays).is_ok() {
                break;
            }
            assert!(
                arrays.written(stream).unwrap() == before,
                "{name}: something was written, with room for some"
            );
        }
        drop(filled);
        stream.synchronize().unwrap();
        call(&mut arrays).unwrap_or_else(|error| panic!("{name}, with room: {error}"));
        let mut roomy = Arrays::new(stream, &x).unwrap();
        call(&mut roomy).unwrap();
        let (got, want) = (arrays.written(stream).unwrap(), roomy.written(stream).unwrap());
        assert!(got == want, "{name}: other values after a refusal");
        assert!(got != before, "{name}: nothing was written");
        drop((arrays, roomy));
        // What is freed when the work before it is done would be room for the next one's call, too.
        stream.synchronize().unwrap();
        println!("refused and went on: {name}");
    }
}

/// Lets this process have no more memory of the device than the pool.
fn bound(context: &Arc<CudaContext>) -> Result<(), DriverError> {
    context.bind_to_thread()?;
    // SAFETY: a struct of numbers and pointers, all of which may be zero: the driver asks for that where nothing is said.
    let mut props: CUmemPoolProps = unsafe { std::mem::zeroed() };
    props.allocType = CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED;
    props.handleTypes = CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_NONE;
    props.location = CUmemLocation {
        type_: CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE,
        id: 0,
    };
    props.maxSize = POOL;
    // SAFETY: the properties live; the pool is never destroyed: this process ends with its test.
    unsafe {
        let pool = result::mem_pool::create(&raw const props)?;
        sys::cuDeviceSetMemPool(context.cu_device(), pool).result()
    }
}

/// All memory that the pool still has, in pieces; nothing where it has no end.
fn fill(stream: &Arc<CudaStream>) -> Option<Vec<Slice<u8>>> {
    let (mut pieces, mut total) = (Vec::new(), 0);
    let mut bytes = POOL / 8;
    while bytes > 0 {
        match stream.alloc_zeros::<u8>(bytes) {
            Ok(piece) => pieces.push(piece),
            Err(_) => bytes /= 8,
        }
        total += bytes;
        if total > TOO_MUCH || pieces.len() > MOST_PIECES {
            return None;
        }
    }
    Some(pieces)
}

#[test]
fn without_room_for_scratch_a_call_is_refused_and_the_next_one_runs() {
    if steps_aside("it checks kernels, none of which are new here") || gpu().is_none() {
        return;
    }
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "inner", "--nocapture", "--test-threads=2"])
        .env(TASK, "1")
        .output()
        .unwrap();
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    if let Some((_, why)) = text.split_once(UNBOUNDED) {
        return skip(Lacks::Gpu, format!("its driver bounds no pool: {why}"));
    }
    for (name, _) in CALLS {
        assert!(text.contains(&format!("refused and went on: {name}\n")), "{text}");
    }
    ran_on_gpu();
}
