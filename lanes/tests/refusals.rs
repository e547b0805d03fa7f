//! Wrong plans are refused, each for its own reason and in words that name it.

use warpfold_lanes::{
    Combine, Direction, Goal, Guard, Landing, Mask, Order, Plan, Refusal, ScanKind, Shuffle, Step, WARP,
    Width, partial, prove, reduce, redux, scan, vote_plan,
};

const ALL: Landing = Landing::All;
const ZERO: Landing = Landing::Lane(0);

fn ladder(order: Order) -> Plan {
    reduce(Width::WARP, ZERO, order, Mask::FULL)
}

fn eight(landing: Landing, order: Order) -> Plan {
    reduce(Width::new(8).unwrap(), landing, order, Mask::FULL)
}

/// The refusal's message; the test fails if the plan is proved.
fn refused(plan: Plan) -> String {
    prove(plan).expect_err("the plan should be refused").to_string()
}

fn parts(plan: &mut Plan, at: usize) -> (&mut Shuffle, &mut Combine, &mut Guard) {
    match &mut plan.steps[at] {
        Step::Shuffle {
            shuffle,
            combine,
            guard,
        } => (shuffle, combine, guard),
        other => panic!("{other} is no shuffle"),
    }
}

#[test]
fn a_mask_that_does_not_name_a_source() {
    let plan = reduce(Width::WARP, ZERO, Order::AnyOrder, Mask(0x000f_ffff));
    let refusal = prove(plan).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "mask 0x000fffff: at step 1 (down 16) lane 4 reads lane 20, which the mask does not name"
    );
    assert_eq!(
        refusal.help(),
        "keep the mask full and let dead lanes carry the identity: `mask = 0xffffffff`"
    );
}

#[test]
fn mutation_1_a_step_left_out() {
    let mut plan = ladder(Order::AnyOrder);
    plan.steps.remove(0);
    assert_eq!(
        refused(plan),
        "lane 0 ends with 0-15, but has to hold each of 0-31 once"
    );
}

#[test]
fn mutation_2_a_step_done_twice() {
    let mut plan = eight(ALL, Order::Symmetric);
    plan.steps.push(plan.steps[2]);
    let Refusal::WrongWord { lane: 0, holds, .. } = prove(plan).unwrap_err() else {
        panic!("another reason")
    };
    assert_eq!(holds.letters().len(), 16);
}

#[test]
fn mutation_3_offsets_that_do_not_halve() {
    let mut plan = eight(ZERO, Order::AnyOrder);
    *parts(&mut plan, 0).0 = Shuffle::Down(3);
    assert_eq!(
        refused(plan),
        "lane 0 ends with 0-3 3-6, but has to hold each of 0-7 once"
    );
}

#[test]
fn mutation_4_operands_swapped() {
    let mut plan = eight(ZERO, Order::InOrder);
    *parts(&mut plan, 0).1 = Combine::ReceivedLeft;
    assert_eq!(
        refused(plan),
        "lane 0 ends with 1 0 3 2 5 4 7 6, but has to hold 0-7"
    );
}

#[test]
fn mutation_5_steps_in_another_order() {
    let mut plan = eight(ZERO, Order::InOrder);
    plan.steps.swap(0, 2);
    assert_eq!(
        refused(plan),
        "lane 0 ends with 0 4 2 6 1 5 3 7, but has to hold 0-7"
    );
}

#[test]
fn mutation_6_a_ladder_that_claims_every_lane() {
    let mut plan = eight(ZERO, Order::AnyOrder);
    plan.goal = Goal::Reduce {
        landing: ALL,
        order: Order::AnyOrder,
    };
    assert_eq!(
        refused(plan),
        "at step 2 (down 2) lane 2 reads lane 4, whose value nobody may use since step 1 (down 4), where its \
         source is outside the group"
    );
}

#[test]
fn mutation_7_a_scan_without_its_guard() {
    let width = Width::new(8).unwrap();
    let mut plan = scan(width, ScanKind::Inclusive, Direction::Forward, Mask::FULL);
    *parts(&mut plan, 2).2 = Guard::Always;
    assert_eq!(
        refused(plan),
        "lane 0 has to hold the result, but its value nobody may use since step 3 (up 4), where its source is \
         outside the group"
    );
}

#[test]
fn mutation_8_a_scan_that_reads_the_other_way() {
    let width = Width::new(8).unwrap();
    let mut plan = scan(width, ScanKind::Inclusive, Direction::Forward, Mask::FULL);
    *parts(&mut plan, 0).0 = Shuffle::Down(1);
    assert_eq!(refused(plan), "lane 0 ends with 1 0, but has to hold 0");
}

#[test]
fn mutation_9_an_inclusive_scan_that_claims_to_be_exclusive() {
    let width = Width::new(8).unwrap();
    let mut plan = scan(width, ScanKind::Inclusive, Direction::Forward, Mask::FULL);
    plan.goal = Goal::Scan {
        kind: ScanKind::Exclusive,
        direction: Direction::Forward,
    };
    assert_eq!(refused(plan), "lane 0 ends with 0, but has to hold the identity");
}

