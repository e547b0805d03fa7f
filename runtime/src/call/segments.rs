//! Reductions, scans and filters over segments: runs of elements between offsets, as in CSR.

use std::any::TypeId;
use std::fmt::Display;
use std::sync::Arc;

use cudarc::driver::CudaStream;

use crate::argument::{Argument, Target};
use crate::check::{self, Extent};
use crate::cpu::{self, Layout};
use crate::error::Error;
use crate::gpu;
use crate::memory;
use crate::offsets::Offset;
use crate::outcome::Outcome;
use crate::place::{Cuda, Place, Site};
use crate::spec::{Facts, FilterRows, Fold, FoldRows, Info, ParamKind, ScanRows, Spec};

type Arrays<S, P> = <<S as Fold>::Result as Outcome>::Arrays<P>;

/// Adds the offsets to `known`, up to the first that is none: gives that.
fn positions<O: Copy + Display + TryInto<usize>>(offsets: &[O], known: &mut Vec<usize>) -> Option<String> {
    for &offset in offsets {
        match offset.try_into() {
            Ok(position) => known.push(position),
            Err(_) => return Some(offset.to_string()),
        }
    }
    None
}

/// Offsets on the host, checked: they never fall and end within the elements.
fn host_offsets(info: &Info, offsets: &Argument<'_>, elements: usize) -> Result<Vec<usize>, Error> {
    let wrong = |what: String| Error::Offsets {
        spec: info.name,
        what,
    };
    let mut known = memory::room(offsets.count())?;
    let negative = match offsets.element() {
        Some(id) if id == TypeId::of::<u32>() => positions(offsets.slice::<u32>(), &mut known),
        Some(id) if id == TypeId::of::<u64>() => positions(offsets.slice::<u64>(), &mut known),
        Some(id) if id == TypeId::of::<i32>() => positions(offsets.slice::<i32>(), &mut known),
        Some(id) if id == TypeId::of::<i64>() => positions(offsets.slice::<i64>(), &mut known),
        _ => return Err(wrong("are neither u32, u64, i32 nor i64".into())),
    };
    if let Some(negative) = negative {
        return Err(wrong(format!("have {negative} at {}", known.len())));
    }
    if let Some(at) = known.windows(2).position(|pair| pair[0] > pair[1]) {
        return Err(wrong(format!(
            "fall from {} to {} at {}",
            known[at],
            known[at + 1],
            at + 1
        )));
    }
    match known.last() {
        Some(&last) if last > elements => {
            Err(wrong(format!("end at {last} and there are {elements} elements")))
        }
        _ => Ok(known),
    }
}

/// A checked call over segments on the host.
struct Call {
    offsets: Vec<usize>,
    elements: usize,
}

impl Call {
    fn segments(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }
}

/// Checks a call and says where it runs; on the host also its offsets.
fn checked<'a>(
    info: &'static Info,
    offsets: &Argument<'_>,
    arguments: &'a [Argument<'_>],
    target: Option<&Target<'_>>,
) -> Result<(Site<'a>, Call), Error> {
    let elements = super::arrays::length(info, arguments, target)?;
    let site = check::site(info, arguments, target);
    if matches!(offsets, Argument::Device(_)) {
        return Err(Error::OtherPlace {
            spec: info.name,
            what: "`offsets`".into(),
        });
    }
    let offsets = host_offsets(info, offsets, elements)?;
    let longest = offsets
        .windows(2)
        .map(|pair| pair[1] - pair[0])
        .max()
        .unwrap_or(0);
    let call = Call { offsets, elements };
    let extent = Extent {
        plain: elements,
        cols: longest,
        rows: call.segments(),
        exact: true,
    };
    check::inputs(info, &site, arguments, extent)?;
    Ok((site, call))
}

/// Checks offsets by themselves, wherever they live, and waits for the answer.
pub fn check_offsets<S: Spec>(offsets: &Argument<'_>, elements: usize) -> Result<(), Error> {
    if let Argument::Device(device) = offsets {
        let segments = gpu::Segments::new(&S::INFO, *device, elements)?;
        return gpu::segments_longest(Facts::of::<S>(), device.owner(), &segments).map(drop);
    }
    host_offsets(&S::INFO, offsets, elements).map(drop)
}

