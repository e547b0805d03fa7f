//! Numbers that look random and are the same everywhere.

/// A generator of 64-bit words: `SplitMix64` (Steele, Lea, Flood 2014).
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The sequence of a seed.
    pub const fn new(seed: u64) -> Self {
        Rng(seed)
    }

    /// The next word.
    pub const fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, which is not 0.
    pub const fn below(&mut self, n: usize) -> usize {
        (self.word() % n as u64) as usize
    }

    /// One of the elements.
    pub const fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// True in `percent` of 100 cases.
    pub const fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}
