//! What the editor shows over the names that are written: shapes, results, errors.
//!
//! Each text is one attribute of several lines: an attribute a line would be a sixth of all that rustc parses of a spec.

use super::Writer;
use super::calls_common::{Call, Gives, Takes};
use crate::ir::{Form, Operator, ParamKind};

/// Of `cuda`.
pub(super) const CUDA: &str = "\
    \x20The CUDA C++ of the spec: complete, without any `#include`. It compiles by itself in front of a kernel\n\
    \x20of one's own.";
/// Of `plan`.
pub(super) const PLAN: &str = " The proved plan of the spec's warp: its steps, and who reads whom at each.";
/// Of `prepare`.
pub(super) const PREPARE: &str = "\
    \x20Compiles the kernels that calls with this shape run on a GPU, so that the first call finds them and a CUDA\n\
    \x20graph can capture it. Of calls over whole arrays the shape is one row.\n\
    \n\
    \x20# Errors\n\
    \n\
    \x20A shape that overflows, what NVRTC says of a kernel, what the driver says.";
/// Of `cost`.
pub(super) const COST: &str = "\
    \x20The driver's word on the kernel for this shape: registers, shared and local memory, blocks a\n\
    \x20multiprocessor.\n\
    \n\
    \x20# Errors\n\
    \n\
    \x20A shape that overflows, what NVRTC says of the kernel, what the driver says.";
/// Of `trace`.
pub(super) const TRACE: &str = "\
    \x20What each lane of one group holds after each step, from up to `width` states; lanes without one hold the\n\
    \x20identity, a value that nobody may use is `None`, and states past the width are left out, as they stand\n\
    \x20in other groups.";
/// Of `combine`.
pub(super) const COMBINE: &str =
    " The operator: the state of two runs of elements, the one met first on the left.";
/// Of `identity`.
pub(super) const IDENTITY: &str = " The neutral state.";
/// Of `finish`.
pub(super) const FINISH: &str = " What the state becomes when it is stored.";

impl Writer<'_> {
    /// The documentation of the type beside the function.
    pub(super) fn type_docs(&self) -> String {
        let (name, spec) = (self.name(), self.spec);
        let operator = match &spec.op {
            Some(Operator::Named(named)) => format!(" by `{}`", named.name()),
            Some(Operator::Custom(_)) => " by an operator of its own".to_owned(),
            None => String::new(),
        };
        let what = match &spec.form {
            Form::Reduce { apply: Some(_), .. } => {
                format!("a reduction{operator} whose total every element is given")
            }
            Form::Reduce { .. } => format!("a reduction{operator}"),
            Form::Scan {
                exclusive, reverse, ..
            } => {
                let kind = if *exclusive {
                    "an exclusive scan"
                } else {
                    "an inclusive scan"
                };
                let from = if *reverse {
                    ", from the last element to the first"
                } else {
                    ""
                };
                format!("{kind}{operator}{from}")
            }
            Form::Filter { .. } => "a filter".to_owned(),
            Form::Shuffle { .. } => "a shuffle".to_owned(),
        };
        let mut docs = vec![format!(" Launches [`{name}`](fn@{name}): {what}."), String::new()];
        let stored: Vec<String> = self
            .result_fields()
            .into_iter()
            .map(|ty| format!("`{ty}`"))
            .collect();
        docs.push(format!(
            " Stores {}. Data on the host runs on the CPU, data on a GPU runs there.",
            stored.join(", ")
        ));
        docs.join("\n")
    }

    /// The documentation of one launch.
    pub(super) fn call_docs(&self, call: &Call) -> String {
        let mut docs = vec![format!(" {}", call.docs), String::new()];
        let lead = match call.takes {
            Takes::Shape => Some(format!(
                " - `{}`: rows, columns and strides, in elements",
                self.fresh("shape")
            )),
            Takes::Offsets => Some(format!(
                " - `{}`: where each segment starts, and where the last one ends",
                self.fresh("offsets")
            )),
            Takes::Array => None,
        };
        docs.extend(lead);
        for (name, kind, ty) in self.passed() {
            docs.push(match kind {
                ParamKind::Plain if call.takes == Takes::Shape => {
                    format!(
                        " - `{name}`: one `{ty}` an element, (rows - 1) × stride + columns of them or more"
                    )
                }
                ParamKind::PerColumn => format!(" - `{name}`: one `{ty}` a column"),
                ParamKind::PerRow => format!(" - `{name}`: one `{ty}` a row"),
                ParamKind::Live => format!(" - `{name}`: how many columns of each row count"),
                ParamKind::Uniform => format!(" - `{name}`: one `{ty}` for the launch"),
                _ => format!(" - `{name}`: one `{ty}` an element"),
            });
        }
        docs.push(String::new());
        docs.push(
            match call.gives {
                Gives::Arrays => " Gives new arrays where the inputs live, one for each field of the result.",
                Gives::Counted => " Gives new arrays where the inputs live, one for each field of the result, and the counts.",
                Gives::Segmented => " Gives new arrays where the inputs live, one for each field of the result, and the new offsets.",
                Gives::Indices => " Gives a new array of positions where the inputs live.",
                Gives::Value => " Gives the value, on the host, once it is there.",
                Gives::InPlace if call.takes == Takes::Array => " The results take the place of the elements.",
                Gives::InPlace => " The results take the place of the elements, at their stride.",
                Gives::Into => " Writes one array for each field of the result, and allocates nothing.",
                Gives::CountedInto => " Writes one array for each field of the result, then the counts, and allocates nothing.",
                Gives::SegmentedInto => " Writes one array for each field of the result, then the new offsets.",
                Gives::IndicesInto => " Writes the positions, then their number, and allocates nothing.",
            }
            .to_owned(),
        );
        docs.push(String::new());
        docs.push(" # Errors".to_owned());
        docs.push(String::new());
        docs.push(
            " Before anything runs: where an array is too short or inputs live in different places; on a GPU also \
             what the driver or the compiler refuses."
                .to_owned(),
        );
        docs.join("\n")
    }
}
