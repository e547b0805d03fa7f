//! Width, landing lane, mask and source: the arguments that shape the warp's plan, proved before anything is emitted.

use quote::ToTokens;
use syn::spanned::Spanned;
use warpfold_lanes::{
    Direction, Landing, Mask, Order, Plan, Refusal, ScanKind, Shuffle, Width, exchange, reduce, scan,
};

use crate::arguments::Arguments;
use crate::errors::Errors;
use crate::ir::Land;
use crate::print;
use crate::proofs::prove;

/// What the arguments say about the warp. What is wrong was reported, and something that fits stands in its place.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The width that the user fixed, or that `mask` and `land = k` imply.
    pub width: Option<Width>,
    /// Where a reduction lands.
    pub land: Land,
    /// Lanes that take part.
    pub mask: Mask,
    /// Whether the width and the landing lane are those that were written, so that a plan means something.
    plans: bool,
    /// Whether nothing is known against the mask, and the width, which says what its groups are, is right.
    masks: bool,
}

/// Reads `width`, `land` and `mask`; what is wrong with one of them does not hide what is wrong with another. Where
/// the width is wrong, a landing lane and a source have still to be inside a warp.
pub fn shape(arguments: &Arguments, errors: &mut Errors) -> Shape {
    let width = arguments.get("width").map(|expr| check_width(expr, errors));
    let land = arguments.get("land").map(|expr| check_land(expr, errors));
    let mask = arguments.get("mask").map(|expr| check_mask(expr, errors));
    // A mask or a landing lane speaks of the lanes of a whole warp where no width is given.
    let implied = (mask.is_some() || matches!(land, Some(Some(Land::Lane(_))))).then_some(Width::WARP);
    let given = width.map_or(implied, |given| given.or(Some(Width::WARP)));
    let lanes = given.unwrap_or(Width::WARP);
    let inside = |land: &Land| match (land, arguments.get("land")) {
        (Land::Lane(lane), Some(expr)) => check_inside(*lane, lanes, expr, errors),
        _ => true,
    };
    let land = land.map_or(Some(Land::Lane(0)), |land| land.filter(inside));
    let mask = mask.unwrap_or(Some(Mask::FULL));
    let measured = width != Some(None);
    Shape {
        width: given,
        // Every lane, so that `apply` has nothing to say against it.
        land: land.unwrap_or(Land::All),
        mask: mask.unwrap_or(Mask::FULL),
        plans: measured && land.is_some(),
        masks: measured && mask.is_some(),
    }
}

/// Rule: a reduction lands inside its group.
fn check_inside(landing: u32, width: Width, expr: &syn::Expr, errors: &mut Errors) -> bool {
    if landing < width.lanes() {
        return true;
    }
    errors.at(
        "land-inside",
        expr,
        told(&Refusal::LandingOutsideGroup { landing, width }),
    );
    false
}

fn told(refusal: &Refusal) -> String {
    format!("{refusal}\nhelp: {}", refusal.help())
}

/// The number that an expression is, if it is an integer literal without a sign.
fn number(expr: &syn::Expr) -> Option<u64> {
    match expr {
        syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Int(int),
            ..
        }) => int.base10_parse().ok(),
        syn::Expr::Group(inner) => number(&inner.expr),
        syn::Expr::Paren(inner) => number(&inner.expr),
        _ => None,
    }
}

/// Rule: a width is 1, 2, 4, 8, 16 or 32.
fn check_width(expr: &syn::Expr, errors: &mut Errors) -> Option<Width> {
    let Some(given) = number(expr) else {
        errors.at(
            "width",
            expr,
            format!(
                "`{}` is not a literal, and a width is one; accepted are 1, 2, 4, 8, 16, 32\nhelp: write `width = 32`",
                print::tokens(expr)
            ),
        );
        return None;
    };
    let width = Some(given)
        .and_then(|n| u32::try_from(n).ok())
        .and_then(Width::new);
    if width.is_none() {
        let near = given.clamp(1, 32).next_power_of_two();
        let shown = print::tokens(expr);
        errors.at(
            "width",
            expr,
            format!("width {shown} is not a group of lanes; accepted are 1, 2, 4, 8, 16, 32\nhelp: write `width = {near}`"),
        );
    }
    width
}

