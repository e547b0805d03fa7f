//! What a group does when its ranks disagree, fail or end: an error on every rank, never a wait without end.

use std::time::{Duration, Instant};

use super::{on_each, total, whole};
use crate::Group;
use crate::error::Error;
use crate::prelude::*;

#[warp_reduce(op = sum, land = all, apply = |total| -> f32 { x / total })]
pub fn shares(x: f32) -> f32 {
    x
}

#[warp_reduce(op = sum)]
pub fn both(x: f32, y: f32) -> f32 {
    x * y
}

#[warp_reduce(op = sum)]
pub fn weighted(x: f32, #[per_column] w: f32) -> f32 {
    x * w
}

#[warp_reduce(op = sum)]
pub fn narrow(x: u64, #[len] n: u32) -> u64 {
    x + u64::from(n)
}

const X: &[f32] = &[1.0, 2.0];
const WHOLE: &[u64] = &[1, 2];

#[test]
fn ranks_whose_calls_differ_all_learn_it_and_go_on() {
    let answers = on_each(4, |group| {
        let odd = group.rank() == 2;
        let error = if odd {
            group.reduce::<whole, _>((WHOLE,)).unwrap_err()
        } else {
            group.reduce::<total, _>((X,)).unwrap_err()
        };
        let text = error.to_string();
        let there = if odd {
            "calls reduce `total`"
        } else {
            "rank 2 calls reduce `whole`"
        };
        assert!(text.contains(there) && text.contains("\nhelp: "), "{text}");
        assert!(matches!(error, Error::GroupDiffers { .. }), "{error}");
        group.reduce::<total, _>((X,)).unwrap()
    });
    assert_eq!(answers, [12.0; 4]);
}

#[test]
fn ranks_that_gather_other_types_learn_it() {
    on_each(2, |group| {
        let error = if group.rank() == 0 {
            group.gather(X).unwrap_err()
        } else {
            group.gather(WHOLE).unwrap_err()
        };
        assert!(matches!(error, Error::GroupDiffers { .. }), "{error}");
    });
}

#[test]
fn a_rank_with_wrong_arguments_tells_the_others_and_the_group_goes_on() {
    let answers = on_each(3, |group| {
        let short = group.rank() == 1;
        let y = &X[usize::from(short)..];
        let error = group.reduce::<both, _>((X, y)).unwrap_err();
        if short {
            assert!(matches!(error, Error::Length { .. }), "{error}");
        } else {
            let text = error.to_string();
            assert!(matches!(error, Error::GroupFailed { rank: 1, .. }), "{text}");
            assert!(text.contains("`both`: `y` has 1 elements"), "{text}");
            // A message has room for the start of it, and says that there is more.
            assert!(text.contains("…\nhelp: look at the error of that rank"), "{text}");
        }
        group.reduce::<both, _>((X, X)).unwrap()
    });
    assert_eq!(answers, [15.0; 3]);
}

#[test]
fn specs_that_a_group_cannot_run_are_refused_by_every_rank() {
    on_each(2, |group| {
        let error = group.reduce::<shares, _>((X,)).unwrap_err();
        assert!(error.to_string().contains("no `apply`"), "{error}");
        let error = group.reduce::<weighted, _>((X, X)).unwrap_err();
        assert!(error.to_string().contains("`w` belongs to rows"), "{error}");
        assert_eq!(group.reduce::<narrow, _>((WHOLE,)).unwrap(), 22);
    });
}

#[test]
fn a_rank_that_ends_gives_the_others_an_error_at_once() {
    let begun = Instant::now();
    on_each(3, |group| {
        if group.rank() == 1 {
            return;
        }
        let error = group.reduce::<total, _>((X,)).unwrap_err();
        assert!(matches!(error, Error::GroupLost { .. }), "{error}");
        let again = group.gather(X).unwrap_err();
        assert!(again.to_string().contains("earlier call"), "{again}");
    });
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

#[test]
fn whoever_is_lost_is_named_and_not_those_who_left_because_of_it() {
    for _ in 0..20 {
        on_each(6, |group| {
            if group.rank() == 4 {
                return;
            }
            let error = group.reduce::<total, _>((X,)).unwrap_err().to_string();
            assert!(error.contains("rank 4 has left"), "{error}");
            // What they say goes out of the group with them.
            drop(std::mem::replace(group, Group::alone()));
        });
    }
}

#[test]
fn a_rank_that_does_not_come_is_waited_for_no_longer_than_was_said() {
    let (mut first, second) = {
        let mut ranks = Group::threads(2).into_iter();
        (ranks.next().unwrap(), ranks.next().unwrap())
    };
    first = first.timeout(Duration::from_millis(50));
    let error = first.reduce::<total, _>((X,)).unwrap_err().to_string();
    assert!(error.contains("rank 1 did not come within 50ms"), "{error}");
    // Who comes late is not left waiting either.
    let mut second = second.timeout(Duration::from_mins(10));
    let error = second.reduce::<total, _>((X,)).unwrap_err().to_string();
    assert!(error.contains("rank 0 has left"), "{error}");
}
