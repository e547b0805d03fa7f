//! One cell, every program: prepare, check, time in interleaved rounds.
//!
//! A round asks each program in turn for a few launches, and the next round starts with another one, so that a
//! card that warms up or slows down does it to all of them. The number reported is the median over the rounds of
//! each round's median.

use std::collections::BTreeMap;

use crate::bytes::{self, Ceilings};
use crate::cell::{Cell, Family, Work};
use crate::reference;
use crate::report::{CellResult, OURS};

/// What a program says once it has run a cell for the first time.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
pub struct Prepared {
    /// The peer's name; one program may hold several.
    pub name: String,
    /// The results at the cell's positions; `null` stands for a NaN or an infinity.
    #[serde(default)]
    pub at: Vec<Option<f64>>,
    /// The sum of all results.
    #[serde(default)]
    pub total: f64,
    /// The sum of the results' magnitudes.
    #[serde(default)]
    pub magnitude: f64,
    /// Why the peer could not do it.
    #[serde(default)]
    pub error: Option<String>,
}

/// A program that can be timed: a peer's process, or warpfold in this one.
pub trait Contestant {
    /// Says which cell comes next, so that programs can prepare it side by side; [`Contestant::prepare`] then waits.
    fn begin(&mut self, cell: &Cell) {
        let _ = cell;
    }

    /// Makes the data, runs every implementation of the cell's work once and reports what came out.
    /// No entry: the program does not do this work.
    ///
    /// # Errors
    /// When the program itself broke; it is left out from then on.
    fn prepare(&mut self, cell: &Cell) -> Result<Vec<Prepared>, String>;

    /// The times of some launches, in µs.
    ///
    /// # Errors
    /// As for [`Contestant::prepare`].
    fn time(&mut self, name: &str, launches: u32) -> Result<Vec<f64>, String>;

    /// Lets go of the cell's memory.
    ///
    /// # Errors
    /// As for [`Contestant::prepare`].
    fn release(&mut self) -> Result<(), String>;
}

/// How long to measure.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Interleaved rounds.
    pub rounds: u32,
    /// Launches of each implementation in a round.
    pub launches: u32,
}

/// A launch beyond this is timed once a round: it is so far from the limit that noise does not matter.
const SLOW_US: f64 = 10_000.0;

/// The median; 0 of nothing.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match (sorted.len(), sorted.len() / 2) {
        (0, _) => 0.0,
        (n, half) if n % 2 == 1 => sorted[half],
        (_, half) => f64::midpoint(sorted[half - 1], sorted[half]),
    }
}

/// Runs one cell on every contestant.
pub fn run(
    cell: &Cell,
    contestants: &mut [Box<dyn Contestant>],
    ceilings: &Ceilings,
    effort: Effort,
) -> CellResult {
    let mut failed = BTreeMap::new();
    let mut entries = prepare(cell, contestants, &mut failed);
    // The index of one of many equal elements says nothing about the others.
    if !(cell.work == Work::ArgMax && cell.family == Family::Arrays) {
        agree(&mut entries, &mut failed);
    }

    let mut samples: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for round in 0..effort.rounds {
        let count = entries.len();
        for turn in 0..count {
            let entry = &entries[(turn + round as usize) % count];
            let name = entry.prepared.name.clone();
            if failed.contains_key(&name) {
                continue;
            }
            let slow = samples
                .get(&name)
                .and_then(|times| times.first())
                .is_some_and(|&us| us > SLOW_US);
            let launches = if slow { 1 } else { effort.launches };
            match contestants[entry.contestant].time(&name, launches) {
                Ok(times) if !times.is_empty() => samples.entry(name).or_default().push(median(&times)),
                Ok(_) => drop(failed.insert(name, "no times came back".to_owned())),
                Err(error) => drop(failed.insert(name, error)),
            }
        }
    }
    samples.retain(|name, _| !failed.contains_key(name));
    for contestant in contestants {
        // A program that broke has already said so where it mattered.
        let _ = contestant.release();
    }
    result(cell, samples, failed, bytes::limit_us(cell, ceilings))
}

struct Entry {
    contestant: usize,
    prepared: Prepared,
}

/// Asks everybody, and keeps the entries whose results are right.
fn prepare(
    cell: &Cell,
    contestants: &mut [Box<dyn Contestant>],
    failed: &mut BTreeMap<String, String>,
) -> Vec<Entry> {
    for contestant in contestants.iter_mut() {
        contestant.begin(cell);
    }
    let expected = reference::expected(cell);
    let mut entries = Vec::new();
    for (index, contestant) in contestants.iter_mut().enumerate() {
        let list = match contestant.prepare(cell) {
            Ok(list) => list,
            Err(error) => {
                failed.insert(format!("program {index}"), error);
                continue;
            }
        };
        for prepared in list {
            let at: Vec<f64> = prepared
                .at
                .iter()
                .map(|value| value.unwrap_or(f64::NAN))
                .collect();
            let verdict = match prepared.error.clone() {
                Some(error) => Err(error),
                None => reference::check(cell, &expected, &at),
            };
            match verdict {
                Ok(()) => entries.push(Entry {
                    contestant: index,
                    prepared,
                }),
                Err(error) => drop(failed.insert(prepared.name, error)),
            }
        }
    }
    entries
}

