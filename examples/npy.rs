//! A program for `.npy` files: reductions, scans and filters along the last axis, without writing Rust.
//!
//! ```text
//! cargo run --release --example npy -- softmax in.npy out.npy
//! cargo run --release --example npy -- max in.npy out.npy --whole
//! cargo run --release --example npy -- explain softmax --rows 8192 --cols 4096
//! ```
//!
//! Without arguments it tries itself on the handwritten digits, in a temporary folder.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand, ValueEnum};
use ndarray::{ArrayD, ArrayViewD, Axis, IxDyn};
use ndarray_npy::{read_npy, write_npy};
use warpfold::prelude::*;
use warpfold_examples::{agree, equal, require};

/// The largest of a row.
#[warp_reduce(op = max, identity = -inf)]
fn max(x: f32) -> f32 {
    x
}

/// The sum of a row.
#[warp_reduce(op = sum)]
fn sum(x: f32) -> f32 {
    x
}

/// The largest of a row and where it stands.
#[warp_reduce(op = argmax)]
fn argmax(x: f32) -> f32 {
    x
}

/// `ln(Σ exp(x))` of a row.
#[warp_reduce(op = softmax, finish = |s| -> f32 { s.0 + s.1.ln() })]
fn log_sum_exp(x: f32) -> f32 {
    x
}

/// The variance of a row.
#[warp_reduce(op = welford, finish = |s| -> f32 { s.2 / s.0 })]
fn variance(x: f32) -> f32 {
    x
}

/// Each element's share of its row's exponentials.
#[warp_reduce(op = softmax, land = all, apply = |total| -> f32 { (x - total.0).exp() / total.1 })]
fn softmax(x: f32) -> f32 {
    x
}

/// The sum up to and with each element of a row.
#[warp_scan(op = sum)]
fn cumsum(x: f32) -> f32 {
    x
}

/// The positive elements.
#[warp_filter]
fn keep_positive(x: f32) -> bool {
    x > 0.0
}

/// What can be done to a file.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Operation {
    Max,
    Sum,
    Argmax,
    LogSumExp,
    Variance,
    Softmax,
    Cumsum,
    KeepPositive,
}

/// Reductions, scans and filters of `.npy` files, on a GPU where there is one.
#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Subcommand)]
enum What {
    /// The largest of each row
    Max(Files),
    /// The sum of each row
    Sum(Files),
    /// Where the largest of each row stands, as u64
    Argmax(Files),
    /// The logarithm of the sum of the exponentials of each row
    LogSumExp(Files),
    /// The variance of each row
    Variance(Files),
    /// Each element's share of its row's exponentials
    Softmax(Files),
    /// The sum up to and with each element of a row
    Cumsum(Files),
    /// The positive elements, at the start of each row; the rest of the row is 0
    KeepPositive(Files),
    /// The plan, the CUDA C++, what the kernel needs and how many bytes it moves
    Explain {
        operation: Operation,
        #[arg(long, default_value_t = 8192)]
        rows: usize,
        #[arg(long, default_value_t = 4096)]
        cols: usize,
        /// What the card moves, in GB/s: then the time that this takes is told as well
        #[arg(long)]
        rate: Option<f64>,
    },
}

#[derive(Args)]
struct Files {
    /// An array of f32; its last axis is the row
    input: PathBuf,
    /// Where the result goes
    output: PathBuf,
    /// Take the whole array as one row
    #[arg(long)]
    whole: bool,
}

/// What a file becomes.
#[derive(Debug, PartialEq)]
enum Outcome {
    Values(ArrayD<f32>),
    Indices(ArrayD<u64>),
}

/// The shape in memory, the array's shape, and the same without its last axis.
struct Layout {
    rows: Rows,
    all: Vec<usize>,
    outer: Vec<usize>,
}

