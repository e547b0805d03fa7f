//! Arguments and results as a kernel takes them: two structs in C layout, on the stack.

use std::mem::MaybeUninit;

use cudarc::driver::CudaStream;
use cudarc::driver::sys::CUdeviceptr;

use crate::argument::{Argument, Target};
use crate::error::Error;
use crate::gpu::kernel::Load;
use crate::gpu::schedule::Packs;
use crate::order::Order;
use crate::rows::Shape;
use crate::spec::{Info, Param, ParamKind};

/// Bytes of a kernel's parameters that CUDA takes on every architecture, less what the other parameters need.
const LIMIT: usize = 4096 - 256;
/// Pointers are as wide on every device.
const POINTER: usize = size_of::<CUdeviceptr>();

/// The memory of a [`Packed`]. Two of these stand on the stack of every call: to clear them would cost a fifth of what a
/// launch does.
#[repr(C, align(16))]
pub(crate) struct Room([MaybeUninit<u8>; LIMIT]);

impl Room {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self([MaybeUninit::uninit(); LIMIT])
    }
}

/// A struct under construction: each field at the next multiple of its alignment.
pub(crate) struct Packed<'a> {
    bytes: &'a mut [MaybeUninit<u8>; LIMIT],
    len: usize,
    /// The pointer that was packed first: where an in-place call reads and writes.
    first: CUdeviceptr,
    /// Bits set in any address of an array that is read or written in packs, or in the distance between its rows.
    misaligned: u64,
    /// Bits set in any address of an array that has an element or more a column.
    addresses: u64,
}

impl<'a> Packed<'a> {
    pub(crate) const fn new(bytes: &'a mut Room) -> Self {
        Self {
            bytes: &mut bytes.0,
            len: 0,
            first: 0,
            misaligned: 0,
            addresses: 0,
        }
    }

    /// Where the driver finds the struct.
    pub(crate) const fn start(&mut self) -> *mut std::ffi::c_void {
        self.bytes.as_mut_ptr().cast()
    }

    fn field(&mut self, size: usize, align: usize) -> Result<&mut [MaybeUninit<u8>], usize> {
        let at = self.len.next_multiple_of(align);
        self.len = at + size;
        self.bytes.get_mut(at..at + size).ok_or(at + size)
    }

    fn pointer(&mut self, address: CUdeviceptr) -> Result<(), usize> {
        if self.len == 0 {
            self.first = address;
        }
        self.field(POINTER, POINTER)?
            .write_copy_of_slice(&address.to_ne_bytes());
        Ok(())
    }
}

/// Packs a call's results and arguments, in this order, and runs `then` with both while the data is held for `stream`.
///
/// No memory of the host is allocated: the guards that order the work stand on the stack.
pub(crate) fn bind(
    info: &'static Info,
    stream: &CudaStream,
    arguments: &[Argument<'_>],
    targets: &mut [Target<'_>],
    order: &Order,
    shape: &Shape,
    then: &mut dyn FnMut(&mut Packed<'_>, &mut Packed<'_>, Packs) -> Result<(), Error>,
) -> Result<(), Error> {
    let (mut args, mut results) = (Room::new(), Room::new());
    let (mut args, mut results) = (Packed::new(&mut args), Packed::new(&mut results));
    let mut inner = |args: &mut Packed<'_>, results: &mut Packed| {
        let packs = Packs {
            load: known(args, shape, order),
            store: known(results, shape, order),
            starts: args.addresses.is_multiple_of(16),
            outputs: results.addresses.is_multiple_of(16),
        };
        then(args, results, packs)
    };
    let facts = Facts {
        info,
        stream,
        v: order.v as usize,
        stride: shape.stride,
        out_stride: shape.out_stride,
    };
    bind_results(&facts, 0, targets, &mut results, &mut |results| {
        let passed = info
            .params
            .iter()
            .position(|param| param.kind.is_passed())
            .unwrap_or(info.params.len());
        bind_arguments(
            &facts,
            &info.params[passed..],
            arguments,
            &mut args,
            results,
            &mut inner,
        )
    })
}

/// What packing needs to know of a call.
struct Facts<'a> {
    info: &'static Info,
    stream: &'a CudaStream,
    v: usize,
    stride: usize,
    out_stride: usize,
}

