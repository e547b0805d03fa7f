//! Types while they are being found: unification with literal variables, as rustc does it.
//!
//! An unsuffixed integer literal has a variable that only an integer type can take, and falls back to `i32`; a
//! float literal one that only `f32` or `f64` can take, and falls back to `f64`. In the arguments of an attribute
//! literals take any numeric type that is expected of them.

use crate::ir::{Scalar, Ty};

/// A type that may not be known yet.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// Known.
    Scalar(Scalar),
    /// One to four types, or none: the type of statements.
    Tuple(Vec<Type>),
    /// A struct of the module.
    Struct(String),
    /// To be found.
    Var(usize),
    /// Something is wrong and was reported: agrees with everything, so that no second error follows.
    Wrong,
}

/// What a variable can become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An integer literal.
    Integer,
    /// A float literal.
    Float,
    /// A literal in an attribute's argument, or one of `inf`, `nan`, `MIN`, `MAX`: any type that has it.
    Number,
    /// Anything.
    Any,
}

impl Kind {
    /// What both can become: the narrower of the two, if one is wider than the other.
    fn meet(self, other: Kind) -> Option<Kind> {
        for wide in [Kind::Any, Kind::Number] {
            if self == wide {
                return Some(other);
            }
            if other == wide {
                return Some(self);
            }
        }
        (self == other).then_some(self)
    }
}

#[derive(Clone, Debug)]
enum Slot {
    Free(Kind),
    Bound(Type),
}

/// The variables of one function.
#[derive(Debug, Default)]
pub struct Types {
    slots: Vec<Slot>,
}

impl From<&Ty> for Type {
    fn from(ty: &Ty) -> Self {
        match ty {
            Ty::Scalar(scalar) => Type::Scalar(*scalar),
            Ty::Tuple(fields) => Type::Tuple(fields.iter().map(Type::from).collect()),
            Ty::Struct(name) => Type::Struct(name.clone()),
        }
    }
}

impl Type {
    /// The type of statements.
    pub const UNIT: Type = Type::Tuple(Vec::new());
    /// `bool`.
    pub const BOOL: Type = Type::Scalar(Scalar::Bool);
}

impl Types {
    /// A new variable.
    pub fn fresh(&mut self, kind: Kind) -> Type {
        self.slots.push(Slot::Free(kind));
        Type::Var(self.slots.len() - 1)
    }

    /// Follows variables at the top; the fields of a tuple may still be variables.
    pub fn shallow(&self, ty: &Type) -> Type {
        let mut ty = ty;
        while let Type::Var(var) = ty {
            match &self.slots[*var] {
                Slot::Bound(next) => ty = next,
                Slot::Free(_) => break,
            }
        }
        ty.clone()
    }

    /// What an unbound variable can become.
    pub fn kind(&self, ty: &Type) -> Option<Kind> {
        match self.shallow(ty) {
            Type::Var(var) => match self.slots[var] {
                Slot::Free(kind) => Some(kind),
                Slot::Bound(_) => None,
            },
            _ => None,
        }
    }

    /// Makes two types one; `false` where they cannot be.
    pub fn unify(&mut self, a: &Type, b: &Type) -> bool {
        match (self.shallow(a), self.shallow(b)) {
            (Type::Wrong, _) | (_, Type::Wrong) => true,
            (Type::Var(a), Type::Var(b)) => self.join(a, b),
            (Type::Var(var), known) | (known, Type::Var(var)) => self.bind(var, known),
            (Type::Tuple(a), Type::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(&b).fold(true, |all, (a, b)| self.unify(a, b) && all)
            }
            (a, b) => a == b,
        }
    }

    /// Takes the literals of a type that is wrong out of the question: what they are was to follow from what is wrong.
    pub fn spoil(&mut self, ty: &Type) {
        match self.shallow(ty) {
            Type::Var(var) => self.slots[var] = Slot::Bound(Type::Wrong),
            Type::Tuple(fields) => fields.iter().for_each(|field| self.spoil(field)),
            Type::Scalar(_) | Type::Struct(_) | Type::Wrong => {}
        }
    }

