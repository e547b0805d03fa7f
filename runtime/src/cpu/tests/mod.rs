//! The CPU back end against plain loops and against a slow evaluator of the order.

#![allow(clippy::float_cmp, reason = "the bits are what is compared")]
#![allow(clippy::cast_precision_loss, reason = "the numbers are small")]

mod columns;
mod edges;
mod generic;
mod naive;
mod no_columns;
mod order;
mod segments;
mod specs;
mod swap;
