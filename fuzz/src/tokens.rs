//! Specs that are almost right, given to the compiler as rustc would.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use proc_macro2::{Span, TokenStream, TokenTree};
use warpfold_codegen::arguments::Attribute;
use warpfold_programs::Rng;

use crate::Tally;
use crate::mutate::mutated;

/// The longest that one spec may take: a build without optimisation, on a machine that does other things too.
const LONGEST: Duration = Duration::from_secs(10);

/// What begins the message of each law that does not hold.
const LAWS: [&str; 5] = [
    "the identity of ",
    " is not an identity of ",
    " is not associative: ",
    " does not commute: ",
    "is not the identity",
];

/// What the compiler did with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The text is no item under one of our attributes: rustc would not ask.
    NotAsked,
    /// It was refused, with its first message, for something that is looked at before the laws.
    Early(String),
    /// It was refused by a law.
    ByLaw,
    /// It was accepted.
    Accepted,
}

/// Gives one text to the compiler.
///
/// # Errors
///
/// What the compiler did that it never may: it panicked, took too long, pointed outside of the text, or wrote what is
/// not Rust.
pub fn run(text: &str) -> Result<Answer, String> {
    // Spans are kept for each text that was ever parsed on this thread; none is alive here.
    proc_macro2::extra::invalidate_current_thread_spans();
    let Some((attribute, args, item)) = text.parse().ok().and_then(taken_apart) else {
        return Ok(Answer::NotAsked);
    };
    let expanded = || {
        let start = Instant::now();
        let written = catch_unwind(AssertUnwindSafe(|| expand(attribute, args.clone(), item.clone())));
        written.map(|written| (written, start.elapsed()))
    };
    // The watch is on the wall: a machine that slept is given a second try.
    let written = expanded().and_then(|first| if first.1 > LONGEST { expanded() } else { Ok(first) });
    let (written, took) = written.map_err(|panic| format!("it panics: {}\n{text}", said(&*panic)))?;
    if took > LONGEST {
        return Err(format!("it takes {took:?}\n{text}"));
    }
    let errors = errors(written.clone());
    for error in &errors {
        pointed(error, text).map_err(|what| format!("{what}: {:?}\n{text}", error.message))?;
    }
    match errors.as_slice() {
        [] => syn::parse2::<syn::File>(written)
            .map(|_| Answer::Accepted)
            .map_err(|error| format!("what it writes is not Rust: {error}\n{text}")),
        [error] if LAWS.iter().any(|law| error.message.contains(law)) => Ok(Answer::ByLaw),
        [first, ..] => Ok(Answer::Early(first.message.clone())),
    }
}

/// `#[attribute(args)] item` as rustc hands it over.
fn taken_apart(tokens: TokenStream) -> Option<(Attribute, TokenStream, TokenStream)> {
    let mut tokens = tokens.into_iter();
    let TokenTree::Punct(hash) = tokens.next()? else {
        return None;
    };
    let TokenTree::Group(brackets) = tokens.next()? else {
        return None;
    };
    let mut inside = brackets.stream().into_iter();
    let TokenTree::Ident(name) = inside.next()? else {
        return None;
    };
    let args = match inside.next() {
        None => TokenStream::new(),
        Some(TokenTree::Group(args)) => args.stream(),
        Some(_) => return None,
    };
    let attribute = Attribute::from_name(&name.to_string())?;
    let item: TokenStream = tokens.collect();
    // rustc parses the item before it asks; what is no item at all it refuses by itself.
    let asked =
        hash.as_char() == '#' && inside.next().is_none() && syn::parse2::<syn::Item>(item.clone()).is_ok();
    asked.then_some((attribute, args, item))
}

fn expand(attribute: Attribute, args: TokenStream, item: TokenStream) -> TokenStream {
    match attribute {
        Attribute::Reduce => warpfold_codegen::warp_reduce(args, item),
        Attribute::Scan => warpfold_codegen::warp_scan(args, item),
        Attribute::Filter => warpfold_codegen::warp_filter(args, item),
        Attribute::Shuffle => warpfold_codegen::warp_shuffle(args, item),
        Attribute::Module => warpfold_codegen::warp_module(args, item),
    }
}

fn said(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("something that is no text")
}

/// A `compile_error!` among what was written.
#[derive(Debug)]
struct Reported {
    message: String,
    from: Span,
    to: Span,
}

fn errors(tokens: TokenStream) -> Vec<Reported> {
    let mut found = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(word) if word == "compile_error" => {
                let literal = tokens.by_ref().find_map(|token| match token {
                    TokenTree::Group(group) => group.stream().into_iter().next(),
                    _ => None,
                });
                let literal = literal.map(|literal| (literal.to_string(), literal.span()));
                let (message, to) = literal.unwrap_or_else(|| (String::new(), word.span()));
                found.push(Reported {
                    message,
                    from: word.span(),
                    to,
                });
            }
            TokenTree::Group(group) => found.extend(errors(group.stream())),
            _ => {}
        }
    }
    found
}

