//! The drawings, in text and in SVG. `UPDATE_EXPECT=1 cargo test -p warpfold-lanes` blesses them; look at an SVG before
//! it is committed.

#![allow(clippy::needless_raw_string_hashes, reason = "expect-test writes them")]

use expect_test::{Expect, expect, expect_file};
use warpfold_lanes::{
    Direction, Landing, Mask, Order, Plan, Proved, ScanKind, Shuffle, Width, exchange, partial, prove,
    reduce, redux, scan, svg, vote_plan,
};

fn width(lanes: u32) -> Width {
    Width::new(lanes).unwrap()
}

fn proved(plan: Plan) -> Proved {
    prove(plan).unwrap()
}

fn reduction(lanes: u32, landing: Landing, order: Order) -> Proved {
    proved(reduce(width(lanes), landing, order, Mask::FULL))
}

#[allow(clippy::needless_pass_by_value, reason = "an expectation is used once")]
fn check(plan: Proved, expected: Expect) {
    expected.assert_eq(&plan.to_string());
}

#[test]
fn ladder_in_text() {
    check(
        reduction(32, Landing::Lane(0), Order::AnyOrder),
        expect![[r#"
        reduce to lane 0, any order · width 32 · mask 0xffffffff
        step 1  down 16: combine(own, received)
                lanes 0-15 read lanes 16-31
                lane 0 holds 0 16, lane 1 holds 1 17, … lane 15 holds 15 31
                nobody may use lanes 16-31
        step 2  down 8: combine(own, received)
                lanes 0-7 read lanes 8-15
                lane 0 holds 0 8 16 24, lane 1 holds 1 9 17 25, … lane 7 holds 7 15 23 31
                nobody may use lanes 8-31
        step 3  down 4: combine(own, received)
                lanes 0-3 read lanes 4-7
                lane 0 holds 0 4 8 … 28, lane 1 holds 1 5 9 … 29, lane 2 holds 2 6 10 … 30, lane 3 holds 3 7 11 … 31
                nobody may use lanes 4-31
        step 4  down 2: combine(own, received)
                lanes 0 1 read lanes 2 3
                lane 0 holds 0 2 4 … 30, lane 1 holds 1 3 5 … 31
                nobody may use lanes 2-31
        step 5  down 1: combine(own, received)
                lane 0 reads lane 1
                lane 0 holds 0-31
                nobody may use lanes 1-31
    "#]],
    );
}

#[test]
fn ladder_in_order_in_text() {
    check(
        reduction(16, Landing::Lane(0), Order::InOrder),
        expect![[r#"
        reduce to lane 0, in order · width 16 · mask 0xffffffff
        step 1  down 1: combine(own, received)
                lane 0 reads lane 1, lane 2 reads lane 3, … lane 14 reads lane 15
                lane 0 holds 0 1, lane 2 holds 2 3, … lane 14 holds 14 15
                nobody needs lanes 1 3 5 … 13, nobody may use lane 15
        step 2  down 2: combine(own, received)
                lane 0 reads lane 2, lane 4 reads lane 6, lane 8 reads lane 10, lane 12 reads lane 14
                lane 0 holds 0-3, lane 4 holds 4-7, lane 8 holds 8-11, lane 12 holds 12-15
                nobody needs lanes 1-3 5-7 9-11, nobody may use lanes 13-15
        step 3  down 4: combine(own, received)
                lane 0 reads lane 4, lane 8 reads lane 12
                lane 0 holds 0-7, lane 8 holds 8-15
                nobody needs lanes 1-7, nobody may use lanes 9-15
        step 4  down 8: combine(own, received)
                lane 0 reads lane 8
                lane 0 holds 0-15
                nobody may use lanes 1-15
    "#]],
    );
}

#[test]
fn butterfly_in_text() {
    check(
        reduction(32, Landing::All, Order::InOrder),
        expect![[r#"
        reduce to all lanes, in order · width 32 · mask 0xffffffff
        step 1  xor 1: combine(own, received), or combine(received, own) in lanes with bit 1 set
                lanes read each other: 0 and 1, 2 and 3, … 30 and 31
                lanes 0 1 hold 0 1, lanes 2 3 hold 2 3, … lanes 30 31 hold 30 31
        step 2  xor 2: combine(own, received), or combine(received, own) in lanes with bit 2 set
                lanes read each other: 0 1 and 2 3, 4 5 and 6 7, … 28 29 and 30 31
                lanes 0-3 hold 0-3, lanes 4-7 hold 4-7, … lanes 28-31 hold 28-31
        step 3  xor 4: combine(own, received), or combine(received, own) in lanes with bit 4 set
                lanes read each other: 0-3 and 4-7, 8-11 and 12-15, 16-19 and 20-23, 24-27 and 28-31
                lanes 0-7 hold 0-7, lanes 8-15 hold 8-15, lanes 16-23 hold 16-23, lanes 24-31 hold 24-31
        step 4  xor 8: combine(own, received), or combine(received, own) in lanes with bit 8 set
                lanes read each other: 0-7 and 8-15, 16-23 and 24-31
                lanes 0-15 hold 0-15, lanes 16-31 hold 16-31
        step 5  xor 16: combine(own, received), or combine(received, own) in lanes with bit 16 set
                lanes read each other: 0-15 and 16-31
                lanes 0-31 hold 0-31
    "#]],
    );
}

#[test]
fn ladder_to_another_lane_in_text() {
    check(
        reduction(8, Landing::Lane(5), Order::InOrder),
        expect![[r#"
        reduce to lane 5, in order · width 8 · mask 0xffffffff
        step 1  xor 1: combine(received, own)
                lane 1 reads lane 0, lane 3 reads lane 2, lane 5 reads lane 4, lane 7 reads lane 6
                lane 1 holds 0 1, lane 3 holds 2 3, lane 5 holds 4 5, lane 7 holds 6 7
                nobody needs lanes 0 2 4 6
        step 2  xor 2: combine(own, received)
                lane 1 reads lane 3, lane 5 reads lane 7
                lane 1 holds 0-3, lane 5 holds 4-7
                nobody needs lanes 0 2-4 6 7
        step 3  xor 4: combine(received, own)
                lane 5 reads lane 1
                lane 5 holds 0-7
                nobody needs lanes 0-4 6 7
    "#]],
    );
}

#[test]
fn exclusive_scan_in_text() {
    check(
        proved(scan(
            width(32),
            ScanKind::Exclusive,
            Direction::Forward,
            Mask::FULL,
        )),
        expect![[r#"
            exclusive scan, forward · width 32 · mask 0xffffffff
            step 1  up 1: combine(received, own)
                    lanes 1-30 read lanes 0-29
                    lane 0 keeps its own
                    lane 0 holds 0, lane 1 holds 0 1, … lane 30 holds 29 30
                    nobody needs lane 31
            step 2  up 2: combine(received, own)
                    lanes 2-30 read lanes 0-28
                    lanes 0 1 keep their own
                    lane 0 holds 0, lane 1 holds 0 1, … lane 30 holds 27-30
                    nobody needs lane 31
            step 3  up 4: combine(received, own)
                    lanes 4-30 read lanes 0-26
                    lanes 0-3 keep their own
                    lane 0 holds 0, lane 1 holds 0 1, … lane 30 holds 23-30
                    nobody needs lane 31
            step 4  up 8: combine(received, own)
                    lanes 8-30 read lanes 0-22
                    lanes 0-7 keep their own
                    lane 0 holds 0, lane 1 holds 0 1, … lane 30 holds 15-30
                    nobody needs lane 31
            step 5  up 16: combine(received, own)
                    lanes 16-30 read lanes 0-14
                    lanes 0-15 keep their own
                    lane 0 holds 0, lane 1 holds 0 1, … lane 30 holds 0-30
                    nobody needs lane 31
            step 6  up 1: take what is received
                    lanes 1-31 read lanes 0-30
                    lane 0 takes the identity
                    lane 0 holds the identity, lane 1 holds 0, … lane 31 holds 0-30
        "#]],
    );
}

#[test]
fn reverse_scan_in_text() {
    check(
        proved(scan(
            width(8),
            ScanKind::Inclusive,
            Direction::Reverse,
            Mask::FULL,
        )),
        expect![[r#"
            inclusive scan, reverse · width 8 · mask 0xffffffff
            step 1  down 1: combine(received, own)
                    lanes 0-6 read lanes 1-7
                    lane 7 keeps its own
                    lane 0 holds 1 0, lane 1 holds 2 1, … lane 7 holds 7
            step 2  down 2: combine(received, own)
                    lanes 0-5 read lanes 2-7
                    lanes 6 7 keep their own
                    lane 0 holds 3-0, lane 1 holds 4-1, … lane 7 holds 7
            step 3  down 4: combine(received, own)
                    lanes 0-3 read lanes 4-7
                    lanes 4-7 keep their own
                    lane 0 holds 7-0, lane 1 holds 7-1, … lane 7 holds 7
        "#]],
    );
}

#[test]
fn vote_and_redux_in_text() {
    check(
        proved(vote_plan(width(8), Mask::FULL)),
        expect![[r#"
        reduce to all lanes, in order · width 8 · mask 0xffffffff
        step 1  vote: every lane learns what each lane of its group said
                lanes 0-7 hold 0-7
    "#]],
    );
    check(
        proved(redux(Mask::FULL)),
        expect![[r#"
        reduce to all lanes, any order · width 32 · mask 0xffffffff
        step 1  redux: every lane learns what all lanes of the mask come to
                lanes 0-31 hold 0-31
    "#]],
    );
}

#[test]
fn exchanges_in_text() {
    check(
        proved(exchange(Shuffle::Up(5), width(16), Mask::FULL)),
        expect![[r#"
        exchange, up 5 · width 16 · mask 0xffffffff
        step 1  up 5: take what is received
                lanes 5-15 read lanes 0-10
                lanes 0-4 keep their own
                lane 0 holds 0, lane 1 holds 1, … lane 15 holds 10
    "#]],
    );
    check(
        proved(exchange(Shuffle::Xor(16), width(32), Mask::FULL)),
        expect![[r#"
            exchange, xor 16 · width 32 · mask 0xffffffff
            step 1  xor 16: take what is received
                    lanes read each other: 0-15 and 16-31
                    lane 0 holds 16, lane 1 holds 17, … lane 31 holds 15
        "#]],
    );
    check(
        proved(exchange(Shuffle::Rotate(3), width(8), Mask(0x0000_ff00))),
        expect![[r#"
            exchange, rotate 3 · width 8 · mask 0x0000ff00
            step 1  rotate 3: take what is received
                    lanes 0-4 read lanes 3-7, lanes 5-7 read lanes 0-2
                    lane 0 holds 3, lane 1 holds 4, … lane 7 holds 2
        "#]],
    );
}

#[test]
fn short_warp_in_text() {
    check(
        proved(partial::reduce(13, Landing::All, Order::InOrder)),
        expect![[r#"
            reduce to all lanes, in order · width 32 · mask 0x00001fff · 13 lanes exist
            step 1  down 1: combine(own, received)
                    lane 0 reads lane 1, lane 2 reads lane 3, … lane 10 reads lane 11
                    lane 12 keeps its own
                    lane 0 holds 0 1, lane 2 holds 2 3, … lane 12 holds 12
                    nobody needs lanes 1 3 5 … 11
            step 2  down 2: combine(own, received)
                    lane 0 reads lane 2, lane 4 reads lane 6, lane 8 reads lane 10
                    lane 12 keeps its own
                    lane 0 holds 0-3, lane 4 holds 4-7, lane 8 holds 8-11, lane 12 holds 12
                    nobody needs lanes 1-3 5-7 9-11
            step 3  down 4: combine(own, received)
                    lane 0 reads lane 4, lane 8 reads lane 12
                    lane 0 holds 0-7, lane 8 holds 8-12
                    nobody needs lanes 1-7 9-12
            step 4  down 8: combine(own, received)
                    lane 0 reads lane 8
                    lane 0 holds 0-12
                    nobody needs lanes 1-12
            step 5  down 16: combine(own, received)
                    lane 0 keeps its own
                    lane 0 holds 0-12
                    nobody needs lanes 1-12
            step 6  lane 0: take what is received
                    lanes 0-12 read lane 0
                    lanes 0-12 hold 0-12
        "#]],
    );
}

/// One lane is a group without a step.
#[test]
fn nothing_to_do_in_text() {
    check(
        reduction(1, Landing::All, Order::InOrder),
        expect![[r#"
        reduce to all lanes, in order · width 1 · mask 0xffffffff
    "#]],
    );
}

#[test]
fn pictures() {
    expect_file!["pictures/ladder.svg"].assert_eq(&svg(&reduction(32, Landing::Lane(0), Order::AnyOrder)));
    expect_file!["pictures/butterfly.svg"].assert_eq(&svg(&reduction(32, Landing::All, Order::InOrder)));
    expect_file!["pictures/scan.svg"].assert_eq(&svg(&proved(scan(
        width(8),
        ScanKind::Exclusive,
        Direction::Forward,
        Mask::FULL,
    ))));
    expect_file!["pictures/vote.svg"].assert_eq(&svg(&proved(vote_plan(width(8), Mask::FULL))));
    expect_file!["pictures/exchange.svg"].assert_eq(&svg(&proved(exchange(
        Shuffle::Rotate(3),
        width(8),
        Mask::FULL,
    ))));
    expect_file!["pictures/short.svg"].assert_eq(&svg(&proved(partial::reduce(
        13,
        Landing::All,
        Order::InOrder,
    ))));
}

/// As many boxes of each kind as the plan has lanes in that state.
#[test]
fn a_picture_shows_every_lane_at_every_step() {
    let boxes = |picture: &str, class: &str| picture.matches(&format!("<rect class=\"{class}\"")).count() - 1;
    for lanes in [2, 4, 8, 16, 32] {
        let count = lanes as usize;
        let ladder = svg(&reduction(lanes, Landing::Lane(0), Order::AnyOrder));
        assert_eq!(boxes(&ladder, "wf-result"), 1);
        assert_eq!(boxes(&ladder, "wf-needed"), 2 * count - 2);
        assert_eq!(
            boxes(&ladder, "wf-lost"),
            count * width(lanes).steps() as usize - (count - 1)
        );
        assert_eq!(ladder.matches("class=\"wf-read\"").count(), count - 1);

        let butterfly = svg(&reduction(lanes, Landing::All, Order::AnyOrder));
        assert_eq!(boxes(&butterfly, "wf-result"), count);
        assert_eq!(boxes(&butterfly, "wf-lost"), 0);
        assert_eq!(
            butterfly.matches("class=\"wf-read\"").count(),
            count * width(lanes).steps() as usize
        );
    }
}

/// Every element that is opened is closed, in turn, and text needs no escaping.
#[test]
fn a_picture_is_well_formed() {
    for plan in [
        reduction(32, Landing::Lane(7), Order::InOrder),
        proved(scan(
            width(16),
            ScanKind::Exclusive,
            Direction::Reverse,
            Mask::FULL,
        )),
        proved(redux(Mask::FULL)),
    ] {
        let picture = svg(&plan);
        assert!(!picture.contains('&'));
        let mut open = Vec::new();
        for tag in picture.split('<').skip(1) {
            let (tag, _) = tag.split_once('>').expect("every tag ends");
            let name = tag.split_whitespace().next().unwrap();
            if let Some(closed) = name.strip_prefix('/') {
                assert_eq!(open.pop(), Some(closed), "{tag}");
            } else if !tag.ends_with('/') {
                open.push(name);
            }
        }
        assert!(open.is_empty(), "{open:?}");
    }
}

#[test]
fn a_note_stands_above_the_steps() {
    let plan = proved(vote_plan(width(4), Mask::FULL).noted("of elements: each lane brings one"));
    check(
        plan.clone(),
        expect![[r#"
            reduce to all lanes, in order · width 4 · mask 0xffffffff
                    of elements: each lane brings one
            step 1  vote: every lane learns what each lane of its group said
                    lanes 0-3 hold 0-3
        "#]],
    );
    let noted = "<text class=\"wf-note\" text-anchor=\"start\" x=\"16.0\" y=\"44.0\">of elements: each lane brings one</text>";
    assert!(plan.svg().contains(noted));
    // A long one makes room for itself.
    let long = proved(vote_plan(width(4), Mask::FULL).noted(
        "of elements: a line that is longer than the four lanes of this drawing are wide, and is read to its end in spite of that",
    ));
    let wide = |plan: &Proved| -> f64 {
        let picture = plan.svg();
        let width = picture.split(" width=\"").nth(1).unwrap();
        width.split('"').next().unwrap().parse().unwrap()
    };
    assert!(wide(&plan) < 600.0 && wide(&long) > 6.0 * 119.0);
}
