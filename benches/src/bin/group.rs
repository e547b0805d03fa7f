//! One array over several GPUs, beside `torch.distributed`: 2^30 f32 a GPU, a sum and a running sum.
//!
//! Each GPU has a rank of its own, a thread of this process, over NCCL. Rounds alternate between all GPUs and one alone with
//! as many elements as each of them; a round begins behind a barrier, and its time is the host's, until the slowest rank has
//! its result on the device. `PyTorch` then does the same in processes that torchrun starts (`peers/group.py`). Efficiency is
//! the time of one GPU over that of all. Writes `group.json` where `WARPFOLD_RESULTS` says, and prints it.
//!
//! Where there are fewer than two GPUs, or no NCCL, it says so and ends.

use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Instant, SystemTime};

use clap::Parser;
use cudarc::driver::{CudaSlice, CudaStream};
use serde_json::{Map, Value, json};
use warpfold::prelude::*;
use warpfold::{Error, Group};
use warpfold_benches::contest::median;
use warpfold_benches::date;

/// The sum of everything.
#[warp_reduce(op = sum)]
pub fn total(x: f32) -> f32 {
    x
}

/// The sum up to and with each element.
#[warp_scan(op = sum)]
pub fn running(x: f32) -> f32 {
    x
}

/// Elements that are made on the host; the shard repeats them.
const BLOCK: usize = 1 << 20;
const WARM: usize = 2;

/// Where ranks wait for each other without giving up their processor: one that is woken begins tens of microseconds after the
/// others, which have to wait for it again at the end of what is timed.
struct Gate {
    ranks: usize,
    came: AtomicUsize,
}

impl Gate {
    fn wait(&self) {
        let own = self.came.fetch_add(1, Ordering::AcqRel);
        let all = (own / self.ranks + 1) * self.ranks;
        while self.came.load(Ordering::Acquire) < all {
            std::hint::spin_loop();
        }
    }
}

