//! What the constants of an attribute must be, in words: `identity` and `init` are states, which only some operators
//! share with the function.

use crate::ir::{Module, Named, Scalar, Ty};
use crate::print;

/// What a constant must be.
#[derive(Clone, Debug)]
pub struct Expected {
    /// What it is: ``` `init` must be (bool, i32), the state of `last`: … ```, without what it was.
    pub must: String,
    /// The help line.
    pub help: String,
}

/// What `identity` or `init`, written as `expr`, must be where it is of another type.
pub fn state(argument: &str, expr: &syn::Expr, ty: &Ty, named: Option<Named>, module: &Module) -> Expected {
    let lifted = named.and_then(|named| Some((named, in_words(named)?)));
    let must = match lifted {
        Some((named, words)) => {
            format!(
                "`{argument}` must be {ty}, the state of `{}`: {words}",
                named.name()
            )
        }
        None => format!("`{argument}` must be {ty}"),
    };
    let shown = print::tokens(expr);
    let alone = !matches!(expr, syn::Expr::Tuple(_));
    let help = match named {
        Some(Named::First | Named::Last) if argument == "identity" => {
            "remove it: the state of nothing is known, and an element to begin with is `init = (true, …)`"
                .to_owned()
        }
        Some(Named::First | Named::Last) if alone => format!("write `{argument} = (true, {shown})`"),
        Some(Named::Argmin | Named::Argmax) if alone => format!("write `{argument} = ({shown}, 0)`"),
        _ => format!("write `{argument} = {}`", example(ty, module)),
    };
    Expected { must, help }
}

/// What the state of an operator that makes one of its own consists of.
fn in_words(named: Named) -> Option<&'static str> {
    Some(match named {
        Named::First | Named::Last => "whether there is one, and it",
        Named::Argmin | Named::Argmax => "the value and its position",
        Named::Softmax => "the maximum and the total of the exponentials under it",
        Named::Welford => "the count, the mean and the sum of squared distances from it",
        Named::Affine => "a and b of x -> a * x + b",
        Named::Count => "how many there are",
        Named::Ballot => "a bit for each column",
        _ => return None,
    })
}

/// A value of the type, as it would be typed.
fn example(ty: &Ty, module: &Module) -> String {
    match ty {
        Ty::Scalar(Scalar::Bool) => "false".to_owned(),
        Ty::Scalar(scalar) if scalar.is_float() => "0.0".to_owned(),
        Ty::Scalar(_) => "0".to_owned(),
        Ty::Tuple(fields) => {
            let fields: Vec<String> = fields.iter().map(|ty| example(ty, module)).collect();
            format!("({})", fields.join(", "))
        }
        Ty::Struct(name) => {
            let fields = module.find_struct(name).map_or(&[][..], |known| &known.fields);
            let fields: Vec<String> = fields
                .iter()
                .map(|(field, ty)| format!("{field}: {}", example(ty, module)))
                .collect();
            format!("{name} {{ {} }}", fields.join(", "))
        }
    }
}
