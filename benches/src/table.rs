//! A report as Markdown: one table a kind of work, one row a cell, every peer in its column.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::goal;
use crate::report::{CellResult, Report};

/// The whole report.
pub fn markdown(report: &Report) -> String {
    let mut text = format!("# {}\n\n", report.family.name());
    let ceilings = report.ceilings;
    let _ = writeln!(
        text,
        "{}, {}, commit {}. Median of {} interleaved rounds, µs. Measured in the same run: copy {:.0} GB/s, read \
         {:.0} GB/s, an empty kernel in a graph {:.2} µs. `×limit` is ours over what the bytes take at those rates; \
         `×best` is how many times faster than the best peer ours is.\n",
        report.card,
        report.date,
        report.commit,
        report.rounds,
        ceilings.copy_gb_s,
        ceilings.read_gb_s,
        ceilings.empty_kernel_us
    );
    let versions: Vec<String> = report
        .versions
        .iter()
        .map(|(name, version)| format!("{name} {version}"))
        .collect();
    if !versions.is_empty() {
        let _ = writeln!(text, "Peers: {}.\n", versions.join(", "));
    }
    for (title, cells) in groups(report) {
        table(&mut text, &title, &cells);
    }
    missed(&mut text, report);
    missing(&mut text, report);
    text
}

/// Cells by work and type, in the report's order.
pub fn groups(report: &Report) -> Vec<(String, Vec<&CellResult>)> {
    let mut groups: Vec<(String, Vec<&CellResult>)> = Vec::new();
    for cell in &report.cells {
        let title = cell
            .name
            .rsplit_once(' ')
            .map_or(cell.name.as_str(), |(title, _)| title);
        match groups.iter_mut().find(|group| group.0 == title) {
            Some(group) => group.1.push(cell),
            None => groups.push((title.to_owned(), vec![cell])),
        }
    }
    groups
}

/// The last word of a cell's name: its shape.
pub fn shape(cell: &CellResult) -> &str {
    cell.name.rsplit_once(' ').map_or("", |(_, shape)| shape)
}

fn table(text: &mut String, title: &str, cells: &[&CellResult]) {
    let names: BTreeSet<&str> = cells
        .iter()
        .flat_map(|cell| cell.peers.keys())
        .map(String::as_str)
        .collect();
    let variants: BTreeSet<&str> = cells
        .iter()
        .flat_map(|cell| cell.variants.keys())
        .map(String::as_str)
        .collect();
    let mut head = vec!["shape".to_owned(), "limit".to_owned(), "warpfold".to_owned()];
    head.extend(["×limit".to_owned(), "×best".to_owned()]);
    head.extend(variants.iter().map(|variant| format!("as {variant}")));
    head.extend(names.iter().map(|&name| name.to_owned()));
    let _ = writeln!(
        text,
        "## {title}\n\n| {} |\n|{}",
        head.join(" | "),
        " --- |".repeat(head.len())
    );
    for cell in cells {
        let mut row = vec![
            shape(cell).to_owned(),
            micros(Some(cell.limit_us)),
            micros(cell.ours_us),
        ];
        row.push(ratio(cell.over_limit()));
        row.push(ratio(cell.speedup()));
        row.extend(
            variants
                .iter()
                .map(|&variant| micros(cell.variants.get(variant).copied())),
        );
        for &name in &names {
            let value = micros(cell.peers.get(name).copied());
            row.push(if cell.best_peer.as_deref() == Some(name) {
                format!("**{value}**")
            } else {
                value
            });
        }
        let _ = writeln!(text, "| {} |", row.join(" | "));
    }
    text.push('\n');
}

/// Which cells miss what they ought to reach, and by how much.
fn missed(text: &mut String, report: &Report) {
    let misses = goal::misses(report);
    let short: BTreeSet<&str> = misses.iter().map(|miss| miss.cell.as_str()).collect();
    let reached = report
        .cells
        .iter()
        .filter(|cell| cell.ours_us.is_some() && !short.contains(cell.name.as_str()));
    let _ = writeln!(
        text,
        "## What misses its goal\n\n{} of {} cells reach theirs (`src/goal.rs` has the goals).\n",
        reached.count(),
        report.cells.len()
    );
    if misses.is_empty() {
        return;
    }
    text.push_str("| cell | what | goal | is |\n| --- | --- | --- | --- |\n");
    for miss in &misses {
        let _ = writeln!(
            text,
            "| {} | {} | {:.2} | {:.2} |",
            miss.cell, miss.what, miss.goal, miss.is
        );
    }
    text.push('\n');
}

fn missing(text: &mut String, report: &Report) {
    if report.cells.iter().all(|cell| cell.failed.is_empty()) {
        return;
    }
    text.push_str("## Left out\n\n");
    for cell in &report.cells {
        for (name, reason) in &cell.failed {
            let reason = reason.lines().next().unwrap_or_default();
            let _ = writeln!(text, "- {}: {name}: {reason}", cell.name);
        }
    }
}

fn micros(value: Option<f64>) -> String {
    match value {
        None => "–".to_owned(),
        Some(us) if us < 100.0 => format!("{us:.2}"),
        Some(us) => format!("{us:.0}"),
    }
}

fn ratio(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.2}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_counts_what_reaches_its_goal() {
        let mut report = crate::report::tests::sample();
        assert!(markdown(&report).contains("2 of 3 cells reach theirs"));
        report.cells[1].ours_us = Some(300.0);
        let text = markdown(&report);
        assert!(text.contains("1 of 3 cells reach theirs"), "{text}");
        assert!(
            text.contains("| max f32 2097152x128 | times the limit | 1.06 | 1.26 |"),
            "{text}"
        );
    }

    #[test]
    fn rows_line_up_with_their_head() {
        let text = markdown(&crate::report::tests::sample());
        assert!(
            text.contains("## max f32\n\n| shape | limit | warpfold | ×limit | ×best | inductor | torch |"),
            "{text}"
        );
        assert!(
            text.contains("| 8388608x20/32 | 245 | 250 | 1.02 | 1.06 | **265** | 1029 |"),
            "{text}"
        );
        assert!(
            text.contains("| 2097152x128 | 239 | 240 | 1.00 | 1.07 | **258** | – |"),
            "{text}"
        );
        assert!(text.contains("| 268x1000003 | 756 | – | – | – |"), "{text}");
        assert!(!text.contains("Left out"));
    }

    #[test]
    fn who_is_missing_is_named_with_the_reason() {
        let mut report = crate::report::tests::sample();
        report.cells[1]
            .failed
            .insert("triton".to_owned(), "does not compile\nlong log".to_owned());
        let text = markdown(&report);
        assert!(
            text.ends_with("## Left out\n\n- max f32 2097152x128: triton: does not compile\n"),
            "{text}"
        );
    }
}
