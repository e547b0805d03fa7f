//! Specs of the documentation, with the types and captures that follow from them.

use warpfold_codegen::ir::{ExprKind, Form, Land, ParamKind, Pattern};
use warpfold_codegen::value::Value;

use crate::right;

#[test]
fn a_named_operator_over_one_parameter() {
    let spec = right(
        "#[warp_reduce(op = max, identity = -inf, width = 32, land = all)] pub fn row_max(x: f32) -> f32 { x }",
    );
    assert_eq!(spec.identity, Some(Value::F32(f32::NEG_INFINITY)));
    assert!(spec.any_order);
    assert_eq!(spec.width.unwrap().lanes(), 32);
    assert!(matches!(
        spec.form,
        Form::Reduce {
            land: Land::All,
            finish: None,
            apply: None
        }
    ));
}

#[test]
fn apply_captures_what_it_names() {
    let spec = right(
        "#[warp_reduce(op = sum, land = all, apply = |total| -> f32 { x * (total / n as f32 + eps).sqrt().recip() * gamma })]
         pub fn rms_norm(x: f32, #[per_column] gamma: f32, #[uniform] eps: f32, #[len] n: u32) -> f32 { x * x }",
    );
    let kinds: Vec<ParamKind> = spec.params.iter().map(|p| p.kind).collect();
    assert_eq!(
        kinds,
        [
            ParamKind::Plain,
            ParamKind::PerColumn,
            ParamKind::Uniform,
            ParamKind::Len
        ]
    );
    let Form::Reduce {
        apply: Some(apply), ..
    } = spec.form
    else {
        panic!("no apply")
    };
    assert_eq!(apply.captures, [0, 3, 2, 1], "in the order they are named");
    assert_eq!(apply.function.params.len(), 5);
    assert!(
        spec.item
            .sig
            .inputs
            .iter()
            .all(|i| matches!(i, syn::FnArg::Typed(t) if t.attrs.is_empty()))
    );
}

#[test]
fn the_table_lifts_what_the_map_returns() {
    let spec = right(
        "#[warp_reduce(op = softmax, land = all, apply = |total| -> f32 { (x - total.0).exp() / total.1 })] fn softmax(x: f32) -> f32 { x }",
    );
    assert_eq!(spec.state.to_string(), "(f32, f32)");
    assert_eq!(spec.result.to_string(), "f32");
    let spec = right("#[warp_reduce(op = argmax)] fn top(x: f32) -> f32 { x }");
    assert_eq!(spec.result.to_string(), "(f32, u64)");
    let spec = right("#[warp_reduce(op = first)] fn head(x: i8) -> i8 { x }");
    assert_eq!(
        (spec.state.to_string(), spec.result.to_string()),
        ("(bool, i8)".into(), "i8".into())
    );
}

#[test]
fn an_operator_of_the_users_own() {
    let spec = right(
        "#[warp_reduce(identity = (-inf, 0.0), op = |p, q| {
            let m = p.0.max(q.0);
            let left = if p.0 == m { p.1 } else { p.1 * (p.0 - m).exp() };
            let right = if q.0 == m { q.1 } else { q.1 * (q.0 - m).exp() };
            (m, left + right)
        }, finish = |s| -> f32 { s.0 + s.1.ln() })]
        pub fn log_sum_exp(x: f32) -> (f32, f32) { (x, 1.0) }",
    );
    assert!(!spec.any_order);
    assert_eq!(spec.result.to_string(), "f32");
}

#[test]
fn scans_filters_and_shuffles() {
    let spec = right(
        "#[warp_scan(op = sum, kind = exclusive, direction = reverse)] fn offsets(count: u32) -> u32 { count }",
    );
    assert!(matches!(
        spec.form,
        Form::Scan {
            exclusive: true,
            reverse: true,
            finish: None
        }
    ));
    let spec = right(
        "#[warp_scan(identity = (1.0, 0.0), op = |p, q| (p.0 * q.0, q.0 * p.1 + q.1), finish = |s| -> f32 { s.1 })]
         fn recurrence(a: f32, b: f32) -> (f32, f32) { (a, b) }",
    );
    assert_eq!(spec.result.to_string(), "f32");
    let spec = right("#[warp_filter] fn positive(x: f32) -> bool { x > 0.0 }");
    assert_eq!(spec.result.to_string(), "f32");
    let spec = right(
        "#[warp_filter(keep = || (x, i))] fn near(x: f32, y: f32, #[index] i: u32) -> bool { (x - y).abs() < 0.5 }",
    );
    assert_eq!(spec.result.to_string(), "(f32, u32)");
    let spec = right("#[warp_shuffle(from = xor(16), width = 32)] fn partner(x: i32) -> i32 { x }");
    assert!(matches!(
        spec.form,
        Form::Shuffle {
            from: warpfold_lanes::Shuffle::Xor(16)
        }
    ));
}

