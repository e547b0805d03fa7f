//! Measures warpfold and its peers on the GPU of this machine, in one run, and writes JSON, a table and a plot.
//!
//! `bench --help` says what can be chosen; `benches/README.md` what the numbers mean.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant, SystemTime};

use clap::Parser;
use warpfold_benches::bytes::Ceilings;
use warpfold_benches::cell::{Cell, Family};
use warpfold_benches::contest::{self, Contestant, Effort};
use warpfold_benches::ours::Ours;
use warpfold_benches::peer::Peer;
use warpfold_benches::report::{OURS, Report};
use warpfold_benches::{cells, date, plot, table};

/// Measures warpfold and its peers in one run.
#[derive(Debug, Parser)]
struct Options {
    /// Families to measure; all of them where none is named.
    #[arg(long, value_delimiter = ',')]
    family: Vec<Family>,
    /// A short list of cells instead of all.
    #[arg(long)]
    quick: bool,
    /// Only cells whose name contains one of these.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Peers, separated by commas: cub, torch, inductor, triton, cupy, scatter. The ceilings are measured all the same.
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "cub,torch,inductor,triton,cupy,scatter"
    )]
    peers: Vec<String>,
    /// Interleaved rounds.
    #[arg(long, default_value_t = 5)]
    rounds: u32,
    /// Launches of each implementation in a round.
    #[arg(long, default_value_t = 5)]
    launches: u32,
    /// Stop after so many seconds and report what there is.
    #[arg(long, default_value_t = 540)]
    seconds: u64,
    /// Where the reports go; default: what `WARPFOLD_RESULTS` says, else the folder `results` beside the peers.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Write tables and plots anew from the reports in the folder, without measuring.
    #[arg(long)]
    redraw: bool,
    /// Print the cells, as the peers read them, and measure nothing.
    #[arg(long)]
    list: bool,
}

fn main() -> ExitCode {
    let options = Options::parse();
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), String> {
    let families = if options.family.is_empty() {
        Family::ALL.to_vec()
    } else {
        options.family.clone()
    };
    if options.list {
        families
            .iter()
            .flat_map(|&family| chosen(options, family))
            .for_each(|cell| println!("{}", cell.words()));
        return Ok(());
    }
    let home = home()?;
    let out = options
        .out
        .clone()
        .or_else(|| std::env::var_os("WARPFOLD_RESULTS").map(PathBuf::from));
    let out = out.unwrap_or_else(|| home.join("results"));
    std::fs::create_dir_all(&out).map_err(|error| format!("{}: {error}", out.display()))?;
    if options.redraw {
        return families
            .iter()
            .try_for_each(|&family| draw(&Report::read(&out, family)?, &out));
    }
    measure(options, &families, &home, &out)
}

/// The cells that the options leave of a family's list.
fn chosen(options: &Options, family: Family) -> Vec<Cell> {
    let mut list = cells::cells(family, options.quick);
    if !options.only.is_empty() {
        list.retain(|cell| {
            options
                .only
                .iter()
                .any(|part| cell.name().contains(part.as_str()))
        });
    }
    list
}

fn measure(options: &Options, families: &[Family], home: &Path, out: &Path) -> Result<(), String> {
    let end = Instant::now() + Duration::from_secs(options.seconds);
    let mut versions = BTreeMap::new();
    let mut contestants: Vec<Box<dyn Contestant>> = Vec::new();
    let ours = Ours::first()?;
    let card = ours.card_name()?;
    contestants.push(Box::new(ours));

    let mut cub = start_cub(home)?;
    versions.append(&mut cub.versions()?);
    let ceilings = cub.ceilings()?;
    eprintln!("{card}: {ceilings:?}");
    let (cubs, pythons): (Vec<&str>, Vec<&str>) = options
        .peers
        .iter()
        .map(String::as_str)
        .filter(|name| !name.is_empty())
        .partition(|&name| name == "cub");
    if !cubs.is_empty() {
        contestants.push(Box::new(cub));
    }
    if !pythons.is_empty() {
        // A machine without Python or its libraries still measures the others.
        match start_python(options, &pythons.join(","), families, home) {
            Ok((python, mut more)) => {
                versions.append(&mut more);
                contestants.push(Box::new(python));
            }
            Err(error) => eprintln!("left out: {error}"),
        }
    }
    versions.remove("card");
    for &family in families {
        let mut report = Report {
            family,
            card: card.clone(),
            date: date::of(SystemTime::now()),
            commit: commit(home),
            ceilings,
            versions: versions.clone(),
            rounds: options.rounds,
            cells: Vec::new(),
        };
        family_cells(options, family, &mut contestants, &ceilings, end, &mut report);
        if !report.cells.is_empty() {
            report.write(out)?;
            draw(&report, out)?;
        }
    }
    Ok(())
}

