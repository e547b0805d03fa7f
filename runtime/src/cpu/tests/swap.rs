//! The CPU runs the proved plans and nothing beside them: another plan, another answer.

use super::order::floats;
use super::specs::Sum;
use crate::argument::Argument;
use crate::cpu::plans::Plans;
use crate::cpu::rows::{Layout, reduce_by};
use crate::rows::Rows;

#[test]
fn a_wrong_plan_changes_the_answer() {
    let x = floats(64 * 100);
    let layout = Layout::rows(&Rows::new(64, 100).checked(1).unwrap());
    let sums = |plans: &Plans| {
        let mut out = vec![0.0_f32; 64];
        reduce_by::<Sum>(layout, &[Argument::host(&x)], &mut out, plans);
        out
    };
    let (right, wrong) = (sums(Plans::get()), sums(&Plans::wrong()));
    let differing = right.iter().zip(&wrong).filter(|(a, b)| a != b).count();
    assert_eq!(differing, 64, "lane 0 of a scan holds only its own");
}
