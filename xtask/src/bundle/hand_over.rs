//! Racecheck's reports on shared memory that mbarriers and bulk copies hand over.
//!
//! Racecheck follows `bar.sync`. The kernels over a ring of stages hand shared memory over by the phases of mbarriers, and
//! it reports each such pair of accesses as a race. The tables below list the pairs that are meant, by the functions that
//! write and read, with what orders them; a report is explained where all its pairs are listed. The lines that racecheck
//! names are looked up in the sources that the tests wrote (`WARPFOLD_SOURCES`).

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The function that writes, the one that reads, and what orders the two.
type HandOver = (&'static str, &'static str, &'static str);

/// What orders a stage that copies fill, and fill again.
const A_TURN_LATER: &str = "`landed`, and `free` a turn of the ring later";

/// A stage that bulk copies fill, a ring of them: `runtime/kernels/README.md` says more of what orders it.
const BY_COPIES: [HandOver; 3] = [
    ("start_bulk_copy", "copy_bits", A_TURN_LATER),
    ("start_bulk_copy", "get", A_TURN_LATER),
    ("start_bulk_copy", "piece", A_TURN_LATER),
];

/// What the ring of `ring.cuh` hands over besides.
const BY_A_RING: [HandOver; 2] = [
    ("fetch", "reduce", "`landed`"),
    ("fetch", "look_ahead", "`landed`, then `reduced` or `counted`"),
];

/// What each kernel hands over. The compiler may read an element of a stage where the spec's code first uses it.
const BY_KERNEL: [(&str, &[&[HandOver]]); 4] = [
    (
        "array_scan_bulk",
        &[
            &BY_COPIES,
            &BY_A_RING,
            &[
                ("start_bulk_copy", "map", A_TURN_LATER),
                ("fetch", "scan", "`landed`"),
                ("total", "look_ahead", "`reduced`"),
                ("look_ahead", "scan_one", "`placed`"),
            ],
        ],
    ),
    (
        "array_filter_bulk",
        &[
            &BY_COPIES,
            &BY_A_RING,
            &[
                ("start_bulk_copy", "keeps", A_TURN_LATER),
                ("fetch", "place", "`landed`"),
                ("reduce", "look_ahead", "`counted`"),
                ("reduce", "keep", "`counted`, then `placed`"),
                ("look_ahead", "keep", "`placed`"),
            ],
        ],
    ),
    ("rows_apply_cluster", &[&BY_COPIES]),
    (
        "segments_scan_bulk",
        &[
            &BY_COPIES,
            &BY_A_RING,
            &[
                ("start_bulk_copy", "load_shared", A_TURN_LATER),
                ("start_bulk_copy", "map", A_TURN_LATER),
                ("get", "get", "the same: a few elements at the end of a parameter"),
                ("get", "load_shared", "the same"),
                ("fetch", "total", "`landed`"),
                ("fetch", "total_part", "`landed`"),
                ("fetch", "place_of", "`landed`"),
                ("fetch", "scan", "`landed`"),
                ("fetch", "scan_one", "`landed`"),
                ("fetch", "scan_part", "`landed`"),
                ("total", "look_ahead", "`reduced`"),
                ("reduce", "look_ahead", "`reduced`"),
                ("look_ahead", "scan_part", "`placed`"),
            ],
        ],
    ),
];

/// What a kernel hands over; nothing where it has no stages.
fn hand_overs(kernel: &str) -> impl Iterator<Item = &'static HandOver> {
    let own = BY_KERNEL.iter().find(|(name, _)| *name == kernel);
    own.into_iter().flat_map(|(_, own)| own.iter().copied().flatten())
}

/// One end of a race.
#[derive(Clone, Debug, Eq, PartialEq)]
struct Access {
    writes: bool,
    kernel: String,
    function: String,
}

