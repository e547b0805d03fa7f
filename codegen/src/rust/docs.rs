//! What the editor shows over the names that are written: shapes, results, errors.

use super::Writer;
use super::calls_common::{Call, Gives, Takes};
use crate::ir::{Form, Operator, ParamKind};

impl Writer<'_> {
    /// The documentation of the type beside the function.
    pub(super) fn type_docs(&self) -> Vec<String> {
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
        docs
    }

    /// The documentation of one launch.
    pub(super) fn call_docs(&self, call: &Call) -> Vec<String> {
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
        docs
    }
}
