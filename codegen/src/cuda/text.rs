//! Text with indentation: what every part of the writer appends to.

/// A growing source text that knows how deep it stands.
#[derive(Debug, Default)]
pub(super) struct Text {
    lines: String,
    depth: usize,
}

/// Where an `else` began.
pub(super) struct Else(usize);

impl Text {
    /// One line at the current depth; an empty one is never indented.
    pub(super) fn line(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        if !line.is_empty() && !line.starts_with('#') {
            for _ in 0..self.depth {
                self.lines.push_str("  ");
            }
        }
        self.lines.push_str(line);
        self.lines.push('\n');
    }

    /// Comment lines, one for each line of `text`.
    pub(super) fn comment(&mut self, text: &str) {
        for line in text.lines() {
            self.line(format!("// {line}").trim_end());
        }
    }

    /// An empty line, unless one stands there already or a section has just been opened.
    pub(super) fn gap(&mut self) {
        if !self.lines.is_empty() && !self.lines.ends_with("\n\n") && !self.lines.ends_with("{\n") {
            self.lines.push('\n');
        }
    }

    /// `head {`, what `body` writes one step deeper, `tail`.
    pub(super) fn braces(&mut self, head: impl AsRef<str>, tail: &str, body: impl FnOnce(&mut Self)) {
        self.open(head);
        body(self);
        self.close(tail);
    }

    /// `head {`; the lines that follow stand one step deeper.
    pub(super) fn open(&mut self, head: impl AsRef<str>) {
        let head = head.as_ref();
        self.line(if head.is_empty() {
            "{".to_owned()
        } else {
            format!("{head} {{")
        });
        self.depth += 1;
    }

    /// The line that ends what [`Text::open`] began.
    pub(super) fn close(&mut self, tail: &str) {
        self.depth -= 1;
        self.line(tail);
    }

    /// `} else {`: ends one branch and begins the other, which [`Text::end_else`] ends.
    pub(super) fn begin_else(&mut self) -> Else {
        self.depth -= 1;
        let mark = Else(self.lines.len());
        self.line("} else {");
        self.depth += 1;
        mark
    }

    /// Ends the other branch. Where that is nothing but an `if`, the two lines become `} else if`.
    pub(super) fn end_else(&mut self, Else(mark): Else) {
        self.depth -= 1;
        let branch = self.lines.split_off(mark);
        let pad = "  ".repeat(self.depth + 1);
        let inner: Vec<&str> = branch.lines().skip(1).collect();
        let outermost = |line: &&&str| line.strip_prefix(&pad).is_some_and(|rest| !rest.starts_with(' '));
        let mut lines = inner.iter().filter(outermost).map(|line| &line[pad.len()..]);
        let only_an_if = lines.next().is_some_and(|line| line.starts_with("if ("))
            && lines.all(|line| line.starts_with("} else") || line == "}")
            && inner.iter().filter(|line| **line == format!("{pad}}}")).count() == 1;
        if !only_an_if {
            self.lines.push_str(&branch);
            return self.line("}");
        }
        for (i, line) in inner.iter().enumerate() {
            let line = &line[2..];
            if i == 0 {
                let (pad, condition) = line.split_at(self.depth * 2);
                self.lines.extend([pad, "} else ", condition, "\n"]);
            } else {
                self.lines.push_str(line);
                self.lines.push('\n');
            }
        }
    }

    /// The text so far.
    pub(super) fn finish(self) -> String {
        self.lines
    }
}

#[cfg(test)]
mod tests {
    use super::Text;

    #[test]
    fn an_else_that_is_only_an_if_joins_it() {
        let branch = |extra: &str| {
            let mut text = Text::default();
            text.open("if (a)");
            let first = text.begin_else();
            text.open("if (b)");
            let second = text.begin_else();
            text.line("c;");
            text.end_else(second);
            if !extra.is_empty() {
                text.line(extra);
            }
            text.end_else(first);
            text.finish()
        };
        assert_eq!(branch(""), "if (a) {\n} else if (b) {\n} else {\n  c;\n}\n");
        assert_eq!(
            branch("d;"),
            "if (a) {\n} else {\n  if (b) {\n  } else {\n    c;\n  }\n  d;\n}\n"
        );
    }

    #[test]
    fn lines_follow_the_depth_and_directives_do_not() {
        let mut text = Text::default();
        text.braces("struct Spec", "};", |text| {
            text.gap();
            text.line("int a;");
            text.gap();
            text.gap();
            text.line("#if A");
            text.comment("one\n\ntwo");
        });
        assert_eq!(
            text.finish(),
            "struct Spec {\n  int a;\n\n#if A\n  // one\n  //\n  // two\n};\n"
        );
    }
}
