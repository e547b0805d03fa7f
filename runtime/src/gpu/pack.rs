//! Arguments and results as a kernel takes them: two structs in C layout, on the stack.

use std::mem::MaybeUninit;

use cudarc::driver::CudaStream;
use cudarc::driver::sys::CUdeviceptr;

use crate::argument::{Argument, Erased, Target};
use crate::error::Error;
use crate::gpu::kernel::Load;
use crate::gpu::schedule::Packs;
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
    v: u32,
    shape: &Shape,
    then: &mut dyn FnMut(&mut Packed<'_>, &mut Packed<'_>, Packs) -> Result<(), Error>,
) -> Result<(), Error> {
    let (mut args, mut results) = (Room::new(), Room::new());
    let (mut args, mut results) = (Packed::new(&mut args), Packed::new(&mut results));
    let mut inner = |args: &mut Packed<'_>, results: &mut Packed| {
        let packs = Packs {
            load: known(args, shape, v),
            store: known(results, shape, v),
            starts: args.addresses.is_multiple_of(16),
            outputs: results.addresses.is_multiple_of(16),
        };
        then(args, results, packs)
    };
    let facts = Facts {
        info,
        stream,
        v: v as usize,
        stride: shape.stride,
        out_stride: shape.out_stride,
    };
    if facts.in_order(arguments, targets, &mut args, &mut results)? {
        return inner(&mut args, &mut results);
    }
    (args.len, results.len) = (0, 0);
    bind_results(&facts, 0, targets, &mut results, &mut |results| {
        bind_arguments(&facts, info.params, arguments, &mut args, results, &mut inner)
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
    /// Packs all there is, unless something has to be ordered: data of another stream, or any as long as cudarc records what
    /// uses it. Then nothing was asked of the driver, and what was packed counts for nothing but its alignment, which is found again.
    fn in_order(
        &self,
        arguments: &[Argument<'_>],
        targets: &mut [Target<'_>],
        args: &mut Packed<'_>,
        results: &mut Packed<'_>,
    ) -> Result<bool, Error> {
        if self.stream.context().is_managing_stream_synchronization() {
            return Ok(false);
        }
        // Nothing is managed, so the guards of this data would do nothing at their end.
        for (number, target) in targets.iter_mut().enumerate() {
            let Target::Device(data) = target else {
                unreachable!("checked: all data of a call lives in one place")
            };
            if data.owner().cu_stream() != self.stream.cu_stream() {
                return Ok(false);
            }
            let (address, unmanaged) = data.write(self.stream);
            std::mem::forget(unmanaged);
            self.result(number, address, results)?;
        }
        let params = self.info.params.iter().filter(|param| param.kind.is_passed());
        for (param, argument) in params.zip(arguments) {
            match argument {
                Argument::InPlace => self.array(param, results.first, args)?,
                Argument::Device(data) if data.owner().cu_stream() == self.stream.cu_stream() => {
                    let (address, unmanaged) = data.read(self.stream);
                    std::mem::forget(unmanaged);
                    self.array(param, address, args)?;
                }
                Argument::Device(_) => return Ok(false),
                Argument::Value(value) => self.value(param, value, args)?,
                Argument::Host(_) => unreachable!("checked: all data of a call lives in one place"),
            }
        }
        Ok(true)
    }

    /// Packs where a result goes.
    fn result(&self, number: usize, address: CUdeviceptr, results: &mut Packed<'_>) -> Result<(), Error> {
        let ty = self.info.results.get(number);
        let size = ty.map_or(size_of::<u64>(), |ty| ty.size);
        results.pointer(address).map_err(|bytes| self.too_large(bytes))?;
        results.addresses |= address;
        results.misaligned |= self.missed(address, size, self.out_stride);
        Ok(())
    }

    /// Packs where the array of a parameter is.
    fn array(&self, param: &Param, address: CUdeviceptr, args: &mut Packed<'_>) -> Result<(), Error> {
        args.pointer(address).map_err(|bytes| self.too_large(bytes))?;
        let stride = match param.kind {
            ParamKind::Plain => self.stride,
            ParamKind::PerColumn => 0,
            _ => return Ok(()),
        };
        args.addresses |= address;
        args.misaligned |= self.missed(address, param.ty.size, stride);
        Ok(())
    }

    /// Packs the value of a parameter.
    fn value(&self, param: &Param, value: &Erased<'_>, args: &mut Packed<'_>) -> Result<(), Error> {
        let (bytes, len) = value.raw();
        let field = args
            .field(param.ty.size, param.ty.align)
            .map_err(|bytes| self.too_large(bytes))?;
        debug_assert_eq!(len, field.len());
        // SAFETY: `bytes` points to a live value of `len` bytes; the field holds as many and is another place.
        // Padding is copied as bytes of unknown value and never looked at on the host.
        unsafe { std::ptr::copy_nonoverlapping(bytes, field.as_mut_ptr().cast(), len.min(field.len())) };
        Ok(())
    }

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
    let owner = data.owner();
    // Most data is the launch's own stream's: then there is nobody to wait for, and nothing to hold.
    let other = (owner.cu_stream() != facts.stream.cu_stream()).then(|| std::sync::Arc::clone(owner));
    ordered(facts.stream, other.as_deref().unwrap_or(facts.stream), || {
        let (address, _written) = data.write(facts.stream);
        facts.result(number, address, results)?;
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
    let Some((param, params)) = params.split_first() else {
        return then(args, results);
    };
    if !param.kind.is_passed() {
        return bind_arguments(facts, params, arguments, args, results, then);
    }
    let Some((first, rest)) = arguments.split_first() else {
        return then(args, results);
    };
    match first {
        Argument::InPlace => facts.array(param, results.first, args)?,
        Argument::Device(data) => {
            return ordered(facts.stream, data.owner(), || {
                let (address, _read) = data.read(facts.stream);
                facts.array(param, address, args)?;
                bind_arguments(facts, params, rest, args, results, then)
            });
        }
        Argument::Value(value) => facts.value(param, value, args)?,
        Argument::Host(_) => unreachable!("checked: all data of a call lives in one place"),
    }
    bind_arguments(facts, params, rest, args, results, then)
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

fn known(packed: &Packed<'_>, shape: &Shape, v: u32) -> Load {
    // `v` is a power of two.
    match (packed.misaligned, shape.cols & (v as usize - 1)) {
        (0, 0) => Load::Whole,
        (0, _) => Load::Aligned,
        _ => Load::Any,
    }
}
