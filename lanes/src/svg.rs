//! A plan as a picture: lanes are columns, time runs down, arrows carry values.
//!
//! Every box is what one lane holds at one time. The bar at its foot is the group in small: the part that is filled
//! is what the lane has seen. Boxes the result depends on are blue, the result itself is filled, boxes
//! nobody needs are pale, and boxes nobody may use are dashed and grey. Colours follow the reader's light or
//! dark scheme, and all of them are classes, so that a page can restyle the picture.

mod boxes;
mod wires;

use crate::picture::Picture;
use crate::proof::Proved;
use crate::width::WARP;
use std::fmt::{Display, Write};

/// Draws the first group of a proved plan.
///
/// ```
/// use warpfold_lanes::{Landing, Mask, Order, Width, prove, reduce, svg};
///
/// let plan = prove(reduce(Width::new(8).unwrap(), Landing::All, Order::InOrder, Mask::FULL)).unwrap();
/// let picture = svg(&plan);
/// assert_eq!(picture, plan.svg());
/// assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
/// assert!(picture.contains("reduce to all lanes, in order"));
/// ```
pub fn svg(proved: &Proved) -> String {
    let plan = proved.plan();
    let picture = Picture::of(plan);
    let layout = Layout::of(plan.group_lanes(), &picture);
    let mut canvas = Canvas::default();
    let present = if plan.present < WARP {
        format!(" · {} lanes exist", plan.present)
    } else {
        String::new()
    };
    let title = format!(
        "{} · width {} · mask {}{present}",
        plan.goal, plan.width, plan.mask
    );
    canvas.text("wf-title", "start", MARGIN, 24.0, &title);
    if !plan.note.is_empty() {
        canvas.text("wf-note", "start", MARGIN, 44.0, plan.note);
    }
    for step in 0..picture.steps.len() {
        wires::draw(&mut canvas, &layout, &picture, step);
    }
    boxes::draw(&mut canvas, &layout, &picture);
    legend(&mut canvas, &layout);
    let said = (8.5 * number(title.chars().count())).max(6.2 * number(plan.note.chars().count()));
    let (width, height) = (layout.width().max(2.0 * MARGIN + said).ceil(), layout.height());
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"wf\" role=\"img\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\">\n<title>{title}</title>\n<desc>{plan}</desc>\n\
         <style>{STYLE}</style>\n{DEFS}{}</svg>\n",
        canvas.body
    )
}

impl Proved {
    /// The plan as a picture; what [`svg`] draws.
    pub fn svg(&self) -> String {
        svg(self)
    }
}

const MARGIN: f64 = 16.0;
/// Room for the names of the steps, left of the lanes.
const LABELS: f64 = 104.0;
const TOP: f64 = 72.0;
const BOX: f64 = 34.0;

