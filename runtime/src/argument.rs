//! What is passed to a launch, with its type erased: one launch path serves every spec.

use std::any::TypeId;
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::Arc;

use cudarc::driver::sys::CUdeviceptr;
use cudarc::driver::{
    CudaSlice, CudaStream, CudaView, CudaViewMut, DevicePtr, DevicePtrMut, DeviceSlice, SyncOnDrop,
};

use crate::element::Element;

/// A host slice whose element type is known only by tag.
#[derive(Clone, Copy, Debug)]
pub struct Erased<'a> {
    start: NonNull<()>,
    len: usize,
    bytes: usize,
    tag: TypeId,
    life: PhantomData<&'a ()>,
}

impl<'a> Erased<'a> {
    fn new<T: Element>(slice: &'a [T]) -> Self {
        Self {
            start: NonNull::from(slice).cast(),
            len: slice.len(),
            bytes: size_of_val(slice),
            tag: TypeId::of::<T>(),
            life: PhantomData,
        }
    }

    fn slice<T: Element>(&self) -> &'a [T] {
        assert!(
            self.tag == TypeId::of::<T>(),
            "an argument was bound as another type than it was passed as"
        );
        // SAFETY: `new` is the only way in; the tag says that it was given a `&'a [T]` of this length.
        unsafe { std::slice::from_raw_parts(self.start.cast::<T>().as_ptr(), self.len) }
    }

    /// The bytes of the values, as a kernel's parameter takes them.
    ///
    /// Padding inside a struct is not written by anyone, so the bytes may only be copied, not looked at.
    pub(crate) fn raw(&self) -> (*const u8, usize) {
        (self.start.cast::<u8>().as_ptr().cast_const(), self.bytes)
    }
}

/// Device data that a launch reads.
pub trait DeviceInput {
    /// The type of its elements.
    fn element(&self) -> TypeId;
    /// Elements.
    fn count(&self) -> usize;
    /// The stream that owns it.
    fn owner(&self) -> &Arc<CudaStream>;
    /// Its address for work on `stream`, which waits for what wrote it; dropping the guard records the read.
    fn read<'s>(&'s self, stream: &'s CudaStream) -> (CUdeviceptr, SyncOnDrop<'s>);
}

/// Device data that a launch writes.
pub trait DeviceOutput {
    /// Elements.
    fn count(&self) -> usize;
    /// The stream that owns it.
    fn owner(&self) -> &Arc<CudaStream>;
    /// Its address for work on `stream`, which waits for what used it; dropping the guard records the write.
    fn write<'s>(&'s mut self, stream: &'s CudaStream) -> (CUdeviceptr, SyncOnDrop<'s>);
}

macro_rules! inputs {
    ($($ty:ty),*) => { $(
        impl<T: Element> DeviceInput for $ty {
            fn element(&self) -> TypeId {
                TypeId::of::<T>()
            }
            fn count(&self) -> usize {
                self.len()
            }
            fn owner(&self) -> &Arc<CudaStream> {
                DeviceSlice::stream(self)
            }
            fn read<'s>(&'s self, stream: &'s CudaStream) -> (CUdeviceptr, SyncOnDrop<'s>) {
                self.device_ptr(stream)
            }
        }
    )* };
}

macro_rules! outputs {
    ($($ty:ty),*) => { $(
        impl<T: Element> DeviceOutput for $ty {
            fn count(&self) -> usize {
                self.len()
            }
            fn owner(&self) -> &Arc<CudaStream> {
                DeviceSlice::stream(self)
            }
            fn write<'s>(&'s mut self, stream: &'s CudaStream) -> (CUdeviceptr, SyncOnDrop<'s>) {
                self.device_ptr_mut(stream)
            }
        }
    )* };
}

inputs!(CudaSlice<T>, CudaView<'_, T>);
outputs!(CudaSlice<T>, CudaViewMut<'_, T>);

/// One argument of a launch.
pub enum Argument<'a> {
    /// An array on the host.
    Host(Erased<'a>),
    /// An array on a device.
    Device(&'a dyn DeviceInput),
    /// One value for the launch.
    Value(Erased<'a>),
    /// The array that the call's first target holds: an `_in_place` call reads what it will overwrite.
    InPlace,
}

impl<'a> Argument<'a> {
    /// An array on the host.
    pub fn host<T: Element>(slice: &'a [T]) -> Self {
        Self::Host(Erased::new(slice))
    }

    /// A `#[uniform]` value.
    pub fn uniform<T: Element>(value: &'a T) -> Self {
        Self::Value(Erased::new(std::slice::from_ref(value)))
    }

    /// The array, as the CPU back end reads it. Empty for device data, which the CPU never reads.
    #[inline]
    pub fn slice<T: Element>(&self) -> &'a [T] {
        match self {
            Self::Host(erased) | Self::Value(erased) => erased.slice(),
            Self::Device(_) | Self::InPlace => &[],
        }
    }

    /// The value of a `#[uniform]` parameter.
    #[inline]
    pub fn value<T: Element>(&self) -> T {
        self.slice::<T>()[0]
    }

    /// The type of its elements, where it holds any.
    pub(crate) fn element(&self) -> Option<TypeId> {
        match self {
            Self::Host(erased) | Self::Value(erased) => Some(erased.tag),
            Self::Device(data) => Some(data.element()),
            Self::InPlace => None,
        }
    }

    /// The same argument, or `data` where it stands for the call's target.
    pub(crate) fn or_in_place<'b, T: Element>(&'b self, data: &'b [T]) -> Argument<'b> {
        match self {
            Self::Host(erased) => Argument::Host(*erased),
            Self::Value(erased) => Argument::Value(*erased),
            Self::Device(device) => Argument::Device(*device),
            Self::InPlace => Argument::host(data),
        }
    }

    /// Elements; 1 for a uniform value.
    pub(crate) fn count(&self) -> usize {
        match self {
            Self::Host(erased) | Self::Value(erased) => erased.len,
            Self::Device(data) => data.count(),
            Self::InPlace => 0,
        }
    }
}

/// A host slice that a launch writes, its element type known only by tag.
pub struct ErasedMut<'a> {
    start: NonNull<()>,
    len: usize,
    tag: TypeId,
    life: PhantomData<&'a mut ()>,
}

/// Where one field of the results goes.
pub enum Target<'a> {
    /// An array on the host.
    Host(ErasedMut<'a>),
    /// An array on a device.
    Device(&'a mut dyn DeviceOutput),
}

impl<'a> Target<'a> {
    /// An array on the host.
    pub fn host<T: Element>(slice: &'a mut [T]) -> Self {
        let len = slice.len();
        Self::Host(ErasedMut {
            start: NonNull::from(slice).cast(),
            len,
            tag: TypeId::of::<T>(),
            life: PhantomData,
        })
    }

    /// Elements.
    pub(crate) fn count(&self) -> usize {
        match self {
            Self::Host(erased) => erased.len,
            Self::Device(data) => data.count(),
        }
    }

    /// The array, as the CPU back end writes it. Empty for device data, which the CPU never writes.
    pub(crate) fn slice<T: Element>(&mut self) -> &mut [T] {
        match self {
            Self::Host(erased) => {
                assert!(
                    erased.tag == TypeId::of::<T>(),
                    "a result was bound as another type than it was passed as"
                );
                // SAFETY: `host` is the only way in; the tag says that it was given a `&'a mut [T]` of this length,
                // and the exclusive borrow of `self` keeps it the only one alive.
                unsafe { std::slice::from_raw_parts_mut(erased.start.cast::<T>().as_ptr(), erased.len) }
            }
            Self::Device(_) => &mut [],
        }
    }
}
