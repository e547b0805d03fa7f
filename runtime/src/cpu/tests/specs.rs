//! Specs written by hand as the attributes emit them.

use warpfold_lanes::Order;

use crate::argument::Argument;
use crate::ops::{Operator, Softmax, TileFold as _};
use crate::spec::{
    At, Bind, Exchange, FilterRows, Fold, FoldRows, Form, Info, Land, Param, ParamKind, ScanRows,
    ShuffleRows, Spec, Tile, TileFold, TypeInfo,
};

const fn x(ty: TypeInfo) -> Param {
    Param {
        name: "x",
        kind: ParamKind::Plain,
        ty,
    }
}
const ONE_OF_1: &[Param] = &[x(TypeInfo::of::<u8>("u8"))];
const ONE_OF_2: &[Param] = &[x(TypeInfo::of::<u16>("u16"))];
const ONE_F32: &[Param] = &[x(TypeInfo::of::<f32>("f32"))];
const ONE_OF_4: &[Param] = &[x(TypeInfo::of::<u32>("u32"))];
const ONE_OF_8: &[Param] = &[x(TypeInfo::of::<u64>("u64"))];

pub const fn info(name: &'static str, form: Form, ty: TypeInfo, fold: TileFold, any_order: bool) -> Info {
    Info {
        name,
        form,
        params: match ty.size {
            8 => ONE_OF_8,
            4 if matches!(ty.name.as_bytes(), b"f32") => ONE_F32,
            4 => ONE_OF_4,
            2 => ONE_OF_2,
            _ => ONE_OF_1,
        },
        results: &[],
        state: ty,
        mapped: ty,
        fold,
        order: if any_order {
            Order::Symmetric
        } else {
            Order::InOrder
        },
        width: None,
        land: Land::Lane(0),
        mask: u32::MAX,
        has_init: false,
        has_apply: false,
        max_columns: None,
    }
}