impl Layout {
    fn of(array: &ArrayViewD<'_, f32>, whole: bool) -> Result<Self, Box<dyn Error>> {
        if whole || array.ndim() < 2 {
            let all = vec![array.len()];
            return Ok(Self {
                rows: Rows::new(1, array.len()),
                all,
                outer: Vec::new(),
            });
        }
        let (all, last) = (array.shape().to_vec(), array.len_of(Axis(array.ndim() - 1)));
        require(
            last > 0,
            "the rows have no elements\nhelp: pass an array whose last axis is not empty",
        )?;
        let outer = all[..all.len() - 1].to_vec();
        Ok(Self {
            rows: Rows::new(array.len() / last, last),
            all,
            outer,
        })
    }
}

/// Does it.
fn compute(
    device: &Device,
    operation: Operation,
    array: &ArrayD<f32>,
    whole: bool,
) -> Result<Outcome, Box<dyn Error>> {
    let layout = Layout::of(&array.view(), whole)?;
    let standard = array.as_standard_layout();
    let elements = standard
        .as_slice()
        .ok_or("an array in standard order is a slice")?;
    let (shape, data) = (layout.rows, device.buffer(elements)?);
    let each_row = |values: Vec<f32>| ArrayD::from_shape_vec(IxDyn(&layout.outer), values);
    let each_element = |values: Vec<f32>| ArrayD::from_shape_vec(IxDyn(&layout.all), values);
    Ok(Outcome::Values(match operation {
        Operation::Max => each_row(max::rows(shape, &data)?.to_vec()?)?,
        Operation::Sum => each_row(sum::rows(shape, &data)?.to_vec()?)?,
        Operation::LogSumExp => each_row(log_sum_exp::rows(shape, &data)?.to_vec()?)?,
        Operation::Variance => each_row(variance::rows(shape, &data)?.to_vec()?)?,
        Operation::Softmax => each_element(softmax::rows(shape, &data)?.to_vec()?)?,
        Operation::Cumsum => each_element(cumsum::rows(shape, &data)?.to_vec()?)?,
        Operation::Argmax => {
            let (_, index) = argmax::rows(shape, &data)?;
            return Ok(Outcome::Indices(ArrayD::from_shape_vec(
                IxDyn(&layout.outer),
                index.to_vec()?,
            )?));
        }
        Operation::KeepPositive if layout.outer.is_empty() => {
            let kept = keep_positive::array(&data)?.to_vec()?;
            ArrayD::from_shape_vec(IxDyn(&[kept.len()]), kept)?
        }
        Operation::KeepPositive => each_element(keep_positive::rows(shape, &data)?.0.to_vec()?)?,
    }))
}

/// From file to file.
fn convert(device: &Device, operation: Operation, files: &Files) -> Result<(), Box<dyn Error>> {
    let array: ArrayD<f32> = read_npy(&files.input).map_err(|why| {
        let input = files.input.display();
        format!(
            "cannot read {input} as an array of f32: {why}\nhelp: numpy.save(\"{input}\", array.astype(\"<f4\"))"
        )
    })?;
    match compute(device, operation, &array, files.whole)? {
        Outcome::Values(values) => write_npy(&files.output, &values)?,
        Outcome::Indices(indices) => write_npy(&files.output, &indices)?,
    }
    Ok(())
}

/// What runs, and what it needs.
fn explain(operation: Operation, shape: (usize, usize), rate: Option<f64>) -> Result<(), Box<dyn Error>> {
    let (rows, cols) = shape;
    // The spec's plan and source, its cost, and the bytes of its results.
    macro_rules! of {
        ($spec:ident, $result_bytes:expr) => {{
            println!("{}\n{}", $spec::plan(), $spec::cuda());
            match Device::gpu(0) {
                Ok(_) => {
                    let context = cudarc::driver::CudaContext::new(0)?;
                    println!("kernel: {}", $spec::cost(&context, Rows::new(rows, cols))?);
                }
                Err(why) => println!("kernel: {why}"),
            }
            $result_bytes
        }};
    }
    let results = match operation {
        Operation::Max => of!(max, 4 * rows),
        Operation::Sum => of!(sum, 4 * rows),
        Operation::Argmax => of!(argmax, 12 * rows),
        Operation::LogSumExp => of!(log_sum_exp, 4 * rows),
        Operation::Variance => of!(variance, 4 * rows),
        Operation::Softmax => of!(softmax, 4 * rows * cols),
        Operation::Cumsum => of!(cumsum, 4 * rows * cols),
        Operation::KeepPositive => of!(keep_positive, 4 * rows * cols + 8 * rows),
    };
    let bytes = 4 * rows * cols + results;
    println!("bytes: {bytes}, each input and each result once");
    if let Some(rate) = rate {
        #[allow(clippy::cast_precision_loss, reason = "a time to a few digits")]
        let time = bytes as f64 / rate / 1e3;
        println!("time: {time:.3} µs at {rate} GB/s");
    }
    Ok(())
}

