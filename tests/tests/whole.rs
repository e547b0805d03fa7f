//! States as large as a lane carries, and tuples of the narrowest fields: they arrive whole, in every lane, in every
//! form, in order and in any.

use half::{bf16, f16};
use warpfold::Rows;
use warpfold_tests::answer::{Equal, Fetch};
use warpfold_tests::check::{Check, few_sizes};
use warpfold_tests::data::{Random, Sample, random};
use warpfold_tests::lines::{Lines, SHAPES, after_each, all_each, one_each, spread, transposed};
use warpfold_tests::specs::narrow;
use warpfold_tests::specs::whole::full::{self, NONE, Part, Whole};
use warpfold_tests::{filters, reaches_every_lane, reduces, scans};

/// A state of four narrow fields.
type Few = (f16, bf16, u8, bool);

fn element(random: &mut Random) -> Whole {
    Whole {
        half: f16::sample(random),
        set: bool::sample(random),
        byte: u8::sample(random),
        word: u32::sample(random),
        part: Part {
            low: i16::sample(random),
            wide: f64::sample(random),
            flag: bool::sample(random),
        },
        brain: bf16::sample(random),
        short: u16::sample(random),
        single: f32::sample(random),
        factor: u64::sample(random) | 1,
        long: i64::sample(random),
        tiny: i8::sample(random),
        seen: random.below(5) == 0,
        last: i16::sample(random),
        tail: u32::sample(random),
    }
}

fn elements(seed: u64, n: usize) -> Vec<Whole> {
    let mut random = Random::new(seed);
    (0..n).map(|_| element(&mut random)).collect()
}

/// What `full::join` adds, field by field.
fn joined(mut s: Whole, x: Whole) -> Whole {
    s.half = if x.half > s.half { x.half } else { s.half };
    s.set |= x.set;
    s.byte ^= x.byte;
    s.word = s.word.max(x.word);
    s.part.low = s.part.low.wrapping_add(x.part.low);
    s.part.wide = s.part.wide.max(x.part.wide);
    s.part.flag ^= x.part.flag;
    s.brain = if x.brain < s.brain { x.brain } else { s.brain };
    s.short |= x.short;
    s.single = s.single.min(x.single);
    s.factor = s.factor.wrapping_mul(x.factor);
    s.long = s.long.wrapping_add(x.long);
    s.tiny = s.tiny.min(x.tiny);
    s.seen |= x.seen;
    s.last ^= x.last;
    s.tail &= x.tail;
    s
}

/// What `full::follow` adds: the last one that is seen, and what never forgets.
fn followed(s: Whole, x: Whole) -> Whole {
    Whole {
        word: s.word.max(x.word),
        factor: s.factor.wrapping_mul(x.factor),
        long: s.long.wrapping_mul(x.factor as i64).wrapping_add(x.long),
        tail: s.tail & x.tail,
        ..if x.seen { x } else { s }
    }
}

const FEW: Few = (f16::NEG_INFINITY, bf16::INFINITY, 0, false);
const NO_FEW: Few = (f16::ZERO, bf16::ZERO, 0, false);

fn few_joined(s: Few, x: Few) -> Few {
    let a = if x.0 > s.0 { x.0 } else { s.0 };
    let b = if x.1 < s.1 { x.1 } else { s.1 };
    (a, b, s.2.wrapping_add(x.2), s.3 ^ x.3)
}

fn few_followed(s: Few, x: Few) -> Few {
    let bytes = s.2.wrapping_add(x.2);
    if x.3 {
        (x.0, x.1, bytes, true)
    } else {
        (s.0, s.1, bytes, s.3)
    }
}

fn total(line: &[Whole]) -> Whole {
    line.iter().copied().fold(NONE, joined)
}
fn last(line: &[Whole]) -> Whole {
    line.iter().copied().fold(NONE, followed)
}
fn few_total(line: &[Few]) -> Few {
    line.iter().copied().fold(FEW, few_joined)
}
fn few_last(line: &[Few]) -> Few {
    line.iter().copied().fold(NO_FEW, few_followed)
}

/// The states from the last element on: before each where `exclusive`, else after it.
fn back<S: Copy>(line: &[S], none: S, step: fn(S, S) -> S, exclusive: bool) -> Vec<S> {
    let reversed: Vec<S> = line.iter().rev().copied().collect();
    let mut states = after_each(&reversed, none, step);
    if exclusive && !states.is_empty() {
        states.pop();
        states.insert(0, none);
    }
    states.reverse();
    states
}

#[test]
fn sixty_four_bytes_are_reduced_in_every_form() {
    let mut check = Check::new();
    for &of in few_sizes(&SHAPES) {
        let x = &elements(of.1 as u64, of.0 * of.2);
        reduces!(check, of, Equal::Bits, x, full::joined, total);
        reduces!(check, of, Equal::Bits, x, full::followed, last);
        reaches_every_lane!(check, of, Equal::Bits, x, full::joined_everywhere, total);
        reaches_every_lane!(check, of, Equal::Bits, x, full::followed_everywhere, last);
    }
    check.finish();
}

