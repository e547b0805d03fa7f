//! The kernels of groups compile for every kind of spec, and their launches cover their shards.

use super::{ANY, H200, WHOLE, nvrtc};
use crate::gpu::kernel::{Entry, Tile};
use crate::gpu::nvrtc::Image;
use crate::gpu::schedule::{self, Launch, Scratch};
use crate::order::Order;
use crate::prelude::*;
use crate::spec::{Form, Info, Spec};

#[warp_reduce(op = sum, init = 5, finish = |s| -> f32 { s as f32 / n as f32 * by })]
fn mean(x: u32, #[index] i: u64, #[len] n: u32, #[uniform] by: f32) -> u32 {
    x + i as u32
}

#[warp_reduce(op = argmax)]
fn top(x: f32) -> f32 {
    x
}

#[warp_reduce(op = welford, finish = |s| -> f64 { s.2 / s.0 })]
fn variance(x: f64) -> f64 {
    x
}

#[warp_reduce(op = last)]
fn last(x: i16) -> i16 {
    x
}

#[warp_scan(op = sum, kind = exclusive)]
fn offsets(count: u32) -> u32 {
    count
}

#[warp_scan(op = argmin, direction = reverse, finish = |s| -> (f32, u64) { s })]
fn lowest_behind(x: f32) -> f32 {
    x
}

#[warp_scan(identity = (1.0, 0.0), op = |p, q| (p.0 * q.0, q.0 * p.1 + q.1), init = (1.0, 3.0), direction = reverse,
    finish = |s| -> f32 { s.1 + i as f32 })]
fn recurrence(a: f32, b: f32, #[index] i: u32) -> (f32, f32) {
    (a, b)
}

#[warp_scan(op = welford, kind = exclusive, width = 8, finish = |s| -> f64 { s.1 })]
fn running_mean(x: f64) -> f64 {
    x
}

fn launches(info: &Info) -> Vec<(u64, Launch)> {
    let lengths = [1, 20, 1000, 33_000, 1 << 26];
    let mut all = Vec::new();
    for n in lengths {
        for packs in [ANY, WHOLE] {
            let shape = Rows::array(n).checked(n).unwrap();
            all.push((n as u64, schedule::shard_total(info, &shape, packs, &H200)));
            if matches!(info.form, Form::Scan { .. }) {
                all.push((n as u64, schedule::shard_scan(info, &shape, packs, &H200)));
            }
        }
    }
    all.push((0, schedule::shard_alone(info, Entry::ShardCarry)));
    if info.form == Form::Reduce {
        all.push((0, schedule::shard_alone(info, Entry::ShardResult)));
    }
    all
}

fn check<S: Spec>() {
    let mut seen = Vec::new();
    for (n, launch) in launches(&S::INFO) {
        let Launch {
            kernel,
            blocks,
            strides,
            scratch,
        } = launch;
        let order = Order::of_array(&S::INFO, n);
        let groups = Tile::of(&order).groups();
        match kernel.entry {
            Entry::ShardTotal {
                warps,
                part,
                scan,
                reverse,
                at_once: _,
            } => {
                assert!(strides && kernel.threads == warps * 32 && part.is_power_of_two() && part <= 32);
                assert_eq!(scratch.is_some(), order.tiles > u64::from(part));
                assert_eq!(scan, S::INFO.form != Form::Reduce);
                assert!(!reverse || !matches!(kernel.load, crate::gpu::kernel::Load::Aligned));
            }
            Entry::ShardArray { warps, .. } => {
                assert!(S::INFO.form == Form::Reduce && order.lanes == 32 && order.tiles > 1024);
                assert!(strides && kernel.threads == warps * 32 && blocks == order.tiles.div_ceil(32));
                assert!(matches!(scratch, Some(Scratch::Parts { tickets: 1, .. })));
            }
            Entry::ArrayScan { warps, shard, .. } => {
                let batch = warps * groups;
                assert!(shard && strides && batch <= 32 && batch.is_power_of_two());
                assert!(blocks * u64::from(batch) >= order.tiles);
                assert!(matches!(scratch, Some(Scratch::Relay { .. })));
            }
            Entry::ArrayScanBulk { tiles, shard, .. } => {
                assert!(shard && strides && blocks * u64::from(tiles) >= order.tiles);
            }
            Entry::ShardCarry | Entry::ShardResult => assert!(blocks == 1 && kernel.threads == 32),
            other => panic!("{other:?} is not for shards"),
        }
        let kind = (std::mem::discriminant(&kernel.entry), kernel.load);
        if seen.contains(&kind) {
            continue;
        }
        seen.push(kind);
        let Some(nvrtc) = nvrtc(S::INFO.name) else {
            continue;
        };
        let image = nvrtc
            .compile(S::INFO.name, &kernel.source(S::CUDA), 90)
            .unwrap_or_else(|error| {
                let text: String = error.to_string().chars().take(3000).collect();
                panic!("{kernel:?}\n{text}")
            });
        assert!(matches!(image, Image::Cubin(_)));
    }
    let array = Entry::ShardArray { warps: 0, at_once: 0 };
    let arrays = seen
        .iter()
        .any(|(kind, _)| *kind == std::mem::discriminant(&array));
    assert_eq!(arrays, S::INFO.form == Form::Reduce);
    let bulk = seen.iter().any(|(kind, _)| {
        let entry = Entry::ArrayScanBulk {
            tiles: 0,
            reducers: 0,
            stages: 0,
            chunk: 0,
            bytes: 0,
            exclusive: false,
            reverse: false,
            shard: true,
        };
        *kind == std::mem::discriminant(&entry)
    });
    let wide = S::INFO.width.is_some() || S::INFO.state.size > 16;
    assert_eq!(bulk, matches!(S::INFO.form, Form::Scan { .. }) && !wide);
}

macro_rules! shards {
    ($($name:ident)*) => { mod of { $(
        #[test]
        fn $name() {
            super::check::<super::$name>();
        }
    )* } };
}

shards! { mean top variance last offsets lowest_behind recurrence running_mean }
