//! Identity and init, narrow types, Rust's meaning.

use half::f16;
use warpfold::Rows;
use warpfold_tests::answer::Fetch;
use warpfold_tests::check::Check;
use warpfold_tests::data::random;
use warpfold_tests::specs::{cases, custom};

#[test]
fn case_07_init_is_folded_in_once() {
    let mut check = Check::new();
    for n in [0, 1, 31, 32, 33, 1024, 40_000] {
        let ones = vec![1.0_f32; n];
        let want = n as f32 + 1.0;
        check.gives(format!("array of {n}"), &want, |d| {
            cases::ones_from_one::array(&d.buffer(&ones)?)
        });
        check.gives(format!("rows of {n}"), &vec![want; 3], |d| {
            cases::ones_from_one::rows(Rows::new(3, n), &d.buffer(&[&ones[..], &ones, &ones].concat())?)?
                .fetch()
        });
        check.gives(format!("i32, array of {n}"), &(n as i32 + 1), |d| {
            custom::sum_from_one::array(&d.buffer(&vec![1_i32; n])?)
        });
    }
    check.finish();
}

#[test]
fn case_08_sums_of_halves() {
    let mut check = Check::new();
    for n in [2048, 4096, 70_000] {
        let ones = vec![f16::ONE; n];
        check.gives(format!("array of {n}"), &(n as f32), |d| {
            custom::sum_of_halves::array(&d.buffer(&ones)?)
        });
        check.gives(format!("rows of {n}"), &vec![n as f32; 2], |d| {
            custom::sum_of_halves::rows(Rows::new(2, n), &d.buffer(&[&ones[..], &ones].concat())?)?.fetch()
        });
        check.gives(format!("from one, array of {n}"), &(n as f32 + 1.0), |d| {
            cases::ones_from_one_of_halves::array(&d.buffer(&ones)?)
        });
    }
    check.finish();
}

#[test]
fn case_09_bytes_wrap_in_their_own_type() {
    let mut check = Check::new();
    let ones = vec![1_u8; 300];
    check.gives("u8", &44_u8, |d| cases::sum_of_u8::array(&d.buffer(&ones)?));
    check.gives("u32", &300_u32, |d| {
        custom::sum_of_bytes::array(&d.buffer(&ones)?)
    });
    check.gives("u8, rows", &vec![44_u8], |d| {
        cases::sum_of_u8::rows(Rows::new(1, 300), &d.buffer(&ones)?)?.fetch()
    });
    check.finish();
}

/// A compiler that takes the negative of -32768 for 32768 gets each of these wrong.
#[test]
fn case_29_negatives_of_16_bits() {
    let mut check = Check::new();
    let x: Vec<i16> = vec![i16::MIN, i16::MIN + 1, -100, -99, -1, 0, 1, 99, 100, i16::MAX];
    let one = |&x: &i16| {
        let minus = x.wrapping_neg();
        let compared = i64::from(minus < 100) * 7;
        let quotient = if x == 0 { 0 } else { x.wrapping_div(minus) };
        let divided = i64::from(quotient) * 8 + i64::from(minus.max(7)) * 32;
        let saturated = i64::from(x.saturating_mul(-1)) * 1_000_000;
        compared + divided + saturated + i64::from(x.wrapping_abs().min(9)) * 100_000_000_000
    };
    let want: Vec<i64> = x.iter().map(one).collect();
    check.gives("each by itself", &want, |d| {
        cases::negatives::rows(Rows::new(x.len(), 1), &d.buffer(&x)?)?.fetch()
    });
    check.finish();
}

#[test]
fn case_29_rusts_meaning() {
    let mut check = Check::new();
    let edges = [
        (-7, 300.0, 7),
        (i32::MAX, -1.5, 0),
        (i32::MIN, f32::NAN, 255),
        (1, 1e20, 9),
        (0, -0.0, 10),
        (-1, 255.9, 8),
    ];
    let mut all: Vec<(i32, f32, u8)> = edges.to_vec();
    let (a, b, c): (Vec<i32>, Vec<f32>, Vec<u8>) = (random(1, 500), random(2, 500), random(3, 500));
    all.extend((0..500).map(|i| (a[i], b[i] * 100.0, c[i])));
    let one = |&(x, y, z): &(i32, f32, u8)| {
        let shifted = i64::from(x.wrapping_shl(z.into())) + i64::from(x.wrapping_shr(u32::from(z) + 33));
        let cast = i64::from(y as u8) * 1000 + i64::from(x as u8);
        let wrapped = i64::from(i32::MAX.wrapping_add(x));
        let rest = i64::from(x % 3) * 7 + i64::from(x / 3);
        shifted + cast + wrapped + rest + i64::from(z.wrapping_sub(9))
    };
    let want: Vec<i64> = all.iter().map(one).collect();
    let (x, y, z): (Vec<i32>, Vec<f32>, Vec<u8>) = (
        all.iter().map(|a| a.0).collect(),
        all.iter().map(|a| a.1).collect(),
        all.iter().map(|a| a.2).collect(),
    );
    let shape = Rows::new(all.len(), 1);
    check.gives("each by itself", &want, |d| {
        cases::meaning::rows(shape, &d.buffer(&x)?, &d.buffer(&y)?, &d.buffer(&z)?)?.fetch()
    });
    check.finish();
}

#[test]
fn case_29_what_compilers_take_for_the_same() {
    let mut check = Check::new();
    let mut x: Vec<u32> = vec![
        0,
        6,
        7,
        12,
        74,
        127,
        128,
        255,
        300,
        32_767,
        32_768,
        65_535,
        2_169_157_587,
    ];
    x.extend(random::<u32>(3, 2000));
    let shape = Rows::new(x.len(), 1);

    let (low, high): (Vec<i16>, Vec<u16>) = (
        x.iter().map(|&x| (x >> 16) as i16).collect(),
        x.iter().map(|&x| (x >> 20) as u16 + 7).collect(),
    );
    let one = |i: usize| {
        let (byte, small) = (x[i] as u8, x[i] as i16);
        let (least, most) = (byte.min(127), small.max(low[i]));
        let within = (x[i] as u16).clamp(7, high[i]);
        u32::from([6, 74, 127].contains(&least))
            + u32::from([6, 74, low[i]].contains(&most)) * 16
            + u32::from([7, 74, high[i]].contains(&within)) * 256
            + u32::from((byte as i8).min(12) == 12) * 4096
    };
    let want: Vec<u32> = (0..x.len()).map(one).collect();
    check.gives("bounds", &want, |d| {
        cases::bounded::rows(shape, &d.buffer(&x)?, &d.buffer(&low)?, &d.buffer(&high)?)?.fetch()
    });

    let zero: Vec<f32> = (0..x.len())
        .map(|i| if i.is_multiple_of(3) { 0.0 } else { -0.0 })
        .collect();
    let one = |i: usize| {
        let literal = u32::from(x[i] > 0);
        let root = u32::from(x[i] > 0 && !i.is_multiple_of(3));
        literal * 17 + root * 256 + u32::from(!i.is_multiple_of(3)) * 4096
    };
    let want: Vec<u32> = (0..x.len()).map(one).collect();
    check.gives("quotients", &want, |d| {
        cases::below_zero::rows(shape, &d.buffer(&x)?, &d.buffer(&zero)?)?.fetch()
    });
    check.finish();
}
