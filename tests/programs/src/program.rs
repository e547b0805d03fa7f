//! Whole programs, and enough of them.

use warpfold_codegen::ir::Scalar;

use crate::catalogue::{Op, Rounding, catalogue};
use crate::edges::operand;
use crate::expr::{Writer, unless_nan};
use crate::rng::Rng;
use crate::{DEPTH, OF_MODULE, PROGRAMS, TIMES};

/// The number of the first program that uses what its module has of its own.
const FIRST_OF_MODULE: usize = 10_000;

/// A function of scalars whose result is a tuple of scalars, as source text of Rust.
#[derive(Clone, Debug)]
pub struct Program {
    /// The name of the function.
    pub name: String,
    /// The function.
    pub source: String,
    /// The types of its parameters.
    pub params: Vec<Scalar>,
    /// The types of the fields of its result.
    pub results: Vec<Scalar>,
    /// Whether its results are exact.
    pub rounding: Rounding,
    /// Whether it is one operation on its parameters, and nothing else.
    pub single: bool,
}

/// Every program: at least [`PROGRAMS`], and as many more as it takes for each operation to stand in [`TIMES`] places;
/// then each operation once by itself; then [`OF_MODULE`] that use what their module has of its own.
pub fn all() -> Vec<Program> {
    let ops = catalogue();
    let mut counts = vec![0; ops.len()];
    let giving: Vec<Vec<usize>> = Scalar::ALL.map(|ty| exact(&ops, ty)).into();
    let mut programs = Vec::new();
    let short = |counts: &[usize], rounding: Rounding| {
        ops.iter()
            .zip(counts)
            .any(|(op, &count)| op.rounding == rounding && count < TIMES)
    };
    while programs.len() < PROGRAMS || short(&counts, Rounding::Exact) || short(&counts, Rounding::Open) {
        let open = programs.len() % 5 == 4 && short(&counts, Rounding::Open);
        let rounding = if open { Rounding::Open } else { Rounding::Exact };
        programs.push(program(programs.len(), rounding, (&ops, &giving), &mut counts));
    }
    programs.extend(ops.iter().enumerate().map(|(number, op)| single(number, op)));
    programs.extend([Scalar::F32, Scalar::F64].into_iter().flat_map(contractions));
    for number in 0..OF_MODULE {
        programs.push(program(
            FIRST_OF_MODULE + number,
            Rounding::Exact,
            (&ops, &giving),
            &mut counts,
        ));
    }
    programs
}

/// An operation on nothing but its parameters, so that it meets the edges of its types.
fn single(number: usize, op: &Op) -> Program {
    let name = format!("operation_{number}");
    let args: Vec<String> = (0..op.args.len())
        .map(|i| {
            let name = format!("p{i}");
            if op.looks_at_nan == Some(i) {
                unless_nan(&name, "number", op.args[i])
            } else {
                name
            }
        })
        .collect();
    one_result(name, &op.args, op.ret, &op.write(&args), op.rounding)
}

/// Products that are added to: nothing may round them together with the sum.
fn contractions(ty: Scalar) -> impl Iterator<Item = Program> {
    ["p0 * p1 + p2", "p0 - p1 * p2", "p0 * p1 - p2"]
        .into_iter()
        .enumerate()
        .map(move |(i, value)| {
            one_result(
                format!("contraction_{ty}_{i}"),
                &[ty; 3],
                ty,
                value,
                Rounding::Exact,
            )
        })
}

fn one_result(name: String, params: &[Scalar], ret: Scalar, value: &str, rounding: Rounding) -> Program {
    let declared: Vec<String> = params
        .iter()
        .enumerate()
        .map(|(i, ty)| format!("p{i}: {ty}"))
        .collect();
    Program {
        source: format!(
            "fn {name}({}) -> ({ret},) {{\n    ({value},)\n}}\n",
            declared.join(", ")
        ),
        name,
        params: params.to_vec(),
        results: vec![ret],
        rounding,
        single: true,
    }
}

/// The exact operations that give a type.
fn exact(ops: &[Op], ty: Scalar) -> Vec<usize> {
    (0..ops.len())
        .filter(|&i| ops[i].ret == ty && ops[i].rounding == Rounding::Exact)
        .collect()
}

/// One program. Its results come from the operations that stand in the fewest places so far.
fn program(
    number: usize,
    rounding: Rounding,
    (ops, giving): (&[Op], &[Vec<usize>]),
    counts: &mut [usize],
) -> Program {
    let mut writer = Writer {
        rng: Rng::new(number as u64),
        ops,
        giving,
        counts,
        vars: Vec::new(),
        declared: 0,
        guarding: false,
        module: number >= FIRST_OF_MODULE,
    };
    let params: Vec<Scalar> = (0..2 + writer.rng.below(3))
        .map(|_| *writer.rng.pick(&Scalar::ALL))
        .collect();
    let mut declared = Vec::new();
    for (i, &ty) in params.iter().enumerate() {
        let name = format!("p{i}");
        writer.see(&name, &name, ty, false);
        writer.declared += 1;
        declared.push(format!("{name}: {ty}"));
    }
    let mut body = String::new();
    for _ in 0..=writer.rng.below(4) {
        body.push_str("    ");
        body.push_str(&writer.statement(3));
        body.push('\n');
    }
    let mut fields = Vec::new();
    let mut results = Vec::new();
    let wanted = if rounding == Rounding::Open { 4 } else { 2 };
    for _ in 0..wanted {
        let op = rarest(&mut writer, rounding);
        results.push(ops[op].ret);
        fields.push(writer.operation(op, DEPTH + 1, true));
    }
    let types: Vec<String> = results.iter().map(ToString::to_string).collect();
    let name = format!("program_{number}");
    let source = format!(
        "fn {name}({}) -> ({}) {{\n{body}    ({})\n}}\n",
        declared.join(", "),
        types.join(", "),
        fields.join(", ")
    );
    Program {
        name,
        source,
        params,
        results,
        rounding,
        single: false,
    }
}

/// One of the operations that stand in the fewest places.
fn rarest(writer: &mut Writer<'_>, rounding: Rounding) -> usize {
    let of_kind = |&i: &usize| writer.ops[i].rounding == rounding;
    let least = (0..writer.ops.len())
        .filter(of_kind)
        .map(|i| writer.counts[i])
        .min()
        .unwrap_or(0);
    let rare: Vec<usize> = (0..writer.ops.len())
        .filter(of_kind)
        .filter(|&i| writer.counts[i] == least)
        .collect();
    *writer.rng.pick(&rare)
}

/// Operands to run a program on: `count` rows of one word a parameter.
pub fn cases(program: &Program, count: usize) -> Vec<Vec<u64>> {
    let seed = program.name.bytes().fold(1, |seed: u64, byte| {
        seed.wrapping_mul(31).wrapping_add(byte.into())
    });
    let mut rng = Rng::new(seed);
    (0..count)
        .map(|_| program.params.iter().map(|&ty| operand(ty, &mut rng)).collect())
        .collect()
}