const STYLE: &str = "
.wf{color:#1f2328;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace}
.wf text{fill:currentColor;font-size:11px}
.wf .wf-title{font-size:14px;font-weight:600}
.wf .wf-lane,.wf .wf-note{font-size:10px;opacity:.65}
.wf .wf-step{font-size:12px;font-weight:600}
.wf .wf-word{font-size:10px}
.wf rect{rx:5px}
.wf .wf-needed{fill:#2563eb;fill-opacity:.09;stroke:#2563eb;stroke-width:1.2}
.wf .wf-result{fill:#2563eb;stroke:#2563eb;stroke-width:1.2}
.wf text.wf-on-result{fill:#fff}
.wf .wf-spare{fill:none;stroke:#6b7280;stroke-opacity:.45}
.wf .wf-lost{fill:#6b7280;fill-opacity:.07;stroke:#6b7280;stroke-opacity:.55;stroke-dasharray:3 3}
.wf .wf-faint{opacity:.5}
.wf .wf-track{fill:#6b7280;fill-opacity:.22;rx:1.5px}
.wf .wf-seen{fill:#2563eb;rx:1.5px}
.wf .wf-seen-on-result{fill:#fff;rx:1.5px}
.wf .wf-own{fill:none;stroke:#6b7280;stroke-opacity:.5}
.wf .wf-read{fill:none;stroke:#2563eb;stroke-width:1.4;stroke-opacity:.8;marker-end:url(#wf-head)}
.wf .wf-bus{fill:#2563eb;fill-opacity:.12;stroke:#2563eb;stroke-opacity:.5}
.wf .wf-head{fill:#2563eb}
@media (prefers-color-scheme:dark){
.wf{color:#e6edf3}
.wf .wf-needed{fill:#60a5fa;fill-opacity:.14;stroke:#60a5fa}
.wf .wf-result{fill:#60a5fa;stroke:#60a5fa}
.wf text.wf-on-result{fill:#0d1117}
.wf .wf-seen,.wf .wf-head{fill:#60a5fa}
.wf .wf-seen-on-result{fill:#0d1117}
.wf .wf-read{stroke:#60a5fa}
.wf .wf-bus{fill:#60a5fa;fill-opacity:.2;stroke:#60a5fa}
.wf .wf-own,.wf .wf-spare,.wf .wf-lost{stroke:#9ca3af}
}
";

const DEFS: &str = "<defs><marker id=\"wf-head\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" \
                    markerHeight=\"7\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">\
                    <path class=\"wf-head\" d=\"M0 .8 8 4 0 7.2z\"/></marker></defs>\n";

/// Where things stand, in the picture's units.
struct Layout {
    lanes: u32,
    column: f64,
    /// The upper edge of each row of boxes; the first is the start.
    tops: Vec<f64>,
}

impl Layout {
    fn of(lanes: u32, picture: &Picture) -> Self {
        let column = match lanes {
            0..=4 => 92.0,
            5..=8 => 76.0,
            9..=16 => 58.0,
            _ => 48.0,
        };
        let mut tops = vec![TOP];
        let mut top = TOP;
        for step in 0..picture.steps.len() {
            // Long arrows need room to fall, or they would lie flat on the boxes.
            let spans = picture
                .reads(step)
                .into_iter()
                .map(|(lane, source)| lane.abs_diff(source));
            let span = spans.max().unwrap_or(4).min(20);
            top += BOX + 40.0 + f64::from(span) * column / 12.0;
            tops.push(top);
        }
        Self { lanes, column, tops }
    }

    fn width(&self) -> f64 {
        (MARGIN + LABELS + f64::from(self.lanes) * self.column + MARGIN).max(560.0)
    }

    fn height(&self) -> f64 {
        (self.bottom(self.tops.len() - 1) + 44.0).ceil()
    }

    /// The upper edge of a row of boxes; row 0 is the start.
    fn top(&self, row: usize) -> f64 {
        self.tops[row]
    }

    /// The lower edge of a row of boxes.
    fn bottom(&self, row: usize) -> f64 {
        self.top(row) + BOX
    }

    /// The left edge of a lane's boxes.
    fn left(&self, lane: u32) -> f64 {
        MARGIN + LABELS + f64::from(lane) * self.column + 3.0
    }

    fn box_width(&self) -> f64 {
        self.column - 6.0
    }

    fn middle(&self, lane: u32) -> f64 {
        self.left(lane) + self.box_width() / 2.0
    }
}

/// The picture as it grows.
#[derive(Default)]
struct Canvas {
    body: String,
}

impl Canvas {
    fn element(&mut self, element: std::fmt::Arguments<'_>) {
        self.body
            .write_fmt(element)
            .expect("a string takes what is written");
        self.body.push('\n');
    }

    fn text(&mut self, class: &str, anchor: &str, x: f64, y: f64, text: impl Display) {
        self.element(format_args!(
            "<text class=\"{class}\" text-anchor=\"{anchor}\" x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>"
        ));
    }

    fn rect(&mut self, class: &str, [x, y, width, height]: [f64; 4]) {
        self.element(format_args!(
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>"
        ));
    }

    fn path(&mut self, class: &str, path: &str) {
        self.element(format_args!("<path class=\"{class}\" d=\"{path}\"/>"));
    }
}

fn legend(canvas: &mut Canvas, layout: &Layout) {
    let y = layout.height() - 22.0;
    let mut x = MARGIN;
    for (class, meaning) in [
        ("wf-result", "the result"),
        ("wf-needed", "needed for it"),
        ("wf-spare", "nobody needs it"),
        ("wf-lost", "nobody may use it"),
    ] {
        canvas.rect(class, [x, y - 9.0, 18.0, 12.0]);
        canvas.text("wf-note", "start", x + 24.0, y, meaning);
        x += 24.0 + 6.2 * number(meaning.len()) + 18.0;
    }
}

/// Counts of letters and lanes, which are small.
fn number(count: usize) -> f64 {
    f64::from(count as u32)
}
