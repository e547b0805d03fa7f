//! CASES.md line by line: kinds of fault that users of other libraries met. The number is in the test's name.
//!
//! Each runs over rows, arrays and segments, on the CPU and on the GPU. Lines 1, 26, 27 and 28 are compile errors: see
//! ui-tests. Line 25 is the runtime's own tests; 19 is `bad_input`; 20 is `arrays` too.

#![allow(
    clippy::cast_lossless,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::float_cmp,
    clippy::many_single_char_names,
    clippy::too_many_lines,
    clippy::type_complexity,
    reason = "tests compute what is wanted another way, with numbers of every type side by side"
)]

mod floats;
mod forms;
mod lines;
mod scans;
mod shapes;
mod sums;
