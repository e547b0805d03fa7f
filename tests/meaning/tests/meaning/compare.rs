//! When two answers are the same.

use warpfold_codegen::ir::Scalar;
use warpfold_programs::{Rounding, from_word};

use crate::expected::Expected;

/// How many neighbours apart two answers of `exp`, `sin` and their like may be.
const ULPS: u64 = 4;

/// Whether two results of a type are the same: to the bit, any `NaN` being any other; to [`ULPS`] where the last bits
/// are open.
pub fn same(scalar: Scalar, rounding: Rounding, wanted: u64, found: u64) -> bool {
    if wanted == found {
        return true;
    }
    if !scalar.is_float() {
        return false;
    }
    let nan = |word| match from_word(scalar, word) {
        warpfold_codegen::value::Value::F16(x) => x.is_nan(),
        warpfold_codegen::value::Value::Bf16(x) => x.is_nan(),
        warpfold_codegen::value::Value::F32(x) => x.is_nan(),
        warpfold_codegen::value::Value::F64(x) => x.is_nan(),
        _ => false,
    };
    if nan(wanted) || nan(found) {
        return nan(wanted) && nan(found);
    }
    rounding == Rounding::Open && place(scalar, wanted).abs_diff(place(scalar, found)) <= ULPS
}

/// Where a float stands among all of its type, so that neighbours differ by 1.
fn place(scalar: Scalar, word: u64) -> i64 {
    let sign = 1 << (scalar.bits() - 1);
    let magnitude = (word & (sign - 1)).cast_signed();
    if word & sign == 0 { magnitude } else { -magnitude }
}

/// Every program whose results differ, one line each with the first case that shows it.
#[derive(Debug, Default)]
pub struct Differences(pub Vec<String>);

impl Differences {
    /// Compares the results of one program, given as the function that runs a case.
    pub fn look(&mut self, expected: &Expected, mut run: impl FnMut(usize, &[u64]) -> Vec<u64>) {
        let Expected {
            program,
            cases,
            results,
            ..
        } = expected;
        for (i, (case, wanted)) in cases.iter().zip(results).enumerate() {
            let found = run(i, case);
            let differs =
                (0..wanted.len()).find(|&r| !same(program.results[r], program.rounding, wanted[r], found[r]));
            if let Some(r) = differs {
                let args: Vec<_> = program
                    .params
                    .iter()
                    .zip(case)
                    .map(|(&s, &w)| from_word(s, w))
                    .collect();
                let show = |word| from_word(program.results[r], word);
                self.0.push(format!(
                    "field {r} of {}\non {args:?}\nis {:?} ({:#x}) in Rust and {:?} ({:#x}) here\n",
                    program.source,
                    show(wanted[r]),
                    wanted[r],
                    show(found[r]),
                    found[r]
                ));
                return;
            }
        }
    }

    /// Fails with the shortest few, if there are any.
    pub fn none(mut self) {
        self.0.sort_by_key(String::len);
        let few = self.0.iter().take(6).cloned().collect::<String>();
        assert!(
            self.0.is_empty(),
            "{} programs differ; the shortest:\n{few}",
            self.0.len()
        );
    }
}
