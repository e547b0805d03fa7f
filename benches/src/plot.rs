//! A report as an SVG: for each work a small chart of time over the limit, by shape, the limit drawn at 1.
//!
//! Logarithmic on both axes of meaning: shapes in the order of the cells, ratios from the limit up to sixteen times
//! it; a peer beyond that stands at the edge. Ours is the thick line. A peer has one colour in all charts, so that one
//! legend above them serves all, where no line can run under it.

use std::collections::BTreeSet;
use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;

use crate::report::{CellResult, OURS, Report};
use crate::table;

/// Charts side by side.
const ACROSS: usize = 3;
/// One chart's size in pixels. A page shows three of them at half of that, so that words are drawn large.
const SIZE: (u32, u32) = (560, 340);
/// Shapes up to which each is named below its chart; of more, every other one, since there is no room for all.
const NAMED: usize = 10;
/// The legend's height in pixels, and what one name of it takes of its width.
const LEGEND: (i32, i32) = (40, 210);
/// The ratio at the upper edge.
const MOST: f64 = 16.0;
/// The ratio at the lower edge: ratios below 1 mean that the measured ceiling was beaten.
const LEAST: f64 = 0.8;

const RED: RGBColor = RGBColor(200, 30, 30);
const PALETTE: [RGBColor; 7] = [
    RGBColor(31, 119, 180),
    RGBColor(44, 160, 44),
    RGBColor(148, 103, 189),
    RGBColor(255, 127, 14),
    RGBColor(140, 86, 75),
    RGBColor(23, 150, 170),
    RGBColor(110, 110, 110),
];

/// Writes the plot of a report.
///
/// # Errors
/// When the file cannot be written.
pub fn write(report: &Report, path: &Path) -> Result<(), String> {
    let text = svg(report).map_err(|error| format!("{}: {error}", path.display()))?;
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// The plot's text.
///
/// # Errors
/// When the drawing fails.
pub fn svg(report: &Report) -> Result<String, String> {
    let groups = table::groups(report);
    let series = series(report);
    let down = groups.len().div_ceil(ACROSS).max(1);
    let size = (
        SIZE.0 * ACROSS as u32,
        SIZE.1 * down as u32 + 40 + LEGEND.0.unsigned_abs(),
    );
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
        root.fill(&WHITE).map_err(|error| error.to_string())?;
        let title = format!(
            "{}: time over the limit ({}, {})",
            report.family.name(),
            report.card,
            report.date
        );
        let body = root
            .titled(&title, ("sans-serif", 26))
            .map_err(|error| error.to_string())?;
        let (head, body) = body.split_vertically(LEGEND.0);
        legend(&head, &series).map_err(|error| error.to_string())?;
        for (area, (title, cells)) in body.split_evenly((down, ACROSS)).iter().zip(&groups) {
            chart(area, title, cells, &series).map_err(|error| error.to_string())?;
        }
        root.present().map_err(|error| error.to_string())?;
    }
    Ok(text)
}

/// A line of the charts.
struct Series<'a> {
    name: &'a str,
    style: ShapeStyle,
}

/// Every peer that was measured in any cell, then ours, which is drawn last and so lies on top.
fn series(report: &Report) -> Vec<Series<'_>> {
    let peers: BTreeSet<&str> = report
        .cells
        .iter()
        .flat_map(|cell| cell.peers.keys())
        .map(String::as_str)
        .collect();
    let thin = |(index, name)| Series {
        name,
        style: style(PALETTE[index % PALETTE.len()], 2),
    };
    let mut series: Vec<Series<'_>> = peers.into_iter().enumerate().map(thin).collect();
    series.push(Series {
        name: OURS,
        style: style(RED, 5),
    });
    series
}

fn style(color: RGBColor, stroke_width: u32) -> ShapeStyle {
    ShapeStyle {
        color: color.to_rgba(),
        filled: true,
        stroke_width,
    }
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), DrawingAreaErrorKind<<SVGBackend<'static> as DrawingBackend>::ErrorType>>;

/// Names beside a piece of their line, from left to right: ours, the peers, the limit.
fn legend(area: &Area<'_>, series: &[Series<'_>]) -> Drawn {
    let limit = Series {
        name: "limit",
        style: style(BLACK, 2),
    };
    let places = (46..).step_by(LEGEND.1 as usize);
    for (x, one) in places.zip(series.iter().rev().chain([&limit])) {
        let y = LEGEND.0 / 2;
        area.draw(&PathElement::new([(x, y), (x + 26, y)], one.style))?;
        area.draw(&Text::new(
            one.name.to_owned(),
            (x + 34, y - 8),
            ("sans-serif", 22),
        ))?;
    }
    Ok(())
}