/// Rule: a reduction lands in `all` lanes or in one that is named by its number.
fn check_land(expr: &syn::Expr, errors: &mut Errors) -> Option<Land> {
    if matches!(expr, syn::Expr::Path(path) if path.path.is_ident("all")) {
        return Some(Land::All);
    }
    let lane = number(expr).and_then(|n| u32::try_from(n).ok());
    if lane.is_none() {
        errors.at(
            "land",
            expr,
            "a landing lane is `all` or the number of a lane, a literal\nhelp: write `land = all` or `land = 0`",
        );
    }
    lane.map(Land::Lane)
}

/// Rule: a mask has 32 bits, and names a lane.
fn check_mask(expr: &syn::Expr, errors: &mut Errors) -> Option<Mask> {
    let Some(bits) = number(expr) else {
        errors.at(
            "mask",
            expr,
            "a mask is a literal with a bit for each of the 32 lanes\nhelp: write `mask = 0xffffffff`",
        );
        return None;
    };
    let Ok(bits) = u32::try_from(bits) else {
        errors.at(
            "mask-wide",
            expr,
            format!("mask {bits:#x} names lanes past 31; a warp has 32\nhelp: write `mask = 0xffffffff`"),
        );
        return None;
    };
    if bits == 0 {
        errors.at("mask-empty", expr, told(&Refusal::MaskEmpty));
        return None;
    }
    Some(Mask(bits))
}

/// Rule: the plan of a reduction holds for the mask. It is run on symbols, and the first step that goes wrong is named.
///
/// `any_order` is `None` where the operator is wrong: there is no plan then, and only the mask can be looked at.
pub fn check_reduce(shape: Shape, any_order: Option<bool>, arguments: &Arguments, errors: &mut Errors) {
    let landing = match shape.land {
        Land::All => Landing::All,
        Land::Lane(lane) => Landing::Lane(lane),
    };
    let plan = any_order.map(|any_order| {
        let order = if any_order {
            Order::AnyOrder
        } else {
            Order::InOrder
        };
        reduce(shape.width.unwrap_or(Width::WARP), landing, order, shape.mask)
    });
    proved(shape, plan, arguments, errors);
}

/// Rule: likewise for a scan.
pub fn check_scan(shape: Shape, exclusive: bool, reverse: bool, arguments: &Arguments, errors: &mut Errors) {
    let kind = if exclusive {
        ScanKind::Exclusive
    } else {
        ScanKind::Inclusive
    };
    let direction = if reverse {
        Direction::Reverse
    } else {
        Direction::Forward
    };
    let plan = scan(shape.width.unwrap_or(Width::WARP), kind, direction, shape.mask);
    proved(shape, Some(plan), arguments, errors);
}

/// Rule: likewise for an exchange, which reads inside its group. Without a source there is no plan.
pub fn check_exchange(shape: Shape, from: Option<Shuffle>, arguments: &Arguments, errors: &mut Errors) {
    let width = shape.width.unwrap_or(Width::WARP);
    // The proof would say so too, but of a mask that is wrong beside it only one of them.
    let outside = from.filter(|from| from.offset() >= width.lanes());
    if let (Some(shuffle), Some(expr)) = (outside, arguments.get("from")) {
        let refusal = Refusal::SourceOutsideGroup { shuffle, width };
        errors.at("from-inside", expr, told(&refusal));
    }
    let inside = from.filter(|_| outside.is_none());
    let plan = inside.map(|from| exchange(from, width, shape.mask));
    proved(shape, plan, arguments, errors);
}

/// Rule: a filter's ballot takes whole groups.
pub fn check_vote(shape: Shape, arguments: &Arguments, errors: &mut Errors) {
    let plan = warpfold_lanes::vote_plan(shape.width.unwrap_or(Width::WARP), shape.mask);
    proved(shape, Some(plan), arguments, errors);
}

