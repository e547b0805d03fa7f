//! Several devices, or several processes, on one array: each holds a shard of it.
//!
//! A [`Group`] is one rank's seat. Ranks are threads of a process or processes, on one machine or many; each calls the
//! same functions in the same order, with its own shard:
//!
//! ```
//! use warpfold::{Error, Group};
//! use warpfold::prelude::*;
//!
//! #[warp_reduce(op = sum)]
//! pub fn total(x: u64) -> u64 { x }
//!
//! #[warp_scan(op = sum, kind = exclusive)]
//! pub fn offsets(count: u64) -> u64 { count }
//!
//! # fn main() -> Result<(), Error> {
//! let counts: Vec<u64> = (0..1000).collect();
//! let answers = Group::run(Group::threads(3), |group| {
//!     let shard = &counts[group.part(counts.len())];
//!     let all = group.reduce::<total, _>((shard,))?;        // on every rank the same
//!     let starts = group.scan::<offsets, _>((shard,))?;     // this rank's part of them
//!     Ok::<_, Error>((all, starts[0]))
//! });
//! assert!(answers.iter().all(|answer| answer.as_ref().is_ok_and(|(all, _)| *all == 499_500)));
//! # Ok(()) }
//! ```
//!
//! # What the answers depend on
//!
//! Each shard is folded as an array of its own; one state a rank goes to all ranks, and every rank folds these states in
//! rank order, as states of neighbouring tiles are folded. So the bits are the same on all ranks and in every run, and
//! depend on the spec, the types and the lengths of the shards. They are those that one device gives for the whole array
//! where the operator rounds nothing (integers, `max`, `and` …), and for every operator where all shards have the same
//! length, which is a tile or 32, 32², 32³ … tiles: a tile is 128 elements a turn of 16-byte packs (`f32`), times 8 turns with one plain
//! parameter: 1024 elements of one `f32`, 512 of one `f64`. Other shards group the additions of floats in another way.
//!
//! A scan goes on from what the states of the shards before it come to, from first to last.
//!
//! `#[uniform]` values are each rank's own: nothing compares them. Where `finish` or `init` takes one, ranks that are given
//! different ones get different answers.
//!
//! # When a rank fails
//!
//! A rank whose own arguments are refused tells the others, which get [`Error::GroupFailed`]; the group goes on. Ranks that
//! make different calls all get [`Error::GroupDiffers`]. A rank that ends, or does not come within the
//! [timeout](Group::timeout), gives all others [`Error::GroupLost`], and the group is at an end.

mod call;
mod device;
mod meeting;
mod message;
mod nccl;
mod share;
mod tcp;
#[cfg(test)]
mod tests;
mod threads;
mod transport;

use std::time::Duration;

use crate::device::Device;
use crate::error::Error;
use crate::group::message::{Call, Message};
use crate::group::transport::{Alone, Transport};

pub use meeting::Meeting;

/// How long a rank waits for the others where nothing else is said.
const TIMEOUT: Duration = Duration::from_mins(1);
/// The longest: a time so far ahead can be counted.
const LONGEST: Duration = Duration::from_hours(365 * 24);

/// One rank of several that hold shards of the same arrays. [The module](crate::group) says how they work together.
pub struct Group {
    transport: Box<dyn Transport>,
    device: Device,
    rank: usize,
    size: usize,
    timeout: Duration,
    /// Steps taken.
    turn: u64,
    /// Whether a rank has been lost.
    lost: bool,
    /// Memory on the device of the last call.
    area: Option<device::Area>,
}

impl Group {
    fn new(transport: impl Transport + 'static, rank: usize, size: usize) -> Self {
        Self {
            transport: Box::new(transport),
            device: Device::cpu(),
            rank,
            size,
            timeout: TIMEOUT,
            turn: 0,
            lost: false,
            area: None,
        }
    }

    fn with_device(self, device: Device) -> Self {
        Self { device, ..self }
    }

    /// A group of this rank alone: its calls are those of one device.
    pub fn alone() -> Self {
        Self::new(Alone, 0, 1)
    }

    /// The ranks of a group whose members are threads of this process: give one to each. Shards may be on the CPU or on any
    /// GPU of the process.
    pub fn threads(size: usize) -> Vec<Self> {
        let seats = threads::ranks(size).into_iter().enumerate();
        seats.map(|(rank, seat)| Self::new(seat, rank, size)).collect()
    }

    /// Runs `work` on a thread for each rank and gives what they give, rank by rank.
    ///
    /// A rank that panics leaves the group, so that the others do not wait for it; the panic goes on here.
    pub fn run<R: Send>(ranks: Vec<Self>, work: impl Fn(&mut Self) -> R + Sync) -> Vec<R> {
        let work = &work;
        std::thread::scope(|scope| {
            let threads: Vec<_> = ranks
                .into_iter()
                .map(|mut rank| scope.spawn(move || work(&mut rank)))
                .collect();
            let answers = threads.into_iter().map(|thread| {
                thread
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            });
            answers.collect()
        })
    }

    /// How long this rank waits for the others in one step of a call, at most a year; 60 seconds where nothing is said.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout.min(LONGEST);
        self
    }

    /// This rank's device: its GPU, or the CPU.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// This rank's number, from 0.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// How many ranks there are.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Whether there is still a group.
    fn open(&self) -> Result<(), Error> {
        if self.lost {
            return Err(Error::GroupLost {
                what: "a rank was lost in an earlier call".into(),
            });
        }
        Ok(())
    }

    /// One step: every rank's message of the same call.
    fn step(&mut self, call: &Call, message: &Message) -> Result<Vec<Message>, Error> {
        self.open()?;
        self.turn += 1;
        match self.transport.gather(message.bytes(), self.timeout) {
            Ok(blocks) => {
                let messages: Vec<_> = blocks.iter().map(|block| Message::from_bytes(block)).collect();
                message::check(call, &messages)?;
                Ok(messages)
            }
            Err(error) => {
                self.lost = true;
                Err(error)
            }
        }
    }

    /// Tells the others that this rank cannot take part in the step they are at, and hands the reason back.
    fn excuse(&mut self, call: &Call, reason: Error) -> Error {
        if !self.lost {
            // What the others say does not matter any more: this rank has an error of its own.
            let _ = self.step(call, &Message::failure(call, &reason));
        }
        reason
    }
}

impl std::fmt::Debug for Group {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Group")
            .field("rank", &self.rank)
            .field("size", &self.size)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}
