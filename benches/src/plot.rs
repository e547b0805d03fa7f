//! A report as an SVG: for each work a small chart of time over the limit, by shape, the limit drawn at 1.
//!
//! Logarithmic on both axes of meaning: shapes in the order of the cells, ratios from the limit up to sixteen times
//! it; a peer beyond that stands at the edge. Ours is the thick line.

use std::collections::BTreeSet;
use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;

use crate::report::{CellResult, Report};
use crate::table;

/// Charts side by side.
const ACROSS: usize = 3;
/// One chart's size in pixels.
const SIZE: (u32, u32) = (520, 340);
/// The ratio at the upper edge.
const MOST: f64 = 16.0;
/// The ratio at the lower edge: ratios below 1 mean that the measured ceiling was beaten.
const LEAST: f64 = 0.8;

const OURS: RGBColor = RGBColor(200, 30, 30);
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
    let peers: BTreeSet<&str> = report
        .cells
        .iter()
        .flat_map(|cell| cell.peers.keys())
        .map(String::as_str)
        .collect();
    let peers: Vec<&str> = peers.into_iter().collect();
    let down = groups.len().div_ceil(ACROSS).max(1);
    let size = (SIZE.0 * ACROSS as u32, SIZE.1 * down as u32 + 40);
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
            .titled(&title, ("sans-serif", 22))
            .map_err(|error| error.to_string())?;
        for (area, (title, cells)) in body.split_evenly((down, ACROSS)).iter().zip(&groups) {
            chart(area, title, cells, &peers).map_err(|error| error.to_string())?;
        }
        root.present().map_err(|error| error.to_string())?;
    }
    Ok(text)
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), DrawingAreaErrorKind<<SVGBackend<'static> as DrawingBackend>::ErrorType>>;

fn chart(area: &Area<'_>, title: &str, cells: &[&CellResult], peers: &[&str]) -> Drawn {
    let last = (cells.len().max(2) - 1) as f64;
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 16))
        .margin(8)
        .x_label_area_size(34)
        .y_label_area_size(38)
        .build_cartesian_2d(-0.2..last + 0.2, (LEAST..MOST).log_scale())?;
    let label = |x: &f64| {
        let index = x.round();
        let near = (x - index).abs() < 0.01 && index >= 0.0;
        let cell = if near { cells.get(index as usize) } else { None };
        cell.map_or_else(String::new, |cell| short(table::shape(cell)))
    };
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.08))
        .x_label_style(("sans-serif", 10))
        .x_labels(cells.len().max(2))
        .x_label_formatter(&label)
        .y_label_formatter(&|ratio| format!("{ratio:.0}"))
        .draw()?;
    let limit = ShapeStyle {
        color: BLACK.to_rgba(),
        filled: false,
        stroke_width: 1,
    };
    chart
        .draw_series(LineSeries::new([(-0.2, 1.0), (last + 0.2, 1.0)], limit))?
        .label("limit")
        .legend(move |(x, y)| PathElement::new([(x, y), (x + 14, y)], limit));
    for (index, &peer) in peers.iter().enumerate() {
        let ratios = points(cells, |cell| cell.peers.get(peer).copied());
        let style = ShapeStyle {
            color: PALETTE[index % PALETTE.len()].to_rgba(),
            filled: true,
            stroke_width: 1,
        };
        line(&mut chart, peer, ratios, style)?;
    }
    let ours = ShapeStyle {
        color: OURS.to_rgba(),
        filled: true,
        stroke_width: 3,
    };
    line(&mut chart, "warpfold", points(cells, |cell| cell.ours_us), ours)?;
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .label_font(("sans-serif", 11))
        .background_style(WHITE.mix(0.8))
        .draw()
}

/// The last part of a shape, which is what changes along a chart: columns, or the length.
fn short(shape: &str) -> String {
    shape
        .rsplit_once('x')
        .map_or(shape, |(_, columns)| columns)
        .to_owned()
}

fn points(cells: &[&CellResult], us: impl Fn(&CellResult) -> Option<f64>) -> Vec<(f64, f64)> {
    let places = cells.iter().enumerate();
    places
        .filter_map(|(index, cell)| Some((index as f64, (us(cell)? / cell.limit_us).clamp(LEAST, MOST))))
        .collect()
}

type Chart<'a, 'b> =
    ChartContext<'a, SVGBackend<'b>, Cartesian2d<plotters::coord::types::RangedCoordf64, LogCoord<f64>>>;

fn line(chart: &mut Chart<'_, '_>, name: &str, points: Vec<(f64, f64)>, style: ShapeStyle) -> Drawn {
    if points.is_empty() {
        return Ok(());
    }
    chart.draw_series(points.iter().map(|&point| Circle::new(point, 2, style)))?;
    chart
        .draw_series(LineSeries::new(points, style))?
        .label(name)
        .legend(move |(x, y)| PathElement::new([(x, y), (x + 14, y)], style));
    Ok(())
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

    #[test]
    fn far_off_peers_stand_at_the_edge() {
        let report = crate::report::tests::sample();
        let mut cell = report.cells[0].clone();
        cell.peers.insert("slow".to_owned(), 1e9);
        let points = points(&[&cell], |cell| cell.peers.get("slow").copied());
        assert_eq!(points, [(0.0, MOST)]);
    }

    #[test]
    fn shapes_are_told_by_what_changes() {
        assert_eq!(short("8388608x20/32"), "20/32");
        assert_eq!(short("268435456"), "268435456");
    }
}
