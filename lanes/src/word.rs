//! What a lane has seen, in symbols.

use std::fmt;

/// A word over lane numbers. Every lane starts with its own letter, the identity is the empty word, and combining
/// puts one word behind the other. Words are the free monoid: a plan that makes the right word of them makes
/// the right value of any associative operator.
///
/// A word is written with runs of three or more closed up, and, when it climbs by a fixed step, with its middle left out:
///
/// ```
/// use warpfold_lanes::Word;
///
/// assert_eq!(Word::from([0, 1, 2, 3]).to_string(), "0-3");
/// assert_eq!(Word::from([3, 2, 1, 0]).to_string(), "3-0");
/// assert_eq!(Word::from([0, 16]).to_string(), "0 16");
/// assert_eq!(Word::from([0, 4, 8, 12, 16, 20]).to_string(), "0 4 8 … 20");
/// assert_eq!(Word::default().to_string(), "the identity");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Word(Vec<u8>);

impl Word {
    /// The word of one lane alone.
    pub fn letter(lane: u32) -> Self {
        Self(vec![lane as u8])
    }

    /// `self` and then `right`.
    #[must_use]
    pub fn then(mut self, right: &Self) -> Self {
        self.0.extend_from_slice(&right.0);
        self
    }

    /// The letters, left to right.
    pub fn letters(&self) -> &[u8] {
        &self.0
    }

    /// The same letters, the lowest first: what is left of a word once order does not matter.
    #[must_use]
    pub fn sorted(&self) -> Self {
        let mut letters = self.0.clone();
        letters.sort_unstable();
        Self(letters)
    }
}

impl<const N: usize> From<[u8; N]> for Word {
    fn from(letters: [u8; N]) -> Self {
        Self(letters.to_vec())
    }
}

impl FromIterator<u32> for Word {
    fn from_iter<I: IntoIterator<Item = u32>>(lanes: I) -> Self {
        Self(lanes.into_iter().map(|lane| lane as u8).collect())
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_letters(f, &self.0)
    }
}

fn write_letters(f: &mut fmt::Formatter<'_>, letters: &[u8]) -> fmt::Result {
    let [first, rest @ ..] = letters else {
        return f.write_str("the identity");
    };
    let step = rest
        .first()
        .map_or(0, |&second| i16::from(second) - i16::from(*first));
    let climbs = letters
        .windows(2)
        .all(|two| i16::from(two[1]) - i16::from(two[0]) == step);
    match rest {
        [] => write!(f, "{first}"),
        [_, .., last] if climbs && step.abs() == 1 => write!(f, "{first}-{last}"),
        [second, third, _, .., last] if climbs && rest.len() > 3 => {
            write!(f, "{first} {second} {third} … {last}")
        }
        _ => write_runs(f, letters),
    }
}

/// Letters that follow no single rule: each climbing run of three or more is closed up.
fn write_runs(f: &mut fmt::Formatter<'_>, letters: &[u8]) -> fmt::Result {
    let runs = letters.chunk_by(|&a, &b| a.checked_add(1) == Some(b));
    for (index, run) in runs.enumerate() {
        if index > 0 {
            f.write_str(" ")?;
        }
        match run {
            [first, _, .., last] => write!(f, "{first}-{last}")?,
            [first, last] => write!(f, "{first} {last}")?,
            [only] => write!(f, "{only}")?,
            [] => {}
        }
    }
    Ok(())
}
