//! Program code in operands, or on stdin, that starts commands.
//!
//! Nothing here parses a language. Calls that start processes are looked for among tokens, and what they are given is
//! folded when it is made of constants; a literal that is only printed is left alone.

use super::build::{Start, script, started, too_much};
use super::{Inner, Outer, Unwrapped};
use crate::command::{Command, Input, Origin, Trace, Via, Word};

mod awk;
mod calls;
mod fed;
mod fold;
mod says;
mod sed;
mod tcl;
mod tokens;
mod which;

pub(super) use says::says;

/// Code inside code that is followed.
const DEPTH: usize = 4;
/// What one command's code may start; more is refused.
const MOST: usize = 512;

/// What a language's tokens and calls look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Language {
    Python,
    Perl,
    Raku,
    Ruby,
    Javascript,
    Php,
    Lua,
    Tcl,
    R,
    Julia,
    Lisp,
    Other,
}

impl Language {
    /// Whether a text between back quotes is run.
    fn quotes_run(self) -> bool {
        matches!(self, Self::Perl | Self::Ruby | Self::Php | Self::Julia | Self::Raku)
    }

    fn style(self) -> tokens::Style {
        match self {
            Self::Javascript | Self::Php | Self::Other => tokens::Style::Slashes,
            Self::Lua => tokens::Style::Dashes,
            _ => tokens::Style::Script,
        }
    }

    /// Whether this language is meant by its name.
    fn is_named(self, names: &[&str]) -> bool {
        let own = match self {
            Self::Julia => "julia",
            Self::Lisp => "clojure",
            Self::Raku => return names.iter().any(|name| matches!(*name, "elixir" | "raku")),
            Self::Other => "elixir",
            _ => return false,
        };
        names.contains(&own)
    }
}

/// One code.
struct Code<'a> {
    language: Language,
    text: &'a str,
    /// The first line of a known stdin, which some programs read line by line.
    line: Option<&'a str>,
    depth: usize,
}

/// Something that code starts.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Found {
    /// A text for a shell.
    Text(Word),
    /// A text for a shell with this on its stdin.
    Fed { text: Word, input: Option<String> },
    /// A program and its arguments.
    Words(Vec<Word>),
    /// Code of the same language.
    Code(String),
}

impl Found {
    fn words<const N: usize>(words: [&str; N]) -> Self {
        Self::Words(words.into_iter().map(Word::text).collect())
    }
}

/// What a command's code starts.
pub(super) fn unwrap(command: &Command) -> Option<Unwrapped> {
    let name = command.program()?;
    let mut found = Vec::new();
    if awk::is_awk(name) {
        if let Some(program) = awk::program(command) {
            awk::find(command, &program.to_string(), &mut found);
        }
    } else if matches!(name, "sed" | "gsed" | "ssed") {
        sed::find(command, &mut found);
    } else {
        let (language, codes) = which::codes(command)?;
        for code in &codes {
            let text = code.to_string();
            let line = command.input.text.as_deref().and_then(|text| text.lines().next());
            let mut own = Vec::new();
            fed::find(command, code, &tokens::tokens(&text, language.style()), &mut own);
            for one in own {
                match one {
                    Found::Code(text) => read(&Code { language, text: &text, line, depth: DEPTH }, &mut found),
                    other => found.push(other),
                }
            }
            read(&Code { language, text: &text, line, depth: DEPTH }, &mut found);
        }
    }
    let all = found.len();
    let mut inner: Vec<Inner> = found.into_iter().take(MOST).filter_map(|one| one.inner(command, name)).collect();
    if all > MOST {
        inner.push(too_much(&Start::new(command, Via::Code(name.to_owned())).without_input()));
    }
    (!inner.is_empty()).then_some(Unwrapped { outer: Outer::Judged, inner })
}

/// The code that a program is given in its words.
pub(super) fn text(command: &Command) -> Option<Word> {
    let (_, codes) = which::codes(command)?;
    codes.into_iter().next()
}

/// More than is looked at: the whole is refused.
fn too_many(found: &mut Vec<Found>) {
    found.extend(std::iter::repeat_n(Found::Text(Word::text(":")), MOST + 1));
}

fn read(code: &Code<'_>, found: &mut Vec<Found>) {
    if code.language == Language::Tcl {
        tcl::find(code.text, found);
    }
    if code.language == Language::Lisp {
        // A list with a name first is a call: `(shell-command "…")`.
        tcl::lists(code.text, found);
    }
    for (_, rest) in
        code.text.match_indices("syscmd(").filter_map(|(at, _)| code.text.split_at_checked(at + 7)).take(MOST)
    {
        // m4 quotes with one mark of each kind.
        let own = rest.split(')').next().unwrap_or(rest);
        found.push(Found::Text(Word::text(own.trim_matches(['`', '\'', '"', ' ']))));
    }
    let tokens = tokens::tokens(code.text, code.language.style());
    if tokens.len() >= tokens::MOST {
        too_many(found);
        return;
    }
    if loops(&tokens) {
        found.push(Found::words([":fork-loop:"]));
    }
    let mut own = Vec::new();
    calls::find(code, &tokens, &mut own);
    for one in own {
        match one {
            Found::Code(text) if code.depth > 0 => {
                read(&Code { language: code.language, text: &text, line: code.line, depth: code.depth - 1 }, found);
            }
            other => found.push(other),
        }
        if found.len() > MOST {
            return;
        }
    }
}

/// A loop without end that forks.
fn loops(tokens: &[tokens::Token]) -> bool {
    use tokens::Token;
    let name = |wanted: &[&str]| {
        tokens.iter().any(|token| matches!(token, Token::Name(name) if wanted.contains(&name.as_str())))
    };
    let forks = name(&["fork", "pcntl_fork", "forkpty"]);
    let endless = tokens.windows(5).any(|five| {
        matches!(
            five,
            [Token::Name(word), Token::Mark('('), Token::Mark(';'), Token::Mark(';'), ..] if word == "for"
        )
    }) || tokens.windows(3).any(|three| match three {
        [Token::Name(word), first, second] if matches!(word.as_str(), "while" | "until") => {
            let value = if *first == Token::Mark('(') { second } else { first };
            matches!(value, Token::Number(number) if number != "0")
                || matches!(value, Token::Name(name) if matches!(name.as_str(), "True" | "true" | "TRUE" | "fork" | "os"))
                || *first == Token::Mark('(') && *second == Token::Mark(')')
        }
        _ => false,
    }) || name(&["loop", "forever", "repeat"])
        || matches!(tokens, [Token::Name(fork), Token::Name(until), ..] if fork == "fork" && matches!(until.as_str(), "while" | "until"));
    forks && endless
}

impl Found {
    fn inner(self, command: &Command, name: &str) -> Option<Inner> {
        let mut start = Start::new(command, Via::Code(name.to_owned())).without_input();
        match self {
            Self::Text(text) if text.literal() == Some("") => None,
            Self::Text(text) => Some(script(&start, text, Vec::new())),
            Self::Fed { text, input } => {
                let trace = if input.is_some() { Origin::Constant } else { Origin::Program };
                let mut trace = Trace::of(trace);
                trace.merge(&command.input.trace);
                start.input = Input { text: input, trace };
                Some(script(&start, text, Vec::new()))
            }
            Self::Words(words) => started(&start, words),
            Self::Code(_) => None,
        }
    }
}
