//! Segments: as rows of their own lengths, and offsets that lie.

use super::order::floats;
use super::specs::*;
use crate::argument::{Argument, Target};
use crate::call::{
    rows_reduce, rows_scan, segments_filter, segments_filter_into, segments_reduce, segments_scan,
    segments_scan_into,
};
use crate::place::Host;
use crate::spec::Fold;
use crate::{Error, Rows};

/// Offsets of segments of many lengths, empty ones among them.
fn offsets(count: usize) -> Vec<u32> {
    let lengths = (0..count).map(|i| match i % 7 {
        0 => 0,
        1 => 1,
        2 => 33,
        3 => 1025,
        _ => (i % 97) as u32,
    });
    let mut at = 0;
    std::iter::once(0)
        .chain(lengths.map(|len| {
            at += len;
            at
        }))
        .collect()
}

#[test]
fn a_segment_has_the_bits_of_a_row() {
    let offsets = offsets(900);
    let x = floats(*offsets.last().unwrap() as usize);
    let sums = segments_reduce::<Sum, Host>(&Argument::host(&offsets), &[Argument::host(&x)]).unwrap();
    let scans = segments_scan::<ScanSum, Host>(&Argument::host(&offsets), &[Argument::host(&x)]).unwrap();
    assert_eq!((sums.len(), scans.len()), (900, x.len()));
    for (i, pair) in offsets.windows(2).enumerate() {
        let own = pair[0] as usize..pair[1] as usize;
        let row = &x[own.clone()];
        let sum = rows_reduce::<Sum, Host>(Rows::new(1, row.len()), &[Argument::host(row)]).unwrap()[0];
        assert_eq!(sums[i].to_bits(), sum.to_bits(), "segment {i}");
        let scan = rows_scan::<ScanSum, Host>(Rows::new(1, row.len()), &[Argument::host(row)]).unwrap();
        assert_eq!(scans[own], scan, "segment {i}");
    }
}

#[test]
fn empty_segments_give_the_identity() {
    let x = floats(5);
    let sums = |offsets: &[i64]| {
        segments_reduce::<Sum, Host>(&Argument::host(offsets), &[Argument::host(&x)]).unwrap()
    };
    assert!(sums(&[]).is_empty());
    assert!(sums(&[0]).is_empty());
    assert_eq!(sums(&[0, 0, 0]), [Sum::identity(), Sum::identity()]);
    assert_eq!(sums(&[2, 2, 3, 3])[1], x[2]);
}

#[test]
fn what_stands_in_no_segment_is_left_alone() {
    let x = floats(6);
    let mut out = vec![7.0_f32; 6];
    segments_scan_into::<ScanSum>(
        &Argument::host(&[1_u64, 3, 4]),
        &[Argument::host(&x)],
        &mut [Target::host(&mut out)],
    )
    .unwrap();
    assert_eq!([out[0], out[4], out[5]], [7.0; 3]);
    assert_eq!(out[1..4], [x[1], x[1] + x[2], x[3]]);
}

#[test]
fn offsets_that_lie_are_errors() {
    let x = floats(5);
    let error = |offsets: &[i32]| {
        segments_reduce::<Sum, Host>(&Argument::host(offsets), &[Argument::host(&x)]).unwrap_err()
    };
    for offsets in [&[0, 3, 2, 5][..], &[0, 6], &[-1, 5], &[0, i32::MAX]] {
        assert!(matches!(error(offsets), Error::Offsets { .. }), "{offsets:?}");
    }
    assert!(error(&[0, 3, 2]).to_string().contains("fall from 3 to 2 at 2"));
}

#[test]
fn what_segments_keep_stands_in_order_with_offsets_of_its_own() {
    for offsets in [
        offsets(900),
        vec![],
        vec![3],
        vec![2, 2, 2],
        vec![0, 200_000, 200_000, 200_003],
        vec![5, 9],
    ] {
        let x = floats(offsets.last().map_or(4, |&last| last as usize + 3));
        let (kept, starts) =
            segments_filter::<Positive, Host, u32>(&Argument::host(&offsets), &[Argument::host(&x)]).unwrap();
        let (mut want, mut want_starts) = (Vec::new(), Vec::new());
        for pair in offsets.windows(2) {
            want_starts.push(want.len() as u32);
            let part = &x[pair[0] as usize..pair[1] as usize];
            want.extend(part.iter().copied().filter(|&x| x > 0.0));
        }
        if !offsets.is_empty() {
            want_starts.push(want.len() as u32);
        }
        assert_eq!((kept, starts), (want, want_starts));
    }
}

#[test]
fn a_filter_of_segments_needs_room_for_every_element() {
    let (x, offsets) = (floats(5), [0_i64, 2, 5]);
    let run = |out: &mut [f32], starts: &mut [i64]| {
        segments_filter_into::<Positive, i64>(
            &Argument::host(&offsets),
            &[Argument::host(&x)],
            &mut [Target::host(out)],
            Target::host(starts),
        )
    };
    run(&mut [0.0; 5], &mut [0; 3]).unwrap();
    assert!(matches!(
        run(&mut [0.0; 4], &mut [0; 3]),
        Err(Error::TooShort { .. })
    ));
    assert!(matches!(
        run(&mut [0.0; 5], &mut [0; 2]),
        Err(Error::TooShort { .. })
    ));
}
