//! How messages write tokens and values: in the user's own notation.

use quote::ToTokens;

use crate::ir::Module;
use crate::literal;
use crate::value::Value;

/// Tokens as a user would type them, on one line.
pub fn tokens(tokens: impl ToTokens) -> String {
    let text = tokens.to_token_stream().to_string();
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let c = if c.is_whitespace() { ' ' } else { c };
        if c == ' '
            && (out.ends_with([' ', '(', '&', '.', '[']) || out.ends_with("::") || ends_with_sign(&out))
        {
            continue;
        }
        if matches!(c, ',' | ')' | ';' | '.' | '(' | ']' | ':') && out.ends_with(' ') && keep_space(&out, c) {
            out.pop();
        }
        out.push(c);
    }
    out
}

/// A type as a user would type it, in which `<` and `>` are brackets.
pub fn ty(ty: &syn::Type) -> String {
    let text = tokens(ty);
    text.replace(" <", "<").replace("< ", "<").replace(" >", ">")
}

/// Whether the text ends with a `-` or `!` that stands before its operand, not between two.
fn ends_with_sign(text: &str) -> bool {
    let before = text.strip_suffix(['-', '!']).map(str::trim_end);
    before.is_some_and(|before| {
        before.is_empty() || before.ends_with(['(', ',', '=', '|', '[', '+', '*', '/', '<', '>', '-'])
    })
}

/// Whether the space before `c` is to go.
fn keep_space(before: &str, c: char) -> bool {
    match c {
        '(' => before
            .trim_end()
            .ends_with(|c: char| c.is_alphanumeric() || c == '_'),
        '.' => !before.trim_end().ends_with(['=', '+', '*', '/', '-']),
        _ => true,
    }
}

/// A value as a user would write it, in the notation of attribute arguments.
pub fn value(value: &Value, module: &Module) -> String {
    match value {
        Value::Bool(v) => v.to_string(),
        Value::F16(v) => float(format!("{:?}", v.to_f32())),
        Value::Bf16(v) => float(format!("{:?}", v.to_f32())),
        Value::F32(v) => float(format!("{v:?}")),
        Value::F64(v) => float(format!("{v:?}")),
        Value::Tuple(fields) => {
            let list: Vec<String> = fields.iter().map(|f| self::value(f, module)).collect();
            if list.len() == 1 {
                format!("({},)", list[0])
            } else {
                format!("({})", list.join(", "))
            }
        }
        Value::Struct(name, fields) => {
            let names = module.find_struct(name).map_or(&[][..], |s| &s.fields);
            let list = names
                .iter()
                .zip(fields)
                .map(|((name, _), f)| format!("{name}: {}", self::value(f, module)));
            format!("{name} {{ {} }}", list.collect::<Vec<_>>().join(", "))
        }
        integer => literal::integer(integer).map_or_else(String::new, |i| i.to_string()),
    }
}

fn float(text: String) -> String {
    if text == "NaN" { "nan".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_read_as_they_were_typed() {
        let print = |text: &str| tokens(text.parse::<proc_macro2::TokenStream>().unwrap());
        for text in [
            "&f32",
            "f32::max(x, y)",
            "(a.0 + b) * 2",
            "xor(16)",
            "[f32; 4]",
            "-1.5",
        ] {
            assert_eq!(print(text), text);
        }
    }

    #[test]
    fn values_read_as_arguments_are_written() {
        let module = Module::default();
        let state = Value::Tuple(vec![
            Value::F32(f32::NEG_INFINITY),
            Value::U8(3),
            Value::F64(f64::NAN),
        ]);
        assert_eq!(value(&state, &module), "(-inf, 3, nan)");
    }
}
