//! Random input, the same on every machine.

use half::{bf16, f16};

/// A generator of 64 random bits (splitmix64, Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence of a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`, which is not 0.
    pub const fn below(&mut self, end: u64) -> u64 {
        self.bits() % end
    }
}

/// A type with random values.
pub trait Sample: Copy {
    /// One of them.
    fn sample(random: &mut Random) -> Self;
}

macro_rules! integers {
    ($($ty:ty)*) => { $(impl Sample for $ty {
        fn sample(random: &mut Random) -> Self {
            random.bits() as $ty
        }
    })* };
}
integers! { i8 i16 i32 i64 u8 u16 u32 u64 }

impl Sample for bool {
    fn sample(random: &mut Random) -> Self {
        random.bits() & 1 == 1
    }
}

impl Sample for f64 {
    /// All 53 bits random, magnitudes from 1/8 to 8: sums in another order have other bits.
    fn sample(random: &mut Random) -> Self {
        let bits = random.bits();
        let exponent = 1023 - 3 + random.below(6);
        f64::from_bits((bits & (1 << 63 | ((1 << 52) - 1))) | exponent << 52)
    }
}

impl Sample for f32 {
    /// All 24 bits random, magnitudes from 1/8 to 8: sums in another order have other bits.
    fn sample(random: &mut Random) -> Self {
        let bits = random.bits() as u32;
        let exponent = 127 - 3 + random.below(6) as u32;
        f32::from_bits((bits & (1 << 31 | ((1 << 23) - 1))) | exponent << 23)
    }
}

impl Sample for f16 {
    fn sample(random: &mut Random) -> Self {
        f16::from_f32(f32::sample(random))
    }
}

impl Sample for bf16 {
    fn sample(random: &mut Random) -> Self {
        bf16::from_f32(f32::sample(random))
    }
}

/// `n` random values of a seed.
pub fn random<T: Sample>(seed: u64, n: usize) -> Vec<T> {
    let mut random = Random::new(seed);
    (0..n).map(|_| T::sample(&mut random)).collect()
}

/// `n` whole numbers from -`limit` to `limit`, as floats: their sums are exact in any order.
pub fn whole(seed: u64, n: usize, limit: u64) -> Vec<f32> {
    let mut random = Random::new(seed);
    (0..n)
        .map(|_| random.below(2 * limit + 1) as f32 - limit as f32)
        .collect()
}

/// The elements of row `row` of rows of `cols` that start `stride` apart.
pub fn row<T>(x: &[T], row: usize, cols: usize, stride: usize) -> &[T] {
    &x[row * stride..row * stride + cols]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_fill_their_bits() {
        let x: Vec<f32> = random(1, 1000);
        assert!(x.iter().all(|x| (0.125..8.0).contains(&x.abs())));
        assert!(x.iter().filter(|x| x.to_bits() & 1 == 1).count() > 400);
        let forward: f32 = x.iter().sum();
        let back: f32 = x.iter().rev().sum();
        assert_ne!(forward.to_bits(), back.to_bits(), "another order has other bits");
    }

    #[test]
    fn whole_numbers_stay_within_their_limit() {
        let x = whole(2, 1000, 3);
        assert!(x.iter().all(|x| x.fract() == 0.0 && x.abs() <= 3.0));
        assert!(x.contains(&3.0) && x.contains(&-3.0));
    }
}