    fn join(&mut self, a: usize, b: usize) -> bool {
        if a == b {
            return true;
        }
        let (Slot::Free(x), Slot::Free(y)) = (&self.slots[a], &self.slots[b]) else {
            return false;
        };
        let Some(kind) = x.meet(*y) else { return false };
        self.slots[a] = Slot::Free(kind);
        self.slots[b] = Slot::Bound(Type::Var(a));
        true
    }

    fn bind(&mut self, var: usize, ty: Type) -> bool {
        let Slot::Free(kind) = self.slots[var] else {
            return false;
        };
        let fits = match (&ty, kind) {
            (_, Kind::Any) => true,
            (Type::Scalar(scalar), Kind::Integer) => scalar.is_int(),
            (Type::Scalar(scalar), Kind::Float) => scalar.is_float() && !scalar.is_half(),
            (Type::Scalar(scalar), Kind::Number) => scalar.is_int() || scalar.is_float(),
            _ => false,
        };
        if fits {
            self.slots[var] = Slot::Bound(ty);
        }
        fits
    }

    /// The final type, literals falling back to `i32` and `f64`. `None` where something wrong was reported, or
    /// where nothing says what it is.
    pub fn settle(&self, ty: &Type) -> Option<Ty> {
        match self.shallow(ty) {
            Type::Scalar(scalar) => Some(Ty::Scalar(scalar)),
            Type::Struct(name) => Some(Ty::Struct(name)),
            Type::Tuple(fields) => fields
                .iter()
                .map(|f| self.settle(f))
                .collect::<Option<_>>()
                .map(Ty::Tuple),
            Type::Var(var) => match self.slots[var] {
                Slot::Free(Kind::Integer | Kind::Number) => Some(Ty::Scalar(Scalar::I32)),
                Slot::Free(Kind::Float) => Some(Ty::Scalar(Scalar::F64)),
                _ => None,
            },
            Type::Wrong => None,
        }
    }

    /// How a message writes the type.
    pub fn show(&self, ty: &Type) -> String {
        match self.shallow(ty) {
            Type::Scalar(scalar) => scalar.to_string(),
            Type::Struct(name) => name,
            Type::Tuple(fields) if fields.len() == 1 => format!("({},)", self.show(&fields[0])),
            Type::Tuple(fields) => {
                let fields: Vec<_> = fields.iter().map(|f| self.show(f)).collect();
                format!("({})", fields.join(", "))
            }
            Type::Var(var) => match self.slots[var] {
                Slot::Free(Kind::Integer) => "an integer".to_owned(),
                Slot::Free(Kind::Float) => "a float".to_owned(),
                Slot::Free(Kind::Number) => "a number".to_owned(),
                _ => "_".to_owned(),
            },
            Type::Wrong => "_".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_take_the_type_that_is_asked_of_them() {
        let mut types = Types::default();
        let a = types.fresh(Kind::Integer);
        let b = types.fresh(Kind::Integer);
        assert!(types.unify(&a, &b));
        assert!(types.unify(&b, &Type::Scalar(Scalar::U8)));
        assert_eq!(types.settle(&a), Some(Ty::Scalar(Scalar::U8)));
        assert!(!types.unify(&a, &Type::Scalar(Scalar::U16)));
    }

    #[test]
    fn literals_keep_to_their_class() {
        let mut types = Types::default();
        let int = types.fresh(Kind::Integer);
        let float = types.fresh(Kind::Float);
        assert!(!types.unify(&int, &float));
        assert!(!types.unify(&int, &Type::Scalar(Scalar::F32)));
        assert!(
            !types.unify(&float, &Type::Scalar(Scalar::F16)),
            "half's types have no literals in Rust"
        );
        assert_eq!(types.settle(&int), Some(Ty::Scalar(Scalar::I32)));
        assert_eq!(types.settle(&float), Some(Ty::Scalar(Scalar::F64)));
    }

    #[test]
    fn numbers_of_arguments_take_any_numeric_type() {
        let mut types = Types::default();
        for scalar in [Scalar::F16, Scalar::F64, Scalar::I8] {
            let number = types.fresh(Kind::Number);
            assert!(types.unify(&number, &Type::Scalar(scalar)));
        }
        let number = types.fresh(Kind::Number);
        assert!(!types.unify(&number, &Type::BOOL));
    }
}
