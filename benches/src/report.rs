//! The results file of a family: `benches/results/<family>.json`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::bytes::Ceilings;
use crate::cell::Family;

/// The name under which warpfold's own times come back; variants add `_closure` and the like.
pub const OURS: &str = "warpfold";

/// Everything measured for one family in one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The family.
    pub family: Family,
    /// The graphics card, as its driver names it.
    pub card: String,
    /// The day, as `YYYY-MM-DD`.
    pub date: String,
    /// The commit that was measured.
    pub commit: String,
    /// What the card's memory reached in the same run.
    pub ceilings: Ceilings,
    /// Versions of the peers and of what built them.
    pub versions: BTreeMap<String, String>,
    /// Interleaved rounds behind each number.
    pub rounds: u32,
    /// The measurements.
    pub cells: Vec<CellResult>,
}

/// One cell's numbers, in µs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CellResult {
    /// Work, type and shape.
    pub name: String,
    /// warpfold's median over the rounds; null where it has no such call yet, or failed.
    pub ours_us: Option<f64>,
    /// The fastest peer; null where no peer does the work.
    pub best_peer: Option<String>,
    /// Its median.
    pub best_peer_us: Option<f64>,
    /// What the bytes take at the rates measured in the run.
    pub limit_us: f64,
    /// Every peer's median.
    pub peers: BTreeMap<String, f64>,
    /// warpfold's median of each round.
    pub samples: Vec<f64>,
    /// The same work written as a closure, or otherwise.
    #[serde(default)]
    pub variants: BTreeMap<String, f64>,
    /// Who is missing, and why.
    #[serde(default)]
    pub failed: BTreeMap<String, String>,
}

impl CellResult {
    /// How many times the limit ours takes.
    pub fn over_limit(&self) -> Option<f64> {
        self.ours_us.map(|us| us / self.limit_us)
    }

    /// How many times faster than the best peer ours is.
    pub fn speedup(&self) -> Option<f64> {
        Some(self.best_peer_us? / self.ours_us?)
    }
}

impl Report {
    /// Where a family's report belongs in a results folder.
    pub fn path(folder: &Path, family: Family, extension: &str) -> PathBuf {
        folder.join(family.name()).with_extension(extension)
    }

    /// Writes the report as JSON.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), String> {
        let path = Self::path(folder, self.family, "json");
        let text = serde_json::to_string_pretty(self).map_err(|error| error.to_string())?;
        std::fs::write(&path, text + "\n").map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Reads a report back.
    ///
    /// # Errors
    /// When there is none, or it is not one.
    pub fn read(folder: &Path, family: Family) -> Result<Self, String> {
        let path = Self::path(folder, family, "json");
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A small report for the tests of the table and the plot.
    pub fn sample() -> Report {
        let cell = |name: &str, ours: Option<f64>, peers: &[(&str, f64)], limit: f64| CellResult {
            name: name.to_owned(),
            ours_us: ours,
            best_peer: peers.first().map(|peer| peer.0.to_owned()),
            best_peer_us: peers.first().map(|peer| peer.1),
            limit_us: limit,
            peers: peers.iter().map(|&(name, us)| (name.to_owned(), us)).collect(),
            samples: ours.into_iter().collect(),
            variants: BTreeMap::new(),
            failed: BTreeMap::new(),
        };
        Report {
            family: Family::Rows,
            card: "NVIDIA H200".to_owned(),
            date: "2026-11-29".to_owned(),
            commit: "abc1234".to_owned(),
            ceilings: Ceilings {
                copy_gb_s: 4263.0,
                read_gb_s: 4520.0,
                empty_kernel_us: 0.84,
            },
            versions: [("torch".to_owned(), "2.11.0".to_owned())].into(),
            rounds: 5,
            cells: vec![
                cell(
                    "max f32 8388608x20/32",
                    Some(250.0),
                    &[("inductor", 265.0), ("torch", 1029.0)],
                    245.0,
                ),
                cell("max f32 2097152x128", Some(240.0), &[("inductor", 258.0)], 239.0),
                cell("softmax f32 268x1000003", None, &[], 756.0),
            ],
        }
    }

    #[test]
    fn a_report_survives_the_disk() {
        let folder = std::env::temp_dir().join(format!("warpfold-report-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let report = sample();
        report.write(&folder).unwrap();
        assert_eq!(Report::read(&folder, Family::Rows), Ok(report));
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn the_schema_keeps_its_names() {
        let json = serde_json::to_value(sample()).unwrap();
        for key in ["card", "date", "ceilings", "commit", "cells"] {
            assert!(json.get(key).is_some(), "{key}");
        }
        let cell = &json["cells"][2];
        for key in [
            "name",
            "ours_us",
            "best_peer",
            "best_peer_us",
            "limit_us",
            "peers",
            "samples",
        ] {
            assert!(cell.get(key).is_some(), "{key}");
        }
        assert!(cell["best_peer"].is_null() && cell["ours_us"].is_null());
    }

    #[test]
    fn ratios() {
        let report = sample();
        assert!((report.cells[0].over_limit().unwrap() - 250.0 / 245.0).abs() < 1e-12);
        assert!((report.cells[0].speedup().unwrap() - 265.0 / 250.0).abs() < 1e-12);
        assert_eq!(report.cells[2].speedup(), None);
    }
}
