//! Two slots that take turns: while a GPU copies and computes one piece, the other piece is written and the next read.
//!
//! On a GPU each slot has a stream of its own and memory that the driver can copy from and to at its full rate; on the
//! CPU a slot is plain memory, and the same turns are taken.

use std::error::Error;
use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaSlice, CudaStream, PinnedHostSlice, ValidAsZeroBits};
use warpfold::Element;
use warpfold::prelude::*;

use super::operation::Task;

/// One piece of the file and what is to be done with it.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// Its first element.
    pub at: usize,
    /// Its shape.
    pub shape: Rows,
    /// What is to be done.
    pub task: Task,
}

impl Piece {
    /// Elements.
    pub const fn len(&self) -> usize {
        self.shape.rows() * self.shape.cols()
    }
}

/// What came of a piece, on the host.
pub struct Results<'a> {
    /// Three arrays of `f32`; those that the task does not store are empty.
    pub floats: [&'a [f32]; 3],
    /// The array of `u64`, likewise.
    pub longs: &'a [u64],
}

/// What is done with the results of a piece.
pub type Take<'a> = dyn FnMut(Piece, Results<'_>) -> Result<(), Box<dyn Error>> + 'a;

/// Memory of the host, and on a GPU its counterpart there.
enum Memory<T> {
    Host(Vec<T>),
    Pinned(PinnedHostSlice<T>, CudaSlice<T>),
}

impl<T: Element + ValidAsZeroBits> Memory<T> {
    fn new(stream: Option<&Arc<CudaStream>>, len: usize) -> Result<Self, Box<dyn Error>> {
        let Some(stream) = stream else {
            return Ok(Self::Host(vec![T::ZERO; len]));
        };
        // Not write-combined, as results are read by the CPU.
        // SAFETY: the memory is set below, before anything reads it.
        let mut pinned = unsafe { stream.context().alloc_pinned_with_flags::<T>(len, 0)? };
        pinned.as_mut_slice()?.fill(T::ZERO);
        Ok(Self::Pinned(pinned, stream.alloc_zeros(len)?))
    }

    /// The host's side, once the copies from and to it are done.
    fn host(&mut self) -> Result<&mut [T], Box<dyn Error>> {
        match self {
            Self::Host(memory) => Ok(memory),
            Self::Pinned(memory, _) => Ok(memory.as_mut_slice()?),
        }
    }
}

/// A place for one piece at a time.
struct Slot {
    stream: Option<Arc<CudaStream>>,
    input: Memory<f32>,
    floats: [Memory<f32>; 3],
    longs: Memory<u64>,
    pending: Option<Piece>,
}

/// The sum up to the last block of a row, where the blocks need it: on the GPU, so that nobody waits for it.
enum Before {
    Host(Vec<f32>),
    Device(CudaSlice<f32>),
}

/// Two slots and whose turn it is.
pub struct Slots {
    both: Vec<Slot>,
    turn: usize,
    before: Before,
}

impl Slots {
    /// Slots for pieces of up to `elements` elements in up to `rows` rows, for tasks that store what `tasks` store.
    pub fn new(
        device: &Device,
        elements: usize,
        rows: usize,
        tasks: &[Task],
    ) -> Result<Self, Box<dyn Error>> {
        let context: Option<&Arc<CudaContext>> = device.stream().map(|stream| stream.context());
        let stores = |holds: &dyn Fn(super::operation::Stores) -> bool, len: usize| {
            if tasks.iter().any(|task| holds(task.stores())) {
                len.max(1)
            } else {
                1
            }
        };
        let lens = [
            stores(&|stores| stores.each_element, elements).max(rows),
            stores(&|stores| stores.floats > 1, rows),
            stores(&|stores| stores.floats > 2, rows),
        ];
        let longs = stores(&|stores| stores.longs, rows);
        let slot = || -> Result<Slot, Box<dyn Error>> {
            let stream = context.map(CudaContext::new_stream).transpose()?;
            let memory = |len| Memory::new(stream.as_ref(), len);
            Ok(Slot {
                input: memory(elements.max(1))?,
                floats: [memory(lens[0])?, memory(lens[1])?, memory(lens[2])?],
                longs: Memory::new(stream.as_ref(), longs)?,
                pending: None,
                stream: stream.clone(),
            })
        };
        let slots = vec![slot()?, slot()?];
        let before = match &slots[0].stream {
            Some(stream) => Before::Device(stream.alloc_zeros(1)?),
            None => Before::Host(vec![0.0]),
        };
        Ok(Self {
            both: slots,
            turn: 0,
            before,
        })
    }