/// Tries the program on the digits: file in, file out, and a plain loop beside it.
pub(crate) fn run(device: &Device) -> Result<(), Box<dyn Error>> {
    println!("files on {}", device.describe());
    let folder = tempfile::tempdir()?;
    let images = warpfold_examples::digits()?.images;
    let input = folder.path().join("digits.npy");
    write_npy(&input, &images)?;
    let files = |whole| Files {
        input: input.clone(),
        output: folder.path().join("out.npy"),
        whole,
    };
    let values = |operation, whole| -> Result<ArrayD<f32>, Box<dyn Error>> {
        convert(device, operation, &files(whole))?;
        Ok(read_npy(files(whole).output)?)
    };

    let brightest: Vec<f32> = images
        .rows()
        .into_iter()
        .map(|row| row.fold(0.0, |a, &b| b.max(a)))
        .collect();
    equal(
        "max",
        &values(Operation::Max, false)?.into_raw_vec_and_offset().0,
        &brightest,
    )?;
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
    convert(device, Operation::Argmax, &files(false))?;
    let found: ArrayD<u64> = read_npy(files(false).output)?;
    let first = |row: ndarray::ArrayView1<'_, f32>| {
        let largest = row.fold(0.0_f32, |a, &b| b.max(a));
        row.iter().position(|&x| x >= largest).unwrap_or_default() as u64
    };
    let wanted: Vec<u64> = images.rows().into_iter().map(first).collect();
    equal("argmax", &found.into_raw_vec_and_offset().0, &wanted)?;
    what_is_wrong_is_said(device, folder.path())
}

/// A file that is no array of `f32` is an error that says what to type.
fn what_is_wrong_is_said(device: &Device, folder: &Path) -> Result<(), Box<dyn Error>> {
    let input = folder.join("text.npy");
    fs::write(&input, "no array")?;
    let files = Files {
        input,
        output: folder.join("out.npy"),
        whole: false,
    };
    let error = convert(device, Operation::Max, &files)
        .err()
        .map(|error| error.to_string());
    require(
        error.is_some_and(|error| error.contains("help: numpy.save")),
        "a file of text must be refused with a help line",
    )
}

fn main() -> ExitCode {
    match program(Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

/// What the command line asks for.
fn program(cli: Cli) -> Result<(), Box<dyn Error>> {
    let device = Device::best()?;
    let Some(what) = cli.what else {
        return run(&device);
    };
    let (operation, files) = match what {
        What::Explain {
            operation,
            rows,
            cols,
            rate,
        } => return explain(operation, (rows, cols), rate),
        What::Max(files) => (Operation::Max, files),
        What::Sum(files) => (Operation::Sum, files),
        What::Argmax(files) => (Operation::Argmax, files),
        What::LogSumExp(files) => (Operation::LogSumExp, files),
        What::Variance(files) => (Operation::Variance, files),
        What::Softmax(files) => (Operation::Softmax, files),
        What::Cumsum(files) => (Operation::Cumsum, files),
        What::KeepPositive(files) => (Operation::KeepPositive, files),
    };
    convert(&device, operation, &files)?;
    eprintln!("on {}", device.describe());
    Ok(())
}
