//! Reductions and scans of arrays whose shards the ranks hold.

#![allow(
    clippy::needless_pass_by_value,
    reason = "a tuple of arguments is written where it is passed, as for `Reduce::rows`"
)]

use crate::argument::{Argument, Target};
use crate::call::array_length;
use crate::check::{self, Extent};
use crate::cpu::shard::{self, Stand};
use crate::error::Error;
use crate::generic::{Arguments, Reduce, Scan};
use crate::group::Group;
use crate::group::message::{Call, Message};
use crate::outcome::Outcome;
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
            let (call, site, stand) = self.meet::<S>("reduce", arguments)?;
            match site {
                Site::Host => {
                    let state = shard::total::<S>(stand, arguments);
                    let messages = self.tell::<S>(&call, stand, state)?;
                    let states = messages.iter().map(Message::read).collect();
                    Ok(shard::result::<S>(states, stand.total, arguments))
                }
                Site::Device(_) => Err(self.excuse(&call, on_device(&S::INFO))),
            }
        })
    }

    /// This rank's part of the scan of the whole array: one result for each element of its shard.
    ///
    /// `#[index]` and `#[len]` are those of the whole array. Waits for all ranks.
    ///
    /// # Errors
    /// As for [`reduce`](Self::reduce).
    pub fn scan<S: Scan, P: Place>(&mut self, arguments: impl Arguments<P>) -> Result<Arrays<S, P>, Error> {
        arguments.with(|arguments| {
            let (call, site, stand) = self.meet::<S>("scan", arguments)?;
            let arrays = S::Result::arrays::<P>(&site, stand.n as usize, false);
            let mut arrays = arrays.map_err(|error| self.excuse(&call, error))?;
            S::Result::with_targets(&mut arrays, |targets| {
                self.scan_at::<S>(&call, &site, stand, arguments, targets)
            })?;
            Ok(arrays)
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
        let Site::Host = site else {
            return Err(self.excuse(call, on_device(&S::INFO)));
        };
        let state = shard::total::<S>(stand, arguments);
        let messages = self.tell::<S>(call, stand, state)?;
        let before = self.before(&S::INFO);
        let states = before
            .map(|rank| &messages[rank])
            .filter(|message| message.len() > 0);
        let carry = shard::carry::<S>(states.map(Message::read));
        shard::scan_after::<S>(stand, carry, arguments, S::Result::slices(targets));
        Ok(())
    }

    /// The ranks whose shards a scan meets before this one's, in that order.
    fn before(&self, info: &Info) -> Box<dyn Iterator<Item = usize>> {
        if matches!(info.form, Form::Scan { reverse: true, .. }) {
            Box::new((self.rank + 1..self.size).rev())
        } else {
            Box::new(0..self.rank)
        }
    }

    /// Checks this rank's part of a call and learns where its shard stands.
    fn meet<S: Fold>(
        &mut self,
        form: &str,
        arguments: &[Argument<'_>],
    ) -> Result<(Call, Site, Stand), Error> {
        let info = &S::INFO;
        let site = check::site(info, arguments, None);
        let place = match site {
            Site::Host => "host",
            Site::Device(_) => "device",
        };
        let call = Call::of::<S>(form, place, self.turn);
        let checked = checked(info, &site, arguments);
        let n = checked.map_err(|error| self.excuse(&call, error))?;
        let messages = self.step(&call, &Message::length(&call, n))?;
        let lengths = || messages.iter().map(Message::len);
        let stand = Stand {
            n,
            first: lengths().take(self.rank).sum(),
            total: lengths().sum(),
        };
        // All ranks see the same total, and refuse it together.
        check::counts(info, extent(stand.total))?;
        let call = Call {
            turn: self.turn,
            ..call
        };
        Ok((call, site, stand))
    }

    /// Gives this rank's state to all and gets theirs.
    fn tell<S: Fold>(&mut self, call: &Call, stand: Stand, state: S::State) -> Result<Vec<Message>, Error> {
        self.step(call, &Message::state(call, stand.n, state))
    }
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

fn on_device(info: &Info) -> Error {
    Error::Unsupported {
        spec: info.name,
        what: "shards on a GPU are not taken".into(),
        remedy: "copy the shard to the host",
    }
}
