//! Lane exchanges over rows, group by group.

use warpfold_lanes::{Proved, Width, run};

use crate::about::shuffle as shuffle_of;
use crate::argument::Argument;
use crate::cpu::plans::exchange;
use crate::cpu::share::{Lines, share};
use crate::outcome::Outcome;
use crate::rows::Shape;
use crate::spec::{At, Form, ShuffleRows};

/// Each lane of a group takes the value of the lane that `from` names; one without such a lane keeps its own.
pub(crate) fn shuffle<S: ShuffleRows>(
    shape: &Shape,
    arguments: &[Argument<'_>],
    out: <S::Result as Outcome>::Slices<'_>,
) {
    let bound = S::bind(arguments);
    let width = S::INFO.width.unwrap_or(32) as usize;
    let (cols, short) = (shape.cols, shape.cols % width);
    let (whole, last) = (
        plan::<S>(width as u32),
        (short > 0).then(|| plan::<S>(short as u32)),
    );
    let facts = Lines {
        cost: &|row| row.saturating_mul(cols + 16),
        out: &|row| row * shape.out_stride,
    };
    share::<S::Result>(0..shape.rows, facts, out, &|rows, mut out| {
        for row in rows.clone() {
            for first in (0..cols).step_by(width) {
                let live = width.min(cols - first);
                let at = |lane: usize| {
                    // Lanes past the row's end exist, but nobody reads them: any value will do.
                    let c = first + lane.min(live - 1);
                    At {
                        element: row * shape.stride + c,
                        row: row as u64,
                        index: c as u64,
                        len: cols as u64,
                    }
                };
                let mut values: [S::Result; 32] =
                    std::array::from_fn(|lane| S::map(&bound, at(lane.min(width - 1))));
                let plan = if live == width {
                    whole
                } else {
                    last.unwrap_or(whole)
                };
                let own = values[0];
                run(plan, &mut values[..width], own, |_, received| received);
                for (lane, value) in values.iter().enumerate().take(live) {
                    value.put(&mut out, (row - rows.start) * shape.out_stride + first + lane);
                }
            }
        }
    });
}

/// The proved exchange of a group of which `live` lanes have an element.
fn plan<S: ShuffleRows>(live: u32) -> &'static Proved {
    let Form::Shuffle(from) = S::INFO.form else {
        unreachable!("only shuffles are shuffled")
    };
    let width = S::INFO.width.and_then(Width::new).unwrap_or(Width::WARP);
    exchange(shuffle_of(from), width, live)
}