#[derive(Parser)]
#[command(about = "one array over several GPUs, beside torch.distributed")]
struct Options {
    /// Elements a GPU, as a power of two.
    #[arg(long, default_value_t = 30)]
    log: u32,
    /// Rounds.
    #[arg(long, default_value_t = 9)]
    rounds: usize,
    /// GPUs; all where nothing is said.
    #[arg(long)]
    gpus: Option<usize>,
    /// Not beside `PyTorch`.
    #[arg(long)]
    alone: bool,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let found = (0..64).take_while(|&gpu| Device::gpu(gpu).is_ok()).count();
    let gpus = options.gpus.map_or(found, |wanted| wanted.min(found));
    if gpus < 2 {
        eprintln!("skipped: group: fewer than two GPUs ({found})");
        return ExitCode::SUCCESS;
    }
    match run(&options, gpus) {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(error @ Error::NoNccl { .. }) => {
            eprintln!("skipped: group: {error}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// A shard, and room for its scan.
fn shard(stream: &Arc<CudaStream>, n: usize) -> Result<[CudaSlice<f32>; 2], Error> {
    let mut bits = 1_u32;
    #[allow(clippy::cast_precision_loss, reason = "24 bits are what an f32 holds")]
    let block: Vec<f32> = (0..BLOCK.min(n))
        .map(|_| {
            bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (bits >> 8) as f32 / 16_777_216.0 - 0.5
        })
        .collect();
    let mut x = stream.alloc_zeros::<f32>(n)?;
    for start in (0..n).step_by(BLOCK) {
        stream.memcpy_htod(
            &block[..BLOCK.min(n - start)],
            &mut x.slice_mut(start..(start + BLOCK).min(n)),
        )?;
    }
    Ok([x, stream.alloc_zeros::<f32>(n)?])
}

/// Milliseconds of each round: a sum and a running sum over all GPUs, and the same on rank 0 alone.
#[derive(Clone, Debug, Default)]
struct Times {
    all: [Vec<f64>; 2],
    one: [Vec<f64>; 2],
    sum: u32,
}

fn rank(group: &mut Group, start: &Gate, options: &Options) -> Result<Times, Error> {
    let device = group.device().clone();
    let Some(stream) = device.stream() else {
        unreachable!("a rank of GPUs has a stream")
    };
    let n = 1_usize << options.log;
    let [x, mut out] = shard(stream, n)?;
    let mut times = Times::default();
    device.synchronize()?;
    for round in 0..WARM + options.rounds {
        let timed = |work: &mut dyn FnMut() -> Result<(), Error>| {
            start.wait();
            let begun = Instant::now();
            work()?;
            device.synchronize()?;
            Ok::<_, Error>(begun.elapsed().as_secs_f64() * 1e3)
        };
        let mut sum = 0.0;
        let all = [
            timed(&mut || {
                sum = group.reduce::<total, _>((&x,))?;
                Ok(())
            })?,
            timed(&mut || group.scan_into::<running, _>((&x,), &mut out))?,
        ];
        // The others wait at the barriers meanwhile.
        let first = group.rank() == 0;
        let one = [
            timed(&mut || {
                if first {
                    total::array(&x).map(|_| ())
                } else {
                    Ok(())
                }
            })?,
            timed(&mut || {
                if first {
                    running::array_into(&x, &mut out)
                } else {
                    Ok(())
                }
            })?,
        ];
        times.sum = sum.to_bits();
        if round >= WARM {
            for k in 0..2 {
                times.all[k].push(all[k]);
                times.one[k].push(one[k]);
            }
        }
    }
    Ok(times)
}

fn run(options: &Options, gpus: usize) -> Result<String, Error> {
    let ordinals: Vec<_> = (0..gpus).collect();
    let start = Gate {
        ranks: gpus,
        came: AtomicUsize::new(0),
    };
    let ranks = Group::run(Group::gpus(&ordinals)?, |group| {
        let times = rank(group, &start, options);
        // A rank that gives up would leave the others at the barrier.
        times.unwrap_or_else(|error| {
            eprintln!("error: rank {}: {error}", group.rank());
            std::process::exit(1)
        })
    });
    assert!(
        ranks.iter().all(|times| times.sum == ranks[0].sum),
        "ranks have different sums"
    );
    let mut report = Map::new();
    report.insert("card".into(), Device::gpu(0)?.describe().into());
    report.insert("date".into(), date::of(SystemTime::now()).into());
    report.insert(
        "commit".into(),
        std::env::var("WARPFOLD_COMMIT").unwrap_or_default().into(),
    );
    report.insert("gpus".into(), gpus.into());
    report.insert("elements_a_gpu".into(), (1_u64 << options.log).into());
    for (k, name) in ["reduce", "scan"].into_iter().enumerate() {
        // A round is as slow as its slowest rank.
        let all: Vec<_> = (0..options.rounds)
            .map(|round| ranks.iter().map(|times| times.all[k][round]).fold(0.0, f64::max))
            .collect();
        let (one, all) = (median(&ranks[0].one[k]), median(&all));
        report.insert(
            name.into(),
            json!({"one_gpu_ms": one, "all_gpus_ms": all, "efficiency": one / all}),
        );
    }
    if !options.alone {
        report.insert("torch".into(), torch(options, gpus));
    }
    let text = serde_json::to_string_pretty(&report).unwrap_or_default();
    let folder = std::env::var_os("WARPFOLD_RESULTS").map(PathBuf::from);
    let written = folder.map_or(Ok(()), |folder| std::fs::write(folder.join("group.json"), &text));
    if let Err(error) = written {
        eprintln!("error: cannot write group.json: {error}");
    }
    Ok(text)
}

/// What `PyTorch` says, or why it says nothing.
fn torch(options: &Options, gpus: usize) -> Value {
    let mut command = Command::new("python3");
    command.args(["-m", "torch.distributed.run", "--standalone", "--nproc-per-node"]);
    command.arg(gpus.to_string()).arg("peers/group.py");
    command.args([options.log.to_string(), options.rounds.to_string()]);
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => return json!({"left_out": format!("python3 does not start: {error}")}),
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text
        .lines()
        .rev()
        .find_map(|line| serde_json::from_str(line).ok());
    line.unwrap_or_else(|| {
        let errors = String::from_utf8_lossy(&output.stderr);
        let last = errors.lines().rev().find(|line| !line.trim().is_empty());
        json!({"left_out": last.unwrap_or("it prints nothing")})
    })
}
