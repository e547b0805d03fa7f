//! Text with indentation: what every part of the writer appends to.

/// A growing source text that knows how deep it stands.
#[derive(Debug, Default)]
pub(super) struct Text {
    lines: String,
    depth: usize,
}

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

    /// The lines that follow stand one step deeper; [`Text::close`] ends that.
    pub(super) fn indent(&mut self) {
        self.depth += 1;
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
