//! What groups answer: that of one device, on every rank.

use super::{on_each, random, shard, total, ways, whole};
use crate::Group;
use crate::generic::Uniform;
use crate::prelude::*;

/// Elements of a tile of one f32: 8 turns of 32 packs of 4.
const TILE: usize = 1024;

#[warp_reduce(op = sum, init = 1000)]
pub fn with_init(x: u64) -> u64 {
    x
}

#[warp_reduce(op = argmax)]
pub fn top(x: f32) -> f32 {
    x
}

#[warp_reduce(op = sum, finish = |s| -> f64 { s as f64 / n as f64 + by })]
pub fn mean(x: u64, #[uniform] by: f64, #[index] i: u64, #[len] n: u64) -> u64 {
    x * (i + 1)
}

#[warp_reduce(op = softmax)]
pub fn softened(x: f32) -> f32 {
    x
}

/// h = a·h + b in wrapping integers: exact, and left is not right.
#[warp_reduce(identity = (1, 0), op = |p, q| (p.0 * q.0, q.0 * p.1 + q.1), finish = |s| -> u32 { s.1 })]
pub fn last_of(a: u32, b: u32) -> (u32, u32) {
    (a, b)
}

macro_rules! scans {
    ($($name:ident($($argument:tt)*);)*) => { $(
        #[warp_scan(identity = (1, 0), op = |p, q| (p.0 * q.0, q.0 * p.1 + q.1), finish = |s| -> u32 { s.1 }, $($argument)*)]
        pub fn $name(a: u32, b: u32) -> (u32, u32) {
            (a, b)
        }
    )* };
}
scans! {
    forward();
    exclusive(kind = exclusive);
    begun(init = (3, 5));
    begun_exclusive(init = (3, 5), kind = exclusive);
    backward(direction = reverse);
    backward_exclusive(direction = reverse, kind = exclusive);
    backward_begun(direction = reverse, init = (3, 5));
}

#[warp_scan(op = max, finish = |s| -> u64 { s + i + n })]
pub fn standing(x: u64, #[index] i: u64, #[len] n: u64) -> u64 {
    x
}

fn affine(n: usize) -> (Vec<u32>, Vec<u32>) {
    let a = (0..n as u32).map(|i| i.wrapping_mul(2_654_435_761) | 1).collect();
    let b = (0..n as u32).map(|i| i.wrapping_mul(40_503) ^ 0x5bd1).collect();
    (a, b)
}

#[test]
fn sums_of_floats_over_whole_tiles_have_the_bits_of_one_device() {
    for (tiles, ranks) in [
        (1, 1),
        (1, 2),
        (1, 7),
        (1, 32),
        (1, 33),
        (1, 40),
        (32, 2),
        (32, 5),
    ] {
        let x = random(tiles * TILE * ranks);
        let one = total::array(&x).unwrap();
        let parts: Vec<f32> = x
            .chunks(tiles * TILE)
            .map(|part| total::array(part).unwrap())
            .collect();
        let answers = on_each(ranks, |group| {
            let part = group.part(x.len());
            group.reduce::<total, _>((&x[part],)).unwrap().to_bits()
        });
        assert_eq!(
            answers,
            vec![one.to_bits(); ranks],
            "{ranks} ranks of {tiles} tiles"
        );
        // Another order of the same states is not the same, so this test can fail.
        if ranks >= 32 {
            let left_to_right = parts.iter().fold(-0.0, |sum, part| sum + part);
            assert_ne!(left_to_right.to_bits(), one.to_bits());
        }
    }
}

#[test]
fn every_rank_and_every_run_gives_the_same_bits() {
    let x = random(100_003);
    for cuts in ways(x.len()) {
        let answers = || {
            on_each(cuts.len(), |group| {
                let shard = &x[shard(&cuts, group.rank())];
                let soft = group.reduce::<softened, _>((shard,)).unwrap();
                let sum = group.reduce::<total, _>((shard,)).unwrap();
                (sum.to_bits(), soft.0.to_bits(), soft.1.to_bits())
            })
        };
        let first = answers();
        assert!(first.iter().all(|answer| *answer == first[0]), "{cuts:?}");
        assert_eq!(first, answers(), "{cuts:?}");
    }
}