impl Facts<'_> {
    fn too_large(&self, bytes: usize) -> Error {
        Error::TooManyArguments {
            spec: self.info.name,
            bytes,
            limit: LIMIT,
        }
    }

    /// The bits by which an array's packs miss their alignment.
    fn missed(&self, address: CUdeviceptr, size: usize, stride: usize) -> u64 {
        // Elements of other sizes are read one by one, wherever they are.
        if !size.is_power_of_two() || size > 16 {
            return 0;
        }
        let pack = (size * self.v).min(16) as u64;
        (address | (stride as u64).wrapping_mul(size as u64)) & (pack - 1)
    }
}

fn bind_results(
    facts: &Facts<'_>,
    number: usize,
    targets: &mut [Target<'_>],
    results: &mut Packed<'_>,
    then: &mut dyn FnMut(&mut Packed<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let Some((first, rest)) = targets.split_first_mut() else {
        return then(results);
    };
    let Target::Device(data) = first else {
        unreachable!("checked: all data of a call lives in one place")
    };
    let size = facts
        .info
        .results
        .get(number)
        .map_or(size_of::<u64>(), |ty| ty.size);
    let owner = data.owner();
    // Most data is the launch's own stream's: then there is nobody to wait for, and nothing to hold.
    let other = (owner.cu_stream() != facts.stream.cu_stream()).then(|| std::sync::Arc::clone(owner));
    ordered(facts.stream, other.as_deref().unwrap_or(facts.stream), || {
        let (address, _written) = data.write(facts.stream);
        results.pointer(address).map_err(|bytes| facts.too_large(bytes))?;
        results.addresses |= address;
        results.misaligned |= facts.missed(address, size, facts.out_stride);
        bind_results(facts, number + 1, rest, results, then)
    })
}

fn bind_arguments(
    facts: &Facts<'_>,
    params: &[Param],
    arguments: &[Argument<'_>],
    args: &mut Packed<'_>,
    results: &mut Packed<'_>,
    then: &mut dyn FnMut(&mut Packed<'_>, &mut Packed<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let Some(((first, rest), (param, params))) = arguments.split_first().zip(params.split_first()) else {
        return then(args, results);
    };
    if !param.kind.is_passed() {
        return bind_arguments(facts, params, arguments, args, results, then);
    }
    let mut pointer = |address: CUdeviceptr, args: &mut Packed<'_>, results: &mut Packed| {
        args.pointer(address).map_err(|bytes| facts.too_large(bytes))?;
        if matches!(param.kind, ParamKind::Plain | ParamKind::PerColumn) {
            args.addresses |= address;
        }
        args.misaligned |= match param.kind {
            ParamKind::Plain => facts.missed(address, param.ty.size, facts.stride),
            ParamKind::PerColumn => facts.missed(address, param.ty.size, 0),
            _ => 0,
        };
        bind_arguments(facts, params, rest, args, results, then)
    };
    match first {
        Argument::InPlace => pointer(results.first, args, results),
        Argument::Device(data) => ordered(facts.stream, data.owner(), || {
            let (address, _read) = data.read(facts.stream);
            pointer(address, args, results)
        }),
        Argument::Value(value) => {
            let (bytes, len) = value.raw();
            let field = args
                .field(param.ty.size, param.ty.align)
                .map_err(|bytes| facts.too_large(bytes))?;
            debug_assert_eq!(len, field.len());
            // SAFETY: `bytes` points to a live value of `len` bytes; the field holds as many and is another place.
            // Padding is copied as bytes of unknown value and never looked at on the host.
            unsafe { std::ptr::copy_nonoverlapping(bytes, field.as_mut_ptr().cast(), len.min(field.len())) };
            bind_arguments(facts, params, rest, args, results, then)
        }
        Argument::Host(_) => unreachable!("checked: all data of a call lives in one place"),
    }
}

/// Runs `work`, which launches on `stream`, between what `owner` has queued and what it will.
///
/// cudarc orders slices by events of its own, but only while it tracks them; this holds always. For data of the
/// launch's own stream, which is in order by itself, nothing is recorded: so a graph can capture the call.
pub(super) fn ordered(
    stream: &CudaStream,
    owner: &CudaStream,
    work: impl FnOnce() -> Result<(), Error>,
) -> Result<(), Error> {
    if owner.cu_stream() == stream.cu_stream() {
        return work();
    }
    stream.join(owner)?;
    work()?;
    owner.join(stream)?;
    Ok(())
}

fn known(packed: &Packed<'_>, shape: &Shape, order: &Order) -> Load {
    match (packed.misaligned, shape.cols as u64 % u64::from(order.v)) {
        (0, 0) => Load::Whole,
        (0, _) => Load::Aligned,
        _ => Load::Any,
    }
}
