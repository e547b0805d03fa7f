//! What each lane holds.

use super::{BOX, Canvas, LABELS, Layout, MARGIN, TOP, number};
use crate::picture::{Cell, Picture};
use crate::word::Word;

/// Draws every row of boxes, with the lanes above and the steps to the left.
pub(super) fn draw(canvas: &mut Canvas, layout: &Layout, picture: &Picture) {
    let names = MARGIN + LABELS - 14.0;
    for lane in 0..layout.lanes {
        canvas.text("wf-lane", "middle", layout.middle(lane), TOP - 8.0, lane);
    }
    canvas.text("wf-lane", "end", names, TOP - 8.0, "lane");
    canvas.text("wf-step", "end", names, layout.top(0) + BOX / 2.0 + 4.0, "start");
    for (index, (step, _)) in picture.steps.iter().enumerate() {
        let middle = f64::midpoint(layout.bottom(index), layout.top(index + 1));
        canvas.text("wf-step", "end", names, middle, step);
        canvas.text(
            "wf-note",
            "end",
            names,
            middle + 14.0,
            format_args!("step {}", index + 1),
        );
    }
    for (row, cells) in picture.rows.iter().enumerate() {
        let last = row == picture.steps.len();
        for (lane, cell) in (0..).zip(cells) {
            draw_cell(canvas, layout, row, lane, cell, last);
        }
    }
}

fn draw_cell(canvas: &mut Canvas, layout: &Layout, row: usize, lane: u32, cell: &Cell, last: bool) {
    let (x, y, width) = (layout.left(lane), layout.top(row), layout.box_width());
    let whole = [x, y, width, BOX];
    let Some(word) = &cell.word else {
        canvas.rect("wf-lost", whole);
        return;
    };
    let result = last && cell.matters;
    let class = match (cell.matters, last) {
        (true, true) => "wf-result",
        (true, false) => "wf-needed",
        (false, _) => "wf-spare",
    };
    canvas.rect(class, whole);
    let (text, seen) = match (result, cell.matters) {
        (true, _) => ("wf-word wf-on-result", "wf-seen-on-result"),
        (_, true) => ("wf-word", "wf-seen"),
        _ => ("wf-word wf-faint", "wf-seen wf-faint"),
    };
    canvas.text(text, "middle", layout.middle(lane), y + 16.0, fitted(word, width));
    let foot = [x + 5.0, y + BOX - 10.0, width - 10.0, 4.0];
    canvas.rect("wf-track", foot);
    let letter = foot[2] / f64::from(layout.lanes);
    let seen_lanes = word.sorted();
    for run in seen_lanes.letters().chunk_by(|&a, &b| a + 1 == b) {
        let start = foot[0] + letter * f64::from(run[0]);
        canvas.rect(seen, [start, foot[1], letter * number(run.len()), foot[3]]);
    }
}

/// The word, as much of it as fits: its ends, and the bar at the foot of the box shows the rest.
fn fitted(word: &Word, width: f64) -> String {
    const CHARACTER: f64 = 6.1;
    let fits = |text: &String| number(text.chars().count()) * CHARACTER <= width - 4.0;
    let short = match word.letters() {
        [] => "id".to_string(),
        [first, .., last] => format!("{first}…{last}"),
        [only] => only.to_string(),
    };
    Some(word.to_string()).filter(fits).unwrap_or(short)
}
