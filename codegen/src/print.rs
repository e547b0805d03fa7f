//! How messages write tokens and values: in the user's own notation.

use quote::ToTokens;

use crate::value::Value;

/// Tokens as a user would type them, on one line.
pub fn tokens(tokens: impl ToTokens) -> String {
    let text = tokens.to_token_stream().to_string();
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let c = if c.is_whitespace() { ' ' } else { c };
        if c == ' ' && (out.ends_with([' ', '(', '&', '.', '[']) || out.ends_with("::")) {
            continue;
        }
        if matches!(c, ',' | ')' | ';' | '.' | '(' | ']' | ':') && out.ends_with(' ') && keep_space(&out, c) {
            out.pop();
        }
        out.push(c);
    }
    out
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

/// A value as a user would write it.
pub fn value(value: &Value) -> String {
    match value {
        Value::Bool(v) => v.to_string(),
        Value::I8(v) => v.to_string(),
        Value::I16(v) => v.to_string(),
        Value::I32(v) => v.to_string(),
        Value::I64(v) => v.to_string(),
        Value::U8(v) => v.to_string(),
        Value::U16(v) => v.to_string(),
        Value::U32(v) => v.to_string(),
        Value::U64(v) => v.to_string(),
        Value::F16(v) => float(format!("{:?}", v.to_f32())),
        Value::Bf16(v) => float(format!("{:?}", v.to_f32())),
        Value::F32(v) => float(format!("{v:?}")),
        Value::F64(v) => float(format!("{v:?}")),
        Value::Tuple(fields) if fields.len() == 1 => format!("({},)", self::value(&fields[0])),
        Value::Tuple(fields) => format!("({})", list(fields)),
        Value::Struct(name, fields) => format!("{name}({})", list(fields)),
    }
}

fn list(values: &[Value]) -> String {
    values.iter().map(value).collect::<Vec<_>>().join(", ")
}

fn float(text: String) -> String {
    if text == "NaN" { "nan".to_owned() } else { text }
}
