//! The rules of the table, and that a lane's own fold is the fold of its elements.

#![allow(clippy::float_cmp, reason = "the answers are exact")]

use half::f16;

use super::*;

/// The reference: each live element lifted, combined from the left.
fn one_by_one<T: Copy, O: Neutral<T>>(
    mapped: &[T],
    v: usize,
    first: u64,
    stride: u64,
    limit: u64,
) -> O::State {
    let mut state = O::identity();
    for (t, turn) in mapped.chunks(v).enumerate() {
        for (slot, &x) in turn.iter().enumerate() {
            let index = first + t as u64 * stride + slot as u64;
            if index < limit {
                state = O::combine(state, O::lift(x, index));
            }
        }
    }
    state
}

/// Every limit for a lane of two turns of four slots, the second turn 128 elements further.
const LIMITS: [u64; 10] = [0, 8, 9, 11, 12, 100, 136, 137, 139, 500];

#[test]
fn identities_leave_states_as_they_are() {
    let negative = -0.0f32;
    assert_eq!(<Sum as Neutral<f32>>::identity().to_bits(), negative.to_bits());
    assert_eq!(
        Sum::combine(<Sum as Neutral<f32>>::identity(), negative).to_bits(),
        negative.to_bits()
    );
    assert_eq!(<Max as Neutral<f16>>::identity(), f16::NEG_INFINITY);
    assert_eq!(
        (
            <Max as Neutral<u32>>::identity(),
            <Min as Neutral<i8>>::identity()
        ),
        (0, i8::MAX)
    );
    assert_eq!(
        (
            <And as Neutral<u8>>::identity(),
            <Or as Neutral<bool>>::identity()
        ),
        (0xff, false)
    );
    assert_eq!(
        Affine::combine(<Affine as Neutral<(f32, f32)>>::identity(), (2.0, 3.0)),
        (2.0, 3.0)
    );
    assert_eq!(
        Affine::combine((2.0, 3.0), <Affine as Neutral<(f32, f32)>>::identity()),
        (2.0, 3.0)
    );
    assert_eq!(
        Welford::combine(<Welford as Neutral<f32>>::identity(), (1.0, 5.0, 0.0)),
        (1.0, 5.0, 0.0)
    );
    assert_eq!(
        Welford::combine((1.0, 5.0, 0.0), <Welford as Neutral<f32>>::identity()),
        (1.0, 5.0, 0.0)
    );
}

#[test]
fn integers_wrap() {
    assert_eq!((Sum::combine(200u8, 100), Product::combine(200u8, 2)), (44, 144));
}

#[test]
fn extremes_take_the_lowest_index_and_nan_wins() {
    let (nan, index) = Argmax::combine((f32::NAN, 7), (9.0, 3));
    assert!(nan.is_nan() && index == 7);
    assert_eq!(Argmax::combine((f32::NAN, 7), (f32::NAN, 3)).1, 3);
    assert_eq!(Argmax::combine((9.0, 3), (f32::NAN, 7)).1, 7);
    assert_eq!(Argmax::combine((1.0f32, 4), (1.0, 2)).1, 2);
    assert_eq!(Argmax::combine((-0.0f32, 1), (0.0, 2)).1, 1);
    assert_eq!(Argmin::combine((2, 1), (1, 9)), (1, 9));
    // A real -inf beats the identity, which has no index.
    assert_eq!(
        Argmax::combine(<Argmax as Neutral<f32>>::identity(), (f32::NEG_INFINITY, 5)).1,
        5
    );
}

/// A tile of `lanes` lanes with packs of 4, the first element of which stands at 8.
const fn shape(lanes: usize) -> Tile {
    Tile {
        v: 4,
        lanes,
        first: 8,
    }
}

#[test]
fn a_lane_of_votes_folds_as_its_elements_do() {
    let b = [true, false, true, false, true, false, false, true];
    for limit in LIMITS {
        assert_eq!(
            Any::fold_lane(&b, 4, 8, 128, limit),
            one_by_one::<_, Any>(&b, 4, 8, 128, limit)
        );
        assert_eq!(
            All::fold_lane(&b, 4, 8, 128, limit),
            one_by_one::<_, All>(&b, 4, 8, 128, limit)
        );
    }
    assert_eq!(
        Ballot::fold_lane(&[true, false, true, true], 4, 0, 128, 32),
        0b1101
    );
}