/// Proves a plan. Where there is none, because something else is wrong, the mask has still to name whole groups.
fn proved(shape: Shape, plan: Option<Plan>, arguments: &Arguments, errors: &mut Errors) {
    if !shape.masks {
        return;
    }
    let refusal = match plan.filter(|_| shape.plans) {
        Some(plan) => prove(plan).err(),
        None => split(shape.mask, shape.width.unwrap_or(Width::WARP)),
    };
    let Some(refusal) = refusal else { return };
    let rule = match refusal {
        Refusal::MaskSplitsGroup { .. } => "mask-groups",
        _ => "mask-plan",
    };
    match arguments.get("mask") {
        Some(expr) => errors.at(rule, expr, told(&refusal)),
        None => errors.span(rule, proc_macro2::Span::call_site(), told(&refusal)),
    }
}

/// The first lane that is missing from a group of which the mask names others.
fn split(mask: Mask, width: Width) -> Option<Refusal> {
    let missing = mask
        .whole_groups(width)
        .lanes()
        .find(|&lane| !mask.contains(lane))?;
    Some(Refusal::MaskSplitsGroup { mask, width, missing })
}

/// Rule: a shuffle says where each lane reads, with a number.
pub fn check_from(
    arguments: &Arguments,
    shape: Shape,
    at: impl ToTokens + Spanned,
    errors: &mut Errors,
) -> Option<Shuffle> {
    const ACCEPTED: &str = "accepted are lane(k), up(k), down(k), xor(k), rotate(k)";
    let Some(expr) = arguments.get("from") else {
        if !arguments.may_hold("from") {
            errors.at(
                "from-missing",
                at,
                format!("a shuffle says where each lane reads; {ACCEPTED}\nhelp: write `from = xor(1)`"),
            );
        }
        return None;
    };
    let shuffle = match expr {
        syn::Expr::Call(call) if call.args.len() == 1 => {
            let k = number(&call.args[0]).and_then(|k| u32::try_from(k).ok());
            k.and_then(|k| source(&print::tokens(&call.func), k))
        }
        _ => None,
    };
    if shuffle.is_none() {
        let (shown, meant) = (
            print::tokens(expr),
            source_meant(expr, shape.width.unwrap_or(Width::WARP)),
        );
        errors.at(
            "from",
            expr,
            format!(
                "`{shown}` is not a source; {ACCEPTED}, with a literal that counts from 0\nhelp: write `from = {meant}`"
            ),
        );
    }
    shuffle
}

fn source(name: &str, k: u32) -> Option<Shuffle> {
    Some(match name {
        "lane" => Shuffle::Lane(k),
        "up" => Shuffle::Up(k),
        "down" => Shuffle::Down(k),
        "xor" => Shuffle::Xor(k),
        "rotate" => Shuffle::Rotate(k),
        _ => return None,
    })
}

/// The source that was most likely meant: one of another name, or one that counts the other way.
fn source_meant(expr: &syn::Expr, width: Width) -> String {
    let (name, given) = match expr {
        syn::Expr::Call(call) => (print::tokens(&call.func), call.args.first()),
        other => (print::tokens(other), None),
    };
    let name = match name.as_str() {
        "left" | "prev" | "previous" | "before" | "shfl_up" => "up",
        "right" | "next" | "after" | "shfl_down" => "down",
        "broadcast" | "shfl" => "lane",
        "roll" | "rot" => "rotate",
        known if source(known, 0).is_some() => known,
        _ => "xor",
    };
    let (back, k) = match given {
        Some(syn::Expr::Unary(unary)) if matches!(unary.op, syn::UnOp::Neg(_)) => (true, number(&unary.expr)),
        Some(other) => (false, number(other)),
        None => (false, None),
    };
    let k = k.and_then(|k| u32::try_from(k).ok()).unwrap_or(1);
    match (name, back) {
        ("up", true) => format!("down({k})"),
        ("down", true) => format!("up({k})"),
        ("rotate", true) => format!("rotate({})", width.position(0_u32.wrapping_sub(k))),
        _ => format!("{name}({k})"),
    }
}
