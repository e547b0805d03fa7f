//! Everything that is checked before a call runs: on an error nothing has been written.

use std::borrow::Cow;
use std::sync::Arc;

use cudarc::driver::CudaStream;

use crate::argument::{Argument, Target};
use crate::error::Error;
use crate::place::Site;
use crate::spec::{Info, Param, ParamKind};

/// What a call's arrays must be long enough for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    /// Elements a plain parameter needs.
    pub plain: usize,
    /// Elements of a row (of a segment: the longest), which are also the values of a `#[per_column]` parameter.
    pub cols: usize,
    /// Rows.
    pub rows: usize,
    /// Whether plain parameters must have exactly that many: the length of an array is its first input's.
    pub exact: bool,
}

/// The parameters that are passed.
fn passed(info: &Info) -> impl Iterator<Item = &'static Param> + use<> {
    info.params.iter().filter(|param| param.kind.is_passed())
}

/// Where the call runs: where its first array is.
pub(crate) fn site<'a>(info: &Info, arguments: &'a [Argument<'_>], first: Option<&Target<'_>>) -> Site<'a> {
    for (param, argument) in passed(info).zip(arguments) {
        match argument {
            Argument::Host(_) => return Site::Host,
            Argument::Device(data) => return Site::Device(Cow::Borrowed(data.owner())),
            Argument::InPlace if param.kind == ParamKind::Plain => break,
            Argument::Value(_) | Argument::InPlace => {}
        }
    }
    match first {
        Some(Target::Device(data)) => Site::Device(Cow::Owned(Arc::clone(data.owner()))),
        _ => Site::Host,
    }
}

/// There is one argument for each parameter that is passed, of its type.
///
/// The functions of a spec see to that while the program compiles; generic code learns it here.
pub(crate) fn types(info: &Info, arguments: &[Argument<'_>]) -> Result<(), Error> {
    let (spec, wanted) = (info.name, passed(info).count());
    if wanted != arguments.len() {
        return Err(Error::ArgumentCount {
            spec,
            given: arguments.len(),
            wanted,
        });
    }
    for (number, (param, argument)) in (1..).zip(passed(info).zip(arguments)) {
        let uniform = matches!(argument, Argument::Value(_));
        let kind = |uniform: bool| if uniform { "a uniform value" } else { "an array" };
        let refused = |given: String, wanted: String| Error::Argument {
            spec,
            number,
            param: param.name,
            given,
            wanted,
        };
        if uniform != (param.kind == ParamKind::Uniform) {
            return Err(refused(kind(uniform).into(), kind(!uniform).into()));
        }
        if argument.element().is_some_and(|id| id != param.ty.id) {
            return Err(refused(
                format!("{} of another type", kind(uniform)),
                format!("{} of {}", kind(uniform), param.ty.name),
            ));
        }
    }
    Ok(())
}

/// Every argument lies at the site and is long enough; every count fits its parameter.
pub(crate) fn inputs(
    info: &Info,
    site: &Site,
    arguments: &[Argument<'_>],
    extent: Extent,
) -> Result<(), Error> {
    for (param, argument) in passed(info).zip(arguments) {
        let (there, given) = match argument {
            Argument::Value(_) | Argument::InPlace => continue,
            Argument::Host(_) => (matches!(site, Site::Host), argument.count()),
            Argument::Device(data) => (is_at(site, data.owner()), data.count()),
        };
        let needed = match param.kind {
            ParamKind::PerColumn => extent.cols,
            ParamKind::PerRow | ParamKind::Live => extent.rows,
            _ => extent.plain,
        };
        let exact = param.kind == ParamKind::Plain && extent.exact;
        if !there || given < needed || (exact && given != needed) {
            let what = format!("`{}`", param.name);
            return Err(refused(info, what, there, exact, [needed, given]));
        }
    }
    counts(info, extent)
}

/// What is wrong with an array that lies elsewhere or has not the length that it needs.
#[cold]
fn refused(info: &Info, what: String, there: bool, exact: bool, [needed, given]: [usize; 2]) -> Error {
    let (spec, needed, given) = (info.name, needed as u64, given as u64);
    if !there {
        return Error::OtherPlace { spec, what };
    }
    if exact {
        return Error::Length {
            spec,
            what,
            needed,
            given,
        };
    }
    Error::TooShort {
        spec,
        what,
        needed,
        given,
    }
}

/// Every target lies at the site and is long enough.
pub(crate) fn outputs(info: &Info, site: &Site, targets: &[Target<'_>], needed: usize) -> Result<(), Error> {
    for (number, target) in targets.iter().enumerate() {
        let what = || {
            if targets.len() == 1 {
                "the output".into()
            } else {
                format!("output {}", number + 1)
            }
        };
        output(info, site, target, what, needed)?;
    }
    Ok(())
}

/// The target that a filter writes this beside what it keeps, under the name that it has in the call, is the same.
pub(crate) fn beside(
    info: &Info,
    site: &Site,
    target: &Target<'_>,
    name: &str,
    needed: usize,
) -> Result<(), Error> {
    output(info, site, target, || format!("`{name}`"), needed)
}

fn output(
    info: &Info,
    site: &Site,
    target: &Target<'_>,
    what: impl Fn() -> String,
    needed: usize,
) -> Result<(), Error> {
    let (there, given) = match target {
        Target::Host(_) => (matches!(site, Site::Host), target.count()),
        Target::Device(data) => (is_at(site, data.owner()), data.count()),
    };
    if !there || given < needed {
        return Err(refused(info, what(), there, false, [needed, given]));
    }
    Ok(())
}

/// Data of another stream is ordered by events; data of another context cannot be used.
fn is_at(site: &Site<'_>, owner: &Arc<CudaStream>) -> bool {
    match site {
        Site::Host => false,
        Site::Device(stream) => Arc::ptr_eq(stream, owner) || stream.context() == owner.context(),
    }
}

/// `#[index]`, `#[row]` and `#[len]` parameters of type u32 can hold what they will be given.
pub(crate) fn counts(info: &Info, extent: Extent) -> Result<(), Error> {
    // Most calls are of less than anything counts.
    let large = extent.cols.max(extent.rows) > u32::MAX as usize;
    for param in info.params.iter().filter(|_| large) {
        let value = match param.kind {
            ParamKind::Index => extent.cols.saturating_sub(1),
            ParamKind::Row => extent.rows.saturating_sub(1),
            ParamKind::Len => extent.cols,
            _ => continue,
        } as u64;
        if param.ty.size < size_of::<u64>() && value > u64::from(u32::MAX) {
            return Err(Error::CountTooLarge {
                spec: info.name,
                param: param.name,
                value,
            });
        }
    }
    match info.max_columns {
        Some(limit) if extent.cols as u64 > limit => Err(Error::TooManyColumns {
            spec: info.name,
            limit,
            cols: extent.cols as u64,
        }),
        _ => Ok(()),
    }
}