#[test]
fn a_tile_of_extremes_or_counts_folds_as_its_elements_do() {
    let x = [3.0f32, -1.0, 3.0, f32::NAN, 7.0, -1.0, -9.0, 7.0];
    let b = x.map(|x| x > 0.0);
    for live in 0..=x.len() {
        let (x, b, limit) = (&x[..live], &b[..live], 8 + live as u64);
        let same = |p: (f32, u64), q: (f32, u64)| p.1 == q.1 && (p.0 == q.0 || p.0.is_nan() && q.0.is_nan());
        assert!(same(
            Argmax::fold_tile(x, shape(2)),
            one_by_one::<_, Argmax>(x, 8, 8, 0, limit)
        ));
        assert!(same(
            Argmin::fold_tile(x, shape(2)),
            one_by_one::<_, Argmin>(x, 8, 8, 0, limit)
        ));
        assert_eq!(
            Count::fold_tile(b, shape(2)),
            one_by_one::<_, Count>(b, 8, 8, 0, limit)
        );
    }
}

#[test]
fn a_tile_of_softmax_folds_as_its_elements_do() {
    let x = [0.5f64, -2.0, 1.5, f64::NEG_INFINITY, 3.0, 0.25, -7.0, 2.0];
    for live in 0..=x.len() {
        for lanes in [1, 2, 4] {
            let (m, s) = Softmax::fold_tile(&x[..live], shape(lanes));
            let (want_m, want_s) = one_by_one::<_, Softmax>(&x[..live], 8, 0, 0, 8);
            assert_eq!(m, want_m);
            assert!((s - want_s).abs() < 1e-12, "{live}: {s} {want_s}");
        }
    }
    let all = [f32::NEG_INFINITY; 3];
    assert_eq!(Softmax::fold_tile(&all, shape(1)), (f32::NEG_INFINITY, 3.0));
    assert_eq!(
        Softmax::combine((f32::NEG_INFINITY, 3.0), (f32::NEG_INFINITY, 2.0f32)),
        (f32::NEG_INFINITY, 5.0)
    );
    assert!(Softmax::fold_tile(&[f32::NAN, 1.0], shape(1)).1.is_nan());
}

#[test]
fn a_tile_of_welford_folds_as_its_elements_do() {
    let x = [0.0, 3.0, -1.5, 2.0, 0.0, 0.5, -8.0, 1.0].map(|x: f64| 1e6 + x);
    for live in 0..=x.len() {
        for lanes in [1, 2, 4] {
            let got = Welford::fold_tile(&x[..live], shape(lanes));
            let want = one_by_one::<_, Welford>(&x[..live], 8, 0, 0, 8);
            assert_eq!(got.0, want.0);
            assert!(
                (got.1 - want.1).abs() < 1e-8 && (got.2 - want.2).abs() < 1e-6,
                "{live}: {got:?} {want:?}"
            );
        }
    }
}

#[test]
fn first_and_last_are_in_order() {
    assert_eq!(First::combine((true, 1), (true, 2)), (true, 1));
    assert_eq!(Last::combine((true, 1), (true, 2)), (true, 2));
    assert_eq!(First::combine((false, 0), (true, 2)), (true, 2));
    assert_eq!(Last::combine((true, 1), (false, 0)), (true, 1));
}

#[test]
fn affine_steps_compose_from_the_left() {
    // h -> 2h + 1, then h -> 3h + 5: 6h + 8.
    assert_eq!(Affine::combine((2, 1), (3, 5)), (6, 8));
}

#[test]
fn sums_of_a_tile_go_down_the_turns_then_across_slots_then_lanes() {
    // 2^24 + 1 is 2^24 in f32: one by one this would sum to 0.
    let big = 16_777_216.0f32;
    let x = [0.0, big, 0.0, 0.0, 1.0, -big, 0.0, 0.0];
    assert_eq!(
        Welford::fold_tile(&x, shape(1)).1.to_bits(),
        (1.0f32 / 8.0).to_bits()
    );
    // Two lanes of four slots, one turn: the lanes' sums are 2^24 + 1 = 2^24 and -2^24.
    let x = [0.0, big, 1.0, 0.0, 0.0, -big, 0.0, 0.0];
    assert_eq!(Welford::fold_tile(&x, shape(2)).1.to_bits(), 0.0f32.to_bits());
}

/// Also where no padding joins in: a tile that is exactly full holds no identity of its own.
#[test]
fn nan_alone_gives_the_identity_of_min_and_max() {
    for (name, got, want) in [
        (
            "max",
            Max::combine(Max::lift(f32::NAN, 0), Max::lift(f32::NAN, 1)),
            f32::NEG_INFINITY,
        ),
        (
            "min",
            Min::combine(Min::lift(f32::NAN, 0), Min::lift(f32::NAN, 1)),
            f32::INFINITY,
        ),
    ] {
        assert_eq!(got.to_bits(), want.to_bits(), "{name}");
    }
    assert!(Maximum::lift(f32::NAN, 0).is_nan());
    assert_eq!(Max::lift(7_u8, 0), 7);
}