/// Checks a call over segments on a device.
///
/// To look at the offsets it has to wait for the device, so `_into` calls, which only enqueue, look at them only where the
/// longest segment decides what else the call needs; whatever they are, the kernels keep inside the arrays.
fn checked_on_device<'a, S: Spec>(
    site: &Site,
    stream: &Arc<CudaStream>,
    offsets: &'a Argument<'_>,
    arguments: &[Argument<'_>],
    elements: usize,
    waits: bool,
) -> Result<gpu::Segments<'a>, Error> {
    let info = &S::INFO;
    let offsets = match offsets {
        Argument::Device(offsets) if offsets.owner().context() == stream.context() => *offsets,
        _ => {
            return Err(Error::OtherPlace {
                spec: info.name,
                what: "`offsets`".into(),
            });
        }
    };
    let segments = gpu::Segments::new(info, offsets, elements)?;
    let extent = |cols| Extent {
        plain: elements,
        cols,
        rows: segments.count(),
        exact: true,
    };
    // What does not depend on the lengths first: the data may be of another context.
    check::inputs(info, site, arguments, extent(0))?;
    let asks = info.has(ParamKind::PerColumn) || check::counts(info, extent(elements)).is_err();
    if !waits && !asks {
        return Ok(segments);
    }
    let longest = gpu::segments_longest(Facts::of::<S>(), stream, &segments)?;
    check::inputs(info, site, arguments, extent(longest))?;
    Ok(segments)
}

