//! The specs that the tests run, by form.
//!
//! Each is as a user would write it; what it should give is written in the tests, another way.
#![allow(missing_docs, reason = "each spec says what it is by its attribute")]

pub mod apply;
pub mod blocks;
pub mod cases;
pub mod columns;
pub mod custom;
pub mod filters;
pub mod narrow;
pub mod scans;
pub mod shuffles;
pub mod structs;
pub mod table;
pub mod whole;
