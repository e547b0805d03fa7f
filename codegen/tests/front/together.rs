//! Several mistakes in one attribute: all of them are said in one compile, and none that only follows from another.

use crate::wrong;

/// Asserts how each error of a spec begins, in order.
fn begins(text: &str, wanted: &[&str]) {
    let found = wrong(text);
    let all = found.len() == wanted.len() && found.iter().zip(wanted).all(|(f, w)| f.starts_with(w));
    assert!(all, "{text}: {found:#?}");
}

#[test]
fn a_wrong_landing_lane_does_not_hide_the_mask() {
    begins(
        "#[warp_reduce(op = sum, width = 8, land = 40, mask = 0)] fn f(x: f32) -> f32 { x }",
        &[
            "mask 0x00000000 names no lane",
            "landing lane 40 is outside a group of 8",
        ],
    );
    begins(
        "#[warp_reduce(op = sum, width = 8, land = 8, mask = 0x0f, identity = 1.0)] fn f(x: f32) -> f32 { x }",
        &[
            "landing lane 8 is outside a group of 8",
            "mask 0x0000000f names lanes 0 to 7 only in part: lane 4 is missing",
            "1.0 is not an identity of sum",
        ],
    );
}

#[test]
fn a_wrong_width_does_not_hide_what_is_wrong_at_any_width() {
    begins(
        "#[warp_reduce(op = sum, width = 5, land = 40, mask = 0)] fn f(x: f32) -> f32 { x }",
        &[
            "width 5 is not a group of lanes",
            "mask 0x00000000 names no lane",
            "landing lane 40 is outside a group of 32",
        ],
    );
    begins(
        "#[warp_reduce(op = sum, width = 5, land = 20, mask = 0x0f)] fn f(x: f32) -> f32 { x }",
        &["width 5 is not a group of lanes"],
    );
    begins(
        "#[warp_shuffle(from = xor(40), width = 5, mask = 0)] fn f(x: f32) -> f32 { x }",
        &[
            "width 5 is not a group of lanes",
            "mask 0x00000000 names no lane",
            "xor(40) reaches outside a group of 32",
        ],
    );
}

#[test]
fn a_wrong_operator_or_source_does_not_hide_the_mask() {
    begins(
        "#[warp_reduce(op = nope, mask = 0x000fffff)] fn f(x: f32) -> f32 { x }",
        &[
            "`nope` is not an operator",
            "mask 0x000fffff names lanes 0 to 31 only in part: lane 20 is missing",
        ],
    );
    begins(
        "#[warp_scan(op = nope, mask = 0x000fffff)] fn f(x: f32) -> f32 { x }",
        &[
            "`nope` is not an operator",
            "mask 0x000fffff names lanes 0 to 31 only in part: lane 20 is missing",
        ],
    );
    for from in ["from = lane(8)", "from = nowhere(1)"] {
        begins(
            &format!("#[warp_shuffle({from}, width = 8, mask = 0x0f)] fn f(x: f32) -> f32 {{ x }}"),
            &[
                if from.contains("nowhere") {
                    "`nowhere(1)` is not a source"
                } else {
                    "lane(8) reaches outside a group of 8"
                },
                "mask 0x0000000f names lanes 0 to 7 only in part: lane 4 is missing",
            ],
        );
    }
}

#[test]
fn a_wrong_closure_does_not_hide_the_identity_and_the_other_way_round() {
    begins(
        "#[warp_reduce(op = sum, identity = 1.0, finish = |s| s.sqr())] fn f(x: f32) -> f32 { x }",
        &["f32 has no method `sqr`", "1.0 is not an identity of sum"],
    );
    begins(
        "#[warp_reduce(op = |p, q| p + q, identity = true, finish = |s| s.sqr(), crate = 5)] fn f(x: f32) -> f32 { x }",
        &[
            "`identity` must be f32, but this is bool",
            "f32 has no method `sqr`",
            "`crate` is the path",
        ],
    );
    begins(
        "#[warp_reduce(op = |p, q| p - q, identity = 0.0, laws = trustd)] fn f(x: f32) -> f32 { x }",
        &["`laws` is checked or trusted"],
    );
}

#[test]
fn a_mask_of_part_of_a_group_names_the_lane_that_is_missing() {
    let part = "mask 0x000fffff names lanes 0 to 31 only in part: lane 20 is missing\nhelp: name whole groups of 32: `mask = 0xffffffff`";
    for text in [
        "#[warp_filter(mask = 0x000fffff, width = 32)] fn f(x: f32) -> bool { x > 0.0 }",
        "#[warp_shuffle(from = lane(0), mask = 0x000fffff)] fn f(x: f32) -> f32 { x }",
        "#[warp_scan(op = sum, mask = 0x000fffff)] fn f(x: f32) -> f32 { x }",
    ] {
        assert_eq!(wrong(text), [part], "{text}");
    }
    for text in [
        "#[warp_reduce(op = any, mask = 0x000fffff, land = all)] fn f(x: f32) -> bool { x > 0.0 }",
        "#[warp_reduce(op = count, mask = 0x000fffff)] fn f(x: f32) -> bool { x > 0.0 }",
        "#[warp_reduce(op = ballot, mask = 0x000fffff)] fn f(x: f32) -> bool { x > 0.0 }",
        "#[warp_reduce(op = sum, mask = 0x000fffff, land = all, apply = |t| x / t)] fn f(x: f32) -> f32 { x }",
    ] {
        begins(text, &["mask 0x000fffff: at step 1"]);
    }
}
