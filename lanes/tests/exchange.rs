//! Exchanges: every shuffle, width and offset inside the group.

use warpfold_lanes::{Mask, Refusal, Shuffle, WARP, Width, exchange, exchange_live, prove, run};

fn shuffles(k: u32) -> [Shuffle; 5] {
    [
        Shuffle::Up(k),
        Shuffle::Down(k),
        Shuffle::Xor(k),
        Shuffle::Lane(k),
        Shuffle::Rotate(k),
    ]
}

#[test]
fn every_exchange_moves_what_the_hardware_moves() {
    for width in Width::ALL {
        for k in 0..width.lanes() {
            for shuffle in shuffles(k) {
                let plan = prove(exchange(shuffle, width, Mask::FULL)).unwrap();
                let mut states: Vec<u32> = (0..WARP).collect();
                run(&plan, &mut states, u32::MAX, |_, _| {
                    unreachable!("an exchange combines nothing")
                });
                let wanted: Vec<u32> = (0..WARP).map(|lane| shuffle.source(lane, width).lane).collect();
                assert_eq!(states, wanted, "{shuffle}, width {width}");
            }
        }
    }
}

#[test]
fn lanes_keep_their_own_past_the_end_of_a_row() {
    for width in Width::ALL {
        for live in 0..=width.lanes() {
            for k in 0..width.lanes() {
                for shuffle in shuffles(k) {
                    let plan = prove(exchange_live(shuffle, width, Mask::FULL, live)).unwrap();
                    let mut states: Vec<u32> = (0..width.lanes()).collect();
                    run(&plan, &mut states, u32::MAX, |_, _| {
                        unreachable!("an exchange combines nothing")
                    });
                    for lane in 0..live {
                        let source = shuffle.source(lane, width);
                        let wanted = if source.in_group && source.lane < live {
                            source.lane
                        } else {
                            lane
                        };
                        assert_eq!(
                            states[lane as usize], wanted,
                            "{shuffle}, width {width}, {live} live"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn offsets_outside_the_group_are_refused() {
    for width in Width::ALL {
        for k in width.lanes()..=40 {
            for shuffle in shuffles(k) {
                let refusal = prove(exchange(shuffle, width, Mask::FULL)).unwrap_err();
                assert_eq!(refusal, Refusal::SourceOutsideGroup { shuffle, width });
            }
        }
    }
}

#[test]
fn the_help_says_what_the_hardware_would_do() {
    let width = Width::new(8).unwrap();
    let help = |shuffle| prove(exchange(shuffle, width, Mask::FULL)).unwrap_err().help();
    assert_eq!(
        help(Shuffle::Lane(11)),
        "the hardware would read modulo 8: `from = lane(3)`"
    );
    assert_eq!(
        help(Shuffle::Rotate(9)),
        "around a group of 8 that is `from = rotate(1)`"
    );
    assert_eq!(
        help(Shuffle::Xor(16)),
        "xor(16) pairs lanes of groups of 32: write `width = 32`, or k from 0 to 7"
    );
    assert_eq!(
        help(Shuffle::Up(8)),
        "no lane of a group of 8 would have a source; write k from 0 to 7: `from = up(4)`"
    );
}
