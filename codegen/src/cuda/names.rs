//! Names: the user's are kept wherever C++ and CUDA allow it.

use std::collections::HashSet;
use std::fmt::Write as _;

/// Words that C++, CUDA or the emitted text itself has taken.
#[rustfmt::skip]
const RESERVED: [&str; 107] = [
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch",
    "char", "char16_t", "char32_t", "char8_t", "class", "co_await", "co_return", "co_yield", "compl", "concept",
    "const", "const_cast", "consteval", "constexpr", "constinit", "continue", "decltype", "default", "delete", "do",
    "double", "dynamic_cast", "else", "enum", "explicit", "export", "extern", "false", "float", "for", "friend",
    "goto", "if", "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr",
    "operator", "or", "or_eq", "private", "protected", "public", "register", "reinterpret_cast", "requires",
    "return", "short", "signed", "sizeof", "static", "static_assert", "static_cast", "struct", "switch", "template",
    "this", "thread_local", "throw", "true", "try", "typedef", "typeid", "typename", "union", "unsigned", "using",
    "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq", "threadIdx", "blockIdx", "blockDim",
    "gridDim", "warpSize", "assert", "NULL", "linux", "unix", "i386", "main", "wf", "wf_spec", "WF_FN", "WF_REDUX",
];

/// The names of one scope of the emitted text.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    taken: HashSet<String>,
}

impl Names {
    /// A scope in which these names mean something already.
    pub(super) fn with(taken: &[&str]) -> Self {
        Names {
            taken: taken.iter().map(|&name| name.to_owned()).collect(),
        }
    }

    /// The name to use for the user's `rust`: itself if it is free and legal, else the nearest that is.
    pub(super) fn fresh(&mut self, rust: &str) -> String {
        let mut name = legal(rust);
        if RESERVED.contains(&name.as_str()) {
            name.push('_');
        }
        let mut candidate = name.clone();
        let mut count = 2;
        while !self.taken.insert(candidate.clone()) {
            let separator = if name.ends_with('_') { "" } else { "_" };
            candidate = format!("{name}{separator}{count}");
            count += 1;
        }
        candidate
    }
}

/// An identifier of C++ that nobody but the user may have: no `__`, no `_Upper`, only ASCII.
fn legal(rust: &str) -> String {
    let rust = rust.strip_prefix("r#").unwrap_or(rust);
    let mut name = String::with_capacity(rust.len());
    for c in rust.chars() {
        if c == '_' && name.ends_with('_') {
            continue;
        }
        if c.is_ascii_alphanumeric() || c == '_' {
            name.push(c);
        } else {
            let _ = write!(name, "u{:x}", c as u32);
        }
    }
    let reserved = name
        .strip_prefix('_')
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()));
    if reserved || name == "_" {
        format!("v{name}")
    } else {
        name
    }
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn free_names_stay_and_taken_ones_move_a_little() {
        let mut names = Names::with(&["row"]);
        let given = [
            "x",
            "float",
            "row",
            "x",
            "x",
            "threadIdx",
            "r#type",
            "__a",
            "_B",
            "naïve",
            "_",
            "float",
        ];
        let got: Vec<String> = given.iter().map(|name| names.fresh(name)).collect();
        let wanted = [
            "x",
            "float_",
            "row_2",
            "x_2",
            "x_3",
            "threadIdx_",
            "type",
            "_a",
            "v_B",
            "nauefve",
            "v_",
            "float_2",
        ];
        assert_eq!(got, wanted);
    }
}