/// One result a segment; with `apply` one an element.
pub fn segments_reduce<S: FoldRows, P: Place>(
    offsets: &Argument<'_>,
    arguments: &[Argument<'_>],
) -> Result<Arrays<S, P>, Error> {
    let site = check::site(&S::INFO, arguments, None);
    if let Site::Device(stream) = &site {
        let elements = super::arrays::length(&S::INFO, arguments, None)?;
        let segments = checked_on_device::<S>(&site, stream, offsets, arguments, elements, true)?;
        let (each, one) = (S::INFO.has_apply, segments.count());
        let mut arrays = S::Result::arrays::<P>(&site, if each { elements } else { one }, each)?;
        S::Result::with_targets(&mut arrays, |targets| {
            gpu::segments(Facts::of::<S>(), stream, &segments, arguments, targets)
        })?;
        return Ok(arrays);
    }
    let (site, call) = checked(&S::INFO, offsets, arguments, None)?;
    let results = if const { S::INFO.has_apply } {
        call.elements
    } else {
        call.segments()
    };
    let mut arrays = S::Result::arrays::<P>(&site, results, true)?;
    S::Result::with_targets(&mut arrays, |targets| reduce::<S>(&call, arguments, targets));
    Ok(arrays)
}

/// [`segments_reduce`] into arrays of the caller's.
pub fn segments_reduce_into<S: FoldRows>(
    offsets: &Argument<'_>,
    arguments: &[Argument<'_>],
    targets: &mut [Target<'_>],
) -> Result<(), Error> {
    let site = check::site(&S::INFO, arguments, targets.first());
    if let Site::Device(stream) = &site {
        let elements = super::arrays::length(&S::INFO, arguments, targets.first())?;
        let segments = checked_on_device::<S>(&site, stream, offsets, arguments, elements, false)?;
        let results = if const { S::INFO.has_apply } {
            elements
        } else {
            segments.count()
        };
        check::outputs(&S::INFO, &site, targets, results)?;
        return gpu::segments(Facts::of::<S>(), stream, &segments, arguments, targets);
    }
    let (site, call) = checked(&S::INFO, offsets, arguments, targets.first())?;
    let results = if const { S::INFO.has_apply } {
        call.elements
    } else {
        call.segments()
    };
    check::outputs(&S::INFO, &site, targets, results)?;
    reduce::<S>(&call, arguments, targets);
    Ok(())
}

fn reduce<S: FoldRows>(call: &Call, arguments: &[Argument<'_>], targets: &mut [Target<'_>]) {
    let (layout, out) = (Layout::Segments(&call.offsets), S::Result::slices(targets));
    if const { S::INFO.has_apply } {
        cpu::apply::<S>(layout, arguments, out);
    } else {
        cpu::reduce::<S>(layout, arguments, out);
    }
}

/// One result an element: the state up to there in its segment. Elements in no segment get zero.
pub fn segments_scan<S: ScanRows, P: Place>(
    offsets: &Argument<'_>,
    arguments: &[Argument<'_>],
) -> Result<Arrays<S, P>, Error> {
    let site = check::site(&S::INFO, arguments, None);
    if let Site::Device(stream) = &site {
        let elements = super::arrays::length(&S::INFO, arguments, None)?;
        let segments = checked_on_device::<S>(&site, stream, offsets, arguments, elements, true)?;
        let mut arrays = S::Result::arrays::<P>(&site, elements, true)?;
        S::Result::with_targets(&mut arrays, |targets| {
            gpu::segments(Facts::of::<S>(), stream, &segments, arguments, targets)
        })?;
        return Ok(arrays);
    }
    let (site, call) = checked(&S::INFO, offsets, arguments, None)?;
    let mut arrays = S::Result::arrays::<P>(&site, call.elements, true)?;
    S::Result::with_targets(&mut arrays, |targets| {
        cpu::scan_rows::<S>(
            Layout::Segments(&call.offsets),
            arguments,
            S::Result::slices(targets),
        );
    });
    Ok(arrays)
}

/// [`segments_scan`] into arrays of the caller's; elements in no segment are left as they are.
pub fn segments_scan_into<S: ScanRows>(
    offsets: &Argument<'_>,
    arguments: &[Argument<'_>],
    targets: &mut [Target<'_>],
) -> Result<(), Error> {
    let site = check::site(&S::INFO, arguments, targets.first());
    if let Site::Device(stream) = &site {
        let elements = super::arrays::length(&S::INFO, arguments, targets.first())?;
        let segments = checked_on_device::<S>(&site, stream, offsets, arguments, elements, false)?;
        check::outputs(&S::INFO, &site, targets, elements)?;
        return gpu::segments(Facts::of::<S>(), stream, &segments, arguments, targets);
    }
    let (site, call) = checked(&S::INFO, offsets, arguments, targets.first())?;
    check::outputs(&S::INFO, &site, targets, call.elements)?;
    cpu::scan_rows::<S>(
        Layout::Segments(&call.offsets),
        arguments,
        S::Result::slices(targets),
    );
    Ok(())
}

/// What segments keep, one behind the other, and the offsets of what each keeps, as many as were given.
#[allow(
    clippy::type_complexity,
    reason = "the arrays of the results and one more, as the call's documentation says"
)]
pub fn segments_filter<S: FilterRows, P: Place, O: Offset>(
    offsets: &Argument<'_>,
    arguments: &[Argument<'_>],
) -> Result<(<S::Result as Outcome>::Arrays<P>, P::Array<O>), Error> {
    let elements = super::arrays::length(&S::INFO, arguments, None)?;
    let site = check::site(&S::INFO, arguments, None);
    let mut starts = P::array::<O>(&site, offsets.count(), false)?;
    let (arrays, kept) = if let Site::Device(stream) = &site {
        let segments = checked_on_device::<S>(&site, stream, offsets, arguments, elements, true)?;
        let mut arrays = S::Result::arrays::<P>(&site, elements, false)?;
        let mut target = P::target(&mut starts);
        let count = S::Result::with_targets(&mut arrays, |targets| {
            gpu::segments_filter(
                Facts::of::<S>(),
                stream,
                &segments,
                arguments,
                targets,
                &mut target,
            )
        })?;
        (arrays, Cuda::first(&count)? as usize)
    } else {
        let (_, call) = checked(&S::INFO, offsets, arguments, None)?;
        let mut arrays = S::Result::arrays::<P>(&site, elements, false)?;
        let mut target = P::target(&mut starts);
        let kept = S::Result::with_targets(&mut arrays, |targets| {
            filter::<S, O>(&call, arguments, targets, &mut target)
        })?;
        (arrays, kept)
    };
    Ok((S::Result::truncated::<P>(arrays, kept)?, starts))
}

/// [`segments_filter`] into arrays of the caller's, with room for every element.
pub fn segments_filter_into<S: FilterRows, O: Offset>(
    offsets: &Argument<'_>,
    arguments: &[Argument<'_>],
    targets: &mut [Target<'_>],
    mut starts: Target<'_>,
) -> Result<(), Error> {
    let site = check::site(&S::INFO, arguments, targets.first());
    let elements = super::arrays::length(&S::INFO, arguments, targets.first())?;
    let check = |targets: &[Target<'_>], starts: &Target<'_>| {
        check::outputs(&S::INFO, &site, targets, elements)?;
        check::beside(&S::INFO, &site, starts, "kept_offsets", offsets.count())
    };
    if let Site::Device(stream) = &site {
        let segments = checked_on_device::<S>(&site, stream, offsets, arguments, elements, false)?;
        check(targets, &starts)?;
        return gpu::segments_filter(
            Facts::of::<S>(),
            stream,
            &segments,
            arguments,
            targets,
            &mut starts,
        )
        .map(drop);
    }
    let (_, call) = checked(&S::INFO, offsets, arguments, targets.first())?;
    check(targets, &starts)?;
    filter::<S, O>(&call, arguments, targets, &mut starts).map(drop)
}

fn filter<S: FilterRows, O: Offset>(
    call: &Call,
    arguments: &[Argument<'_>],
    targets: &mut [Target<'_>],
    starts: &mut Target<'_>,
) -> Result<usize, Error> {
    let mut found = memory::filled(0, call.offsets.len())?;
    let kept = cpu::segments_filter::<S>(&call.offsets, arguments, S::Result::slices(targets), &mut found);
    for (start, found) in starts.slice::<O>().iter_mut().zip(found) {
        *start = O::of(found);
    }
    Ok(kept)
}
