//! Expressions of a wanted type and depth.

use warpfold_codegen::ir::Scalar;

use crate::catalogue::Op;
use crate::edges::literal;
use crate::rng::Rng;

/// A name in sight, or a field of one.
#[derive(Clone, Debug)]
pub struct Var {
    /// Which declaration it comes from.
    pub declaration: usize,
    /// The name that was declared.
    pub root: String,
    /// How it is read: the name, or the name and a field.
    pub text: String,
    /// Its type.
    pub ty: Scalar,
    /// Whether it may be assigned.
    pub mutable: bool,
}

/// Writes one program.
#[derive(Debug)]
pub struct Writer<'a> {
    pub rng: Rng,
    pub ops: &'a [Op],
    /// The exact operations that give each type, in the order of [`Scalar::ALL`].
    pub giving: &'a [Vec<usize>],
    /// In how many places each operation stands so far.
    pub counts: &'a mut [usize],
    pub vars: Vec<Var>,
    /// How many names have been declared.
    pub declared: usize,
    /// Whether nothing may be assigned: in a guard of a `match`, and beside a half that is compared, Rust holds borrows.
    pub guarding: bool,
    /// Whether constants, structs and functions of the module are used.
    pub module: bool,
}

/// Names that are keywords, types or functions to CUDA but not to Rust.
const AWKWARD: &[&str] = &[
    "float",
    "int",
    "double",
    "unsigned",
    "template",
    "class",
    "threadIdx",
    "half",
    "wf",
    "u32_",
    "max",
    "auto",
    "warp",
    "new",
    "this",
    "signed",
    "long",
    "register",
    "isnan",
    "operand",
    "subject",
    "wf_spec",
];

