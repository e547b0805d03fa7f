//! A plan in text: the steps, who reads whom, and what each lane holds afterwards.

use crate::plan::Plan;
use std::fmt;

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} · width {} · mask {}", self.goal, self.width, self.mask)
    }
}