#[test]
fn closures_take_states_apart() {
    right(
        "#[warp_reduce(identity = (0, 0), op = |(a, b), (c, d)| (a + c, b.max(d)))] fn f(x: u32) -> (u32, u32) { (x, x) }",
    );
}

#[test]
fn the_whole_language_of_bodies() {
    right(
        "#[warp_reduce(op = sum)]
        fn f(x: i32, y: f32, #[uniform] k: u8) -> i32 {
            let (mut a, b) = (x * 2, 3u32);
            a += match (x, k) { (0, 1..=3) => 1, (1 | 2, _) => i32::MIN, (-5 | -9..=-7, 9) => 8, (n, _) if n < 0 => -n, _ => 7 };
            for i in 0..4 { a = a.wrapping_add(i << b); }
            if y.is_nan() { a -= 1; } else if y > f32::EPSILON { a = y as i32; }
            let mut pair = (a, y);
            pair.0 ^= 0xff;
            pair.1 = pair.1.mul_add(2.0, core::f32::consts::PI);
            let c = b'a' as i32 + i32::from(k) + (3_000_000_000 as u32 >> 4) as i32;
            let d = f32::from_bits(0x3f80_0000).max(1.0) == 1.0 && !(x == 3 || x != 4);
            pair.0 + c + pair.1.to_bits() as i32 + d as i32 + f32::max(y, 1.0) as i32
        }",
    );
}

#[test]
fn patterns_are_those_of_rust() {
    let spec = right(
        "#[warp_reduce(op = sum)]
        fn f(x: i32) -> i32 { match x { -1 => 0, -9..=-2 => 1, i32::MAX => 2, 5 | 7 => 3, 10..20 => 4, n => n } }",
    );
    let ExprKind::Block(_, Some(value)) = &spec.map.body.kind else {
        panic!("no block")
    };
    let ExprKind::Match(_, arms) = &value.kind else {
        panic!("no match")
    };
    assert!(matches!(arms[0].pattern, Pattern::Literal(Value::I32(-1))));
    assert!(matches!(
        arms[1].pattern,
        Pattern::Range(Value::I32(-9), Value::I32(-2))
    ));
    assert!(matches!(arms[2].pattern, Pattern::Literal(Value::I32(i32::MAX))));
    assert!(matches!(
        arms[4].pattern,
        Pattern::Range(Value::I32(10), Value::I32(19))
    ));
    right("#[warp_reduce(op = sum)] fn f(x: bool) -> i32 { match x { true => 1, false => 0 } }");
}

#[test]
fn half_types_convert_as_in_half() {
    let spec =
        right("#[warp_reduce(op = sum)] fn f(x: f16, y: half::bf16) -> f32 { x.to_f32() + f32::from(y) }");
    assert_eq!(spec.state.to_string(), "f32");
    right(
        "#[warp_reduce(op = max, identity = -inf)] fn f(x: f16) -> f16 { f16::from_f32(x.to_f32() * 2.0) }",
    );
}

#[test]
fn identity_of_a_float_sum_may_be_zero_and_the_operators_own_is_used() {
    let spec = right("#[warp_reduce(op = sum, identity = 0)] fn f(x: f32) -> f32 { x }");
    let Some(Value::F32(identity)) = spec.identity else {
        panic!("not f32")
    };
    assert!(identity.is_sign_negative());
}

#[test]
fn masks_of_whole_groups_and_implied_widths() {
    let spec = right("#[warp_reduce(op = sum, mask = 0x0000ffff, width = 16)] fn f(x: u32) -> u32 { x }");
    assert_eq!(spec.mask.0, 0xffff);
    let spec = right("#[warp_reduce(op = sum, land = 5)] fn f(x: u32) -> u32 { x }");
    assert_eq!(spec.width.unwrap().lanes(), 32);
    assert_eq!(
        right("#[warp_reduce(op = sum)] fn f(x: u32) -> u32 { x }").width,
        None
    );
}
