//! Made-up input that is the same on every machine and every run.

/// A stream of numbers that look random and are not.
///
/// ```
/// use warpfold_examples::Values;
///
/// let first: Vec<f32> = Values::new(7).between(-1.0, 1.0, 3);
/// assert_eq!(first, Values::new(7).between(-1.0, 1.0, 3));
/// assert!(first.iter().all(|x| (-1.0..1.0).contains(x)));
/// ```
#[derive(Clone, Debug)]
pub struct Values(u64);

impl Values {
    /// The stream of a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 32 bits: `SplitMix64` (Steele, Lea and Flood, 2014), its upper half.
    pub const fn bits(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 32) as u32
    }

    /// A whole number below `bound`.
    pub fn below(&mut self, bound: u32) -> u32 {
        ((u64::from(self.bits()) * u64::from(bound)) >> 32) as u32
    }

    /// `count` numbers from `low` up to `high`, evenly spread.
    pub fn between(&mut self, low: f32, high: f32, count: usize) -> Vec<f32> {
        (0..count)
            .map(|_| low + (high - low) * (f32::from((self.bits() >> 16) as u16) / 65_536.0))
            .collect()
    }

    /// `count` numbers around 0 with a spread of 1, bell-shaped: each the sum of twelve even ones, less six.
    pub fn normal(&mut self, count: usize) -> Vec<f32> {
        (0..count)
            .map(|_| self.between(0.0, 1.0, 12).iter().sum::<f32>() - 6.0)
            .collect()
    }
}