/// Reads what racecheck prints, and counts the reports that are explained.
#[derive(Debug)]
pub struct Reader {
    /// Where the tests wrote the sources; racecheck gives a file's last name alone.
    folder: PathBuf,
    sources: HashMap<String, Vec<String>>,
    /// The report being read: its accesses, `None` for one that no source tells of.
    report: Vec<Option<Access>>,
    /// Reports all of whose pairs are meant.
    pub explained: usize,
    /// The pairs of reports that are not, as racecheck's lines name them.
    pub unexplained: Vec<String>,
}

impl Reader {
    /// A reader of the output of tests that wrote their sources to `folder`.
    pub fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            sources: HashMap::new(),
            report: Vec::new(),
            explained: 0,
            unexplained: Vec::new(),
        }
    }

    /// Takes the next line of the output.
    pub fn read(&mut self, line: &str) {
        let line = line.trim_start_matches('=').trim();
        if let Some(access) = line
            .strip_prefix("Error: Race reported between ")
            .or_else(|| line.strip_prefix("Warning: Race reported between "))
        {
            self.end();
            let access = self.access(access);
            self.report.push(access);
        } else if let Some(access) = line.strip_prefix("and ").filter(|_| !self.report.is_empty()) {
            let access = self.access(access);
            self.report.push(access);
        } else {
            self.end();
        }
    }

    /// Ends the report being read.
    pub fn end(&mut self) {
        let report = std::mem::take(&mut self.report);
        let Some((one, others)) = report.split_first() else {
            return;
        };
        let meant = |other: &Option<Access>| {
            one.as_ref()
                .zip(other.as_ref())
                .is_some_and(|(a, b)| is_meant(a, b))
        };
        if !others.is_empty() && others.iter().all(meant) {
            self.explained += 1;
        } else {
            self.unexplained.extend(
                others
                    .iter()
                    .filter(|other| !meant(other))
                    .map(|other| format!("{one:?} and {other:?}")),
            );
        }
    }

    /// `Write access at KERNEL+0x1 in FILE:LINE [N hazards]`, as compute-sanitizer writes it.
    fn access(&mut self, text: &str) -> Option<Access> {
        let writes = text.starts_with("Write");
        let place = text.split(" in ").nth(1)?.split_whitespace().next()?;
        let (file, line) = place.rsplit_once(':')?;
        let path = self.folder.join(Path::new(file).file_name()?);
        let source = self.sources.entry(file.to_owned()).or_insert_with(|| {
            let text = fs::read_to_string(path).unwrap_or_default();
            text.lines().map(str::to_owned).collect()
        });
        let line: usize = line.parse().ok()?;
        Some(Access {
            writes,
            kernel: kernel(source)?.to_owned(),
            function: function(source.get(..line)?)?.to_owned(),
        })
    }
}

/// Whether a table's line says what orders the two.
fn is_meant(one: &Access, other: &Access) -> bool {
    let (written, read) = if one.writes { (one, other) } else { (other, one) };
    written.writes
        && !read.writes
        && written.kernel == read.kernel
        && hand_overs(&read.kernel)
            .any(|(writer, reader, _)| *writer == written.function && *reader == read.function)
}

/// The library's kernel that a source instantiates: the last call into `wf` in it.
fn kernel(source: &[String]) -> Option<&str> {
    let call = source
        .iter()
        .rev()
        .find_map(|line| line.trim_start().strip_prefix("wf::"))?;
    call.split(['<', '(']).next()
}

