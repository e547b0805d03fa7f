//! The shuffles read what the hardware reads.

use warpfold_lanes::{Mask, Shuffle, Source, WARP, Width, vote};

fn table(shuffle: Shuffle, width: u32) -> Vec<u32> {
    let width = Width::new(width).unwrap();
    (0..WARP).map(|lane| shuffle.source(lane, width).lane).collect()
}

#[test]
fn shfl_5_of_32() {
    assert_eq!(table(Shuffle::Lane(5), 32), [5; 32]);
}

#[test]
fn shfl_5_of_16() {
    let expected = [[5; 16], [21; 16]].concat();
    assert_eq!(table(Shuffle::Lane(5), 16), expected);
}

#[test]
fn shfl_up_5_of_16() {
    let expected = [
        0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, //
        16, 17, 18, 19, 20, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
    ];
    assert_eq!(table(Shuffle::Up(5), 16), expected);
}

#[test]
fn shfl_down_5_of_16() {
    let expected = [
        5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 11, 12, 13, 14, 15, //
        21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 27, 28, 29, 30, 31,
    ];
    assert_eq!(table(Shuffle::Down(5), 16), expected);
}

#[test]
fn shfl_xor_16_of_32() {
    let expected: Vec<u32> = (16..32).chain(0..16).collect();
    assert_eq!(table(Shuffle::Xor(16), 32), expected);
}

/// The upper group reads the lower one; the lower one may not read the upper and keeps its own.
#[test]
fn shfl_xor_16_of_16() {
    let expected: Vec<u32> = (0..16).chain(0..16).collect();
    assert_eq!(table(Shuffle::Xor(16), 16), expected);
}

#[test]
fn lane_wraps_modulo_the_width() {
    assert_eq!(table(Shuffle::Lane(19), 16), table(Shuffle::Lane(3), 16));
    assert_eq!(table(Shuffle::Lane(37), 32), table(Shuffle::Lane(5), 32));
}

#[test]
fn rotate_goes_round_the_group() {
    let expected = [
        1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12, 13, 14, 15, 8, //
        17, 18, 19, 20, 21, 22, 23, 16, 25, 26, 27, 28, 29, 30, 31, 24,
    ];
    assert_eq!(table(Shuffle::Rotate(1), 8), expected);
}

/// The instruction reads five bits of the offset.
#[test]
fn offsets_count_modulo_32() {
    for width in Width::ALL {
        for lane in 0..WARP {
            for k in 0..WARP {
                for (near, far) in [
                    (Shuffle::Up(k), Shuffle::Up(k + 32)),
                    (Shuffle::Down(k), Shuffle::Down(k + 32)),
                    (Shuffle::Xor(k), Shuffle::Xor(k + 32)),
                    (Shuffle::Lane(k), Shuffle::Lane(k + 32)),
                ] {
                    assert_eq!(
                        near.source(lane, width),
                        far.source(lane, width),
                        "{near}, width {width}"
                    );
                }
            }
        }
    }
}

/// `in_group` says whether the lane asked for is in the group, and a lane outside a later group is never read.
#[test]
fn sources_follow_the_ptx_reference() {
    for width in Width::ALL {
        for lane in 0..WARP {
            let (first, last) = (width.base(lane), width.base(lane) + width.lanes() - 1);
            for k in 0..WARP {
                let own = Source {
                    lane,
                    in_group: false,
                };
                let expect = |wanted: Option<u32>| match wanted {
                    Some(wanted) if (first..=last).contains(&wanted) => Source {
                        lane: wanted,
                        in_group: true,
                    },
                    _ => own,
                };
                assert_eq!(Shuffle::Up(k).source(lane, width), expect(lane.checked_sub(k)));
                assert_eq!(Shuffle::Down(k).source(lane, width), expect(Some(lane + k)));
                let xor = Shuffle::Xor(k).source(lane, width);
                if lane ^ k < first {
                    assert_eq!(
                        xor,
                        Source {
                            lane: lane ^ k,
                            in_group: false
                        }
                    );
                } else {
                    assert_eq!(xor, expect(Some(lane ^ k)));
                }
            }
        }
    }
}

#[test]
fn votes_see_the_lanes_of_the_mask_only() {
    let mask = Mask(0x0000_ff00);
    assert_eq!(vote::ballot(mask, |lane| lane % 4 == 0), 0x0000_1100);
    assert!(vote::any(mask, |lane| lane == 8) && !vote::any(mask, |lane| lane == 7));
    assert!(vote::all(mask, |lane| lane > 7) && !vote::all(mask, |lane| lane > 8));
    assert_eq!(vote::count(mask, |lane| lane < 11), 3);
    assert_eq!(vote::rank(0x0000_1100, 31), 2);
    assert_eq!(vote::rank(0x0000_1100, 12), 1);
    assert_eq!(vote::of_group(0x0000_1100, 13, Width::new(4).unwrap()), 1);
}

#[test]
fn widths_are_powers_of_two_up_to_a_warp() {
    let accepted: Vec<u32> = (0..100).filter(|&lanes| Width::new(lanes).is_some()).collect();
    assert_eq!(accepted, [1, 2, 4, 8, 16, 32]);
}
