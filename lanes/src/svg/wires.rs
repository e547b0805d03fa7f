//! Who reads whom.

use super::{Canvas, Layout};
use crate::picture::Picture;
use crate::plan::{Action, Step};

/// Draws what happens between two rows of boxes: a thin line where a lane goes on with its own value, an arrow from
/// every source, and a bus where an instruction takes all lanes at once.
pub(super) fn draw(canvas: &mut Canvas, layout: &Layout, picture: &Picture, step: usize) {
    let (from, to) = (layout.bottom(step), layout.top(step + 1));
    let actions = &picture.steps[step].1;
    if matches!(actions.first(), Some(Action::Collect { .. })) {
        bus(canvas, layout, picture, step);
        return;
    }
    for (lane, cell) in picture.after(step).filter(|(_, cell)| cell.matters) {
        let goes_on = matches!(actions[lane as usize], Action::Combine { .. } | Action::Keep);
        if goes_on && cell.word.is_some() {
            let x = layout.middle(lane);
            canvas.path("wf-own", &format!("M{x:.1} {from:.1}V{to:.1}"));
        }
    }
    for (lane, source) in picture.reads(step) {
        canvas.path("wf-read", &arrow(layout, step, lane, source));
    }
}

/// A line from the source's box to the reader's. It leaves and arrives upright, a little to the side the other
/// stands on, so that swapped values cross in the middle and do not lie on the lanes' own lines.
fn arrow(layout: &Layout, step: usize, lane: u32, source: u32) -> String {
    let (from, to) = (layout.bottom(step), layout.top(step + 1) - 1.0);
    let shift = layout.box_width() / 8.0 * (f64::from(source) - f64::from(lane)).signum();
    let (start, end) = if source == lane {
        (layout.middle(source), layout.middle(lane))
    } else {
        (layout.middle(source) - shift, layout.middle(lane) + shift)
    };
    let bend = (to - from) * 0.4;
    format!(
        "M{start:.1} {from:.1}C{start:.1} {:.1} {end:.1} {:.1} {end:.1} {to:.1}",
        from + bend,
        to - bend
    )
}

/// Every lane puts its value on a bar and every lane reads the bar.
fn bus(canvas: &mut Canvas, layout: &Layout, picture: &Picture, step: usize) {
    const HALF: f64 = 8.0;
    let (from, to) = (layout.bottom(step), layout.top(step + 1) - 1.0);
    let middle = f64::midpoint(from, to);
    let last = layout.lanes - 1;
    let width = layout.left(last) + layout.box_width() - layout.left(0);
    canvas.rect("wf-bus", [layout.left(0), middle - HALF, width, 2.0 * HALF]);
    let says = match picture.steps[step].0 {
        Step::Vote => "bit i is what lane i says",
        _ => "all lanes, in no order",
    };
    canvas.text(
        "wf-word",
        "middle",
        layout.left(0) + width / 2.0,
        middle + 3.5,
        says,
    );
    for lane in 0..layout.lanes {
        let x = layout.middle(lane);
        canvas.path("wf-own", &format!("M{x:.1} {from:.1}V{:.1}", middle - HALF));
        canvas.path("wf-read", &format!("M{x:.1} {:.1}V{to:.1}", middle + HALF));
    }
}
