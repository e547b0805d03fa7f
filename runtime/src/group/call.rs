//! Reductions and scans of arrays whose shards the ranks hold.

#![allow(
    clippy::needless_pass_by_value,
    reason = "a tuple of arguments is written where it is passed, as for `Reduce::rows`"
)]

use crate::argument::{Argument, Target};
use crate::call::array_length;
use crate::check::{self, Extent};
use crate::cpu::shard::{self, Stand};
use crate::element::Element;
use crate::error::Error;
use crate::generic::{Arguments, Reduce, Scan};
use crate::group::Group;
use crate::group::message::{self, Call, Message};
use crate::outcome::Outcome;
use crate::output::Output;
use crate::place::{Place, Site};
use crate::spec::{Fold, Form, Info, ParamKind};

type Arrays<S, P> = <<S as Fold>::Result as Outcome>::Arrays<P>;

impl Group {
    /// One value for the whole array, the same on every rank. Each passes its shard; shards may differ in length and be empty.
    ///
    /// `#[index]` and `#[len]` are those of the whole array. Waits for all ranks.
    ///
    /// # Errors
    /// Those of the spec's own `array`, [`Error::Unsupported`] for a spec with `apply`, a limit of columns, or parameters that
    /// are neither plain nor uniform, and those of a group: [`Error::GroupDiffers`], [`Error::GroupFailed`] and
    /// [`Error::GroupLost`].
    pub fn reduce<S: Reduce, P: Place>(&mut self, arguments: impl Arguments<P>) -> Result<S::Result, Error> {
        arguments.with(|arguments| {
            let (call, site, stand) = self.meet::<S>("reduce", arguments, None)?;
            let stream = match site {
                Site::Host => {
                    let state = shard::total::<S>(stand, arguments);
                    let messages = self.step(&call, &Message::state(&call, stand.n, state))?;
                    let elements = message::stand(&messages, self.rank).total;
                    let states = messages.iter().map(Message::read).collect();
                    return Ok(shard::result::<S>(states, elements, arguments));
                }
                Site::Device(stream) => stream,
            };
            let site = Site::Device(stream.clone());
            let arrays = S::Result::arrays::<P>(&site, 1, false);
            let mut arrays = arrays.map_err(|error| self.excuse(&call, error))?;
            S::Result::with_targets(&mut arrays, |targets| {
                self.reduce_on_device::<S>(&call, &stream, stand, arguments, targets)
            })?;
            S::Result::first::<P>(&arrays)
        })
    }

    /// This rank's part of the scan of the whole array: one result for each element of its shard.
    ///
    /// `#[index]` and `#[len]` are those of the whole array. Waits for what the shards before come to; on a GPU the scan itself
    /// is only enqueued then.
    ///
    /// # Errors
    /// As for [`reduce`](Self::reduce).
    pub fn scan<S: Scan, P: Place>(&mut self, arguments: impl Arguments<P>) -> Result<Arrays<S, P>, Error> {
        arguments.with(|arguments| {
            let (call, site, stand) = self.meet::<S>("scan", arguments, None)?;
            let arrays = S::Result::arrays::<P>(&site, stand.n as usize, false);
            let mut arrays = arrays.map_err(|error| self.excuse(&call, error))?;
            S::Result::with_targets(&mut arrays, |targets| {
                self.scan_at::<S>(&call, &site, stand, arguments, targets)
            })?;
            Ok(arrays)
        })
    }

    /// [`scan`](Self::scan) of a spec whose result is one value, into an array of the caller's where the shard is.
    ///
    /// # Errors
    /// As for [`reduce`](Self::reduce), and [`Error::TooShort`] where the array is shorter than the shard.
    pub fn scan_into<S: Scan<Result: Element>, P: Place>(
        &mut self,
        arguments: impl Arguments<P>,
        out: impl Output<S::Result, Place = P>,
    ) -> Result<(), Error> {
        arguments.with(|arguments| {
            let targets = &mut [out.target()];
            let (call, site, stand) = self.meet::<S>("scan", arguments, Some(targets))?;
            self.scan_at::<S>(&call, &site, stand, arguments, targets)
        })
    }

