//! What can be shown of the GPU back end without a GPU: every kernel compiles, every launch covers its rows.

mod apply;
mod bulk;
mod columns;
mod covers;
mod emitted;
mod shards;
mod short;
mod small;

use std::io::Write;

use super::kernel::{Entry, Kernel, Lengths, Load, Tile};
use super::nvrtc::{self, Image};
use super::schedule::{self, Launch, Machine, Packs, Scratch};
use crate::error::Error;
use crate::order::Order;
use crate::rows::Rows;
use crate::spec::{Exchange, Form, Info, Land, Param, ParamKind, TileFold, TypeInfo};

const X: &[Param] = &[Param {
    name: "x",
    kind: ParamKind::Plain,
    ty: TypeInfo::of::<f32>("f32"),
}];
const BYTES: &[Param] = &[Param {
    name: "x",
    kind: ParamKind::Plain,
    ty: TypeInfo::of::<u8>("u8"),
}];

const fn info(form: Form, params: &'static [Param], has_apply: bool) -> Info {
    let ty = TypeInfo::of::<f32>("f32");
    Info {
        name: "sum",
        form,
        params,
        results: &[],
        state: ty,
        mapped: ty,
        fold: TileFold::Striped,
        order: warpfold_lanes::Order::Symmetric,
        width: None,
        land: Land::All,
        mask: u32::MAX,
        has_init: false,
        has_apply,
        max_columns: None,
    }
}

const REDUCE: Info = info(Form::Reduce, X, false);
const APPLY: Info = info(Form::Reduce, X, true);
const SCAN: Info = info(
    Form::Scan {
        exclusive: false,
        reverse: false,
    },
    X,
    false,
);
const SCAN_BACK: Info = info(
    Form::Scan {
        exclusive: true,
        reverse: true,
    },
    X,
    false,
);
const FILTER: Info = info(Form::Filter, X, false);
const SHUFFLE: Info = info(Form::Shuffle(Exchange::Xor(1)), X, false);

/// A sum of f32 as the compiler emits it, with what every form needs.
const SPEC: &str = r"
namespace wf_spec {
struct Spec {
  using State = float; using Mapped = float; using Result = float;
  static constexpr wf::Fold fold = wf::Fold::striped;
  static constexpr bool any_order = true, has_init = false, has_apply = true, has_live = false, has_columns = false;
  struct Args { const float* x; };
  struct Row { wf::u64 row, len; };
  static WF_FN Row row(const Args&, wf::u64 row, wf::u64 len) { return {row, len}; }
  template <int V> struct Items { wf::Pack<float, V> x; };
  template <int V> struct Columns {};
  template <int V, class R> static WF_FN Items<V> items(const Args& a, const R& read) { return {read.template get<V>(a.x)}; }
  template <int V, class R> static WF_FN Columns<V> columns(const Args&, const R&) { return {}; }
  template <int V> static WF_FN float map(const Items<V>& x, const Columns<V>&, int i, const Row&, const Args&, wf::u64) { return x.x.v[i]; }
  static WF_FN float lift(const float& m, wf::u64) { return m; }
  static WF_FN float identity() { return -0.0f; }
  static WF_FN float init() { return -0.0f; }
  static WF_FN float combine(const float& a, const float& b) { return a + b; }
  static WF_FN float finish(const float& s, const Row&, const Args&) { return s; }
  template <int V, class Divide> static WF_FN float apply(const Divide& divide, const float& t, const Items<V>& x, const Columns<V>&, int i, const Row&, const Args&, wf::u64) { return divide(x.x.v[i], t); }
  template <int V> static WF_FN float finish_at(const float& s, const Items<V>&, const Columns<V>&, int, const Row&, const Args&, wf::u64) { return s; }
  template <int V> static WF_FN bool keeps(const Items<V>& x, const Columns<V>&, int i, const Row&, const Args&, wf::u64) { return x.x.v[i] > 0.0f; }
  template <int V> static WF_FN float kept(const Items<V>& x, const Columns<V>&, int i, const Row&, const Args&, wf::u64) { return x.x.v[i]; }
  template <int W> static WF_FN float exchange(const float& own, wf::Width<W>, wf::u32) { return wf::shuffle_xor<W>(own, 1); }
  struct Results { float* r0; };
  template <int V, class W> static WF_FN void store(const Results& r, const float (&values)[V], const W& write) {
    wf::Pack<float, V> p;
    for (int i = 0; i < V; i++) p.v[i] = values[i];
    write.template put<V>(r.r0, p);
  }
  template <int W> static WF_FN float reduce_all(float s, wf::Width<W>) {
    for (int k = W / 2; k > 0; k /= 2) s = combine(s, wf::shuffle_xor<W>(s, k));
    return s;
  }
  template <int W> static WF_FN float reduce_first(float s, wf::Width<W>) {
    for (int k = W / 2; k > 0; k /= 2) s = combine(s, wf::shuffle_down<W>(s, k));
    return s;
  }
  template <int W> static WF_FN float scan_inclusive(float s, wf::Width<W>) {
    for (int k = 1; k < W; k *= 2) {
      const float o = wf::shuffle_up<W>(s, k);
      if (static_cast<int>(wf::lane_in_group<W>()) >= k) s = combine(o, s);
    }
    return s;
  }
  template <int W> static WF_FN float shift_from_lower(float s, wf::Width<W>) { return wf::shuffle_up<W>(s, 1); }
};
}  // namespace wf_spec
";

