//! The warp as a machine: what a warp's exchanges do, proved before anybody runs them.
//!
//! Data flows one way: a builder ([`reduce`], [`scan`], [`exchange`], [`partial`]) writes a [`Plan`], [`prove`]
//! runs it on symbols and makes it a [`Proved`] plan or refuses it with a [`Refusal`], and only proved plans are
//! emitted as code, run on the CPU ([`run`], [`fold()`]) or drawn ([`svg()`]). [`trace`] shows what each lane holds on the way.
//!
//! ```
//! use warpfold_lanes::{Landing, Mask, Order, Width, prove, reduce, run};
//!
//! let plan = prove(reduce(Width::WARP, Landing::Lane(0), Order::AnyOrder, Mask::FULL))?;
//! let mut states: Vec<u32> = (0..32).collect();
//! run(&plan, &mut states, 0, |a, b| a + b);
//! assert_eq!(states[0], 496);
//!
//! // A mask that names 20 of 32 lanes leaves lane 4 reading a lane that takes no part.
//! let refusal = prove(reduce(Width::WARP, Landing::Lane(0), Order::AnyOrder, Mask::prefix(20))).unwrap_err();
//! assert_eq!(
//!     refusal.to_string(),
//!     "mask 0x000fffff: at step 1 (down 16) lane 4 reads lane 20, which the mask does not name",
//! );
//! # Ok::<(), warpfold_lanes::Refusal>(())
//! ```
//!
//! The words are the field's: a *lane* is one of 32 threads of a warp, a *group* is `width` lanes of it, the
//! *landing* lane has to hold the result, the *mask* names the lanes that take part. A lane that exists without
//! an element carries the identity; a lane that does not exist carries nothing.

#![forbid(unsafe_code)]

mod draw;
mod exchange;
mod fold;
mod mask;
pub mod partial;
mod picture;
mod plan;
mod proof;
mod reduce;
mod refusal;
mod run;
mod scan;
mod shuffle;
mod svg;

mod trace;
pub mod vote;
mod width;
mod word;

pub use exchange::{exchange, exchange_live};
pub use fold::fold;
pub use mask::Mask;
pub use plan::{Action, Combine, Direction, Goal, Guard, Landing, Order, Otherwise, Plan, ScanKind, Step};
pub use proof::{Proved, prove};
pub use reduce::{reduce, redux, vote as vote_plan};
pub use refusal::{Loss, Refusal};
pub use run::run;
pub use scan::scan;
pub use shuffle::{Shuffle, Source};
pub use svg::svg;

pub use trace::{Trace, TraceStep, trace};
pub use width::{WARP, Width};
pub use word::Word;