#[test]
fn operators_that_round_nothing_give_what_one_device_gives_however_the_array_is_cut() {
    for n in [2, 100, 5000, 70_001] {
        let (a, b) = affine(n);
        let x: Vec<u64> = (0..n as u64).collect();
        for cuts in ways(n) {
            let answers = on_each(cuts.len(), |group| {
                let part = shard(&cuts, group.rank());
                let (a, b, x) = (&a[part.clone()], &b[part.clone()], &x[part]);
                let last = group.reduce::<last_of, _>((a, b)).unwrap();
                let with_init = group.reduce::<with_init, _>((x,)).unwrap();
                (last, with_init)
            });
            let one = (last_of::array(&a, &b).unwrap(), with_init::array(&x).unwrap());
            assert_eq!(answers, vec![one; cuts.len()], "{n} cut at {cuts:?}");
        }
    }
}

#[test]
fn positions_are_those_of_the_whole_array() {
    let mut x = random(3000);
    x[1234] = 1e9;
    x[2345] = 1e9;
    let counts: Vec<u64> = (0..3000).map(|i| i % 7).collect();
    for cuts in ways(3000) {
        let answers = on_each(cuts.len(), |group| {
            let part = shard(&cuts, group.rank());
            let best = group.reduce::<top, _>((&x[part.clone()],)).unwrap();
            let mean = group.reduce::<mean, _>((&counts[part.clone()], Uniform(0.5_f64)));
            let standing = group.scan::<standing, _>((&counts[part],)).unwrap();
            (best, mean.unwrap(), standing)
        });
        let mut scanned = Vec::new();
        for (best, of_all, standing) in answers {
            assert_eq!(
                (best, of_all),
                (top::array(&x).unwrap(), mean::array(&counts, 0.5).unwrap())
            );
            scanned.extend(standing);
        }
        assert_eq!(scanned, standing::array(&counts).unwrap(), "cut at {cuts:?}");
    }
}

#[test]
fn nothing_at_all_gives_the_identity_and_init() {
    let answers = on_each(3, |group| {
        let none: &[u64] = &[];
        let whole = group.reduce::<whole, _>((none,)).unwrap();
        (whole, group.reduce::<with_init, _>((none,)).unwrap())
    });
    assert_eq!(answers, [(0, 1000); 3]);
    let answers = on_each(2, |group| group.reduce::<top, _>((&[] as &[f32],)).unwrap());
    assert_eq!(answers, [(f32::NEG_INFINITY, u64::MAX); 2]);
}

macro_rules! scan_goes_on {
    ($($name:ident)*) => { $(
        #[test]
        fn $name() {
            for n in [2, 100, 1025, 40_000] {
                let (a, b) = affine(n);
                let one = super::$name::array(&a, &b).unwrap();
                for cuts in ways(n) {
                    let parts = on_each(cuts.len(), |group| {
                        let part = shard(&cuts, group.rank());
                        group.scan::<super::$name, _>((&a[part.clone()], &b[part])).unwrap()
                    });
                    assert_eq!(parts.concat(), one, "{n} cut at {cuts:?}");
                }
            }
        }
    )* };
}

/// Scans over shards are those of the whole array.
mod scan {
    use super::{affine, on_each, shard, ways};

    scan_goes_on! {
        forward exclusive begun begun_exclusive backward backward_exclusive backward_begun
    }
}

#[test]
fn scans_go_into_arrays_of_the_callers() {
    let (a, b) = affine(3000);
    let one = backward::array(&a, &b).unwrap();
    let parts = on_each(3, |group| {
        let part = group.part(a.len());
        let (mut out, mut short) = (vec![0; part.len() + 1], [0; 5]);
        let arguments = (&a[part.clone()], &b[part.clone()]);
        group.scan_into::<backward, _>(arguments, &mut out).unwrap();
        let error = group.scan_into::<backward, _>(arguments, &mut short).unwrap_err();
        assert!(
            error.to_string().contains("the output needs 1000 elements"),
            "{error}"
        );
        out.truncate(part.len());
        out
    });
    assert_eq!(parts.concat(), one);
}

#[test]
fn one_rank_alone_is_one_device() {
    let x = random(50_000);
    let mut group = Group::alone();
    let sum = group.reduce::<total, _>((&x,)).unwrap();
    assert_eq!(sum.to_bits(), total::array(&x).unwrap().to_bits());
}
