//! The program `npy` as people start it: as a process, on the CPU, with pieces that are much smaller than the file.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use ndarray::{Array1, Array2, Array3, ArrayD, Axis, ShapeBuilder, array};
use ndarray_npy::{read_npy, write_npy};
use tempfile::TempDir;
use warpfold_examples::{Values, agree, equal};

/// The program; none where the tests were copied to a machine without the sources.
fn program() -> Option<PathBuf> {
    if !Path::new(env!("CARGO_MANIFEST_DIR")).is_dir() {
        return None;
    }
    let test = std::env::current_exe().unwrap();
    let program = test
        .ancestors()
        .nth(2)
        .unwrap()
        .join("examples/npy")
        .with_extension(std::env::consts::EXE_EXTENSION);
    assert!(
        program.exists(),
        "there is no {}\nhelp: cargo build -p warpfold-examples --example npy",
        program.display()
    );
    Some(program)
}

/// A folder with the program beside it.
struct Folder {
    program: PathBuf,
    folder: TempDir,
}

impl Folder {
    fn new() -> Option<Self> {
        Some(Self {
            program: program()?,
            folder: tempfile::tempdir().unwrap(),
        })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs `npy WORDS` in the folder.
    fn npy(&self, words: &str) -> Output {
        Command::new(&self.program)
            .args(words.split_whitespace())
            .current_dir(self.folder.path())
            .output()
            .unwrap()
    }

    /// Runs it and reads what it wrote.
    fn values<T: ndarray_npy::ReadableElement>(&self, words: &str) -> ArrayD<T> {
        let output = self.npy(words);
        assert!(output.status.success(), "npy {words}: {}", text(&output.stderr));
        read_npy(self.path("out.npy")).unwrap()
    }

    /// Runs it, and it fails with these words and a help line.
    fn fails(&self, words: &str, with: &[&str]) {
        let output = self.npy(words);
        let error = text(&output.stderr);
        assert!(!output.status.success(), "npy {words} went well");
        for part in with.iter().chain(&["error: ", "\nhelp: "]) {
            assert!(error.contains(part), "npy {words}: `{part}` is not in\n{error}");
        }
        assert!(!error.contains("panicked"), "{error}");
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn flat<T>(values: ArrayD<T>) -> Vec<T> {
    values.into_raw_vec_and_offset().0
}

fn matrix(rows: usize, cols: usize) -> Array2<f32> {
    let values = Values::new(3).between(-2.0, 2.0, rows * cols);
    Array2::from_shape_vec((rows, cols), values).unwrap()
}

const REDUCTIONS: [&str; 5] = ["max", "sum", "argmax", "log-sum-exp", "variance"];

/// What an operation makes of a row, in f64.
fn reduced(operation: &str, row: &[f32]) -> f64 {
    let wide = || row.iter().map(|&x| f64::from(x));
    let (n, largest) = (
        wide().map(|_| 1.0).sum::<f64>(),
        wide().fold(f64::NEG_INFINITY, f64::max),
    );
    match operation {
        "max" => largest,
        "sum" => wide().sum(),
        "argmax" => wide().take_while(|&x| x < largest).map(|_| 1.0).sum(),
        "log-sum-exp" => largest + wide().map(|x| (x - largest).exp()).sum::<f64>().ln(),
        "variance" => {
            let mean = wide().sum::<f64>() / n;
            wide().map(|x| (x - mean).powi(2)).sum::<f64>() / n
        }
        _ => unreachable!("{operation}"),
    }
}

/// What an operation makes of each element of a row, in f64.
fn mapped(operation: &str, row: &[f32]) -> Vec<f64> {
    let wide = row.iter().map(|&x| f64::from(x));
    match operation {
        "softmax" => {
            let total = reduced("log-sum-exp", row);
            wide.map(|x| (x - total).exp()).collect()
        }
        "cumsum" => wide
            .scan(0.0, |sum, x| {
                *sum += x;
                Some(*sum)
            })
            .collect(),
        "keep-positive" => {
            let mut kept: Vec<f64> = wide.filter(|&x| x > 0.0).collect();
            kept.resize(row.len(), 0.0);
            kept
        }
        _ => unreachable!("{operation}"),
    }
}

/// All operations on `x`, each beside a loop in f64.
fn every_operation_agrees(x: &Array2<f32>, options: &str, tolerance: f64) {
    let Some(folder) = Folder::new() else { return };
    write_npy(folder.path("in.npy"), x).unwrap();
    let whole = options.contains("--whole");
    let rows: Vec<Vec<f32>> = if whole {
        vec![x.iter().copied().collect()]
    } else {
        x.rows().into_iter().map(|row| row.to_vec()).collect()
    };
    for operation in REDUCTIONS {
        let wanted: Vec<f64> = rows.iter().map(|row| reduced(operation, row)).collect();
        let words = format!("{operation} in.npy out.npy --cpu {options}");
        if operation == "argmax" {
            let found = folder.values::<u64>(&words);
            let found: Vec<f64> = found.iter().map(|&index| f64::from(index as u32)).collect();
            equal(operation, &found, &wanted).unwrap();
            continue;
        }
        let found = folder.values::<f32>(&words);
        assert_eq!(found.ndim(), usize::from(!whole), "{operation}");
        agree(operation, &flat(found), &wanted, tolerance).unwrap();
    }
    for operation in ["softmax", "cumsum", "keep-positive"] {
        let mut wanted: Vec<f64> = rows.iter().flat_map(|row| mapped(operation, row)).collect();
        let found = folder.values::<f32>(&format!("{operation} in.npy out.npy --cpu {options}"));
        if operation == "keep-positive" && whole {
            wanted.retain(|&x| x > 0.0);
        } else if !whole {
            assert_eq!(found.shape(), x.shape(), "{operation}");
        }
        agree(operation, &flat(found), &wanted, tolerance).unwrap();
    }
}

#[test]
fn rows_in_pieces_that_do_not_divide_them() {
    every_operation_agrees(&matrix(103, 37), "--piece 1000", 1e-5);
}

#[test]
fn the_whole_as_one_row() {
    every_operation_agrees(&matrix(103, 37), "--whole --piece 64", 1e-4);
}

/// Two rows of more columns than one launch takes, the last block a short one.
#[test]
fn rows_longer_than_a_block() {
    every_operation_agrees(&matrix(2, (1 << 20) + 4_321), "", 2e-4);
}

/// What is written follows from the array alone.
#[test]
fn the_pieces_change_no_bit() {
    let Some(folder) = Folder::new() else { return };
    write_npy(folder.path("in.npy"), &matrix(64, 129)).unwrap();
    for operation in ["sum", "softmax", "cumsum", "variance"] {
        let bits = |piece: &str| {
            let found = folder.values::<f32>(&format!("{operation} in.npy out.npy --cpu --piece {piece}"));
            found.iter().map(|x| x.to_bits()).collect::<Vec<u32>>()
        };
        assert_eq!(bits("1"), bits("1M"), "{operation}");
    }
}

/// More than two axes: the last one is the row, the others stay.
#[test]
fn three_axes_keep_their_shape() {
    let Some(folder) = Folder::new() else { return };
    let x = Array3::from_shape_fn((3, 4, 5), |(i, j, k)| f32::from((i * 20 + j * 5 + k) as u16));
    write_npy(folder.path("in.npy"), &x).unwrap();
    let found = folder.values::<f32>("max in.npy out.npy --cpu --piece 60");
    assert_eq!(found, x.map_axis(Axis(2), |row| row[4]).into_dyn());
    let found = folder.values::<f32>("cumsum in.npy out.npy --cpu");
    assert_eq!(found.shape(), [3, 4, 5]);
}

#[test]
fn the_result_may_replace_the_input() {
    let Some(folder) = Folder::new() else { return };
    write_npy(folder.path("out.npy"), &array![[1.0_f32, 2.0], [3.0, 4.0]]).unwrap();
    let found = folder.values::<f32>("cumsum out.npy out.npy --cpu --piece 8");
    assert_eq!(flat(found), [1.0, 3.0, 3.0, 7.0]);
}

#[test]
fn no_rows_give_no_results() {
    let Some(folder) = Folder::new() else { return };
    write_npy(folder.path("in.npy"), &Array2::<f32>::zeros((0, 5))).unwrap();
    assert_eq!(folder.values::<f32>("sum in.npy out.npy --cpu").shape(), [0]);
    write_npy(folder.path("in.npy"), &Array2::<f32>::zeros((5, 0))).unwrap();
    folder.fails("sum in.npy out.npy --cpu", &["no elements"]);
}

#[test]
fn what_is_wrong_is_said() {
    let Some(folder) = Folder::new() else { return };
    folder.fails("max none.npy out.npy --cpu", &["none.npy", "no such file"]);

    std::fs::write(folder.path("text.npy"), "no array").unwrap();
    folder.fails("max text.npy out.npy --cpu", &["no .npy file", "numpy.save("]);

    write_npy(folder.path("f64.npy"), &array![1.0_f64, 2.0]).unwrap();
    folder.fails("max f64.npy out.npy --cpu", &["'<f8'", "astype(\"<f4\")"]);

    let fortran = Array2::<f32>::zeros((3, 4).f());
    write_npy(folder.path("fortran.npy"), &fortran).unwrap();
    folder.fails(
        "max fortran.npy out.npy --cpu",
        &["Fortran order", "numpy.ascontiguousarray"],
    );

    write_npy(folder.path("good.npy"), &Array1::<f32>::zeros(1000)).unwrap();
    let bytes = std::fs::read(folder.path("good.npy")).unwrap();
    std::fs::write(folder.path("cut.npy"), &bytes[..bytes.len() - 10]).unwrap();
    folder.fails("max cut.npy out.npy --cpu", &["cut off", "3990 bytes", "4000"]);

    folder.fails(
        "max good.npy no/folder/out.npy --cpu",
        &["cannot write no/folder/out.npy"],
    );
    std::fs::create_dir(folder.path("folder")).unwrap();
    folder.fails("max good.npy folder --cpu", &["cannot write folder"]);
    assert!(!folder.path("out.npy").exists(), "nothing was written");
    assert_eq!(
        folder.folder.path().read_dir().unwrap().count(),
        6,
        "no part is left behind"
    );
}

#[test]
fn without_words_it_tries_itself() {
    let Some(folder) = Folder::new() else { return };
    let output = folder.npy("");
    let said = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(
        said.contains("cumsum of a long row: 1060921 values, 0 wrong"),
        "{said}"
    );
}

/// Words that the program does not know: what it knows is named.
#[test]
fn wrong_words_name_the_right_ones() {
    let Some(folder) = Folder::new() else { return };
    for (words, part) in [
        ("sofmax in.npy out.npy", "softmax"),
        ("max in.npy out.npy --piece 0", "64M"),
        ("max in.npy", "OUTPUT"),
    ] {
        let output = folder.npy(words);
        let error = text(&output.stderr);
        assert!(
            !output.status.success() && error.contains(part),
            "npy {words}: {error}"
        );
    }
}

#[test]
fn explained_are_the_plan_the_kernel_and_the_bytes() {
    let Some(folder) = Folder::new() else { return };
    let output = folder.npy("explain softmax --rows 8192 --cols 4096 --rate 4000 --cpu");
    let said = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    for part in [
        "step 1",
        "struct Spec",
        "kernel: ",
        "bytes moved: 268435456,",
        "expected time: 67.1 µs at 4000 GB/s",
    ] {
        assert!(said.contains(part), "`{part}` is not in\n{said}");
    }
    folder.fails("explain sum --rate 0 --cpu", &["--rate 4000"]);
    // Nobody finds an error below two thousand lines of CUDA C++.
    assert!(folder.npy("explain sum --rate 0 --cpu").stdout.is_empty());
    folder.fails(
        "explain sum --rows 99999999999 --cols 99999999999 --cpu",
        &["64 bits"],
    );
}
