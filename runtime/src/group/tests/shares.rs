//! Parts of rows, segments and arrays, and gathering what ranks made of them.

use super::{on_each, random, total};
use crate::Group;
use crate::error::Error;
use crate::prelude::*;

#[test]
fn parts_cover_everything_once_in_rank_order() {
    for n in [0, 1, 2, 7, 100] {
        for ranks in [1, 2, 3, 8, 33] {
            let mut end = 0;
            for group in Group::threads(ranks) {
                let part = group.part(n);
                assert_eq!(part.start, end);
                assert!(part.len().abs_diff(n / ranks) <= 1);
                end = part.end;
            }
            assert_eq!(end, n);
        }
    }
}

#[test]
fn rows_are_shared_out_and_gathered() {
    let (rows, cols, stride) = (11, 20, 32);
    let shape = Rows::new(rows, cols).stride(stride);
    let x = random((rows - 1) * stride + cols);
    for ranks in [1, 2, 3, 11, 15] {
        let answers = on_each(ranks, |group| {
            let (part, elements) = group.part_of_rows(shape);
            let own = total::rows(part, &x[elements]).unwrap();
            group.gather(&own).unwrap()
        });
        assert_eq!(answers, vec![total::rows(shape, &x).unwrap(); ranks]);
    }
}

#[test]
fn segments_are_shared_out_by_their_elements_and_gathered() {
    let x = random(1000);
    for offsets in [
        vec![0_u64, 0, 700, 701, 720, 720, 1000],
        vec![5, 5],
        vec![0, 1000],
        vec![3, 10, 990],
    ] {
        let one = total::segments(&offsets, &x).unwrap();
        for ranks in [1, 2, 3, 9] {
            let answers = on_each(ranks, |group| {
                let (own, elements) = group.part_of_segments(&offsets).unwrap();
                assert_eq!(own.last().copied(), Some(elements.len() as u64));
                let own = total::segments(&own, &x[elements]).unwrap();
                group.gather(&own).unwrap()
            });
            assert_eq!(answers, vec![one.clone(); ranks], "{offsets:?} by {ranks}");
        }
    }
    let alone = Group::alone();
    assert_eq!(alone.part_of_segments(&[]).unwrap(), (vec![0], 0..0));
    for falling in [[5_u64, 2, 9], [0, 9, 3]] {
        let error = alone.part_of_segments(&falling).unwrap_err();
        assert!(matches!(error, Error::Offsets { .. }), "{error}");
    }
}

#[test]
fn uneven_parts_and_none_are_gathered_in_rank_order() {
    let answers = on_each(5, |group| {
        let own: Vec<u16> = (0..group.rank() as u16 % 3)
            .map(|i| i + 10 * group.rank() as u16)
            .collect();
        group.gather(&own).unwrap()
    });
    assert_eq!(answers, vec![vec![10, 20, 21, 40]; 5]);
    assert_eq!(on_each(2, |group| group.gather::<f64>(&[]).unwrap()), [[]; 2]);
}
