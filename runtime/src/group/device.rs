//! Calls whose shards are on GPUs: states stay on the device where the transport can take them from there.

use std::sync::Arc;

use cudarc::driver::{CudaEvent, CudaSlice, CudaStream, DevicePtr, DevicePtrMut, PinnedHostSlice};

use crate::argument::{Argument, Target};
use crate::cpu::shard::Stand;
use crate::error::Error;
use crate::generic::{Reduce, Scan};
use crate::gpu::shard::{self, CARRY, Messages};
use crate::group::Group;
use crate::group::message::{self, Call, HEADER, MESSAGE, Message, STATE};
use crate::launch::allocate;
use crate::spec::Fold;

/// Device memory of a rank's calls on one stream, kept between them: what is allocated for a call and freed after it may cost
/// more than the exchange.
pub(super) struct Area {
    /// This rank's message.
    own: CudaSlice<u8>,
    /// Those of all ranks.
    all: CudaSlice<u8>,
    /// What stands before this rank's shard.
    carry: CudaSlice<u8>,
    /// Where the host finds the messages of all ranks, once any have come without it.
    seen: Option<PinnedHostSlice<u8>>,
}

impl Area {
    /// Gives up the host's memory where the device may never come to the copy into it: freeing it would wait for that.
    fn leave(&mut self) {
        std::mem::forget(self.seen.take());
    }
}

/// The messages of all ranks, on their way or there.
struct Exchange {
    /// On the device.
    area: Area,
    /// Where the host has not seen them: when it can.
    sent: Option<CudaEvent>,
}

impl Exchange {
    /// The messages of these ranks, which follow each other up or down.
    fn messages(&self, stream: &CudaStream, ranks: &[usize]) -> Messages {
        let down = ranks.len() > 1 && ranks[1] < ranks[0];
        Messages {
            bytes: self.area.all.device_ptr(stream).0,
            first: ranks.first().map_or(0, |&rank| rank as u64),
            count: ranks.len() as u64,
            step: if down { -1 } else { 1 },
        }
    }
}

