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

/// Runs `work` on each of the jobs, which it gets by value: what it writes to is then known to be its own.
pub(crate) fn jobs<T: Send>(jobs: Vec<T>, work: &(dyn Fn(T) + Sync)) {
    let mut slots: Vec<Option<T>> = jobs.into_iter().map(Some).collect();
    parts(&mut slots, 0, 1, &|_, slots| {
        slots.iter_mut().filter_map(Option::take).for_each(work);
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

    #[test]
    fn every_job_is_done_once() {
        let mut done = vec![0; 100];
        jobs(done.iter_mut().zip(1..).collect(), &|(slot, number)| {
            *slot += number;
        });
        assert_eq!(done, (1..=100).collect::<Vec<_>>());
    }
}
