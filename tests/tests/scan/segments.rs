//! Filters over segments: what they keep, one behind the other, and where each one's part starts.

use warpfold::Error;
use warpfold_tests::answer::Fetch;
use warpfold_tests::check::{Check, many};
use warpfold_tests::data::{Random, random};
use warpfold_tests::specs::filters;

/// Offsets of segments: none, all empty, uneven ones, a giant among dwarfs, and elements in no segment at both ends.
fn offsets() -> Vec<(Vec<u32>, usize)> {
    let mut noise = Random::new(5);
    let mut uneven = vec![3];
    for i in 0..2000 {
        let most = match i % 5 {
            0 => 1,
            1 => 3,
            2 => 40,
            3 => 300,
            _ => 9,
        };
        uneven.push(uneven[i] + noise.below(most) as u32);
    }
    let mut giant: Vec<u32> = (0..500).map(|i| 3 * i).collect();
    giant.extend((0..500).map(|i| 1500 + many(1 << 20) as u32 + 2 * i));
    let all = [
        vec![],
        vec![4],
        vec![0, 0, 0, 0],
        vec![0, 0, 5, 37, 37],
        vec![0, 1024, 2048, 4096],
        uneven,
        giant,
    ];
    let ends = |offsets: &Vec<u32>| offsets.last().map_or(0, |&last| last as usize);
    all.map(|offsets| {
        let end = ends(&offsets);
        (offsets, end + end % 5)
    })
    .into()
}

#[test]
fn kept_values_stand_side_by_side_with_offsets_of_their_own() {
    let mut check = Check::new();
    for (offsets, n) in offsets() {
        let segments = offsets.len().saturating_sub(1);
        let label = |op: &str| format!("{op} over {segments} segments of {n}");
        let starts = |kept: &dyn Fn(usize, usize) -> bool| {
            let mut at = 0_u32;
            let mut starts: Vec<u32> = Vec::new();
            for (r, pair) in offsets.windows(2).enumerate() {
                starts.push(at);
                at += (pair[0] as usize..pair[1] as usize)
                    .filter(|&i| kept(r, i))
                    .count() as u32;
            }
            starts.extend((!offsets.is_empty()).then_some(at));
            starts
        };
        let members = |kept: &dyn Fn(usize, usize) -> bool| {
            let mut members = Vec::new();
            for (r, pair) in offsets.windows(2).enumerate() {
                members.extend(
                    (pair[0] as usize..pair[1] as usize)
                        .filter(|&i| kept(r, i))
                        .map(|i| (r, i)),
                );
            }
            members
        };
        let x: Vec<f32> = random(1, n);
        let keeps = |_: usize, i: usize| x[i] > 0.0;
        let want: Vec<f32> = members(&keeps).into_iter().map(|(_, i)| x[i]).collect();
        check.gives(label("positive"), &(want.clone(), starts(&keeps)), |d| {
            let (kept, starts) = filters::positive::segments(&d.buffer(&offsets)?, &d.buffer(&x)?)?;
            Ok((kept.fetch()?, starts.fetch()?))
        });
        let wide: Vec<i64> = offsets.iter().map(|&offset| i64::from(offset)).collect();
        let wide_starts: Vec<i64> = starts(&keeps).into_iter().map(i64::from).collect();
        check.gives(label("positive, into"), &(want, wide_starts), |d| {
            let (mut out, mut starts) = (d.zeros::<f32>(n)?, d.zeros::<i64>(wide.len())?);
            filters::positive::segments_into(&d.buffer(&wide)?, &d.buffer(&x)?, &mut out, &mut starts)?;
            let (out, starts) = (out.fetch()?, starts.fetch()?);
            Ok((
                out[..starts.last().map_or(0, |&end| end as usize)].to_vec(),
                starts,
            ))
        });
        let bytes: Vec<u8> = random(2, n);
        let keeps = |_: usize, i: usize| bytes[i] & 1 == 1;
        let want: Vec<u8> = members(&keeps).into_iter().map(|(_, i)| bytes[i]).collect();
        check.gives(label("odd_bytes"), &(want, starts(&keeps)), |d| {
            let (kept, starts) = filters::odd_bytes::segments(&d.buffer(&offsets)?, &d.buffer(&bytes)?)?;
            Ok((kept.fetch()?, starts.fetch()?))
        });
        let values: Vec<i32> = random(3, n);
        let limits: Vec<i32> = random(4, segments);
        let live: Vec<u32> = random::<u32>(5, segments).into_iter().map(|x| x % 200).collect();
        let keeps = |r: usize, i: usize| {
            let (from, to) = (offsets[r] as usize, offsets[r + 1] as usize);
            values[i] > limits[r] && i + 1 < to && i - from < live[r] as usize
        };
        let placed = members(&keeps);
        let want = (
            placed.iter().map(|&(_, i)| values[i]).collect::<Vec<i32>>(),
            placed.iter().map(|&(r, _)| r as u32).collect::<Vec<u32>>(),
            placed
                .iter()
                .map(|&(r, i)| (i - offsets[r] as usize) as u64)
                .collect::<Vec<u64>>(),
            starts(&keeps),
        );
        check.gives(label("placed"), &want, |d| {
            let (x, limits, live) = (d.buffer(&values)?, d.buffer(&limits)?, d.buffer(&live)?);
            let (x, r, i, starts) = filters::placed::segments(&d.buffer(&offsets)?, &x, &limits, &live)?;
            Ok((x.fetch()?, r.fetch()?, i.fetch()?, starts.fetch()?))
        });
    }
    check.finish();
}

#[test]
fn offsets_that_lie_are_refused() {
    let mut check = Check::new();
    let x = [1.0_f32; 10];
    for (name, offsets) in [
        ("fall", vec![0_i64, 5, 4]),
        ("past the end", vec![0, 11]),
        ("negative", vec![-1, 3]),
    ] {
        check.refused(
            name,
            |e| matches!(e, Error::Offsets { .. }),
            |d| filters::positive::segments(&d.buffer(&offsets)?, &d.buffer(&x)?),
        );
    }
    check.finish();
}