const H200: Machine = Machine {
    arch: 90,
    multiprocessors: 132,
    shared: 227 << 10,
};
const ANY: Packs = Packs {
    load: Load::Any,
    store: Load::Any,
    starts: true,
    outputs: true,
};
const WHOLE: Packs = Packs {
    load: Load::Whole,
    store: Load::Whole,
    starts: true,
    outputs: true,
};

/// Shapes on both sides of every threshold of the schedule.
fn shapes() -> Vec<(usize, usize)> {
    let cols = [
        1,
        3,
        20,
        33,
        64,
        65,
        100,
        128,
        129,
        513,
        1000,
        1024,
        1025,
        2049,
        4096,
        4097,
        16_384,
        32_768,
        32_769,
        65_536,
        1_000_003,
        1 << 21,
        1 << 23,
    ];
    let rows = [1, 2, 131, 132, 8205, 100_000, 10_000_000];
    cols.iter()
        .flat_map(|&cols| rows.iter().map(move |&rows| (rows, cols)))
        .collect()
}

fn launches(info: &Info, packs: Packs, rows: usize, cols: usize) -> Vec<Launch> {
    launches_on(&H200, info, packs, rows, cols)
}

fn launches_on(machine: &Machine, info: &Info, packs: Packs, rows: usize, cols: usize) -> Vec<Launch> {
    let one = matches!(info.form, Form::Reduce) && !info.has_apply;
    let shape = Rows::new(rows, cols).checked(if one { 1 } else { cols }).unwrap();
    match info.form {
        Form::Reduce if info.has_apply => {
            let (first, second) = schedule::apply(info, &shape, packs, machine);
            let (segments, elements) = (rows as u64, (rows * cols) as u64);
            first
                .into_iter()
                .chain([second])
                .chain(schedule::segments(info, segments, elements, "wf::u32"))
                .chain(schedule::segments_apply(info, segments, elements, "wf::u32"))
                .collect()
        }
        Form::Reduce => vec![
            schedule::reduce(info, &shape, packs, machine),
            schedule::columns(info, &shape, machine),
            schedule::columns(info, &Rows::new(cols, rows).checked(rows).unwrap(), machine),
            schedule::segments_check(info, rows as u64, "wf::i32"),
            schedule::segments(info, rows as u64, (rows * cols) as u64, "wf::u64")[0],
            schedule::segments(info, rows as u64, (rows * cols) as u64, "wf::u64")[1],
            schedule::segments(info, rows as u64, (rows * cols) as u64, "wf::u64")[2],
        ],
        Form::Shuffle(_) => vec![schedule::shuffle(info, &shape, machine)],
        Form::Scan { .. } => {
            let segments = schedule::segments(info, rows as u64, (rows * cols) as u64, "wf::i32");
            let upright = Rows::new(cols, rows).checked(rows).unwrap();
            [
                schedule::scan(info, &shape, packs, machine),
                schedule::columns_scan(info, &shape),
                schedule::columns_scan(info, &upright),
            ]
            .into_iter()
            .chain(segments)
            .chain(
                schedule::segments_whole(info, 1 << 12, 1 << 28, "wf::u32", machine)
                    .map(|(launch, _)| launch),
            )
            .chain(schedule::segments_bulk(info, 1 << 28, "wf::u32", machine))
            .collect()
        }
        Form::Filter => {
            let (segments, elements) = (rows as u64, (rows * cols) as u64);
            let [kept, offsets] = schedule::segments_filter(info, segments, elements, packs, "wf::u32");
            vec![
                schedule::filter(info, &shape, packs),
                schedule::filter_array(info, elements, packs, false, machine),
                schedule::filter_array(info, elements, packs, true, machine),
                schedule::segments_check(info, segments, "wf::u32"),
                kept,
                offsets,
            ]
        }
    }
}

