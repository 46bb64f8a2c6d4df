//! Which program reads code of which language, and where in its words the code stands.

use super::tokens::Style;
use crate::command::{Command, Word};
use crate::unwrap::build::stdin;
use crate::unwrap::shells::{is_stdin, made};
use crate::unwrap::words::{cut_at, without};
use std::collections::HashMap;
use std::sync::LazyLock;

/// A language's programs and the options that give code.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) style: Style,
    programs: &'static [&'static str],
    /// Letters of options that give code, alone or last in a cluster.
    letters: &'static str,
    long: &'static [&'static str],
    /// Letters that take another value.
    valued: &'static str,
    code: Code,
}

/// Where code stands when no option gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Code {
    Stdin,
    /// awk: the first operand, unless a file is named.
    FirstOperand,
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
        style: Style::Awk,
        programs: &["awk", "gawk", "mawk", "nawk", "original-awk", "goawk", "igawk", "pgawk", "bwk"],
        letters: "e",
        long: &["--source"],
        valued: "FvfEilW",
        code: Code::FirstOperand,
    },
    Row {
        style: Style::Hash,
        programs: &["python", "pypy", "ipython", "jython", "micropython", "sage", "bpython"],
        letters: "c",
        long: &[],
        valued: "WXmQ",
        code: Code::Stdin,
    },
    Row { style: Style::Script, programs: &["perl"], letters: "eE", long: &[], valued: "IMmxCDT", code: Code::Stdin },
    Row {
        style: Style::Script,
        programs: &["ruby", "irb", "jruby", "mruby", "truffleruby", "crystal"],
        letters: "e",
        long: &["eval"],
        valued: "IrEKCT",
        code: Code::Stdin,
    },
    Row {
        style: Style::Script,
        programs: &["raku", "perl6"],
        letters: "e",
        long: &[],
        valued: "IM",
        code: Code::Stdin,
    },
    Row {
        style: Style::Slashes,
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
        code: Code::Stdin,
    },
    Row {
        style: Style::Dollars,
        programs: &["php"],
        letters: "rBRE",
        long: &["--run", "--process-begin", "--process-code", "--process-end"],
        valued: "dczfSt",
        code: Code::Stdin,
    },
    Row {
        style: Style::Dashes,
        programs: &["lua", "luajit", "texlua", "luatex", "nlua", "tarantool"],
        letters: "e",
        long: &[],
        valued: "lj",
        code: Code::Stdin,
    },
    Row {
        style: Style::Hash,
        programs: &["R", "Rscript", "littler", "r"],
        letters: "e",
        long: &["--eval"],
        valued: "",
        code: Code::Stdin,
    },
    Row {
        style: Style::Script,
        programs: &["julia"],
        letters: "eE",
        long: &["--eval", "--print"],
        valued: "pLJtHC",
        code: Code::Stdin,
    },
    Row {
        style: Style::Hash,
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
        code: Code::Stdin,
    },
    Row {
        style: Style::Slashes,
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
        code: Code::Stdin,
    },
];

/// The name without a version: `python` for `python3.12`.
fn plain(name: &str) -> &str {
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let short = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    if short.is_empty() { name } else { short }
}

/// The language of a program's code, and each code that it is given.
pub(super) fn codes(command: &Command) -> Option<(&'static Row, Vec<Word>)> {
    let name = command.program()?;
    let row = *BY_NAME.get(name).or_else(|| BY_NAME.get(plain(name)))?;
    let mut codes = Vec::new();
    let mut file = false;
    let mut words = command.operands().iter();
    while let Some(word) = words.next() {
        let text = word.prefix();
        if word.pieces.len() == 1 && row.long.contains(&text) {
            codes.extend(words.next().cloned());
        } else if let Some((_, value)) = cut_at(word, '=').filter(|(name, _)| row.long.contains(name)) {
            codes.push(value);
        } else if text == "--" && row.code == Code::FirstOperand {
            continue;
        } else if text == "--" || is_stdin(word) {
            break;
        } else if text.len() > 1 && text.starts_with('-') && !text.starts_with("--") {
            let mut value = false;
            for (at, letter) in text.char_indices().skip(1) {
                let last = at + letter.len_utf8() == text.len() && word.pieces.len() == 1;
                if row.letters.contains(letter) {
                    if last {
                        codes.extend(words.next().cloned());
                    } else if row.style != Style::Slashes || text.starts_with("-e") {
                        codes.push(without(word, at + letter.len_utf8()));
                        break;
                    }
                    continue;
                }
                if row.valued.contains(letter) {
                    file |= row.code == Code::FirstOperand && matches!(letter, 'f' | 'E');
                    value = last;
                    break;
                }
            }
            if value && name != "perl" {
                let read = words.next().is_some_and(is_stdin) && file;
                codes.extend(stdin(&command.input).filter(|_| read));
            }
        } else if made(word).is_some() && command.input.text.is_some() && codes.is_empty() {
            // A file that a substitution prints is handed over as the input.
            break;
        } else if !text.starts_with('-') {
            if row.code == Code::FirstOperand && codes.is_empty() && !file {
                codes.push(word.clone());
            }
            file = true;
            if codes.is_empty() {
                break;
            }
        }
    }
    if codes.is_empty() && !file {
        codes.extend(stdin(&command.input));
    }
    (!codes.is_empty()).then_some((row, codes))
}
