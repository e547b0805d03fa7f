//! Rows without columns, as many as can be named: whatever has nothing to store is done at once, and whatever would need
//! an array of that many results says so.

use crate::Error;
use crate::prelude::*;

#[warp_reduce(op = sum)]
fn total(x: f32) -> f32 {
    x
}

#[warp_reduce(op = sum, land = all, apply = |total| -> f32 { x / total })]
fn share(x: f32) -> f32 {
    x
}

#[warp_scan(op = sum)]
fn running(x: f32) -> f32 {
    x
}

#[warp_scan(op = sum, kind = exclusive)]
fn before(x: f32) -> f32 {
    x
}

#[warp_scan(op = sum, direction = reverse)]
fn remaining(x: f32) -> f32 {
    x
}

#[warp_scan(op = sum, kind = exclusive, direction = reverse)]
fn after(x: f32) -> f32 {
    x
}

#[warp_filter]
fn positive(x: f32) -> bool {
    x > 0.0
}

#[warp_shuffle(from = up(1))]
fn shifted(x: f32) -> f32 {
    x
}

const ROWS: Rows = Rows::new(usize::MAX, 0);
const NONE: &[f32] = &[];

#[test]
fn one_result_an_element_is_none() {
    assert_eq!(share::rows(ROWS, NONE).unwrap(), NONE);
    assert_eq!(running::rows(ROWS, NONE).unwrap(), NONE);
    assert_eq!(before::rows(ROWS, NONE).unwrap(), NONE);
    assert_eq!(remaining::rows(ROWS, NONE).unwrap(), NONE);
    assert_eq!(after::rows(ROWS, NONE).unwrap(), NONE);
    assert_eq!(shifted::rows(ROWS, NONE).unwrap(), NONE);
}

#[test]
fn nothing_is_written_into_nothing() {
    share::rows_into(ROWS, NONE, &mut [0.0f32; 0]).unwrap();
    share::rows_in_place(ROWS, &mut [0.0f32; 0]).unwrap();
    running::rows_into(ROWS, NONE, &mut [0.0f32; 0]).unwrap();
    after::rows_in_place(ROWS, &mut [0.0f32; 0]).unwrap();
    shifted::rows_into(ROWS, NONE, &mut [0.0f32; 0]).unwrap();
}

#[test]
fn one_result_a_column_is_none() {
    assert_eq!(total::columns(ROWS, NONE).unwrap(), NONE);
    total::columns_into(ROWS, NONE, &mut [0.0f32; 0]).unwrap();
}

#[test]
fn one_result_a_row_is_more_than_there_is_room_for() {
    assert!(matches!(total::rows(ROWS, NONE), Err(Error::HostMemory { .. })));
    assert!(matches!(
        positive::rows(ROWS, NONE),
        Err(Error::HostMemory { .. })
    ));
    assert!(matches!(
        total::rows_into(ROWS, NONE, &mut [0.0f32]),
        Err(Error::TooShort { .. })
    ));
    assert!(matches!(
        positive::rows_into(ROWS, NONE, &mut [0.0f32; 0], &mut [0u64]),
        Err(Error::TooShort { .. })
    ));
}

#[test]
fn columns_without_rows_hold_the_identity_where_there_is_room() {
    assert_eq!(total::columns(Rows::new(0, 2), NONE).unwrap(), [0.0, 0.0]);
    assert!(matches!(
        total::columns(Rows::new(0, usize::MAX), NONE),
        Err(Error::HostMemory { .. })
    ));
}