impl Group {
    pub(super) fn reduce_on_device<S: Reduce>(
        &mut self,
        call: &Call,
        stream: &Arc<CudaStream>,
        stand: Stand,
        arguments: &[Argument<'_>],
        targets: &mut [Target<'_>],
    ) -> Result<(), Error> {
        let mut exchange = self.exchange::<S>(call, stream, stand, arguments)?;
        let ranks: Vec<_> = (0..self.size).collect();
        let messages = exchange.messages(stream, &ranks);
        let enqueued = shard::result::<S>(stream, stand, arguments, targets, messages);
        // Whatever this rank's own launch says, the others may have been lost.
        self.settle(call, &mut exchange)?;
        self.area = Some(exchange.area);
        enqueued
    }

    pub(super) fn scan_on_device<S: Scan>(
        &mut self,
        call: &Call,
        stream: &Arc<CudaStream>,
        stand: Stand,
        arguments: &[Argument<'_>],
        targets: &mut [Target<'_>],
    ) -> Result<(), Error> {
        let mut exchange = self.exchange::<S>(call, stream, stand, arguments)?;
        let messages = exchange.messages(stream, &self.before(&S::INFO));
        let at = exchange.area.carry.device_ptr_mut(stream).0;
        let enqueued = shard::carry::<S>(stream, stand, arguments, messages, at);
        self.settle(call, &mut exchange)?;
        enqueued?;
        if stand.n > 0 {
            shard::scan::<S>(stream, stand, at, arguments, targets)?;
        }
        self.area = Some(exchange.area);
        Ok(())
    }

    /// Folds the shard and gives its state to all ranks.
    fn exchange<S: Fold>(
        &mut self,
        call: &Call,
        stream: &Arc<CudaStream>,
        stand: Stand,
        arguments: &[Argument<'_>],
    ) -> Result<Exchange, Error> {
        let area = self.area(stream).and_then(|mut area| {
            folded::<S>(stream, stand, arguments, &mut area)?;
            Ok(area)
        });
        let mut area = area.map_err(|error| self.excuse(call, error))?;
        if self.goes_direct(stream) {
            return self.exchange_on_device(call, stream, stand, area);
        }
        let mut slot = [0; STATE];
        let copied = stream
            .memcpy_dtoh(&area.own.slice(HEADER..MESSAGE), &mut slot)
            .and_then(|()| stream.synchronize());
        copied.map_err(|error| self.excuse(call, error.into()))?;
        let messages = self.step(call, &Message::slot(call, stand.n, &slot))?;
        let bytes: Vec<_> = messages.iter().flat_map(Message::written).collect();
        stream.memcpy_htod(&bytes, &mut area.all)?;
        Ok(Exchange { area, sent: None })
    }

    /// The memory kept for this stream, or new memory.
    fn area(&mut self, stream: &Arc<CudaStream>) -> Result<Area, Error> {
        match self.area.take() {
            Some(area) if area.own.stream().cu_stream() == stream.cu_stream() => Ok(area),
            _ => Ok(Area {
                own: allocate(stream, MESSAGE, true)?,
                all: allocate(stream, MESSAGE * self.size, true)?,
                carry: allocate(stream, CARRY, true)?,
                seen: None,
            }),
        }
    }

    /// Whether messages go from this stream's device without the host.
    fn goes_direct(&mut self, stream: &CudaStream) -> bool {
        let device = self.transport.on_device();
        device.is_some_and(|device| device.device().context() == stream.context())
    }

    fn exchange_on_device(
        &mut self,
        call: &Call,
        stream: &Arc<CudaStream>,
        stand: Stand,
        mut area: Area,
    ) -> Result<Exchange, Error> {
        self.open()?;
        let message = Message::length(call, stand.n).written();
        let begun = stream.memcpy_htod(&message[..HEADER], &mut area.own.slice_mut(..HEADER));
        begun.map_err(|error| self.excuse(call, error.into()))?;
        let seen = match area.seen.take() {
            Some(seen) => Ok(seen),
            // SAFETY: it is read once a copy has filled it, as `settle` waits for.
            None => unsafe { stream.context().alloc_pinned_with_flags(area.all.len(), 0) },
        };
        let mut seen = seen.map_err(|error| self.excuse(call, error.into()))?;
        let (from, to) = (area.own.device_ptr(stream).0, area.all.device_ptr_mut(stream).0);
        self.turn += 1;
        let timeout = self.timeout;
        let Some(device) = self.transport.on_device() else {
            unreachable!("the caller saw that it is there")
        };
        let sent = device.gather(stream, from, to, MESSAGE, timeout).and_then(|()| {
            // Before anything is made of them, which takes their place, and while that runs the host can look at them.
            stream.memcpy_dtoh(&area.all, &mut seen)?;
            Ok(stream.record_event(None)?)
        });
        area.seen = Some(seen);
        let sent = sent.inspect_err(|_| {
            self.lost = true;
            area.leave();
        })?;
        Ok(Exchange {
            area,
            sent: Some(sent),
        })
    }

    /// Waits for the messages of all ranks where that is still to be done, and sees that they belong to this call.
    fn settle(&mut self, call: &Call, exchange: &mut Exchange) -> Result<(), Error> {
        let (Some(sent), timeout) = (&exchange.sent, self.timeout) else {
            return Ok(());
        };
        if let Some(device) = self.transport.on_device() {
            device.wait(sent, timeout).inspect_err(|_| {
                self.lost = true;
                exchange.area.leave();
            })?;
        }
        let Some(seen) = &exchange.area.seen else {
            unreachable!("what was sent without the host is copied to it")
        };
        let bytes = seen.as_slice()?;
        let messages: Vec<_> = bytes.chunks(MESSAGE).map(Message::from_written).collect();
        message::check(call, &messages)
    }
}

/// Leaves the state of the shard in this rank's message; that of an empty one is not looked at.
fn folded<S: Fold>(
    stream: &Arc<CudaStream>,
    stand: Stand,
    arguments: &[Argument<'_>],
    area: &mut Area,
) -> Result<(), Error> {
    if stand.n == 0 {
        return Ok(());
    }
    let slot = area.own.device_ptr_mut(stream).0 + HEADER as u64;
    shard::total::<S>(stream, stand, arguments, slot)
}
