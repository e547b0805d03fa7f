//! Statements.

use warpfold_codegen::ir::Scalar;

use crate::expr::{INTEGERS, Var, Writer};

impl Writer<'_> {
    /// Any statement, with values up to `depth` operations deep.
    pub fn statement(&mut self, depth: usize) -> String {
        match self.rng.below(10) {
            0..2 => self.conditional(depth),
            2..4 => self.counting(),
            _ => self.small_statement(depth),
        }
    }

    /// A declaration or an assignment.
    pub fn small_statement(&mut self, depth: usize) -> String {
        if self.module && self.rng.chance(25) {
            return self.structure(depth.min(2));
        }
        match self.rng.below(10) {
            0..4 if !self.guarding => self.assignment(depth),
            4..6 => self.pair(depth),
            _ => self.declaration(depth),
        }
    }

    /// `let x = …;`
    fn declaration(&mut self, depth: usize) -> String {
        let ty = *self.rng.pick(&Scalar::ALL);
        let value = self.expr(ty, depth, false);
        let (name, mutable) = (self.fresh(), self.rng.chance(60));
        self.see(&name, &name, ty, mutable);
        self.declared += 1;
        let written = if self.rng.chance(50) {
            format!(": {ty}")
        } else {
            String::new()
        };
        format!(
            "let {}{name}{written} = {value};",
            if mutable { "mut " } else { "" }
        )
    }

    /// `let (x, y) = (…, …);` or `let t = (…, …);`
    fn pair(&mut self, depth: usize) -> String {
        let types = [*self.rng.pick(&Scalar::ALL), *self.rng.pick(&Scalar::ALL)];
        let values = types.map(|ty| self.expr(ty, depth.min(2), false));
        if self.rng.chance(50) {
            let name = self.fresh();
            let mutable = self.rng.chance(60);
            for (i, ty) in types.into_iter().enumerate() {
                self.see(&name, &format!("{name}.{i}"), ty, mutable);
            }
            self.declared += 1;
            return format!(
                "let {}{name} = ({});",
                if mutable { "mut " } else { "" },
                values.join(", ")
            );
        }
        let first = format!("v{}", self.declared);
        self.see(&first, &first, types[0], false);
        self.declared += 1;
        let second = format!("v{}", self.declared);
        self.see(&second, &second, types[1], true);
        self.declared += 1;
        format!("let ({first}, mut {second}) = ({});", values.join(", "))
    }

    /// `x = …;` or `x += …;`, or a declaration where nothing can be assigned.
    fn assignment(&mut self, depth: usize) -> String {
        let places: Vec<&Var> = self
            .vars
            .iter()
            .filter(|var| var.mutable && self.visible(var))
            .collect();
        if places.is_empty() {
            return self.declaration(depth);
        }
        let at = self.rng.below(places.len());
        let (place, ty) = (places[at].text.clone(), places[at].ty);
        let signs: &[&str] = match ty {
            Scalar::Bool => &["", "", "&", "|", "^"],
            _ if ty.is_int() => &["", "", "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"],
            _ => &["", "", "+", "-", "*", "/"],
        };
        let sign = *self.rng.pick(signs);
        let right = if matches!(sign, "<<" | ">>") {
            *self.rng.pick(&INTEGERS)
        } else {
            ty
        };
        let value = self.expr(right, depth, false);
        format!("{place} {sign}= {value};")
    }

    /// `if … { … } else { … }` without a value.
    fn conditional(&mut self, depth: usize) -> String {
        let condition = self.expr(Scalar::Bool, depth.min(2), false);
        let then = self.body(depth);
        if self.rng.chance(50) {
            return format!("if {condition} {{ {then} }}");
        }
        let otherwise = self.body(depth);
        format!("if {condition} {{ {then} }} else {{ {otherwise} }}")
    }

    /// `for i in 0..3 { … }`
    fn counting(&mut self) -> String {
        let ty = *self.rng.pick(&INTEGERS);
        let (from, count) = (self.rng.below(3), self.rng.below(4));
        let sight = self.vars.len();
        let name = self.fresh();
        self.see(&name, &name, ty, false);
        self.declared += 1;
        let body = self.body(2);
        self.vars.truncate(sight);
        let range = if self.rng.chance(30) {
            format!("{from}{ty}..={}{ty}", from + count)
        } else {
            format!("{from}{ty}..{}{ty}", from + count)
        };
        format!("for {name} in {range} {{ {body} }}")
    }

    /// What stands in the braces of a branch or a loop.
    fn body(&mut self, depth: usize) -> String {
        let sight = self.vars.len();
        let statements: Vec<String> = (0..=self.rng.below(2))
            .map(|_| self.small_statement(depth.min(2)))
            .collect();
        self.vars.truncate(sight);
        statements.join(" ")
    }
}
