//! A program for `.npy` files: reductions, scans and filters along the last axis, without writing Rust.
//!
//! ```text
//! cargo run --release --example npy -- softmax in.npy out.npy
//! cargo run --release --example npy -- max in.npy out.npy --whole
//! cargo run --release --example npy -- explain softmax --rows 8192 --cols 4096
//! ```
//!
//! Files may be larger than the GPU's memory and the host's: they go through in pieces, and on a GPU one piece is copied
//! and computed while the next is read. Without arguments it tries itself on the handwritten digits, in a temporary
//! folder.

mod convert;
mod explain;
mod file;
mod operation;
mod slots;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use ndarray::{Array1, ArrayD, ArrayView1};
use ndarray_npy::{read_npy, write_npy};
use warpfold::prelude::*;
use warpfold_examples::{agree, equal, require};

use convert::{BLOCK, Order, convert};
use explain::explain;
use operation::Operation;

/// Reductions, scans and filters of `.npy` files, on a GPU where there is one.
#[derive(Parser)]
#[command(name = "npy", args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    explain: Option<What>,
    #[command(flatten)]
    files: Option<Files>,
}

#[derive(Subcommand)]
enum What {
    /// Print the plan, the CUDA C++, what the kernel needs, how many bytes it moves and how long that takes
    Explain {
        /// What is explained
        operation: Operation,
        /// Rows
        #[arg(long, default_value_t = 8192)]
        rows: usize,
        /// Columns
        #[arg(long, default_value_t = 4096)]
        cols: usize,
        /// What the card moves, in GB/s; on a GPU it is measured otherwise
        #[arg(long)]
        rate: Option<f64>,
        /// Look for no GPU
        #[arg(long)]
        cpu: bool,
    },
}

#[derive(Args)]
struct Files {
    /// What is done with each row
    operation: Operation,
    /// An array of f32; its last axis is the row
    input: PathBuf,
    /// Where the result goes
    output: PathBuf,
    /// Take the whole array as one row
    #[arg(long)]
    whole: bool,
    /// Bytes of the input in each of two pieces under way, as in 64M; at least a row, or a block of a long one
    #[arg(long, default_value = "64M", value_parser = size)]
    piece: usize,
    /// Use no GPU
    #[arg(long)]
    cpu: bool,
}

/// A number of bytes, as in `65536`, `64K`, `64M` or `2G`.
fn size(text: &str) -> Result<usize, String> {
    let (digits, unit) = match text.char_indices().next_back() {
        Some((at, 'K' | 'k')) => (&text[..at], 1 << 10),
        Some((at, 'M' | 'm')) => (&text[..at], 1 << 20),
        Some((at, 'G' | 'g')) => (&text[..at], 1 << 30),
        _ => (text, 1),
    };
    let number: Option<usize> = digits.parse().ok();
    number
        .and_then(|number| number.checked_mul(unit))
        .filter(|&bytes| bytes > 0)
        .ok_or_else(|| "give a number of bytes, as in 65536, 64K, 64M or 2G".to_owned())
}

/// Tries the program on the digits: file in, file out, and a plain loop beside it.
pub(crate) fn run(device: &Device) -> Result<(), Box<dyn Error>> {
    println!("files on {}", device.describe());
    let folder = tempfile::tempdir()?;
    let images = warpfold_examples::digits()?.images;
    let (input, output) = (folder.path().join("digits.npy"), folder.path().join("out.npy"));
    write_npy(&input, &images)?;
    let convert = |operation, whole| {
        let order = Order {
            operation,
            input: &input,
            output: &output,
            whole,
            // 64 images a piece, so that the two slots take many turns.
            piece: 64 * 64 * size_of::<f32>(),
        };
        convert(device, &order)
    };
    let values = |operation, whole| -> Result<ArrayD<f32>, Box<dyn Error>> {
        convert(operation, whole)?;
        Ok(read_npy(&output)?)
    };

    let brightest: Vec<f32> = images
        .rows()
        .into_iter()
        .map(|row| row.fold(0.0, |a, &b| b.max(a)))
        .collect();
    let found = values(Operation::Max, false)?;
    equal("max", &found.into_raw_vec_and_offset().0, &brightest)?;
    let ink = values(Operation::Sum, true)?;
    require(ink.ndim() == 0, "the sum of a whole file is one value")?;
    agree("sum of the whole", &[ink.sum()], &[561_718.0], 0.0)?;
    let shares = values(Operation::Softmax, false)?;
    require(shares.shape() == images.shape(), "softmax keeps the shape")?;
    let sums: Vec<f32> = shares.rows().into_iter().map(|row| row.sum()).collect();
    agree("softmax adds up to", &sums, &vec![1.0; sums.len()], 1e-5)?;
    let inked = values(Operation::KeepPositive, true)?;
    let wanted: Vec<f32> = images.iter().copied().filter(|&pixel| pixel > 0.0).collect();
    equal(
        "keep-positive of the whole",
        &inked.into_raw_vec_and_offset().0,
        &wanted,
    )?;
    convert(Operation::Argmax, false)?;
    let found: ArrayD<u64> = read_npy(&output)?;
    let first = |row: ArrayView1<'_, f32>| {
        let largest = row.fold(0.0_f32, |a, &b| b.max(a));
        row.iter().position(|&x| x >= largest).unwrap_or_default() as u64
    };
    let wanted: Vec<u64> = images.rows().into_iter().map(first).collect();
    equal("argmax", &found.into_raw_vec_and_offset().0, &wanted)?;

    // A row of more than one block: whole numbers, so that the sums are exact.
    let long: Array1<f32> = (0..BLOCK + 12_345).map(|i| f32::from((i % 7) as u8)).collect();
    write_npy(&input, &long)?;
    let sums = values(Operation::Cumsum, true)?;
    let wanted: Vec<f32> = long
        .iter()
        .scan(0.0, |sum, &x| {
            *sum += x;
            Some(*sum)
        })
        .collect();
    equal("cumsum of a long row", &sums.into_raw_vec_and_offset().0, &wanted)?;
    let total = values(Operation::Sum, true)?;
    equal("sum of a long row", &[total.sum()], &wanted[wanted.len() - 1..])
}

fn main() -> ExitCode {
    let asked = std::env::args_os().len() > 1;
    match program(asked.then(Cli::parse)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

/// What the command line asks for; without words a try on the digits.
fn program(cli: Option<Cli>) -> Result<(), Box<dyn Error>> {
    let Some(cli) = cli else {
        return run(&Device::best()?);
    };
    let device = |cpu| if cpu { Ok(Device::cpu()) } else { Device::best() };
    match (cli.explain, cli.files) {
        (
            Some(What::Explain {
                operation,
                rows,
                cols,
                rate,
                cpu,
            }),
            _,
        ) => explain(&device(cpu)?, operation, rows, cols, rate),
        // Words there are, and clap asks for the files where they are no `explain`.
        (None, None) => Err("no operation\nhelp: npy --help".into()),
        (None, Some(files)) => {
            let device = device(files.cpu)?;
            let order = Order {
                operation: files.operation,
                input: &files.input,
                output: &files.output,
                whole: files.whole,
                piece: files.piece,
            };
            convert(&device, &order)?;
            eprintln!("on {}", device.describe());
            Ok(())
        }
    }
}