/// The function that the last of these lines stands in: the name before the first parenthesis after `WF_FN`.
fn function(lines: &[String]) -> Option<&str> {
    let head = lines.iter().rev().find_map(|line| line.split_once("WF_FN "))?.1;
    head.split('(').next()?.rsplit([' ', '&', '*']).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "WF_FN void fetch() const {\n  batch_at[0] = batch;\n}\ntemplate <bool WHOLE> WF_FN u32 count(u64 batch) const {\n  \
                          own += 1;\n}\nWF_FN void reduce(u32 reducer) const {\n  batch_at[0];\n}\nextern \"C\" __global__ void wf_kernel() {\n  \
                          wf::array_filter_bulk<wf_spec::Spec, 4>(args);\n}\n";

    fn read(name: &str, source: &str, lines: &[&str]) -> Reader {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(format!("{name}.cu")), source).unwrap();
        let mut reader = Reader::new(folder.path());
        for line in lines {
            reader.read(&line.replace("FILE", &format!("{name}.cu")));
        }
        reader.end();
        reader
    }

    const WRITE: &str = "========= Error: Race reported between Write access at wf::Ring<(int)4>::fetch() const+0x10 in FILE:2";
    const READ: &str = "=========     and Read access at wf_kernel+0x20 in FILE:8 [4 hazards]";

    #[test]
    fn a_pair_of_the_table_is_explained() {
        assert_eq!(read("meant", SOURCE, &[WRITE, READ, "========= "]).explained, 1);
        let twice = [WRITE, READ, WRITE, READ, READ];
        assert_eq!(read("twice", SOURCE, &twice).explained, 2);
    }

    #[test]
    fn each_kernel_has_pairs_of_its_own() {
        let read = |kernel| {
            hand_overs(kernel)
                .map(|(_, reader, _)| *reader)
                .collect::<Vec<_>>()
        };
        assert!(read("array_filter_bulk").contains(&"keeps") && !read("array_scan_bulk").contains(&"keeps"));
        assert_eq!(read("rows_apply_cluster"), ["copy_bits", "get", "piece"]);
        assert!(read("segments_scan_bulk").contains(&"load_shared"));
    }

    #[test]
    fn any_other_pair_is_not() {
        let other = READ.replace(":8", ":5");
        let reader = read("other", SOURCE, &[WRITE, READ, &other]);
        assert_eq!(reader.explained, 0);
        assert_eq!(reader.unexplained.len(), 1);
        let writes = READ.replace("Read", "Write");
        assert_eq!(read("writes", SOURCE, &[WRITE, &writes]).explained, 0);
        let elsewhere = SOURCE.replace("array_filter_bulk", "array_filter");
        assert_eq!(read("elsewhere", &elsewhere, &[WRITE, READ]).explained, 0);
    }

    #[test]
    fn a_report_without_lines_is_not() {
        let bare = [
            "Error: Race reported between Write access at wf_kernel+0x10",
            "and Read access at wf_kernel+0x20 [4 hazards]",
        ];
        let reader = read("bare", SOURCE, &bare);
        assert_eq!((reader.explained, reader.unexplained.len()), (0, 1));
    }

    /// The table names functions that are there.
    #[test]
    fn the_table_is_of_the_kernels_that_are() {
        let root = crate::workspace::locate().unwrap().root;
        let kernels = root.join("runtime/kernels");
        let text = |name: &str| fs::read_to_string(kernels.join(name)).unwrap();
        // What a spec's code is called.
        let emitted = |name: &str| fs::read_to_string(root.join("codegen/tests/goldens").join(name)).unwrap();
        let common = [
            text("ring.cuh"),
            text("bulk.cuh"),
            text("bulk_runs.cuh"),
            text("load.cuh"),
            emitted("offsets.cu"),
            emitted("positive.cu"),
        ]
        .concat();
        let files: Vec<String> = fs::read_dir(&kernels)
            .unwrap()
            .map(|file| fs::read_to_string(file.unwrap().path()).unwrap())
            .collect();
        for (kernel, _) in BY_KERNEL {
            let defined = format!(" void {kernel}(");
            let own = files.iter().find(|text| text.contains(&defined)).unwrap();
            let all = common.clone() + own;
            for (writer, reader, _) in hand_overs(kernel) {
                for name in [writer, reader] {
                    assert!(all.contains(&format!(" {name}(")), "{kernel} has no {name}");
                }
            }
        }
        assert_eq!(hand_overs("rows_reduce").count(), 0);
    }
}
