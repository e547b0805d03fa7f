//! The nearest of some names, for help lines.

/// The name that differs from `wrong` in the fewest letters, if it is near enough to be what was meant.
pub fn nearest<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = names
        .into_iter()
        .map(|name| (distance(wrong, name), name))
        .min()?;
    let limit = wrong.len().div_ceil(3);
    (near.0 <= limit).then_some(near.1)
}

/// Letters to insert, remove or change (Levenshtein's distance).
pub fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        assert_eq!(nearest("identiy", ["identity", "init"]), Some("identity"));
        assert_eq!(nearest("sqr", ["sqrt", "sin"]), Some("sqrt"));
        assert_eq!(nearest("frobnicate", ["sqrt", "sin"]), None);
    }
}