/// The error says something and points into the text. It may point at the whole attribute, which has no place in its
/// tokens, where something is missing from it.
fn pointed(error: &Reported, text: &str) -> Result<(), String> {
    if error.message.len() < 10 || error.message.contains("cannot be understood") {
        return Err("an error says nothing".to_owned());
    }
    let (from, to) = (error.from.byte_range(), error.to.byte_range());
    let whole = from.is_empty() && to.is_empty();
    let inside = !from.is_empty() && !to.is_empty() && from.start < to.end && to.end <= text.len();
    let own = |span: Span| span.source_text().is_none_or(|own| text.contains(&own));
    if whole || (inside && own(error.from) && own(error.to)) {
        Ok(())
    } else {
        Err(format!("an error points to {from:?} to {to:?} of {}", text.len()))
    }
}

/// Texts to begin with, by file.
#[derive(Clone, Debug, Default)]
pub struct Corpus {
    /// Specs that are right: the goldens, and a few more.
    pub right: Vec<(String, String)>,
    /// Texts that were answered wrongly once.
    pub wrong: Vec<(String, String)>,
}

impl Corpus {
    /// Reads it from the root of the workspace.
    ///
    /// # Panics
    ///
    /// Where it cannot be read.
    pub fn read(root: &Path) -> Self {
        let mut right = texts(root, "codegen/tests/goldens");
        right.extend(texts(root, "fuzz/corpus/right"));
        Self {
            right,
            wrong: texts(root, "fuzz/corpus/wrong"),
        }
    }

    /// One of the texts, mostly a right one.
    fn pick(&self, rng: &mut Rng) -> TokenStream {
        let from = if rng.chance(4) { &self.wrong } else { &self.right };
        let (_, text) = rng.pick(from);
        text.parse().expect("the corpus is Rust")
    }
}

fn texts(root: &Path, folder: &str) -> Vec<(String, String)> {
    let entries = fs::read_dir(root.join(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
    let mut texts: Vec<_> = entries
        .map(|entry| entry.expect("a folder can be read to its end").path())
        .filter(|path| path.extension().is_some_and(|end| end == "rs"))
        .map(|path| {
            let text =
                fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            (format!("{}", path.display()), text)
        })
        .collect();
    texts.sort();
    texts
}

/// The text of a run: one of the corpus, changed.
pub fn text(number: u64, corpus: &Corpus) -> String {
    let mut rng = Rng::new(number);
    let (spec, other) = (corpus.pick(&mut rng), corpus.pick(&mut rng));
    mutated(spec, &other, &mut rng).to_string()
}

/// Runs the texts of some numbers.
pub fn campaign(numbers: std::ops::Range<u64>, corpus: &Corpus) -> Tally {
    let mut tally = Tally::default();
    for number in numbers {
        match run(&text(number, corpus)) {
            Ok(Answer::NotAsked) => continue,
            Ok(Answer::Early(_)) => {}
            Ok(Answer::ByLaw | Answer::Accepted) => tally.reached += 1,
            Err(fault) => tally.faults.push((number, fault)),
        }
        tally.runs += 1;
    }
    tally
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many runs a test does: what a debug build does in some ten seconds.
    const RUNS: u64 = 5_000;

    fn root() -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
    }

    #[test]
    fn what_is_right_is_accepted_and_what_was_wrong_is_answered() {
        let corpus = Corpus::read(&root());
        for (right, (name, text)) in [(true, &corpus.right), (false, &corpus.wrong)]
            .into_iter()
            .flat_map(|(right, texts)| texts.iter().map(move |text| (right, text)))
        {
            let answer = run(text).unwrap_or_else(|fault| panic!("{name}: {fault}"));
            assert_ne!(answer, Answer::NotAsked, "{name}");
            assert_eq!(answer == Answer::Accepted, right, "{name}: {answer:?}");
        }
    }

    #[test]
    fn specs_that_are_almost_right_are_answered() {
        let corpus = Corpus::read(&root());
        let tally = campaign(0..RUNS, &corpus);
        println!("{tally}");
        assert!(tally.faults.is_empty(), "{tally}");
        assert!(tally.percent_reached() >= 30, "too few reach the laws: {tally}");
    }

    #[test]
    fn laws_and_early_errors_are_told_apart() {
        let answer = |text: &str| run(text).unwrap();
        let spec = |args: &str| format!("#[warp_reduce({args})] fn f(x: f32) -> f32 {{ x }}");
        assert_eq!(answer(&spec("op = max")), Answer::Accepted);
        assert_eq!(answer(&spec("op = |p, q| p - q, identity = 0")), Answer::ByLaw);
        assert_eq!(answer(&spec("op = |p, q| p + q, identity = 1")), Answer::ByLaw);
        assert_eq!(answer(&spec("op = max, identity = 0")), Answer::ByLaw);
        assert!(matches!(answer(&spec("op = larger")), Answer::Early(message) if message.contains("larger")));
        assert_eq!(answer("#[other] fn f() {}"), Answer::NotAsked);
    }

    #[test]
    fn an_error_that_points_elsewhere_is_a_fault() {
        let elsewhere: TokenStream = "a_long_text_of_something_else".parse().unwrap();
        let span = elsewhere.into_iter().next().unwrap().span();
        let error = |message: &str| Reported {
            message: message.to_owned(),
            from: span,
            to: span,
        };
        assert!(pointed(&error("a message of some length"), "fn short() {}").is_err());
        assert!(pointed(&error("?"), "a_long_text_of_something_else").is_err());
        assert!(
            pointed(
                &error("a message of some length"),
                "a_long_text_of_something_else"
            )
            .is_ok()
        );
    }
}
