//! Which program reads code of which language, and where in its words the code stands.

use super::Language;
use crate::command::{Command, Word};
use crate::unwrap::build::stdin;
use crate::unwrap::shells::{is_stdin, made};
use crate::unwrap::words::{cut_at, without};
use std::collections::HashMap;
use std::sync::LazyLock;

/// A language's programs and the options that give code.
struct Row {
    language: Language,
    programs: &'static [&'static str],
    /// Letters, alone or last in a cluster.
    letters: &'static str,
    long: &'static [&'static str],
    /// Letters that take another value.
    valued: &'static str,
    /// Whether stdin is the program when no file is named.
    stdin: bool,
}

/// The rows by the names of their programs: every command is asked for.
static BY_NAME: LazyLock<HashMap<&'static str, &'static Row>> = LazyLock::new(|| {
    let mut all = HashMap::new();
    for row in ROWS {
        for name in row.programs {
            all.entry(*name).or_insert(row);
        }
    }
    all
});

static ROWS: &[Row] = &[
    Row {
        language: Language::Python,
        programs: &["python", "pypy", "ipython", "jython", "micropython", "sage", "bpython"],
        letters: "c",
        long: &[],
        valued: "WXmQ",
        stdin: true,
    },
    Row { language: Language::Perl, programs: &["perl"], letters: "eE", long: &[], valued: "IMmxCDT", stdin: true },
    Row {
        language: Language::Ruby,
        programs: &["ruby", "irb", "jruby", "mruby", "truffleruby", "crystal"],
        letters: "e",
        long: &["eval"],
        valued: "IrEKCT",
        stdin: true,
    },
    Row { language: Language::Raku, programs: &["raku", "perl6"], letters: "e", long: &[], valued: "IM", stdin: true },
    Row {
        language: Language::Javascript,
        programs: &[
            "node",
            "nodejs",
            "deno",
            "bun",
            "qjs",
            "d8",
            "js",
            "rhino",
            "jjs",
            "ts-node",
            "tsx",
            "osascript",
            "zx",
            "mongo",
            "mongosh",
            "phantomjs",
            "coffee",
        ],
        letters: "ep",
        long: &["--eval", "--print", "eval"],
        valued: "rlCi",
        stdin: true,
    },
    Row {
        language: Language::Php,
        programs: &["php"],
        letters: "rBRE",
        long: &["--run", "--process-begin", "--process-code", "--process-end"],
        valued: "dczfSt",
        stdin: true,
    },
    Row {
        language: Language::Lua,
        programs: &["lua", "luajit", "texlua", "luatex", "nlua", "tarantool"],
        letters: "e",
        long: &[],
        valued: "lj",
        stdin: true,
    },
    Row {
        language: Language::Tcl,
        programs: &["tclsh", "wish", "expect", "jimsh"],
        letters: "c",
        long: &[],
        valued: "f",
        stdin: true,
    },
    Row {
        language: Language::R,
        programs: &["R", "Rscript", "littler", "r"],
        letters: "e",
        long: &["--eval"],
        valued: "",
        stdin: true,
    },
    Row {
        language: Language::Julia,
        programs: &["julia"],
        letters: "eE",
        long: &["--eval", "--print"],
        valued: "pLJtHC",
        stdin: true,
    },
    Row {
        language: Language::Lisp,
        programs: &[
            "emacs",
            "emacsclient",
            "guile",
            "racket",
            "sbcl",
            "clisp",
            "clojure",
            "clj",
            "bb",
            "janet",
            "csi",
            "gsi",
            "chez",
            "scheme",
            "fennel",
            "newlisp",
            "ecl",
        ],
        letters: "ecx",
        long: &["--eval", "-eval", "--execute", "-execute", "--non-interactive-eval"],
        valued: "lfL",
        stdin: true,
    },
    Row {
        language: Language::Other,
        programs: &[
            "groovy",
            "groovysh",
            "scala",
            "kotlin",
            "kotlinc",
            "elixir",
            "iex",
            "erl",
            "ghc",
            "runghc",
            "ghci",
            "ocaml",
            "swift",
            "octave",
            "gnuplot",
            "jshell",
            "dotnet-script",
            "csharp",
            "fsi",
            "nim",
            "v",
            "pike",
            "io",
            "m4",
            "maxima",
            "sage",
            "gawk-script",
            "nvim-lua",
            "escript",
            "stap",
            "bpftrace",
        ],
        letters: "e",
        long: &["--eval", "-eval", "--eval-command", "--execute"],
        valued: "",
        stdin: true,
    },
];

/// The name without a version: `python` for `python3.12`.
fn plain(name: &str) -> &str {
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let short = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    if short.is_empty() { name } else { short }
}

/// The language of a program's code, and each code that it is given.
pub(super) fn codes(command: &Command) -> Option<(Language, Vec<Word>)> {
    let name = command.program()?;
    let row = BY_NAME.get(name).or_else(|| BY_NAME.get(plain(name)))?;
    let mut codes = Vec::new();
    let mut file = false;
    let mut words = command.operands().iter();
    while let Some(word) = words.next() {
        let text = word.prefix();
        if word.pieces.len() == 1 && row.long.contains(&text) {
            codes.extend(words.next().cloned());
        } else if let Some((_, value)) = cut_at(word, '=').filter(|(name, _)| row.long.contains(name)) {
            codes.push(value);
        } else if text == "--" || is_stdin(word) {
            break;
        } else if text.len() > 1 && text.starts_with('-') && !text.starts_with("--") {
            let mut value = false;
            for (at, letter) in text.char_indices().skip(1) {
                let last = at + letter.len_utf8() == text.len() && word.pieces.len() == 1;
                if row.letters.contains(letter) {
                    if last {
                        codes.extend(words.next().cloned());
                    } else if row.language != Language::Javascript || text.starts_with("-e") {
                        codes.push(without(word, at + letter.len_utf8()));
                        break;
                    }
                    continue;
                }
                if row.valued.contains(letter) {
                    value = last;
                    break;
                }
            }
            if value && row.language != Language::Perl {
                words.next();
            }
        } else if made(word).is_some() && command.input.text.is_some() && codes.is_empty() {
            // A file that a substitution prints is handed over as the input.
            break;
        } else if !text.starts_with('-') {
            file = true;
            if codes.is_empty() {
                break;
            }
        }
    }
    if codes.is_empty() && !file && row.stdin {
        codes.extend(stdin(&command.input));
    }
    (!codes.is_empty()).then_some((row.language, codes))
}
