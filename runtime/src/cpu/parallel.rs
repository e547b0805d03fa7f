//! Work on several threads, without a type parameter where rayon starts: its machinery is then in this crate once, and
//! not in a user's crate for every spec that is called.

/// Runs both, perhaps at once.
pub(crate) fn both(low: &mut (dyn FnMut() + Send), high: &mut (dyn FnMut() + Send)) {
    rayon::join(low, high);
}

/// Runs `work` over parts of `slots`, of at most `most` or one each; it gets the number of a part's first slot, counted
/// from `first`, and the part.
pub(crate) fn parts<T: Send>(
    slots: &mut [T],
    first: usize,
    most: usize,
    work: &(dyn Fn(usize, &mut [T]) + Sync),
) {
    if slots.is_empty() {
        return;
    }
    if slots.len() <= most.max(1) {
        return work(first, slots);
    }
    let middle = slots.len() / 2;
    let (low, high) = slots.split_at_mut(middle);
    both(&mut || parts(low, first, most, work), &mut || {
        parts(high, first + middle, most, work);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_slot_is_in_one_part_and_knows_its_number() {
        for (n, most) in [
            (0, 1),
            (1, 0),
            (1, 1),
            (2, 0),
            (7, 3),
            (100, 1),
            (1000, 64),
            (5, 9),
        ] {
            let mut slots = vec![0; n];
            parts(&mut slots, 10, most, &|first, part| {
                assert!(!part.is_empty() && part.len() <= most.max(1));
                for (i, slot) in part.iter_mut().enumerate() {
                    *slot += first + i;
                }
            });
            assert_eq!(slots, (10..10 + n).collect::<Vec<_>>());
        }
    }
}
