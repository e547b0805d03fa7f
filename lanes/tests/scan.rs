//! Scans: every kind, direction, width and live count.

mod common;

use common::{Matrix, Seq, UNIT, masks, matrix, times};
use warpfold_lanes::{Combine, Direction, Mask, ScanKind, Step, WARP, Width, prove, run, scan, trace};

const KINDS: [ScanKind; 2] = [ScanKind::Inclusive, ScanKind::Exclusive];
const DIRECTIONS: [Direction; 2] = [Direction::Forward, Direction::Reverse];

/// The lanes met before `lane` in a group that starts at `first`, in the order they are met.
fn met(first: u32, lane: u32, lanes: u32, kind: ScanKind, direction: Direction) -> Vec<u32> {
    let mut order: Vec<u32> = (first..first + lanes).collect();
    if direction == Direction::Reverse {
        order.reverse();
    }
    let own = order.iter().position(|&other| other == lane).unwrap();
    order.truncate(own + usize::from(kind == ScanKind::Inclusive));
    order
}

#[test]
fn every_scan_is_proved_under_every_mask_of_whole_groups() {
    for width in Width::ALL {
        for mask in masks(width) {
            for kind in KINDS {
                for direction in DIRECTIONS {
                    let proof = prove(scan(width, kind, direction, mask));
                    assert!(
                        proof.is_ok(),
                        "width {width}, {kind:?}, {direction:?}, {mask}: {proof:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn every_scan_gives_what_was_met_before() {
    for width in Width::ALL {
        for kind in KINDS {
            for direction in DIRECTIONS {
                let plan = prove(scan(width, kind, direction, Mask::FULL)).unwrap();
                for live in 0..=WARP {
                    let start = |lane| if lane < live { Seq::of(lane) } else { Seq::EMPTY };
                    let mut states: Vec<Seq> = (0..WARP).map(start).collect();
                    run(&plan, &mut states, Seq::EMPTY, Seq::then);
                    for lane in 0..WARP {
                        let met = met(width.base(lane), lane, width.lanes(), kind, direction);
                        let wanted: Vec<u8> =
                            met.into_iter().filter(|&l| l < live).map(|l| l as u8).collect();
                        let got = states[lane as usize].letters().to_vec();
                        assert_eq!(
                            got, wanted,
                            "width {width}, {kind:?}, {direction:?}, {live} live, lane {lane}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn scans_multiply_matrices_as_a_loop_would() {
    for width in Width::ALL {
        for kind in KINDS {
            for direction in DIRECTIONS {
                let plan = prove(scan(width, kind, direction, Mask::FULL)).unwrap();
                let start: Vec<Matrix> = (0..width.lanes()).map(matrix).collect();
                let mut states = start.clone();
                run(&plan, &mut states, UNIT, times);
                let wanted: Vec<Matrix> = (0..width.lanes())
                    .map(|lane| {
                        met(0, lane, width.lanes(), kind, direction)
                            .into_iter()
                            .map(matrix)
                            .fold(UNIT, times)
                    })
                    .collect();
                assert_eq!(states, wanted, "width {width}, {kind:?}, {direction:?}");
                let traced = trace(plan.plan(), &start, UNIT, times);
                assert_eq!(traced.end(), wanted.into_iter().map(Some).collect::<Vec<_>>());
            }
        }
    }
}

/// An exclusive scan moves an inclusive one by a lane: subtracting would have no such step.
#[test]
fn an_exclusive_scan_ends_by_moving() {
    for direction in DIRECTIONS {
        let plan = scan(Width::WARP, ScanKind::Exclusive, direction, Mask::FULL);
        let Some(Step::Shuffle { combine, .. }) = plan.steps.last() else {
            panic!("no last step")
        };
        assert_eq!(*combine, Combine::REPLACE_OR_IDENTITY);
    }
}

/// The last writer wins: an operator with nothing to subtract.
#[test]
fn last_writer_scans_in_order() {
    let plan = prove(scan(
        Width::new(8).unwrap(),
        ScanKind::Exclusive,
        Direction::Forward,
        Mask::FULL,
    ))
    .unwrap();
    let mut states = [None, Some(3), None, None, Some(5), None, Some(1), None];
    run(&plan, &mut states, None, |left, right| right.or(left));
    assert_eq!(
        states,
        [None, None, Some(3), Some(3), Some(3), Some(5), Some(5), Some(1)]
    );
}
