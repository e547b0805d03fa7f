//! The CPU back end against plain loops and against a slow evaluator of the order.

mod edges;
mod naive;
mod order;
mod specs;
mod swap;
