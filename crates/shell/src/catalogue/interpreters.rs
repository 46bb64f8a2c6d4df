//! How interpreters are told their program: the options of each language, and how its texts are read.

/// The language of a program text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    Shell,
    /// Its program is the first operand.
    Awk,
    Python,
    Perl,
    Ruby,
    Raku,
    Node,
    Php,
    Lua,
    R,
    Julia,
    Lisp,
    Other,
    /// Its texts are not looked into.
    Unread,
}

/// What differs between languages when tokens are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// `#` begins a comment.
    Hash,
    /// The same; `%w` and `qw` are lists, and a text between back quotes is run.
    Script,
    /// `//` begins a comment.
    Slashes,
    /// The same; `$x` in a text is filled in, and a text between back quotes is run.
    Dollars,
    /// `--` begins a comment.
    Dashes,
    /// `#` begins a comment and `/` a pattern where a value may stand.
    Awk,
}

/// The options of an interpreter. Letters are one text, long options have blanks between them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reads {
    pub(crate) style: Style,
    /// Letters that give code.
    pub(crate) code: &'static str,
    /// Long options that give code.
    pub(crate) long: &'static str,
    /// Letters and long options that take another value.
    pub(crate) valued: &'static str,
    pub(crate) long_valued: &'static str,
    /// Letters whose value is always glued: `-Mstrict`, `-i.bak`.
    pub(crate) glued: &'static str,
    /// Letters after which no program is read from stdin.
    pub(crate) nothing: &'static str,
    /// Options are whole words behind one dash, `-eval`, so letters do not stand together with others.
    pub(crate) words: bool,
}

const fn reads(style: Style, code: &'static str, long: &'static str) -> Reads {
    Reads { style, code, long, valued: "", long_valued: "", glued: "", nothing: "Vh", words: false }
}

impl Reads {
    const fn valued(self, valued: &'static str, long_valued: &'static str) -> Self {
        Self { valued, long_valued, ..self }
    }

    const fn nothing(self, nothing: &'static str) -> Self {
        Self { nothing, ..self }
    }
}

const PHP: &str = "--run --process-begin --process-code --process-end";
const LISP: &str = "--eval -eval --execute -execute --non-interactive-eval";
const OTHER: &str = "--eval -eval --eval-command --execute";

impl Language {
    /// How its programs are told what to run. A shell has a reader of its own.
    pub(crate) const fn reads(self) -> Reads {
        use Style::{Awk, Dashes, Dollars, Hash, Script, Slashes};
        match self {
            Self::Awk => reads(Awk, "e", "--source").valued("FvfEilW", ""),
            Self::Python => reads(Hash, "c", "").valued("WXQm", "").nothing("Vhm"),
            Self::Perl => Reads { glued: "MmxiFDC", ..reads(Script, "eE", "").valued("I", "").nothing("vVh") },
            Self::Ruby => Reads { glued: "xiFKT", ..reads(Script, "e", "eval").valued("rICE", "").nothing("h") },
            Self::Raku => reads(Script, "e", "").valued("IM", ""),
            Self::Node => Reads {
                words: true,
                ..reads(Slashes, "ep", "--eval --print eval")
                    .valued("rCl", "--require --import --loader --conditions")
                    .nothing("vh")
            },
            Self::Php => reads(Dollars, "rBRE", PHP).valued("dczSt", "--define --php-ini").nothing("vhimlswF"),
            Self::Lua => reads(Dashes, "e", "").valued("lj", "").nothing("v"),
            Self::R => reads(Hash, "e", "--eval"),
            Self::Julia => reads(Script, "eE", "--eval --print").valued("pLJtHC", ""),
            Self::Lisp => Reads { words: true, ..reads(Hash, "ecx", LISP).valued("lfL", "") },
            Self::Shell | Self::Other | Self::Unread => Reads { words: true, ..reads(Slashes, "ec", OTHER) },
        }
    }
}
