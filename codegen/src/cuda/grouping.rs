//! What a scan may do because its operator is one of the table's, on scalars: the kernels ask for each of these facts by name, and
//! do without those that are absent.
//!
//! - `neutral`: the identity in front of any state is that state, bit for bit but for which NaN it is, so it may stand in for one that is
//!   absent.
//! - `regroups`: integers are exact, so that every grouping gives the same bits.
//! - `Words`: sums of integers of 8 and 16 bits are those of whole words, of which the low bits count.
//! - `as_read`: they are sums of what stands in memory, which the kernels take by words.

use super::steps;
use super::text::Text;
use crate::ir::{Expr, ExprKind, Form, Named, Operator, ParamKind, Scalar, Spec, Ty};

/// `neutral` and `regroups`, where they hold.
pub(super) fn facts(out: &mut Text, spec: &Spec) {
    let Some((_, state)) = of_table(spec) else {
        return;
    };
    out.line("static constexpr bool neutral = true;");
    if !state.is_float() {
        out.line("static constexpr bool regroups = true;");
    }
}

/// `as_read` and `Words`, where they hold. `names`: of the parameters, as members.
pub(super) fn words(out: &mut Text, spec: &Spec, names: &[String]) {
    let Some((Named::Sum, state)) = of_table(spec) else {
        return;
    };
    if state.is_float() || state.bits() > 16 {
        return;
    }
    if let Some(name) = element(&spec.map.body, spec, names) {
        out.gap();
        out.line("// The elements themselves are added.");
        out.line("template <int V>");
        out.line(format!(
            "static WF_FN const wf::Pack<Mapped, V>& as_read(const Items<V>& items) {{ return items.{name}; }}"
        ));
    }
    out.gap();
    out.line(
        "// The sums as words, of which the low bits are those of the states: nothing is cut off on the way.",
    );
    out.braces("struct Words", "};", |out| {
        out.line("using State = wf::u32;");
        out.line("static WF_FN State combine(State left, State right) { return left + right; }");
        steps::all_scans(out);
    });
}

/// The operator and the scalar type of a scan by an operator of the table that keeps what map returns.
fn of_table(spec: &Spec) -> Option<(Named, Scalar)> {
    let (Form::Scan { .. }, Some(Operator::Named(op)), Ty::Scalar(state)) =
        (&spec.form, &spec.op, &spec.state)
    else {
        return None;
    };
    let keeps = matches!(
        op,
        Named::Sum
            | Named::Product
            | Named::Min
            | Named::Max
            | Named::Minimum
            | Named::Maximum
            | Named::And
            | Named::Or
            | Named::Xor
    );
    keeps.then_some((*op, *state))
}

/// The member of the plain parameter that an expression is, as it stands.
fn element<'a>(body: &Expr, spec: &Spec, names: &'a [String]) -> Option<&'a String> {
    match &body.kind {
        ExprKind::Block(statements, Some(value)) if statements.is_empty() => element(value, spec, names),
        ExprKind::Local(local) => {
            let at = spec.params.iter().position(|param| param.local.id == local.id)?;
            (spec.params[at].kind == ParamKind::Plain).then(|| &names[at])
        }
        _ => None,
    }
}
