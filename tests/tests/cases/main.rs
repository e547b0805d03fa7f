//! CASES.md line by line: kinds of fault that users of other libraries met. The number is in the test's name.
//!
//! Each runs over rows, arrays and segments, on the CPU and on the GPU. Lines 1, 26, 27 and 28 are compile errors: see
//! ui-tests. Line 25 is the runtime's own tests; 19 is `bad_input`, 20 is `arrays`, 21 is `reduce::structs`.

mod floats;
mod scans;
mod shapes;
mod sums;
