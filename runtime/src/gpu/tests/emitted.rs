//! Specs as the attributes emit them, in every kernel that a schedule picks for them.

use super::{ANY, WHOLE, launches, nvrtc, shapes};
use crate::gpu::kernel::Entry;
use crate::gpu::nvrtc::Image;
use crate::prelude::*;
use crate::spec::Spec;

#[warp_reduce(op = max, identity = -inf, width = 32, land = all)]
fn row_max(x: f32) -> f32 {
    x
}

#[warp_reduce(op = sum)]
fn dot(a: f32, b: f32) -> f32 {
    a * b
}

#[warp_reduce(op = argmax)]
fn top(x: i16) -> i16 {
    x
}

#[warp_reduce(op = softmax, land = all, apply = |total| -> f32 { (x - total.0).exp() / total.1 })]
fn softmax(x: f32) -> f32 {
    x
}

#[warp_reduce(op = welford, land = all, apply = |t| -> f32 { (x - t.1) * (t.2 / t.0 + 1e-5).sqrt().recip() })]
fn layer_norm(x: f32) -> f32 {
    x
}

#[warp_reduce(op = sum, land = all,
    apply = |total| -> f32 { x * (total / n as f32 + eps).sqrt().recip() * gamma })]
fn rms_norm(x: f32, #[per_column] gamma: f32, #[uniform] eps: f32, #[len] n: u32) -> f32 {
    x * x
}

#[warp_reduce(op = welford, finish = |s| -> f32 { s.2 / s.0 })]
fn variance(x: f32, #[live] k: u32) -> f32 {
    x
}

#[warp_scan(op = sum, kind = exclusive)]
fn offsets(count: u32) -> u32 {
    count
}

#[warp_scan(identity = (1.0, 0.0), op = |p, q| (p.0 * q.0, q.0 * p.1 + q.1), direction = reverse, finish = |s| -> f32 { s.1 })]
fn recurrence(a: f32, b: f32) -> (f32, f32) {
    (a, b)
}

#[warp_filter]
fn positive(x: f64) -> bool {
    x > 0.0
}

#[warp_filter(keep = || (x, i))]
fn placed(x: f32, #[per_row] limit: f32, #[per_column] wanted: bool, #[index] i: u32) -> bool {
    wanted && x > limit
}

#[warp_shuffle(from = rotate(3), width = 8)]
fn around(x: i32) -> i32 {
    x
}

/// Compiles one kernel of each entry that the shapes lead to.
fn compile_all<S: Spec>() {
    let Some(nvrtc) = nvrtc(S::INFO.name) else { return };
    let mut seen = Vec::new();
    for (rows, cols) in shapes() {
        let all = [ANY, WHOLE].map(|packs| launches(&S::INFO, packs, rows, cols));
        for launch in all.into_iter().flatten() {
            let kind = std::mem::discriminant(&launch.kernel.entry);
            if seen.contains(&kind) {
                continue;
            }
            seen.push(kind);
            let source = launch.kernel.source(S::CUDA);
            let image = nvrtc.compile(S::INFO.name, &source, 90).unwrap_or_else(|error| {
                let text: String = error.to_string().chars().take(3000).collect();
                panic!("{:?}\n{text}", launch.kernel)
            });
            assert!(matches!(image, Image::Cubin(_)));
        }
    }
}

/// How many quotients the PTX of a block for a whole row of 4096 columns has; its lanes hold 32 elements each.
fn quotients<S: Spec>(arch: i32) -> Option<usize> {
    let nvrtc = nvrtc(S::INFO.name)?;
    let launch = launches(&S::INFO, WHOLE, 4096, 4096)
        .into_iter()
        .find(|launch| matches!(launch.kernel.entry, Entry::ApplyBlock { .. }))
        .expect("a block a row");
    let ptx = nvrtc.ptx(S::INFO.name, &launch.kernel.source(S::CUDA), arch);
    Some(ptx.unwrap().matches("div.rn.f32").count())
}

/// What the elements of a row share is divided once and not for each of them.
#[test]
fn what_a_row_shares_is_divided_once() {
    for arch in [75, 90, 120] {
        let Some(of_rms_norm) = quotients::<rms_norm>(arch) else {
            return;
        };
        assert_eq!(
            of_rms_norm, 2,
            "the mean and the reciprocal of its root, sm_{arch}"
        );
        // Its fold divides too, in each way that packs may be read.
        let of_layer_norm = quotients::<layer_norm>(arch).expect("it was there");
        assert!(
            (1..=20).contains(&of_layer_norm),
            "{of_layer_norm} quotients, sm_{arch}"
        );
    }
}

macro_rules! compile {
    ($($name:ident)*) => { mod compiles { $(
        #[test]
        fn $name() {
            super::compile_all::<super::$name>();
        }
    )* } };
}

compile! { row_max dot top softmax layer_norm rms_norm variance offsets recurrence positive placed around }
