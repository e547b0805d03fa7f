//! The comment at the top: the spec as the user wrote it, and what was decided about it.

use super::fold::{FoldKind, fold};
use super::text::Text;
use crate::ir::{Form, Land, Named, Operator, ParamKind, Spec};
use crate::print;

/// Writes the comment.
pub(super) fn write(out: &mut Text, spec: &Spec) {
    out.comment(&format!("{}: {}", spec.item.sig.ident, what(spec)));
    out.line("//");
    out.comment(&function(spec));
    out.line("//");
    if spec.op.is_some() {
        out.comment(match fold(spec) {
            FoldKind::Striped => "Elements may change places on the way.",
            FoldKind::Blocked => "Elements are combined as they stand.",
            FoldKind::Lane => "Each lane folds its elements by the operator's own rule.",
            FoldKind::Tile => "The elements of a group of lanes are folded by the operator's own rule.",
        });
    }
    out.comment("Shuffles are unrolled from plans that were proved for every associative operator.");
}

/// The function as it was written, without its body where that is long.
fn function(spec: &Spec) -> String {
    let params: Vec<String> = spec
        .params
        .iter()
        .map(|param| {
            let helper = match param.kind {
                ParamKind::Plain => "",
                ParamKind::PerColumn => "#[per_column] ",
                ParamKind::PerRow => "#[per_row] ",
                ParamKind::Uniform => "#[uniform] ",
                ParamKind::Index => "#[index] ",
                ParamKind::Row => "#[row] ",
                ParamKind::Len => "#[len] ",
                ParamKind::Live => "#[live] ",
            };
            format!("{helper}{}: {}", param.local.name, param.local.ty)
        })
        .collect();
    let body = print::tokens(&spec.item.block);
    let body = if body.len() <= 60 { &body } else { "{ … }" };
    format!(
        "fn {}({}) -> {} {body}",
        spec.item.sig.ident,
        params.join(", "),
        spec.map.ret
    )
}

/// The attribute in one line.
fn what(spec: &Spec) -> String {
    let mut facts = Vec::new();
    let form = match &spec.form {
        Form::Reduce { land, finish, apply } => {
            if *land == Land::All {
                facts.push("land = all".to_owned());
            } else if let Land::Lane(lane @ 1..) = land {
                facts.push(format!("land = {lane}"));
            }
            facts.extend(finish.as_ref().map(|_| "finish".to_owned()));
            facts.extend(apply.as_ref().map(|_| "apply".to_owned()));
            "warp_reduce"
        }
        Form::Scan {
            exclusive,
            reverse,
            finish,
        } => {
            facts.push(format!(
                "kind = {}",
                if *exclusive { "exclusive" } else { "inclusive" }
            ));
            facts.extend(reverse.then(|| "direction = reverse".to_owned()));
            facts.extend(finish.as_ref().map(|_| "finish".to_owned()));
            "warp_scan"
        }
        Form::Filter { keep } => {
            facts.extend(keep.as_ref().map(|_| "keep".to_owned()));
            "warp_filter"
        }
        Form::Shuffle { from } => {
            facts.push(format!("from = {}({})", from.name(), from.offset()));
            "warp_shuffle"
        }
    };
    let op = match &spec.op {
        Some(Operator::Named(named)) => Some(format!("op = {}", name(*named))),
        Some(Operator::Custom(function)) => Some(format!("op = {}", function.name)),
        None => None,
    };
    let custom = matches!(spec.op, Some(Operator::Custom(_)));
    let identity = spec
        .identity
        .as_ref()
        .filter(|_| custom)
        .map(|v| format!("identity = {}", print::value(v, &spec.module)));
    let init = spec
        .init
        .as_ref()
        .map(|v| format!("init = {}", print::value(v, &spec.module)));
    let width = spec.width.map(|width| format!("width = {width}"));
    let mask = (spec.mask != warpfold_lanes::Mask::FULL).then(|| format!("mask = {}", spec.mask));
    let arguments: Vec<String> = op
        .into_iter()
        .chain(identity)
        .chain(init)
        .chain(width)
        .chain(mask)
        .chain(facts)
        .collect();
    format!("#[{form}({})]", arguments.join(", ")).replace("()]", "]")
}

/// The operator's name in the table.
fn name(named: Named) -> String {
    format!("{named:?}").to_lowercase()
}