impl Writer<'_> {
    /// An expression that may stand as an operand or a receiver. On the spine it is `depth` operations deep.
    pub fn expr(&mut self, ty: Scalar, depth: usize, spine: bool) -> String {
        if depth == 0 || (!spine && self.rng.chance(20)) {
            return self.leaf(ty);
        }
        if self.module
            && self.rng.chance(25)
            && let Some(text) = self.of_module(ty, depth, spine)
        {
            return text;
        }
        match self.rng.below(100) {
            0..8 => self.branch(ty, depth, spine),
            8..14 => self.matching(ty, depth, spine),
            14..21 => self.block(ty, depth, spine),
            21..24 => self.field(ty, depth, spine),
            _ => {
                let op = self.choose(ty);
                self.operation(op, depth, spine)
            }
        }
    }

    /// A variable in sight, one of another type made to fit, or a literal.
    pub fn leaf(&mut self, ty: Scalar) -> String {
        let has_as = |from: Scalar| {
            let halves = from.is_half() || ty.is_half();
            let bool_to_float = from == Scalar::Bool && ty.is_float();
            !halves && !bool_to_float && ty != Scalar::Bool
        };
        let seen = |var: &&Var, fits: bool| fits && self.visible(var);
        let known: Vec<&Var> = self.vars.iter().filter(|var| seen(var, var.ty == ty)).collect();
        let others: Vec<&Var> = self.vars.iter().filter(|var| seen(var, has_as(var.ty))).collect();
        match self.rng.below(10) {
            0..8 if !known.is_empty() => self.rng.pick(&known).text.clone(),
            0..6 if !others.is_empty() => format!("({} as {ty})", self.rng.pick(&others).text),
            _ => literal(ty, &mut self.rng),
        }
    }

    /// Whether nothing declared later has the same name.
    pub fn visible(&self, var: &Var) -> bool {
        let last = self.vars.iter().rev().find(|other| other.root == var.root);
        last.is_some_and(|last| last.declaration == var.declaration)
    }

    /// Of some exact operations that give the type, the one that stands in the fewest places.
    fn choose(&mut self, ty: Scalar) -> usize {
        let fitting = &self.giving[ty as usize];
        let mut best = *self.rng.pick(fitting);
        for _ in 0..5 {
            let other = *self.rng.pick(fitting);
            if self.counts[other] < self.counts[best] {
                best = other;
            }
        }
        best
    }

    /// The operation on operands of `depth - 1`.
    pub fn operation(&mut self, op: usize, depth: usize, spine: bool) -> String {
        self.counts[op] += 1;
        let op = &self.ops[op];
        let along = self.rng.below(op.args.len());
        let mut args = Vec::with_capacity(op.args.len());
        let outer = self.guarding;
        self.guarding |= op.ret == Scalar::Bool && op.args.len() == 2 && op.args[0].is_half();
        for (i, &ty) in op.args.iter().enumerate() {
            let ty = if op.any_distance && i == 1 {
                *self.rng.pick(&INTEGERS)
            } else {
                ty
            };
            let (depth, spine) = if i == along {
                (depth - 1, spine)
            } else {
                (self.rng.below(depth), false)
            };
            let arg = self.expr(ty, depth, spine);
            args.push(if op.looks_at_nan == Some(i) {
                self.number(&arg, ty)
            } else {
                arg
            });
        }
        self.guarding = outer;
        op.write(&args)
    }

    /// The value, or a number in its place where it is a `NaN`.
    fn number(&mut self, value: &str, ty: Scalar) -> String {
        let name = self.fresh();
        unless_nan(value, &name, ty)
    }

    fn branch(&mut self, ty: Scalar, depth: usize, spine: bool) -> String {
        let small = self.rng.below(depth);
        let condition = self.expr(Scalar::Bool, small.min(2), false);
        let then = self.expr(ty, depth, spine);
        let small = self.rng.below(depth);
        let otherwise = self.expr(ty, small, false);
        if self.rng.chance(30) {
            let second = self.expr(Scalar::Bool, 1, false);
            let middle = self.leaf(ty);
            return format!(
                "(if {condition} {{ {then} }} else if {second} {{ {middle} }} else {{ {otherwise} }})"
            );
        }
        format!("(if {condition} {{ {then} }} else {{ {otherwise} }})")
    }

    fn block(&mut self, ty: Scalar, depth: usize, spine: bool) -> String {
        let sight = self.vars.len();
        let mut text = String::from("({ ");
        for _ in 0..=self.rng.below(2) {
            text.push_str(&self.small_statement(depth.min(2)));
            text.push(' ');
        }
        let value = self.expr(ty, depth, spine);
        self.vars.truncate(sight);
        text + &value + " })"
    }

    /// One field of a tuple that is written out.
    fn field(&mut self, ty: Scalar, depth: usize, spine: bool) -> String {
        let at = self.rng.below(3);
        let fields: Vec<String> = (0..3)
            .map(|i| {
                if i == at {
                    return self.expr(ty, depth, spine);
                }
                let other = *self.rng.pick(&Scalar::ALL);
                self.expr(other, depth.min(1), false)
            })
            .collect();
        format!("({}).{at}", fields.join(", "))
    }

    /// `match` on an integer, a `bool`, or a tuple of both.
    fn matching(&mut self, ty: Scalar, depth: usize, spine: bool) -> String {
        let on = *self.rng.pick(&INTEGERS);
        let small = self.rng.below(depth).min(2);
        let pair = self.rng.chance(40);
        let subject = self.expr(on, small, false);
        let subject = if pair {
            format!("({subject}, {})", self.expr(Scalar::Bool, 1, false))
        } else {
            subject
        };
        let along = self.rng.below(3);
        let mut text = format!("(match {subject} {{ ");
        for i in 0..2 {
            let sight = self.vars.len();
            let mut pattern = self.pattern(on);
            if pair {
                let second = *self.rng.pick(&["true", "false", "_"]);
                pattern = format!("({pattern}, {second})");
            }
            let guard = if self.rng.chance(35) {
                let outer = std::mem::replace(&mut self.guarding, true);
                let guard = self.expr(Scalar::Bool, 1, false);
                self.guarding = outer;
                format!(" if {guard}")
            } else {
                String::new()
            };
            let small = self.rng.below(depth);
            let value = if i == along {
                self.expr(ty, depth, spine)
            } else {
                self.expr(ty, small, false)
            };
            self.vars.truncate(sight);
            text = text + &pattern + &guard + " => " + &value + ", ";
        }
        let small = self.rng.below(depth);
        let value = if along == 2 {
            self.expr(ty, depth, spine)
        } else {
            self.expr(ty, small, false)
        };
        text + &format!("_ => {value} }})")
    }

    fn pattern(&mut self, on: Scalar) -> String {
        let (low, high) = (self.rng.below(8), 8 + self.rng.below(100));
        match self.rng.below(6) {
            0 => format!("{low}{on}"),
            1 => format!("{low}{on}..={high}{on}"),
            2 => format!("{low}{on} | {high}{on} | 127{on}"),
            3 if on.is_signed_int() => format!("-{high}{on}..=-1{on}"),
            4 => format!("{high}{on}..={on}::MAX"),
            _ => {
                let name = self.fresh();
                self.see(&name, &name, on, false);
                self.declared += 1;
                name
            }
        }
    }

    /// A name for a declaration: mostly a new one, sometimes one that is in sight or means something to CUDA.
    pub fn fresh(&mut self) -> String {
        match self.rng.below(10) {
            0 => (*self.rng.pick(AWKWARD)).to_owned(),
            1 if !self.vars.is_empty() => {
                let at = self.rng.below(self.vars.len());
                self.vars[at].root.clone()
            }
            _ => format!("v{}", self.declared),
        }
    }

    /// Puts a name, or a field of it, in sight. All fields of one declaration are put in sight before the next.
    pub fn see(&mut self, root: &str, text: &str, ty: Scalar, mutable: bool) {
        let (declaration, root, text) = (self.declared, root.to_owned(), text.to_owned());
        self.vars.push(Var {
            declaration,
            root,
            text,
            ty,
            mutable,
        });
    }
}

/// The value under a name, or a number in its place where it is a `NaN`.
pub fn unless_nan(value: &str, name: &str, ty: Scalar) -> String {
    let instead = if ty.is_half() {
        format!("{ty}::ONE")
    } else {
        format!("1.0{ty}")
    };
    format!("({{ let {name}: {ty} = {value}; if {name}.is_nan() {{ {instead} }} else {{ {name} }} }})")
}

/// Every integer type.
pub const INTEGERS: [Scalar; 8] = [
    Scalar::I8,
    Scalar::I16,
    Scalar::I32,
    Scalar::I64,
    Scalar::U8,
    Scalar::U16,
    Scalar::U32,
    Scalar::U64,
];