    /// Reads a piece, starts it, and before that hands on what came of the last piece of its slot.
    pub fn pass(
        &mut self,
        piece: Piece,
        read: impl FnOnce(&mut [f32]) -> Result<(), Box<dyn Error>>,
        take: &mut Take<'_>,
    ) -> Result<(), Box<dyn Error>> {
        let slot = &mut self.both[self.turn];
        slot.hand_on(take)?;
        read(&mut slot.input.host()?[..piece.len()])?;
        slot.start(piece, &mut self.before)?;
        self.turn = (self.turn + 1) % self.both.len();
        Ok(())
    }

    /// Hands on what came of the pieces that are under way, in their order.
    pub fn finish(&mut self, take: &mut Take<'_>) -> Result<(), Box<dyn Error>> {
        for _ in 0..self.both.len() {
            self.both[self.turn].hand_on(take)?;
            self.turn = (self.turn + 1) % self.both.len();
        }
        Ok(())
    }

    /// The next block is a row's first: nothing stands before it.
    pub fn begin_row(&mut self) -> Result<(), Box<dyn Error>> {
        // A float sum starts from -0.0, as the operator's own does: -0.0 + x is x, whatever x is.
        match &mut self.before {
            Before::Host(before) => before[0] = -0.0,
            Before::Device(before) => {
                let stream = Arc::clone(before.stream());
                stream.memcpy_htod(&[-0.0_f32], before)?;
            }
        }
        Ok(())
    }
}

impl Slot {
    fn start(&mut self, piece: Piece, before: &mut Before) -> Result<(), Box<dyn Error>> {
        let len = piece.len();
        let last = (piece.task == Task::CumsumFrom).then(|| len - 1);
        let counts = stored(piece);
        let [first, second, third] = &mut self.floats;
        match (&mut self.input, first, second, third, &mut self.longs, before) {
            (
                Memory::Host(input),
                Memory::Host(first),
                Memory::Host(second),
                Memory::Host(third),
                Memory::Host(longs),
                Before::Host(before),
            ) => {
                let floats = [&mut first[..], &mut second[..], &mut third[..]];
                piece
                    .task
                    .launch(piece.shape, &input[..len], &before[..], floats, &mut longs[..])?;
                if let Some(last) = last {
                    before[0] = first[last];
                }
            }
            (
                Memory::Pinned(input, on_device),
                Memory::Pinned(first, first_on),
                Memory::Pinned(second, second_on),
                Memory::Pinned(third, third_on),
                Memory::Pinned(longs, longs_on),
                Before::Device(before),
            ) => {
                let stream = self.stream.as_ref().ok_or("a slot of a GPU has a stream")?;
                // The whole of the pinned memory has one length and the piece another: copy what is read.
                stream.memcpy_htod(&input.as_slice()?[..len], &mut on_device.slice_mut(..len))?;
                let floats = [&mut *first_on, &mut *second_on, &mut *third_on];
                piece
                    .task
                    .launch(piece.shape, &*on_device, &*before, floats, &mut *longs_on)?;
                if let Some(last) = last {
                    stream.memcpy_dtod(&first_on.slice(last..=last), before)?;
                }
                for (host, device, count) in [
                    (first, first_on, counts[0]),
                    (second, second_on, counts[1]),
                    (third, third_on, counts[2]),
                ] {
                    if count > 0 {
                        stream.memcpy_dtoh(&device.slice(..count), &mut host.as_mut_slice()?[..count])?;
                    }
                }
                if counts[3] > 0 {
                    stream.memcpy_dtoh(
                        &longs_on.slice(..counts[3]),
                        &mut longs.as_mut_slice()?[..counts[3]],
                    )?;
                }
            }
            _ => return Err("all memory of a slot is of one kind".into()),
        }
        self.pending = Some(piece);
        Ok(())
    }

    fn hand_on(&mut self, take: &mut Take<'_>) -> Result<(), Box<dyn Error>> {
        let Some(piece) = self.pending.take() else {
            return Ok(());
        };
        if let Some(stream) = &self.stream {
            stream.synchronize()?;
        }
        let counts = stored(piece);
        let [first, second, third] = &mut self.floats;
        let results = Results {
            floats: [
                &first.host()?[..counts[0]],
                &second.host()?[..counts[1]],
                &third.host()?[..counts[2]],
            ],
            longs: &self.longs.host()?[..counts[3]],
        };
        take(piece, results)
    }
}

impl Drop for Slot {
    /// No copy may still be under way from or to memory that goes.
    fn drop(&mut self) {
        if let Some(stream) = &self.stream {
            // Where the driver has failed there is nobody left to tell, and nothing under way.
            let _ = stream.synchronize();
        }
    }
}

/// How many values a piece stores in the three arrays of `f32` and the one of `u64`.
const fn stored(piece: Piece) -> [usize; 4] {
    let (stores, rows) = (piece.task.stores(), piece.shape.rows());
    let first = if stores.each_element { piece.len() } else { rows };
    [
        first,
        if stores.floats > 1 { rows } else { 0 },
        if stores.floats > 2 { rows } else { 0 },
        if stores.longs { rows } else { 0 },
    ]
}
