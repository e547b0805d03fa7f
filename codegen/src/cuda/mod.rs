//! The CUDA C++ of a spec: readable text that the kernels of the runtime are instantiated over.
//!
//! The text needs `scalar.cuh`, `half.cuh`, `math.cuh`, `shuffle.cuh` and `ops.cuh` in front of it. It defines the
//! namespace `wf_spec`: the structs, constants and functions the user wrote, then `struct Spec`, which says what the
//! kernels ask. Names of the user's are kept where C++ allows it. After the front end has accepted a spec writing it
//! cannot fail, and equal specs give equal text.

mod body;
mod expr;
mod fold;
mod grouping;
mod header;
mod items;
#[cfg(test)]
mod meaning;
#[cfg(test)]
mod meaning_program;
mod names;
mod shared;
mod shuffles;
mod spec;
mod steps;
mod stmt;
mod text;
mod types;

pub use fold::{FoldKind, fold, order};

use crate::ir::{Module, Spec};

/// Writes a spec.
pub fn write(spec: &Spec) -> String {
    let mut out = text::Text::default();
    header::write(&mut out, spec);
    out.line("namespace wf_spec {");
    let (scope, functions) = items::write(&mut out, spec);
    out.gap();
    spec::write(&mut out, spec, &scope, &functions);
    out.gap();
    out.line("}  // namespace wf_spec");
    out.finish()
}

/// Writes the structs, constants and functions of a module into the namespace `wf_spec`, without a spec.
pub fn write_functions(module: &Module) -> String {
    let mut out = text::Text::default();
    out.line("namespace wf_spec {");
    items::write_functions(&mut out, module);
    out.gap();
    out.line("}  // namespace wf_spec");
    out.finish()
}
