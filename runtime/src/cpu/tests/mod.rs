//! The CPU back end against plain loops and against a slow evaluator of the order.

mod edges;
mod generic;
mod naive;
mod order;
mod segments;
mod specs;
mod swap;