#[test]
fn mutation_10_a_short_warp_without_its_guard() {
    let mut plan = partial::reduce(13, ZERO, Order::InOrder);
    *parts(&mut plan, 0).2 = Guard::Always;
    assert_eq!(
        refused(plan),
        "mask 0x00001fff: at step 1 (down 1) lane 12 reads lane 13, which the mask does not name"
    );
}

#[test]
fn mutation_11_any_order_where_order_matters() {
    let mut plan = ladder(Order::AnyOrder);
    plan.goal = Goal::Reduce {
        landing: ZERO,
        order: Order::InOrder,
    };
    let message = refused(plan);
    assert!(
        message.starts_with("lane 0 ends with 0 16 8 24 4 20"),
        "{message}"
    );
    assert!(message.ends_with("but has to hold 0-31"), "{message}");
}

#[test]
fn mutation_12_another_landing_lane() {
    let mut plan = eight(Landing::Lane(3), Order::InOrder);
    plan.goal = Goal::Reduce {
        landing: Landing::Lane(4),
        order: Order::InOrder,
    };
    assert!(refused(plan).starts_with("lane 4 ends with "));
}

#[test]
fn mutation_13_xor_across_a_group() {
    let mut plan = eight(ALL, Order::Symmetric);
    *parts(&mut plan, 0).0 = Shuffle::Xor(8);
    assert_eq!(
        refused(plan),
        "at step 2 (xor 2) lane 0 needs its own value, which nobody may use since step 1 (xor 8), where its \
         source is outside the group"
    );
}

#[test]
fn mutation_14_an_instruction_that_keeps_no_order() {
    let mut plan = redux(Mask::FULL);
    plan.goal = Goal::Reduce {
        landing: ALL,
        order: Order::InOrder,
    };
    assert_eq!(
        refused(plan),
        "step 1 (redux) keeps no order, and the operator needs one"
    );
}

#[test]
fn mutation_15_redux_combines_past_a_group() {
    let mut plan = redux(Mask::FULL);
    plan.width = Width::new(16).unwrap();
    assert_eq!(
        refused(plan),
        "lane 0 ends with 0-31, but has to hold each of 0-15 once"
    );
}

#[test]
fn no_mask_but_whole_groups_is_accepted() {
    let width = Width::new(16).unwrap();
    for landing in [ALL, ZERO, Landing::Lane(15)] {
        for order in [Order::InOrder, Order::AnyOrder, Order::Symmetric] {
            for bits in (0..=u16::MAX).step_by(37) {
                let mask = Mask(u32::from(bits) | 0xffff_0000);
                let proved = prove(reduce(width, landing, order, mask)).is_ok();
                assert_eq!(proved, mask.is_union_of_groups(width), "{mask}, {landing}");
            }
        }
    }
}

#[test]
fn a_mask_without_lanes() {
    let refusal = prove(reduce(Width::WARP, ZERO, Order::InOrder, Mask::EMPTY)).unwrap_err();
    assert_eq!(refusal.to_string(), "mask 0x00000000 names no lane");
}

#[test]
fn a_mask_without_the_landing_lane() {
    let refusal = prove(reduce(Width::WARP, ZERO, Order::InOrder, Mask(1 << 31))).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "mask 0x80000000 names lanes 0 to 31 only in part: lane 0 is missing"
    );
    assert_eq!(refusal.help(), "name whole groups of 32: `mask = 0xffffffff`");
}

#[test]
fn a_vote_of_part_of_a_group() {
    let (part, half) = (Mask(0x000f_ffff), Width::new(16).unwrap());
    for (plan, message) in [
        (
            vote_plan(Width::WARP, part),
            "mask 0x000fffff names lanes 0 to 31 only in part: lane 20 is missing",
        ),
        (
            vote_plan(half, part),
            "mask 0x000fffff names lanes 16 to 31 only in part: lane 20 is missing",
        ),
        (
            redux(part),
            "mask 0x000fffff names lanes 0 to 31 only in part: lane 20 is missing",
        ),
    ] {
        assert_eq!(refused(plan), message);
    }
}

#[test]
fn a_landing_lane_outside_the_group() {
    for width in Width::ALL {
        for landing in [width.lanes(), width.lanes() + 1, u32::MAX] {
            let plan = reduce(width, Landing::Lane(landing), Order::InOrder, Mask::FULL);
            assert_eq!(
                prove(plan).unwrap_err(),
                Refusal::LandingOutsideGroup { landing, width }
            );
        }
    }
    let message = refused(eight(Landing::Lane(8), Order::InOrder));
    assert_eq!(message, "landing lane 8 is outside a group of 8");
}

#[test]
fn a_short_warp_that_names_lanes_it_lacks() {
    let mut plan = partial::reduce(13, ZERO, Order::InOrder);
    plan.mask = Mask::FULL;
    assert_eq!(
        refused(plan),
        "mask 0xffffffff names lane 13, but only lanes 0 to 12 exist"
    );
}

#[test]
fn a_short_warp_of_no_or_too_many_lanes() {
    for present in [0, WARP + 1] {
        let mut plan = partial::reduce(WARP, ZERO, Order::InOrder);
        plan.present = present;
        assert_eq!(
            prove(plan).unwrap_err(),
            Refusal::ShortWarp {
                present,
                width: Width::WARP
            }
        );
    }
}