macro_rules! bind_one {
    ($name:ident, $in:ty, $info:expr) => {
        pub enum $name {}
        impl Spec for $name {
            const INFO: Info = $info;
            const CUDA: &'static str = "";
        }
        impl Bind for $name {
            type Bound<'a> = &'a [$in];
            fn bind<'a>(arguments: &'a [Argument<'a>]) -> &'a [$in] {
                arguments[0].slice()
            }
        }
    };
}

macro_rules! fold_one {
    ($name:ident, $in:ty => $state:ty, $info:expr, $map:expr, $identity:expr, $combine:expr $(, init = $init:expr)?) => {
        bind_one!($name, $in, $info);
        impl Fold for $name {
            type Mapped = $state;
            type State = $state;
            type Result = $state;
            fn map(bound: &&[$in], at: At) -> $state {
                let map: fn($in) -> $state = $map;
                map(bound[at.element])
            }
            fn lift(mapped: $state, _: u64) -> $state {
                mapped
            }
            fn identity() -> $state {
                $identity
            }
            $(fn init() -> Option<$state> {
                Some($init)
            })?
            fn combine(left: $state, right: $state) -> $state {
                let combine: fn($state, $state) -> $state = $combine;
                combine(left, right)
            }
        }
        impl FoldRows for $name {
            fn finish(_: &&[$in], state: $state, _: At) -> $state {
                state
            }
        }
        impl ScanRows for $name {
            fn finish(_: &&[$in], state: $state, _: At) -> $state {
                state
            }
        }
    };
}

const F32: TypeInfo = TypeInfo::of::<f32>("f32");
const U32: TypeInfo = TypeInfo::of::<u32>("u32");
const SCAN: Form = Form::Scan {
    exclusive: false,
    reverse: false,
};

/// `x.max(y)` as the table has it, for values that are no NaN.
fn max(a: f32, b: f32) -> f32 {
    if b > a || a.is_nan() { b } else { a }
}

fold_one!(RowMax, f32 => f32, info("row_max", Form::Reduce, F32, TileFold::Striped, true), |x| x, f32::NEG_INFINITY, max);
fold_one!(Sum, f32 => f32, info("sum", Form::Reduce, F32, TileFold::Striped, true), |x| x, -0.0, |a, b| a + b);
fold_one!(SumInit, f32 => f32, Info { has_init: true, ..info("sum_init", Form::Reduce, F32, TileFold::Striped, true) },
    |x| x, -0.0, |a, b| a + b, init = 1.0);
fold_one!(Bytes, u8 => u32, info("bytes", Form::Reduce, TypeInfo::of::<u8>("u8"), TileFold::Striped, true),
    u32::from, 0, |a, b| a.wrapping_add(b));
fold_one!(SumNarrow, f32 => f32, Info { width: Some(2), ..info("sum_narrow", Form::Reduce, F32, TileFold::Striped, true) },
    |x| x, -0.0, |a, b| a + b);
fold_one!(SumInOrder, f32 => f32, info("sum_in_order", Form::Reduce, F32, TileFold::Blocked, false), |x| x, -0.0, |a, b| a + b);
fold_one!(ScanSum, f32 => f32, info("scan_sum", SCAN, F32, TileFold::Blocked, true), |x| x, -0.0, |a, b| a + b);
fold_one!(ScanInit, f32 => f32, Info { has_init: true, ..info("scan_init", Form::Scan { exclusive: true, reverse: false }, F32, TileFold::Blocked, true) },
    |x| x, -0.0, |a, b| a + b, init = 10.0);
fold_one!(ScanBack, f32 => f32, info("scan_back", Form::Scan { exclusive: true, reverse: true }, F32, TileFold::Blocked, true),
    |x| x, -0.0, |a, b| a + b);

/// `f(x) = a·x + b` over u32: associative, with an identity, and order matters.
pub type Affine = (u32, u32);
fn then(p: Affine, q: Affine) -> Affine {
    (p.0.wrapping_mul(q.0), q.0.wrapping_mul(p.1).wrapping_add(q.1))
}
fn affine(x: u32) -> Affine {
    (2 * x + 1, x.wrapping_mul(2_654_435_761))
}
fold_one!(Affines, u32 => Affine, info("affines", Form::Reduce, U32, TileFold::Blocked, false), affine, (1, 0), then);
fold_one!(AffineScan, u32 => Affine, info("affine_scan", SCAN, U32, TileFold::Blocked, false), affine, (1, 0), then);
fold_one!(AffineBack, u32 => Affine, info("affine_back", Form::Scan { exclusive: false, reverse: true }, U32, TileFold::Blocked, false),
    affine, (1, 0), then);

bind_one!(
    SoftmaxApply,
    f32,
    Info {
        has_apply: true,
        ..info("softmax", Form::Reduce, F32, TileFold::Tile, true)
    }
);
impl Fold for SoftmaxApply {
    type Mapped = f32;
    type State = (f32, f32);
    type Result = f32;
    fn map(bound: &&[f32], at: At) -> f32 {
        bound[at.element]
    }
    fn lift(mapped: f32, index: u64) -> (f32, f32) {
        <Softmax as Operator<f32>>::lift(mapped, index)
    }
    fn identity() -> (f32, f32) {
        (f32::NEG_INFINITY, 0.0)
    }
    fn combine(left: (f32, f32), right: (f32, f32)) -> (f32, f32) {
        <Softmax as Operator<f32>>::combine(left, right)
    }
    fn fold_tile(mapped: &[f32], shape: Tile) -> (f32, f32) {
        Softmax::fold_tile(mapped, shape)
    }
}
impl FoldRows for SoftmaxApply {
    fn finish(_: &&[f32], state: (f32, f32), _: At) -> f32 {
        state.0
    }
    fn apply(bound: &&[f32], total: (f32, f32), at: At) -> f32 {
        (bound[at.element] - total.0).exp() / total.1
    }
}

bind_one!(
    Positive,
    f32,
    info("positive", Form::Filter, F32, TileFold::Striped, true)
);
impl FilterRows for Positive {
    type Result = f32;
    fn keeps(bound: &&[f32], at: At) -> bool {
        bound[at.element] > 0.0
    }
    fn kept(bound: &&[f32], at: At) -> f32 {
        bound[at.element]
    }
}

macro_rules! exchange {
    ($name:ident, $from:expr, $width:expr) => {
        bind_one!(
            $name,
            u32,
            Info {
                width: Some($width),
                ..info(
                    "exchange",
                    Form::Shuffle($from),
                    U32,
                    TileFold::Striped,
                    true
                )
            }
        );
        impl ShuffleRows for $name {
            type Result = u32;
            fn map(bound: &&[u32], at: At) -> u32 {
                bound[at.element]
            }
        }
    };
}
exchange!(Partner, Exchange::Xor(16), 32);
exchange!(Before, Exchange::Up(1), 8);
exchange!(Around, Exchange::Rotate(3), 8);
