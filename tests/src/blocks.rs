//! The block functions in both kinds and directions, for votes, and for states of 1 to 40 bytes: one kernel for all of them,
//! and what a loop says it gives. It runs on a GPU and under the emulator.

use crate::data::Random;
use crate::specs::{blocks, table};

/// A state as the kernel reads and writes it, in as many words as it has fields.
pub type Words = [u64; WORDS];
const WORDS: usize = 6;
/// States that the kernel gives for each thread.
pub const CALLS: usize = 4;

/// Threads in x, y and z.
pub type Block = (u32, u32, u32);
/// Every number of threads that is awkward, in one, two and three dimensions.
pub const BLOCKS: [Block; 21] = [
    (1, 1, 1),
    (17, 1, 1),
    (31, 1, 1),
    (32, 1, 1),
    (33, 1, 1),
    (45, 1, 1),
    (48, 1, 1),
    (63, 1, 1),
    (64, 1, 1),
    (96, 1, 1),
    (1000, 1, 1),
    (1024, 1, 1),
    (5, 9, 1),
    (16, 16, 1),
    (32, 32, 1),
    (8, 8, 2),
    (7, 7, 1),
    (16, 3, 1),
    (3, 5, 7),
    (33, 31, 1),
    (1, 1, 40),
];

/// A spec, and a loop's words for it.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// What it is called in messages.
    pub name: &'static str,
    /// Its CUDA C++.
    pub cuda: fn() -> String,
    /// Words of a state.
    pub words: usize,
    /// C++: a state from the words at `w`, and back.
    take: &'static str,
    tell: &'static str,
    /// Kind and direction of a scan; a reduction has none.
    scan: Option<(Kind, Direction)>,
    identity: Words,
    /// A state of one of so many threads.
    element: fn(&mut Random, usize) -> Words,
    combine: fn(&Words, &Words) -> Words,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Inclusive,
    Exclusive,
}
#[derive(Clone, Copy, Debug, PartialEq)]
enum Direction {
    Forward,
    Reverse,
}
use Direction::{Forward, Reverse};
use Kind::{Exclusive, Inclusive};

/// The kernel, after a spec, `take`, `tell`, `WORDS` and `SCANS`: four calls without a barrier in between. Wide states take
/// more registers than a block of 1024 threads has for each, unless the compiler is told.
const KERNEL: &str = r#"
extern "C" __launch_bounds__(1024) __global__ void in_a_block(const wf::u64* x, wf::u64* out) {
  using State = Spec::State;
  const wf::u64 at = wf::u64(blockIdx.x) * wf::block_threads() + wf::thread_rank();
  const State mine = take(x + at * WORDS);
  const State one = wf::block_reduce<Spec>(mine);
  const State two = SECOND;
  const State three = THIRD;
  const State four = wf::block_reduce<Spec>(three);
  wf::u64* own = out + 4 * at * WORDS;
  tell(one, own);
  tell(two, own + WORDS);
  tell(three, own + 2 * WORDS);
  tell(four, own + 3 * WORDS);
}
"#;

const MATRIX: [&str; 2] = [
    "Spec::State s; s.a = w[0]; s.b = w[1]; s.c = w[2]; s.d = w[3]; s.last = wf::u32(w[4]); s.set = w[5] != 0; return s;",
    "w[0] = s.a; w[1] = s.b; w[2] = s.c; w[3] = s.d; w[4] = s.last; w[5] = s.set;",
];
const PAIR: [&str; 2] = [
    "return {wf::u32(w[0]), wf::u32(w[1])};",
    "w[0] = s.f0; w[1] = s.f1;",
];
const BOOL: [&str; 2] = ["return w[0] != 0;", "w[0] = s;"];
const WORD: [&str; 2] = ["return w[0];", "w[0] = s;"];
const SIGNED: [&str; 2] = [
    "return static_cast<wf::i64>(w[0]);",
    "w[0] = static_cast<wf::u64>(s);",
];
const DOUBLE: [&str; 2] = ["return wf::double_from_bits(w[0]);", "w[0] = wf::to_bits(s);"];