    fn scan_at<S: Scan>(
        &mut self,
        call: &Call,
        site: &Site,
        stand: Stand,
        arguments: &[Argument<'_>],
        targets: &mut [Target<'_>],
    ) -> Result<(), Error> {
        match site {
            Site::Host => self.scan_on_host::<S>(call, stand, arguments, targets),
            Site::Device(stream) => self.scan_on_device::<S>(call, stream, stand, arguments, targets),
        }
    }

    fn scan_on_host<S: Scan>(
        &mut self,
        call: &Call,
        stand: Stand,
        arguments: &[Argument<'_>],
        targets: &mut [Target<'_>],
    ) -> Result<(), Error> {
        let state = shard::total::<S>(stand, arguments);
        let messages = self.step(call, &Message::state(call, stand.n, state))?;
        let before = self.before(&S::INFO).into_iter().map(|rank| &messages[rank]);
        let states = before.filter(|message| message.len() > 0).map(Message::read);
        let carry = shard::carry::<S>(states);
        let stand = message::stand(&messages, self.rank);
        shard::scan_after::<S>(stand, carry, arguments, S::Result::slices(targets));
        Ok(())
    }

    /// The ranks whose shards a scan meets before this one's, in that order.
    pub(super) fn before(&self, info: &Info) -> Vec<usize> {
        if matches!(info.form, Form::Scan { reverse: true, .. }) {
            (self.rank + 1..self.size).rev().collect()
        } else {
            (0..self.rank).collect()
        }
    }

    /// Checks this rank's part of a call, and learns where its shard stands where the spec needs to know.
    fn meet<'a, S: Fold>(
        &mut self,
        form: &str,
        arguments: &'a [Argument<'_>],
        targets: Option<&mut [Target<'_>; 1]>,
    ) -> Result<(Call, Site<'a>, Stand), Error> {
        let info = &S::INFO;
        let site = check::site(info, arguments, None);
        let place = match site {
            Site::Host => "host",
            Site::Device(_) => "device",
        };
        let call = Call::of::<S>(form, place, self.turn);
        let checked = checked(info, &site, arguments).and_then(|n| {
            if let Some(targets) = targets {
                check::outputs(info, &site, targets, n as usize)?;
            }
            Ok(n)
        });
        let n = checked.map_err(|error| self.excuse(&call, error))?;
        if !knows_positions(info) {
            let (first, total) = (0, n);
            return Ok((call, site, Stand { n, first, total }));
        }
        let messages = self.step(&call, &Message::length(&call, n))?;
        let stand = message::stand(&messages, self.rank);
        // All ranks see the same total, and refuse it together.
        check::counts(info, extent(stand.total))?;
        let turn = self.turn;
        Ok((Call { turn, ..call }, site, stand))
    }
}

/// Whether the spec's functions, or an operator that makes more of an element than itself, may ask where an element stands.
fn knows_positions(info: &Info) -> bool {
    info.has(ParamKind::Index) || info.has(ParamKind::Len) || info.mapped.id != info.state.id
}

fn extent(elements: u64) -> Extent {
    Extent {
        plain: elements as usize,
        cols: elements as usize,
        rows: 1,
        exact: true,
    }
}

/// Everything about a rank's arguments that needs no other rank; gives the length of the shard.
fn checked(info: &'static Info, site: &Site, arguments: &[Argument<'_>]) -> Result<u64, Error> {
    check::types(info, arguments)?;
    let refused = |what: String, remedy| Error::Unsupported {
        spec: info.name,
        what,
        remedy,
    };
    if info.has_apply {
        return Err(refused(
            "a group has no `apply`".into(),
            "reduce over the group, then pass the result to another spec as a `#[uniform]`",
        ));
    }
    let odd = info.params.iter().find(|param| {
        matches!(
            param.kind,
            ParamKind::PerColumn | ParamKind::PerRow | ParamKind::Live | ParamKind::Row
        )
    });
    if let Some(param) = odd {
        return Err(refused(
            format!("`{}` belongs to rows, and a group has one array", param.name),
            "pass it as a plain parameter, shard by shard, or as a `#[uniform]`",
        ));
    }
    if let Some(limit) = info.max_columns {
        return Err(refused(
            format!("it takes {limit} elements, and a group shares out arrays of any length"),
            "run it on one rank",
        ));
    }
    let n = array_length(info, arguments)? as u64;
    check::inputs(info, site, arguments, extent(n))?;
    Ok(n)
}
