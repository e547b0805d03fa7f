//! Every example, run on the CPU: each checks what it finds and gives an error where something is wrong.

use std::path::Path;

use warpfold::Device;

macro_rules! programs {
    ($($name:ident = $path:literal;)*) => {
        $(
            #[path = $path]
            #[allow(dead_code, reason = "`main` runs the program on the best device there is")]
            mod $name;

            #[test]
            fn $name() {
                $name::run(&Device::cpu()).unwrap();
            }
        )*

        const PROGRAMS: &[&str] = &[$(stringify!($name)),*];
    };
}

programs! {
    argmax = "../argmax.rs";
    block_scan = "../block_scan.rs";
    classic = "../classic.rs";
    compaction = "../compaction.rs";
    log_sum_exp = "../log_sum_exp.rs";
    nearest = "../nearest.rs";
    norms = "../norms.rs";
    npy = "../npy/main.rs";
    page_offsets = "../page_offsets.rs";
    pagerank = "../pagerank.rs";
    recurrence = "../recurrence.rs";
    row_max = "../row_max.rs";
    running_sum = "../running_sum.rs";
    segmented_scan = "../segmented_scan.rs";
    several_gpus = "../several_gpus.rs";
    short_rows = "../short_rows.rs";
    softmax = "../softmax.rs";
    sparse_softmax = "../sparse_softmax.rs";
    top_p = "../top_p.rs";
    variance = "../variance.rs";
}

/// A program that is added and not listed above would not be run.
#[test]
fn every_example_is_run_here() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let Ok(files) = folder.read_dir() else {
        return; // The tests were copied to a machine without the sources.
    };
    let mut found: Vec<String> = files
        .map(|file| file.unwrap())
        .filter_map(|file| {
            let name = file.file_name().into_string().ok()?;
            if file.path().join("main.rs").exists() {
                return Some(name);
            }
            name.strip_suffix(".rs").map(str::to_owned)
        })
        .collect();
    found.sort();
    assert_eq!(found, PROGRAMS);
}