fn nvrtc(test: &str) -> Option<&'static nvrtc::Nvrtc> {
    match nvrtc::get() {
        Ok(nvrtc) => Some(nvrtc),
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "skipped: {test}: {error}");
            None
        }
    }
}

#[test]
fn every_scheduled_kernel_compiles() {
    let Some(nvrtc) = nvrtc("every_scheduled_kernel_compiles") else {
        return;
    };
    let mut seen = Vec::new();
    for info in [REDUCE, APPLY, SCAN, SCAN_BACK, FILTER, SHUFFLE] {
        for packs in [ANY, WHOLE] {
            for (rows, cols) in shapes() {
                for launch in launches(&info, packs, rows, cols) {
                    // One of each entry with each kind of load; the rest differs in numbers alone.
                    let kind = (
                        std::mem::discriminant(&launch.kernel.entry),
                        launch.kernel.entry.is_resident(),
                        launch.kernel.load,
                        info.form,
                        short::which(&launch).map(|which| std::mem::discriminant(&which)),
                    );
                    if seen.contains(&kind) {
                        continue;
                    }
                    seen.push(kind);
                    let image = nvrtc
                        .compile("sum", &launch.kernel.source(SPEC), 90)
                        .unwrap_or_else(|error| {
                            let text = error.to_string();
                            panic!("{:?}\n{}", launch.kernel, &text[..text.len().min(3000)])
                        });
                    assert!(matches!(image, Image::Cubin(bytes) if bytes.starts_with(b"\x7fELF")));
                }
            }
        }
    }
    assert!(seen.len() >= 16, "only {} kinds of kernels were met", seen.len());
}

#[test]
fn a_device_newer_than_nvrtc_gets_ptx() {
    let Some(nvrtc) = nvrtc("a_device_newer_than_nvrtc_gets_ptx") else {
        return;
    };
    let launch = launches(&REDUCE, ANY, 100, 20)[0];
    let image = nvrtc.compile("sum", &launch.kernel.source(SPEC), 999).unwrap();
    assert!(matches!(image, Image::Ptx(text) if text.starts_with(b"//")));
}

#[test]
fn a_refused_kernel_shows_log_and_source() {
    let Some(nvrtc) = nvrtc("a_refused_kernel_shows_log_and_source") else {
        return;
    };
    let error = nvrtc
        .compile("broken", "__global__ void k() {\n  int x = nonsense;\n}\n", 90)
        .unwrap_err();
    assert!(matches!(error, Error::Compile { .. }));
    let text = error.to_string();
    assert!(
        text.contains("`broken`") && text.contains("nonsense") && text.contains("    2 |   int x"),
        "{text}"
    );
}

#[test]
fn kernels_differ_in_their_source() {
    let order = Order::of_line(&REDUCE, 1000);
    let kernel = |entry, load| Kernel {
        entry,
        tile: Tile::of(&order),
        load,
        store: Load::Any,
        threads: 256,
    };
    let sources = [
        kernel(Entry::ReduceTiles, Load::Any),
        kernel(Entry::ReduceTiles, Load::Whole),
        kernel(Entry::Reduce { cols: 0, sets: 1 }, Load::Any),
        kernel(Entry::Reduce { cols: 0, sets: 2 }, Load::Any),
    ]
    .map(|kernel| kernel.source(SPEC));
    for (i, source) in sources.iter().enumerate() {
        assert!(!sources[..i].contains(source));
        assert!(!source.contains("#include"));
    }
}
