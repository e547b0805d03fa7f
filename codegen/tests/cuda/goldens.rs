//! What is committed is what is written.

use crate::all;

#[test]
fn the_committed_text_is_what_the_writer_gives() {
    let bless = std::env::var_os("WARPFOLD_BLESS").is_some();
    for golden in all() {
        if bless {
            std::fs::write(&golden.path, &golden.text).unwrap();
        }
        let committed = std::fs::read_to_string(&golden.path).unwrap_or_default();
        let line = committed
            .lines()
            .zip(golden.text.lines())
            .position(|(a, b)| a != b);
        assert!(
            committed == golden.text,
            "{}.cu differs from line {} on\nhelp: run `WARPFOLD_BLESS=1 cargo test -p warpfold-codegen` and read the difference",
            golden.name,
            line.map_or(
                committed.lines().count().min(golden.text.lines().count()),
                |line| line
            ) + 1,
        );
    }
}
