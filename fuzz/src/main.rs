//! `cargo run --release -p warpfold-fuzz -- tokens --runs 1000000`: many runs, on all cores.
//!
//! It ends with what was wrong, if anything, and the counts. `--from N --runs 1 --show` shows the input of one run;
//! `--seconds 30` runs as many as that takes.

use std::ops::Range;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Parser, ValueEnum};
use warpfold_fuzz::{Tally, shapes, tokens};

/// Random specs for the compiler, random shapes for its calls.
#[derive(Parser)]
struct Arguments {
    /// What is made at random.
    #[arg(value_enum)]
    target: Target,
    /// How many runs.
    #[arg(long, default_value_t = 100_000)]
    runs: u64,
    /// Run for so many seconds instead.
    #[arg(long, conflicts_with_all = ["runs", "show"])]
    seconds: Option<u64>,
    /// The number of the first run.
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// Show each input before it runs, on one thread.
    #[arg(long)]
    show: bool,
    /// The root of the workspace, where the corpus is.
    #[arg(long, default_value = ".")]
    root: PathBuf,
}

/// What is made at random.
#[derive(Clone, Copy, ValueEnum)]
enum Target {
    /// Specs, from valid ones.
    Tokens,
    /// Shapes of calls on the CPU.
    Shapes,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let corpus = match arguments.target {
        Target::Tokens => tokens::Corpus::read(&arguments.root),
        Target::Shapes => tokens::Corpus::default(),
    };
    let run = |numbers: Range<u64>| match arguments.target {
        Target::Tokens => tokens::campaign(numbers, &corpus),
        Target::Shapes => shapes::campaign(numbers),
    };
    // A panic is a fault that is told with its input, not where it happens.
    std::panic::set_hook(Box::new(|_| {}));
    let all = arguments.from..arguments.from.saturating_add(arguments.runs);
    let tally = if arguments.show {
        shown(&arguments, &corpus, all, run)
    } else if let Some(seconds) = arguments.seconds {
        for_a_time(arguments.from, Duration::from_secs(seconds), &run)
    } else {
        on_all_cores(all, &run)
    };
    println!("from {}: {tally}", arguments.from);
    if tally.faults.is_empty() && tally.runs > 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn shown(
    arguments: &Arguments,
    corpus: &tokens::Corpus,
    all: Range<u64>,
    run: impl Fn(Range<u64>) -> Tally,
) -> Tally {
    let mut tally = Tally::default();
    for number in all {
        match arguments.target {
            Target::Tokens => println!("{number}: {}", tokens::text(number, corpus)),
            Target::Shapes => println!("{number}: {:?}", shapes::Call::random(number)),
        }
        tally.add(run(number..number + 1));
    }
    tally
}

/// Takes numbers in order until the time is up: a batch at a time, so that no core is idle for long at its end.
fn for_a_time(from: u64, time: Duration, run: &(impl Fn(Range<u64>) -> Tally + Sync)) -> Tally {
    const BATCH: u64 = 1000;
    let start = Instant::now();
    let (mut tally, mut next) = (Tally::default(), from);
    while start.elapsed() < time && tally.faults.is_empty() {
        let end = next.saturating_add(BATCH);
        tally.add(on_all_cores(next..end, run));
        next = end;
    }
    tally
}

/// Splits the numbers among as many threads as there are cores.
fn on_all_cores(all: Range<u64>, run: &(impl Fn(Range<u64>) -> Tally + Sync)) -> Tally {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get) as u64;
    let share = (all.end - all.start).div_ceil(cores);
    let mut tally = Tally::default();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..cores)
            .map(|i| {
                let from = (all.start + i * share).min(all.end);
                let numbers = from..(from + share).min(all.end);
                scope.spawn(move || run(numbers))
            })
            .collect();
        for thread in threads {
            match thread.join() {
                Ok(part) => tally.add(part),
                Err(_) => tally.faults.push((0, "the harness itself panicked".to_owned())),
            }
        }
    });
    tally
}
