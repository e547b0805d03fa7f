//! `cargo xtask gpu`: one folder, `bundle/`, that a machine with a GPU runs without cargo.
//!
//! It holds the test programs of the packages that launch kernels, the examples and the benches, all built for
//! release, the files they read, this task itself (which runs them there), all in one archive, and `run.sh`, which
//! unpacks it. [`run`] is what it does there.

mod hand_over;
pub mod run;
pub mod sanitize;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use crate::process;
use crate::workspace::{self, Workspace};

/// The packages whose programs go into the bundle.
const PACKAGES: [&str; 6] = [
    "warpfold",
    "warpfold-tests",
    "warpfold-meaning",
    "warpfold-examples",
    "warpfold-benches",
    "xtask",
];

/// The largest bundle, in bytes: what can be carried to a GPU machine along with the sources.
const LIMIT: u64 = 60 << 20;

/// Test programs that stay: they run kernels on the CPU, built by a C++ compiler into cargo's folders, or only look at what
/// NVRTC makes of them.
const CPU_ONLY: [&str; 2] = ["tests-emulated", "tests-spills"];

/// What was built beside its sources and is not in git, taken along where it is there: the CUB program of the benches.
const BUILT: [&str; 1] = ["benches/peers/cub/cub"];

const RUN_SCRIPT: &str = include_str!("run.sh");

/// What a bundle holds: `manifest.json`.
#[derive(Debug, Deserialize, Serialize)]
pub struct Manifest {
    /// The commit of the sources, with `-dirty` where they differed from it.
    pub commit: String,
    /// The programs, in the order in which they run.
    pub programs: Vec<Program>,
}

/// One program of a bundle.
#[derive(Clone, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub struct Program {
    /// What it is for.
    pub kind: Kind,
    /// Its name: the package's folder and the target's name.
    pub name: String,
    /// The package's folder in the workspace, where it runs.
    pub folder: PathBuf,
    /// Its file in the bundle.
    pub file: PathBuf,
}

/// What a program is for.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A test program of libtest.
    Test,
    /// An example: it exits with 0 when its answers are right.
    Example,
    /// A bench.
    Bench,
    /// This task.
    Task,
}

/// A line of cargo's JSON that says a target was built; other messages lack these fields.
#[derive(Debug, Deserialize)]
struct Artifact {
    executable: Option<PathBuf>,
    manifest_path: PathBuf,
    target: Target,
    profile: Profile,
}

#[derive(Debug, Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Profile {
    test: bool,
}

/// Builds the bundle; says whether cargo could build the programs.
pub fn build() -> Result<bool> {
    let workspace = workspace::locate()?;
    let Some(artifacts) = compile(&workspace)? else {
        return Ok(false);
    };

    let bundle = workspace.root.join("bundle");
    if bundle.exists() {
        fs::remove_dir_all(&bundle).with_context(|| format!("cannot empty {}", bundle.display()))?;
    }
    fs::create_dir_all(bundle.join("bin"))?;

    let mut programs = Vec::new();
    for artifact in &artifacts {
        if let Some((program, built)) = program(artifact, &workspace.root) {
            copy_stripped(built, &bundle.join(&program.file))?;
            programs.push(program);
        }
    }
    programs.sort();
    programs.dedup();
    ensure!(
        programs.iter().any(|program| program.kind == Kind::Test),
        "cargo built no test program"
    );

    let files = bundle.join("files");
    copy_files(&workspace.root, &files)?;
    for file in BUILT.iter().filter(|file| workspace.root.join(file).is_file()) {
        fs::copy(workspace.root.join(file), files.join(file))
            .with_context(|| format!("cannot copy {file}"))?;
    }
    for program in &programs {
        // A package may have no file to copy; its programs still run in its folder.
        fs::create_dir_all(files.join(&program.folder))?;
    }
    let manifest = Manifest {
        commit: commit(&workspace.root),
        programs,
    };
    fs::write(
        bundle.join("manifest.json"),
        serde_json::to_string_pretty(&manifest)?,
    )?;
    let script = bundle.join("run.sh");
    fs::write(&script, RUN_SCRIPT)?;
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755))?;
    pack(&bundle)?;
    weigh(&bundle, &manifest)
}

