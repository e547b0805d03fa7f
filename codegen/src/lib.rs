//! The compiler of warpfold: from the tokens of an annotated function to CUDA C++ and Rust.

mod associated;
mod body;
mod body_expr;
mod body_ops;
mod body_path;
mod body_pattern;
mod body_stmt;
mod draft;
mod errors;
mod eval;
mod eval_method;
mod eval_ops;
mod infer;
pub mod ir;
mod literal;
pub mod methods;
mod print;
mod scope;
mod settle;
mod suggest;
pub mod types;
pub mod value;