/// Drops whoever's total is not the others': the median total is taken as the right one.
fn agree(entries: &mut Vec<Entry>, failed: &mut BTreeMap<String, String>) {
    let totals: Vec<f64> = entries.iter().map(|entry| entry.prepared.total).collect();
    let magnitudes: Vec<f64> = entries.iter().map(|entry| entry.prepared.magnitude).collect();
    let (total, magnitude) = (median(&totals), median(&magnitudes));
    entries.retain(|entry| {
        let close = (entry.prepared.total - total).abs() <= 1e-3 * magnitude.abs() + 1e-9;
        if !close {
            let words = format!(
                "the results add up to {:e}, the others' to {total:e}",
                entry.prepared.total
            );
            failed.insert(entry.prepared.name.clone(), words);
        }
        close
    });
}

fn result(
    cell: &Cell,
    mut samples: BTreeMap<String, Vec<f64>>,
    failed: BTreeMap<String, String>,
    limit_us: f64,
) -> CellResult {
    let ours = samples.remove(OURS);
    let mut variants = BTreeMap::new();
    let mut peers = BTreeMap::new();
    for (name, times) in samples {
        match name.strip_prefix(OURS) {
            Some(variant) => variants.insert(variant.trim_start_matches('_').to_owned(), median(&times)),
            None => peers.insert(name, median(&times)),
        };
    }
    let best = peers.iter().min_by(|a, b| a.1.total_cmp(b.1));
    CellResult {
        name: cell.name(),
        ours_us: ours.as_deref().map(median),
        best_peer: best.map(|(name, _)| name.clone()),
        best_peer_us: best.map(|(_, &us)| us),
        limit_us,
        samples: ours.unwrap_or_default(),
        variants,
        peers,
        failed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::DType;

    const CEILINGS: Ceilings = Ceilings {
        copy_gb_s: 4000.0,
        read_gb_s: 4000.0,
        empty_kernel_us: 1.0,
    };
    const CELL: Cell = Cell {
        family: Family::Rows,
        work: Work::Max,
        rows: 64,
        cols: 20,
        stride: 32,
        dtype: DType::F32,
    };

    /// A contestant that answers as it is told.
    struct Told {
        name: &'static str,
        us: f64,
        off: f64,
        asked: u32,
    }

    impl Contestant for Told {
        fn prepare(&mut self, cell: &Cell) -> Result<Vec<Prepared>, String> {
            let at = reference::expected(cell)
                .into_iter()
                .map(|value| Some(value + self.off))
                .collect();
            Ok(vec![Prepared {
                name: self.name.to_owned(),
                at,
                total: 60.0,
                magnitude: 60.0,
                error: None,
            }])
        }
        fn time(&mut self, _: &str, launches: u32) -> Result<Vec<f64>, String> {
            self.asked += 1;
            Ok(vec![self.us + f64::from(self.asked); launches as usize])
        }
        fn release(&mut self) -> Result<(), String> {
            Ok(())
        }
    }

    fn told(name: &'static str, us: f64, off: f64) -> Box<dyn Contestant> {
        Box::new(Told {
            name,
            us,
            off,
            asked: 0,
        })
    }

    #[test]
    fn the_best_right_peer_is_named() {
        let mut all = [
            told(OURS, 10.0, 0.0),
            told("slow", 30.0, 0.0),
            told("fast", 20.0, 0.0),
            told("wrong", 1.0, 0.5),
        ];
        let result = run(
            &CELL,
            &mut all,
            &CEILINGS,
            Effort {
                rounds: 5,
                launches: 3,
            },
        );
        assert_eq!(result.ours_us, Some(13.0));
        assert_eq!(result.samples, [11.0, 12.0, 13.0, 14.0, 15.0]);
        assert_eq!(result.best_peer.as_deref(), Some("fast"));
        assert_eq!(result.best_peer_us, Some(23.0));
        assert!(result.failed["wrong"].contains("instead of"));
        assert!(!result.peers.contains_key("wrong"));
    }

    #[test]
    fn closures_stand_beside_ours() {
        let mut all = [told(OURS, 10.0, 0.0), told("warpfold_closure", 11.0, 0.0)];
        let result = run(
            &CELL,
            &mut all,
            &CEILINGS,
            Effort {
                rounds: 1,
                launches: 1,
            },
        );
        assert_eq!(result.variants.get("closure"), Some(&12.0));
        assert_eq!(result.best_peer, None);
    }

    #[test]
    fn medians() {
        assert!((median(&[3.0, 1.0, 2.0]) - 2.0).abs() < 1e-12);
        assert!((median(&[4.0, 1.0, 2.0, 3.0]) - 2.5).abs() < 1e-12);
        assert!(median(&[]).abs() < 1e-12);
    }
}
