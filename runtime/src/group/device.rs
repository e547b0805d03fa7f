//! Calls whose shards are on GPUs: states stay on the device where the transport can take them from there.

use std::sync::Arc;

use cudarc::driver::{CudaEvent, CudaSlice, CudaStream, DevicePtr, DevicePtrMut};

use crate::argument::{Argument, Target};
use crate::cpu::shard::Stand;
use crate::error::Error;
use crate::generic::{Reduce, Scan};
use crate::gpu::shard::{self, CARRY, Messages};
use crate::group::Group;
use crate::group::message::{self, Call, HEADER, MESSAGE, Message, STATE};
use crate::launch::allocate;
use crate::spec::Fold;

/// The messages of all ranks, on their way or there.
struct Exchange {
    /// On the device.
    all: CudaSlice<u8>,
    /// Where the host has not seen them: when they are there.
    sent: Option<CudaEvent>,
}

impl Exchange {
    /// The messages of these ranks, which follow each other up or down.
    fn messages(&self, stream: &CudaStream, ranks: &[usize]) -> Messages {
        let down = ranks.len() > 1 && ranks[1] < ranks[0];
        Messages {
            bytes: self.all.device_ptr(stream).0,
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
        let exchange = self.exchange::<S>(call, stream, stand, arguments)?;
        let ranks: Vec<_> = (0..self.size).collect();
        let messages = exchange.messages(stream, &ranks);
        let enqueued = shard::result::<S>(stream, stand, arguments, targets, messages);
        // Whatever this rank's own launch says, the others may have been lost.
        self.settle(call, stream, &exchange)?;
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
        let exchange = self.exchange::<S>(call, stream, stand, arguments)?;
        let messages = exchange.messages(stream, &self.before(&S::INFO));
        let mut carry: CudaSlice<u8> = allocate(stream, CARRY, false)?;
        let at = carry.device_ptr_mut(stream).0;
        let enqueued = shard::carry::<S>(stream, stand, arguments, messages, at);
        self.settle(call, stream, &exchange)?;
        enqueued?;
        if stand.n == 0 {
            return Ok(());
        }
        shard::scan::<S>(stream, stand, at, arguments, targets)
    }

    /// Folds the shard and gives its state to all ranks.
    fn exchange<S: Fold>(
        &mut self,
        call: &Call,
        stream: &Arc<CudaStream>,
        stand: Stand,
        arguments: &[Argument<'_>],
    ) -> Result<Exchange, Error> {
        let own = folded::<S>(stream, stand, arguments).map_err(|error| self.excuse(call, error))?;
        if self.goes_direct(stream) {
            return self.exchange_on_device(call, stream, stand, own);
        }
        let mut slot = [0; STATE];
        let copied = stream
            .memcpy_dtoh(&own.slice(HEADER..MESSAGE), &mut slot)
            .and_then(|()| stream.synchronize());
        copied.map_err(|error| self.excuse(call, error.into()))?;
        let messages = self.step(call, &Message::slot(call, stand.n, &slot))?;
        let bytes: Vec<_> = messages.iter().flat_map(Message::written).collect();
        let all = stream.clone_htod(&bytes)?;
        Ok(Exchange { all, sent: None })
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
        mut own: CudaSlice<u8>,
    ) -> Result<Exchange, Error> {
        self.open()?;
        let size = self.size;
        let prepared = || -> Result<_, Error> {
            let header: [u8; HEADER] = std::array::from_fn(|at| Message::length(call, stand.n).written()[at]);
            stream.memcpy_htod(&header, &mut own.slice_mut(..HEADER))?;
            let mut all: CudaSlice<u8> = allocate(stream, MESSAGE * size, false)?;
            let addresses = (own.device_ptr(stream).0, all.device_ptr_mut(stream).0);
            Ok((all, addresses))
        };
        let mut prepared = prepared;
        let (all, (from, to)) = prepared().map_err(|error| self.excuse(call, error))?;
        self.turn += 1;
        let timeout = self.timeout;
        let Some(device) = self.transport.on_device() else {
            unreachable!("the caller saw that it is there")
        };
        let sent = device
            .gather(stream, from, to, MESSAGE, timeout)
            .and_then(|()| Ok(stream.record_event(None)?));
        let sent = sent.inspect_err(|_| self.lost = true)?;
        Ok(Exchange {
            all,
            sent: Some(sent),
        })
    }

    /// Waits for the messages of all ranks where that is still to be done, and sees that they belong to this call.
    fn settle(&mut self, call: &Call, stream: &Arc<CudaStream>, exchange: &Exchange) -> Result<(), Error> {
        let (Some(sent), timeout) = (&exchange.sent, self.timeout) else {
            return Ok(());
        };
        if let Some(device) = self.transport.on_device() {
            device.wait(sent, timeout).inspect_err(|_| self.lost = true)?;
        }
        let bytes = stream.clone_dtoh(&exchange.all)?;
        stream.synchronize()?;
        let messages: Vec<_> = bytes.chunks(MESSAGE).map(Message::from_written).collect();
        message::check(call, &messages)
    }
}

/// A message without its header, on the device: the state of the shard.
fn folded<S: Fold>(
    stream: &Arc<CudaStream>,
    stand: Stand,
    arguments: &[Argument<'_>],
) -> Result<CudaSlice<u8>, Error> {
    let mut own: CudaSlice<u8> = allocate(stream, MESSAGE, true)?;
    if stand.n > 0 {
        let slot = own.device_ptr_mut(stream).0 + HEADER as u64;
        shard::total::<S>(stream, stand, arguments, slot)?;
    }
    Ok(own)
}