/// Packs the programs and their files into one archive, a quarter of their size; `run.sh` unpacks it.
fn pack(bundle: &Path) -> Result<()> {
    let mut tar = Command::new("tar");
    tar.current_dir(bundle).env("XZ_OPT", "-T0 -1");
    tar.args(["-cJf", "programs.tar.xz", "bin", "files"]);
    process::output(&mut tar).context("`tar -cJf` failed\nhelp: install tar and xz-utils")?;
    for folder in ["bin", "files"] {
        fs::remove_dir_all(bundle.join(folder))?;
    }
    Ok(())
}

/// Has cargo build everything in one go, so that dependencies are built once with one set of features.
fn compile(workspace: &Workspace) -> Result<Option<Vec<Artifact>>> {
    let mut command = process::cargo();
    command.current_dir(&workspace.root).args(["build", "--release"]);
    command.args(["--lib", "--bins", "--tests", "--examples"]);
    command.arg("--message-format=json-render-diagnostics");
    for package in PACKAGES {
        command.args(["--package", package]);
    }
    let (success, output) = process::stdout_of(&mut command)?;
    let artifacts = output
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    Ok(success.then_some(artifacts))
}

/// What an artifact is to the bundle, with the file cargo built; `None` for libraries and what is not wanted.
fn program<'a>(artifact: &'a Artifact, root: &Path) -> Option<(Program, &'a Path)> {
    let built = artifact.executable.as_deref()?;
    let folder = artifact
        .manifest_path
        .parent()?
        .strip_prefix(root)
        .ok()?
        .to_owned();
    let is = |kind: &str| artifact.target.kind.iter().any(|found| found == kind);
    let harness = artifact.profile.test;
    let kind = match folder.to_str()? {
        "xtask" if is("bin") && !harness => Kind::Task,
        "xtask" => return None,
        // Benches of cargo's own kind measure the CPU.
        _ if is("bench") => return None,
        "benches" if !harness => Kind::Bench,
        // A program's own test harness holds no tests for a GPU; those are targets of their own.
        _ if harness && (is("bin") || is("example")) => return None,
        _ if harness => Kind::Test,
        _ => Kind::Example,
    };
    let name = match kind {
        Kind::Task => "xtask".to_owned(),
        _ => format!("{}-{}", folder.display(), artifact.target.name).replace('/', "-"),
    };
    if CPU_ONLY.contains(&name.as_str()) {
        return None;
    }
    // An example and a test of it may have one name.
    let file = match kind {
        Kind::Test => Path::new("bin").join(format!("{name}.test")),
        _ => Path::new("bin").join(&name),
    };
    Some((
        Program {
            kind,
            name,
            folder,
            file,
        },
        built,
    ))
}

/// Copies a program without its symbols; where `strip` is not to be had, with them.
fn copy_stripped(from: &Path, to: &Path) -> Result<()> {
    let stripped = process::output(Command::new("strip").arg("-o").arg(to).arg(from)).is_some();
    if !stripped {
        fs::copy(from, to).with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
    }
    Ok(())
}

/// Copies every file that git knows or would know, except Rust's sources, to the same place under another folder.
fn copy_files(root: &Path, to: &Path) -> Result<()> {
    let mut git = Command::new("git");
    git.current_dir(root)
        .args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"]);
    let listing =
        process::output(&mut git).context("`git ls-files` failed: the bundle is made in a checkout")?;
    for file in listing.split('\0').filter(|file| wanted(file)) {
        let (from, to) = (root.join(file), to.join(file));
        // A file deleted but not yet committed is still listed.
        if from.is_file() {
            fs::create_dir_all(to.parent().context("a listed file has a folder")?)?;
            fs::copy(&from, &to).with_context(|| format!("cannot copy {}", from.display()))?;
        }
    }
    Ok(())
}

/// Whether a program may read this file of the workspace when it runs.
fn wanted(file: &str) -> bool {
    let in_folder = file.contains('/') && !file.starts_with('.');
    let source = [".rs", ".stderr", "Cargo.toml"]
        .iter()
        .any(|end| file.ends_with(end));
    in_folder && !source
}