fn family_cells(
    options: &Options,
    family: Family,
    contestants: &mut [Box<dyn Contestant>],
    ceilings: &Ceilings,
    end: Instant,
    report: &mut Report,
) {
    let effort = Effort {
        rounds: options.rounds,
        launches: options.launches,
    };
    for cell in chosen(options, family) {
        if Instant::now() > end {
            eprintln!(
                "out of time: {} cells of {} measured",
                report.cells.len(),
                family.name()
            );
            break;
        }
        let result = contest::run(&cell, contestants, ceilings, effort);
        println!(
            "{:44} limit {:8.2}  ours {:>8}  best {:>8} {}",
            result.name,
            result.limit_us,
            result
                .ours_us
                .map_or_else(|| "–".to_owned(), |us| format!("{us:.2}")),
            result
                .best_peer_us
                .map_or_else(|| "–".to_owned(), |us| format!("{us:.2}")),
            result.best_peer.as_deref().unwrap_or_default()
        );
        for (name, reason) in &result.failed {
            println!("    left out: {name}: {reason}");
        }
        report.cells.push(result);
    }
}

fn draw(report: &Report, out: &Path) -> Result<(), String> {
    let path = Report::path(out, report.family, "md");
    std::fs::write(&path, table::markdown(report)).map_err(|error| format!("{}: {error}", path.display()))?;
    plot::write(report, &Report::path(out, report.family, "svg"))?;
    let measured = report.cells.iter().filter(|cell| cell.ours_us.is_some()).count();
    println!(
        "{}: {} cells, {measured} of {OURS}, in {}",
        report.family.name(),
        report.cells.len(),
        out.display()
    );
    Ok(())
}

/// The folder that holds `peers/`: the working directory or its `benches/`, else where this was built.
fn home() -> Result<PathBuf, String> {
    let places = [
        PathBuf::from("."),
        PathBuf::from("benches"),
        PathBuf::from(env!("CARGO_MANIFEST_DIR")),
    ];
    let found = places
        .into_iter()
        .find(|place| place.join("peers/serve.py").is_file());
    found.ok_or_else(|| "peers/serve.py is not here\nhelp: run this in the folder `benches`".to_owned())
}

/// Starts the CUB program, built first where that has not been done.
fn start_cub(home: &Path) -> Result<Peer, String> {
    let program = home.join("peers/cub/cub");
    if !program.is_file() {
        eprintln!("building the CUB peer");
        let built = Command::new("bash").arg(home.join("peers/build.sh")).status();
        if !built.is_ok_and(|status| status.success()) {
            return Err(
                "the CUB peer does not build\nhelp: put nvcc on the PATH, or run `NVCC=… CCCL=… \
                        benches/peers/build.sh` where it is"
                    .to_owned(),
            );
        }
    }
    let program = program.canonicalize().map_err(|error| error.to_string())?;
    Peer::start("cub", &mut Command::new(program), Duration::from_mins(1))
}

/// Starts the Python peers, which first compile the chosen cells on all cores; with their versions.
fn start_python(
    options: &Options,
    names: &str,
    families: &[Family],
    home: &Path,
) -> Result<(Peer, BTreeMap<String, String>), String> {
    let list = std::env::temp_dir().join(format!("warpfold-cells-{}", std::process::id()));
    let words: Vec<String> = families
        .iter()
        .flat_map(|&family| chosen(options, family))
        .map(|cell| cell.words())
        .collect();
    std::fs::write(&list, words.join("\n")).map_err(|error| format!("{}: {error}", list.display()))?;
    let mut command = Command::new("python3");
    command
        .arg(home.join("peers/serve.py"))
        .arg("--only")
        .arg(names)
        .arg("--warm")
        .arg(&list);
    let mut peer = Peer::start("python", &mut command, Duration::from_mins(4))?;
    let versions = peer.versions()?;
    Ok((peer, versions))
}

/// The commit measured: said by the one who built the bundle, or by git.
fn commit(home: &Path) -> String {
    if let Ok(commit) = std::env::var("WARPFOLD_COMMIT") {
        return commit;
    }
    let described = Command::new("git")
        .current_dir(home)
        .args(["describe", "--always", "--dirty"])
        .output();
    let text = described
        .ok()
        .filter(|output| output.status.success())
        .map(|output| output.stdout);
    text.and_then(|text| String::from_utf8(text).ok())
        .map_or_else(|| "unknown".to_owned(), |text| text.trim().to_owned())
}
