//! Evaluates the conditions of emitted steps: `lane + 4 < live`, `((lane + 5) & 7) < 8`, `lane >= 3 && lane - 3 < live`.

/// Whether a condition holds in a lane, in the arithmetic of `u32`.
pub fn holds(condition: &str, lane: u32, live: u32) -> bool {
    condition.split(" && ").all(|part| compare(part, lane, live))
}

fn compare(part: &str, lane: u32, live: u32) -> bool {
    if let Some((a, b)) = part.split_once(" >= ") {
        value(a, lane, live) >= value(b, lane, live)
    } else {
        let (a, b) = part.split_once(" < ").expect("a condition compares");
        value(a, lane, live) < value(b, lane, live)
    }
}

/// Binary operators stand in parentheses unless they are outermost.
fn value(text: &str, lane: u32, live: u32) -> u32 {
    let text = text.trim();
    let text = match text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        Some(inner) if balanced(inner) => inner,
        _ => text,
    };
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            '+' | '-' | '^' | '&' if depth == 0 => {
                let (a, b) = (value(&text[..at], lane, live), value(&text[at + 1..], lane, live));
                return match c {
                    '+' => a.wrapping_add(b),
                    '-' => a.wrapping_sub(b),
                    '^' => a ^ b,
                    _ => a & b,
                };
            }
            _ => {}
        }
    }
    match text {
        "lane" => lane,
        "live" => live,
        number => number.parse().expect("a number"),
    }
}

/// Whether no parenthesis closes before it opens.
fn balanced(text: &str) -> bool {
    let mut depth = 0;
    text.chars().all(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth >= 0
    })
}

#[test]
fn conditions_are_evaluated_as_c_does() {
    assert!(holds("lane + 4 < live", 3, 8));
    assert!(!holds("lane + 4 < live", 4, 8));
    assert!(holds("((lane + 5) & 7) < live", 6, 4));
    assert!(!holds("lane >= 3 && lane - 3 < live", 2, 8));
    assert!(holds("(lane ^ 1) < 2", 0, 32));
}