/// All of them.
pub fn cases() -> Vec<Case> {
    let case = |name, cuda, words, [take, tell]: [&'static str; 2], identity: &[u64], element, combine| {
        let mut padded = [0; WORDS];
        padded[..identity.len()].copy_from_slice(identity);
        Case {
            name,
            cuda,
            words,
            take,
            tell,
            scan: None,
            identity: padded,
            element,
            combine,
        }
    };
    let scan = |case: Case, kind, direction| Case {
        scan: Some((kind, direction)),
        ..case
    };
    let affine = |name, cuda| case(name, cuda, 2, PAIR, &[1, 0], two_odd, of_affine);
    let matrix = |name, cuda| case(name, cuda, 6, MATRIX, &[1, 0, 0, 1, 0, 0], regular, product);
    let any = |name, cuda| case(name, cuda, 1, BOOL, &[0], rarely, |p, q| one(p[0] | q[0]));
    let all = |name, cuda| case(name, cuda, 1, BOOL, &[1], mostly, |p, q| one(p[0] & q[0]));
    let sum = |name, cuda, way| {
        case(
            name,
            cuda,
            1,
            way,
            &[0],
            |r, _| one(r.bits()),
            |p, q| one(p[0].wrapping_add(q[0])),
        )
    };
    let peak = |name, cuda| {
        let lowest = f64::NEG_INFINITY.to_bits();
        case(name, cuda, 1, DOUBLE, &[lowest], number, |p, q| {
            one(f64::from_bits(p[0]).max(f64::from_bits(q[0])).to_bits())
        })
    };
    vec![
        scan(affine("affine", blocks::affine::cuda), Inclusive, Forward),
        scan(
            affine("affine, exclusive", blocks::affine_before::cuda),
            Exclusive,
            Forward,
        ),
        scan(
            affine("affine, reverse", blocks::affine_back::cuda),
            Inclusive,
            Reverse,
        ),
        scan(
            affine("affine, exclusive reverse", blocks::affine_behind::cuda),
            Exclusive,
            Reverse,
        ),
        any("any", table::any::cuda),
        all("all", table::all::cuda),
        sum("count", table::count::cuda, WORD),
        scan(any("scan of any", blocks::seen::cuda), Inclusive, Forward),
        scan(
            all("scan of all, reverse", blocks::unbroken_to_the_end::cuda),
            Inclusive,
            Reverse,
        ),
        scan(
            sum("scan of count, exclusive", blocks::ranks::cuda, WORD),
            Exclusive,
            Forward,
        ),
        matrix("product of 40 bytes", blocks::wide::product::cuda),
        scan(
            matrix("products of 40 bytes", blocks::wide::products::cuda),
            Inclusive,
            Forward,
        ),
        scan(
            matrix(
                "products of 40 bytes, exclusive reverse",
                blocks::wide::products_behind::cuda,
            ),
            Exclusive,
            Reverse,
        ),
        sum("sum of i64", table::of_i64::sum::cuda, SIGNED),
        scan(
            sum("running sum of i64", table::of_i64::running_sum::cuda, SIGNED),
            Inclusive,
            Forward,
        ),
        peak("max of f64", table::of_f64::max::cuda),
        scan(
            peak("running max of f64, exclusive", blocks::peaks_before::cuda),
            Exclusive,
            Forward,
        ),
    ]
}

const fn one(x: u64) -> Words {
    [x, 0, 0, 0, 0, 0]
}

/// Both 32 bits; the first odd, so that no product vanishes.
fn two_odd(random: &mut Random, _: usize) -> Words {
    let bits = random.bits();
    [u64::from(bits as u32 | 1), bits >> 32, 0, 0, 0, 0]
}

fn of_affine(p: &Words, q: &Words) -> Words {
    let [a, b, c, d] = [p[0], p[1], q[0], q[1]].map(|word| word as u32);
    let (by, to) = (a.wrapping_mul(c), c.wrapping_mul(b).wrapping_add(d));
    [u64::from(by), u64::from(to), 0, 0, 0, 0]
}

/// True for one thread or so.
fn rarely(random: &mut Random, threads: usize) -> Words {
    one(u64::from(random.below(threads as u64 + 1) == 0))
}

/// False for one thread or so.
fn mostly(random: &mut Random, threads: usize) -> Words {
    one(u64::from(random.below(threads as u64 + 1) != 0))
}

/// A number of 53 random bits and either sign.
fn number(random: &mut Random, _: usize) -> Words {
    let bits = random.bits();
    one(((bits >> 11) as f64 * if bits & 1 == 0 { 1.0 } else { -1.0 }).to_bits())
}