/// The commit of a checkout, with `-dirty` where a tracked file differs.
fn commit(root: &Path) -> String {
    let git = |arguments: &[&str]| process::output(Command::new("git").current_dir(root).args(arguments));
    let hash = git(&["rev-parse", "HEAD"]).unwrap_or_else(|| "unknown".to_owned());
    match git(&["status", "--porcelain", "--untracked-files=no"]) {
        Some(changes) if changes.is_empty() => hash,
        _ => format!("{hash}-dirty"),
    }
}

/// Prints what the bundle holds and weighs, and refuses one that is too large.
fn weigh(bundle: &Path, manifest: &Manifest) -> Result<bool> {
    let mut files = Vec::new();
    list(bundle, &mut files)?;
    files.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
    let total: u64 = files.iter().map(|(_, size)| size).sum();
    if total > LIMIT {
        for (file, size) in files.iter().take(10) {
            eprintln!("{:>8} KiB {}", size >> 10, file.display());
        }
        bail!("the bundle has {} MiB and may have {}", total >> 20, LIMIT >> 20);
    }
    for program in &manifest.programs {
        println!("{}", program.name);
    }
    println!(
        "bundle/: {} programs, {} MiB, commit {}",
        manifest.programs.len(),
        total >> 20,
        manifest.commit
    );
    Ok(true)
}

/// Every file under a folder with its size in bytes.
fn list(folder: &Path, into: &mut Vec<(PathBuf, u64)>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            list(&entry.path(), into)?;
        } else {
            into.push((entry.path(), entry.metadata()?.len()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(folder: &str, kind: &str, test: bool) -> Option<(Kind, String)> {
        made_of(folder, kind, test).map(|program| (program.kind, program.name))
    }

    fn made_of(folder: &str, kind: &str, test: bool) -> Option<Program> {
        let json = format!(
            r#"{{"reason":"compiler-artifact","manifest_path":"/w/{folder}/Cargo.toml","executable":"/t/x",
                "target":{{"name":"x","kind":["{kind}"]}},"profile":{{"test":{test}}}}}"#
        );
        let artifact: Artifact = serde_json::from_str(&json).unwrap();
        program(&artifact, Path::new("/w")).map(|(program, _)| program)
    }

    #[test]
    fn an_example_and_its_test_are_two_files() {
        let file = |kind, test| made_of("examples", kind, test).unwrap().file;
        assert_ne!(file("example", false), file("test", true));
    }

    #[test]
    fn each_target_becomes_what_it_is_for() {
        assert_eq!(
            of("runtime", "lib", true),
            Some((Kind::Test, "runtime-x".to_owned()))
        );
        assert_eq!(
            of("tests", "test", true),
            Some((Kind::Test, "tests-x".to_owned()))
        );
        assert_eq!(
            of("examples", "example", false),
            Some((Kind::Example, "examples-x".to_owned()))
        );
        assert_eq!(of("examples", "example", true), None);
        assert_eq!(
            of("benches", "bin", false),
            Some((Kind::Bench, "benches-x".to_owned()))
        );
        assert_eq!(of("benches", "bench", true), None);
        assert_eq!(of("xtask", "bin", false), Some((Kind::Task, "xtask".to_owned())));
        assert_eq!(of("xtask", "bin", true), None);
    }

    #[test]
    fn a_library_is_no_program() {
        let json = r#"{"manifest_path":"/w/lanes/Cargo.toml","executable":null,
            "target":{"name":"x","kind":["lib"]},"profile":{"test":false}}"#;
        let artifact: Artifact = serde_json::from_str(json).unwrap();
        assert!(program(&artifact, Path::new("/w")).is_none());
    }

    #[test]
    fn sources_stay_and_data_goes() {
        assert!(wanted("examples/data/digits.npy"));
        assert!(wanted("codegen/tests/golden/max.cu"));
        for file in [
            "runtime/src/lib.rs",
            "lanes/Cargo.toml",
            "README.md",
            ".ci/run",
            "ui-tests/mask/a.stderr",
        ] {
            assert!(!wanted(file), "{file}");
        }
    }
}