#[test]
fn sixty_four_bytes_are_scanned_in_every_form() {
    let mut check = Check::new();
    for &of in few_sizes(&SHAPES) {
        let x = &elements(of.1 as u64 + 2, of.0 * of.2);
        scans!(check, of, Equal::Bits, x, full::joining, |line: &[Whole]| {
            after_each(line, NONE, joined)
        });
        scans!(check, of, Equal::Bits, x, full::following, |line: &[Whole]| {
            after_each(line, NONE, followed)
        });
        scans!(
            check,
            of,
            Equal::Bits,
            x,
            full::following_back,
            |line: &[Whole]| back(line, NONE, followed, true)
        );
    }
    check.finish();
}

#[test]
fn sixty_four_bytes_move_between_lanes_and_through_filters() {
    let mut check = Check::new();
    let x = elements(3, 320 * 7);
    let want: Vec<Whole> = (0..x.len()).map(|i| x[i / 32 * 32 + (i + 5) % 32]).collect();
    check.gives("rotated", &want, |d| {
        full::rotated::rows(Rows::new(70, 32), &d.buffer(&x)?)?.fetch()
    });
    for &of in few_sizes(&SHAPES) {
        let x = &elements(of.1 as u64 + 3, of.0 * of.2);
        filters!(check, of, x, full::seen, |x: &Whole| x.seen);
    }
    check.finish();
}

type Apart = (Vec<f16>, Vec<bf16>, Vec<u8>, Vec<bool>);

/// One array a field.
fn apart(x: &[Few]) -> Apart {
    (
        x.iter().map(|x| x.0).collect(),
        x.iter().map(|x| x.1).collect(),
        x.iter().map(|x| x.2).collect(),
        x.iter().map(|x| x.3).collect(),
    )
}

fn few(seed: u64, n: usize) -> Vec<Few> {
    let (a, b, c): (Vec<f16>, Vec<bf16>, Vec<u8>) =
        (random(seed, n), random(seed + 1, n), random(seed + 2, n));
    let mut noise = Random::new(seed + 3);
    (0..n).map(|i| (a[i], b[i], c[i], noise.below(5) == 0)).collect()
}

#[test]
fn four_narrow_fields_arrive_in_every_form() {
    let mut check = Check::new();
    for &of in few_sizes(&SHAPES) {
        let shape = Rows::new(of.0, of.1).stride(of.2);
        let x = few(of.1 as u64, of.0 * of.2);
        let (a, b, c, d4) = apart(&x);
        let lines = Lines::of(&x, of);
        let ends = &lines.offsets;
        /// A call of one form, its four arrays fetched.
        macro_rules! call {
            ($spec:ident $form:ident $d:ident $($first:expr)?) => {
                narrow::$spec::$form($($first,)? &$d.buffer(&a)?, &$d.buffer(&b)?, &$d.buffer(&c)?, &$d.buffer(&d4)?)?
            };
        }
        macro_rules! few_reduces {
            ($($spec:ident $everywhere:ident $total:ident;)*) => { $(
                let label = |form: &str| format!("{}, {form} of {shape:?}", stringify!($spec));
                check.gives(label("rows"), &apart(&one_each(&lines.rows, $total)), |d| {
                    call!($spec rows d shape).fetch()
                });
                check.gives(label("columns"), &apart(&one_each(&lines.columns, $total)), |d| {
                    call!($spec columns d shape).fetch()
                });
                check.gives(label("segments"), &apart(&one_each(&lines.segments, $total)), |d| {
                    call!($spec segments d &d.buffer(ends)?).fetch()
                });
                check.gives(label("array"), &$total(&x), |d| Ok(call!($spec array d)));
                check.gives(label("every lane of rows"), &apart(&spread(&lines.rows, $total)), |d| {
                    call!($everywhere rows d shape).fetch()
                });
                check.gives(label("every lane of segments"), &apart(&spread(&lines.segments, $total)), |d| {
                    call!($everywhere segments d &d.buffer(ends)?).fetch()
                });
            )* };
        }
        few_reduces! { joined joined_everywhere few_total; followed followed_everywhere few_last; }
        macro_rules! few_scans {
            ($($spec:ident $scan:expr;)*) => { $(
                let label = |form: &str| format!("{}, {form} of {shape:?}", stringify!($spec));
                check.gives(label("rows"), &apart(&all_each(&lines.rows, $scan)), |d| {
                    call!($spec rows d shape).fetch()
                });
                let down = all_each(&lines.columns, $scan);
                check.gives(label("columns"), &apart(&transposed(&down, of.0)), |d| {
                    call!($spec columns d shape).fetch()
                });
                check.gives(label("segments"), &apart(&all_each(&lines.segments, $scan)), |d| {
                    call!($spec segments d &d.buffer(ends)?).fetch()
                });
                check.gives(label("array"), &apart(&($scan)(&x)), |d| {
                    call!($spec array d).fetch()
                });
            )* };
        }
        few_scans! {
            joining |line: &[Few]| after_each(line, FEW, few_joined);
            following_back |line: &[Few]| back(line, NO_FEW, few_followed, false);
        }
        let kept: Vec<Few> = x.iter().copied().filter(|x| x.3).collect();
        check.gives(format!("set of {}", x.len()), &apart(&kept), |d| {
            call!(set array d).fetch()
        });
    }
    check.finish();
}