fn chart(area: &Area<'_>, title: &str, cells: &[&CellResult], series: &[Series<'_>]) -> Drawn {
    let last = (cells.len().max(2) - 1) as f64;
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 21))
        .margin(8)
        .margin_right(24)
        .x_label_area_size(34)
        .y_label_area_size(38)
        .build_cartesian_2d(-0.2..last + 0.2, (LEAST..MOST).log_scale())?;
    let step = if cells.len() > NAMED { 2 } else { 1 };
    let label = |x: &f64| {
        let index = x.round();
        let near = (x - index).abs() < 0.01 && index >= 0.0 && (index as usize).is_multiple_of(step);
        let cell = if near { cells.get(index as usize) } else { None };
        cell.map_or_else(String::new, |cell| short(table::shape(cell)))
    };
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.08))
        .x_label_style(("sans-serif", 15))
        .y_label_style(("sans-serif", 15))
        .x_labels(cells.len().max(2))
        .x_label_formatter(&label)
        .y_label_formatter(&|&ratio| match ratio.round() as u32 {
            // A logarithmic axis leaves these no room between 5 and 10.
            6..=9 => String::new(),
            whole => whole.to_string(),
        })
        .draw()?;
    chart.draw_series(LineSeries::new([(-0.2, 1.0), (last + 0.2, 1.0)], style(BLACK, 2)))?;
    for one in series {
        let us = |cell: &CellResult| match one.name {
            OURS => cell.ours_us,
            peer => cell.peers.get(peer).copied(),
        };
        for points in pieces(cells, us) {
            chart.draw_series(points.iter().map(|&point| Circle::new(point, 3, one.style)))?;
            chart.draw_series(LineSeries::new(points, one.style))?;
        }
    }
    Ok(())
}

/// The last part of a shape, which is what changes along a chart: columns, or the length; from 10,000 on in thousands or
/// millions, so that neighbours have room.
fn short(shape: &str) -> String {
    let last = shape.rsplit_once('x').map_or(shape, |(_, columns)| columns);
    match last.parse::<u64>() {
        Ok(number @ 10_000..1_000_000) => format!("{}k", (number + 500) / 1000),
        Ok(number @ 1_000_000..) => format!("{}M", (number + 500_000) / 1_000_000),
        _ => last.to_owned(),
    }
}

/// Where the points of a line lie, a new piece wherever the next cell has another kind of limit: cells of small launches are
/// measured against an empty kernel, and no line leads from the memory's limit to that.
fn pieces(cells: &[&CellResult], us: impl Fn(&CellResult) -> Option<f64>) -> Vec<Vec<(f64, f64)>> {
    let places: Vec<(usize, &&CellResult)> = cells.iter().enumerate().collect();
    let point = |&(index, cell): &(usize, &&CellResult)| {
        Some((index as f64, (us(cell)? / cell.limit_us).clamp(LEAST, MOST)))
    };
    places
        .chunk_by(|a, b| small(a.1) == small(b.1))
        .map(|piece| piece.iter().filter_map(point).collect())
        .collect()
}

/// Whether a cell's limit is an empty kernel, which takes less than any launch that reads memory to speak of.
fn small(cell: &CellResult) -> bool {
    cell.limit_us < 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_and_everybody_measured_are_drawn() {
        let text = svg(&crate::report::tests::sample()).unwrap();
        for word in [
            "<svg",
            "max f32",
            "softmax f32",
            "limit",
            "warpfold",
            "inductor",
            "torch",
            "NVIDIA H200",
        ] {
            assert!(text.contains(word), "{word}");
        }
    }

    /// The legend once lay over the lines of the charts: each name stands once, above all of them.
    #[test]
    fn the_legend_stands_above_the_charts() {
        let text = svg(&crate::report::tests::sample()).unwrap();
        let charts = text.find("max f32").unwrap();
        for name in ["warpfold", "inductor", "torch", "limit"] {
            let found: Vec<usize> = text
                .match_indices(&format!("\n{name}\n"))
                .map(|found| found.0)
                .collect();
            assert_eq!(found.len(), 1, "{name}");
            assert!(found[0] < charts, "{name}");
        }
    }

    #[test]
    fn far_off_peers_stand_at_the_edge() {
        let report = crate::report::tests::sample();
        let mut cell = report.cells[0].clone();
        cell.peers.insert("slow".to_owned(), 1e9);
        let pieces = pieces(&[&cell], |cell| cell.peers.get("slow").copied());
        assert_eq!(pieces, [[(0.0, MOST)]]);
    }

    #[test]
    fn no_line_leads_to_the_small_launches() {
        let report = crate::report::tests::sample();
        let large = report.cells[0].clone();
        let mut small = large.clone();
        (small.limit_us, small.ours_us) = (0.5, Some(1.0));
        let pieces = pieces(&[&large, &small, &small], |cell| cell.ours_us);
        assert_eq!(pieces[1..], [[(1.0, 2.0), (2.0, 2.0)]]);
        assert_eq!(pieces[0].len(), 1);
    }

    #[test]
    fn shapes_are_told_by_what_changes() {
        assert_eq!(short("8388608x20/32"), "20/32");
        assert_eq!(short("268435456"), "268M");
        assert_eq!(short("4096x65536"), "66k");
    }
}