/// A matrix that has an inverse, so that no product vanishes.
fn regular(random: &mut Random, _: usize) -> Words {
    let [a, b, c, d, last] = [(); 5].map(|()| random.bits());
    [
        a | 1,
        b,
        c & !1,
        d | 1,
        if last & 6 == 0 { last >> 32 } else { 0 },
        last & 1,
    ]
}

fn product(p: &Words, q: &Words) -> Words {
    let of = |i: usize, j: usize, k: usize, l: usize| {
        p[i].wrapping_mul(q[j]).wrapping_add(p[k].wrapping_mul(q[l]))
    };
    let last = if q[4] == 0 { p[4] } else { q[4] };
    [
        of(0, 0, 1, 2),
        of(0, 1, 1, 3),
        of(2, 0, 3, 2),
        of(2, 1, 3, 3),
        last,
        p[5] | q[5],
    ]
}

impl Case {
    /// The kernel for a spec whose namespace is `wf_spec`.
    pub fn kernel(&self) -> String {
        let Self {
            words, take, tell, ..
        } = self;
        let (second, third) = match self.scan {
            Some(_) => ("wf::block_scan<Spec>(mine)", "wf::block_scan<Spec>(two)"),
            None => (
                "wf::block_reduce<Spec>(one)",
                "wf::block_reduce<Spec>(Spec::combine(two, mine))",
            ),
        };
        let kernel = KERNEL
            .replace("SECOND", second)
            .replace("THIRD", third)
            .replace("WORDS", &words.to_string());
        format!(
            "using wf_spec::Spec;\nstatic WF_FN Spec::State take(const wf::u64* w) {{ {take} }}\n\
             static WF_FN void tell(const Spec::State& s, wf::u64* w) {{ {tell} }}\n{kernel}"
        )
    }

    /// What people would compile: the spec's source, and the kernel after it.
    pub fn program(&self) -> String {
        format!("{}\n{}", (self.cuda)(), self.kernel())
    }

    /// States for the threads of a block.
    pub fn states(&self, seed: u64, threads: usize) -> Vec<Words> {
        let mut random = Random::new(seed);
        (0..threads)
            .map(|_| (self.element)(&mut random, threads))
            .collect()
    }

    /// The first words of each, side by side.
    pub fn flat(&self, states: &[Words]) -> Vec<u64> {
        states
            .iter()
            .flat_map(|state| &state[..self.words])
            .copied()
            .collect()
    }

    /// What the kernel gives each thread of a block, by loops.
    pub fn wanted(&self, mine: &[Words]) -> Vec<[Words; CALLS]> {
        let fold = |x: &[Words]| x.iter().fold(self.identity, |s, x| (self.combine)(&s, x));
        let one = fold(mine);
        let (two, three) = if self.scan.is_some() {
            let two = self.scanned(mine);
            let three = self.scanned(&two);
            (two, three)
        } else {
            let two = fold(&vec![one; mine.len()]);
            let each: Vec<Words> = mine.iter().map(|mine| (self.combine)(&two, mine)).collect();
            (vec![two; mine.len()], vec![fold(&each); mine.len()])
        };
        let four = fold(&three);
        two.into_iter()
            .zip(three)
            .map(|(two, three)| [one, two, three, four])
            .collect()
    }

    fn scanned(&self, x: &[Words]) -> Vec<Words> {
        let (kind, direction) = self.scan.expect("only scans are scanned");
        let mut met = x.to_vec();
        if direction == Reverse {
            met.reverse();
        }
        let mut s = self.identity;
        for x in &mut met {
            let before = s;
            s = (self.combine)(&s, x);
            *x = if kind == Exclusive { before } else { s };
        }
        if direction == Reverse {
            met.reverse();
        }
        met
    }

    /// The first difference between what the kernel gave for a block and what it should.
    pub fn fault(&self, mine: &[Words], got: &[u64]) -> Option<String> {
        let wanted = self.wanted(mine);
        let got = got.chunks_exact(CALLS * self.words).zip(wanted).enumerate();
        got.flat_map(|(thread, (got, wanted))| {
            let calls = got.chunks_exact(self.words).zip(wanted).enumerate();
            calls.map(move |(call, (got, wanted))| (thread, call, got, wanted))
        })
        .find(|(_, _, got, wanted)| *got != &wanted[..self.words])
        .map(|(thread, call, got, wanted)| {
            let wanted = &wanted[..self.words];
            format!(
                "{}: call {call} gives thread {thread} {got:x?} and not {wanted:x?}",
                self.name
            )
        })
    }
}
