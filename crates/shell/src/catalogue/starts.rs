//! What stands before the command in the operands of programs that start one.

mod far;
mod near;
mod nested;
mod rights;

use crate::unwrap::{Order, Outer, Syntax};

/// One program, or several that are written alike.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Starts {
    /// With blanks between them.
    pub(crate) names: &'static str,
    /// The words of the subcommand that does, with `|` between those that mean the same; none for a program without.
    pub(crate) path: Option<&'static str>,
    pub(crate) syntax: Syntax,
    pub(crate) order: Order,
    /// Operands before the command: a duration, a machine, a lock.
    pub(crate) before: usize,
    /// Those operands may be missing.
    pub(crate) loose: bool,
    /// Options may follow those operands.
    pub(crate) again: bool,
    /// Only what follows `--` is the command, when there is a `--`.
    pub(crate) before_dashes: bool,
    /// `NAME=value` may stand before the command.
    pub(crate) assigns: bool,
    /// Options whose value is the directory that the command runs in. Here and below: names with blanks between them.
    pub(crate) directory: &'static str,
    /// Options whose value is a text for a shell.
    pub(crate) script: &'static str,
    /// Options whose value is split and read as if it stood there.
    pub(crate) resplit: &'static str,
    /// Options with which nothing is started.
    pub(crate) nothing: &'static str,
    /// Options that do something beside starting the command.
    pub(crate) own: &'static str,
    pub(crate) tail: Tail,
    /// With [`Tail::Text`]: options with which no shell reads the operands.
    pub(crate) unjoined: &'static str,
    pub(crate) far: Far,
    pub(crate) outer: Outer,
}

/// What becomes of the operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tail {
    /// A program and its arguments.
    Words,
    /// Joined with blanks and given to a shell.
    Text,
    /// Each one is a text for a shell.
    Texts,
    /// Text when there is one, words when there are more.
    Either,
    /// Arguments of a shell.
    Shell,
    /// They are no command.
    Nothing,
    /// They follow the first word, which is an option's value.
    AfterScript,
}

/// Where the command runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Far {
    Here,
    Elsewhere,
}

/// Every table.
pub(super) const ROWS: &[&[Starts]] = &[near::ROWS, rights::ROWS, far::ROWS, nested::ROWS];

/// `/lib64/ld-linux-x86-64.so.2 PROGRAM`
pub(super) static LOADER: Starts = starts(
    "",
    "",
    "preload= library-path= audit= argv0= inhibit-cache inhibit-rpath= list verify glibc-hwcaps-prepend=",
);

/// Does something of its own.
const fn starts(names: &'static str, short: &'static str, long: &'static str) -> Starts {
    Starts {
        names,
        path: None,
        syntax: Syntax { short, long },
        order: Order::First,
        before: 0,
        loose: false,
        again: false,
        before_dashes: false,
        assigns: false,
        directory: "",
        script: "",
        resplit: "",
        nothing: "",
        own: "",
        tail: Tail::Words,
        unjoined: "",
        far: Far::Here,
        outer: Outer::Judged,
    }
}

/// Adds nothing of its own.
const fn passes(names: &'static str, short: &'static str, long: &'static str) -> Starts {
    Starts { outer: Outer::PassedThrough, ..starts(names, short, long) }
}

/// Somewhere else.
const fn far(names: &'static str, short: &'static str, long: &'static str) -> Starts {
    Starts { far: Far::Elsewhere, ..starts(names, short, long) }
}

/// What a row says beside that; each is the field of its name.
impl Starts {
    const fn after(self, path: &'static str) -> Self {
        Self { path: Some(path), ..self }
    }

    const fn any_order(self) -> Self {
        Self { order: Order::Any, ..self }
    }

    const fn before(self, before: usize) -> Self {
        Self { before, ..self }
    }

    const fn loose(self) -> Self {
        Self { loose: true, ..self }
    }

    const fn again(self) -> Self {
        Self { again: true, ..self }
    }

    const fn before_dashes(self) -> Self {
        Self { before_dashes: true, ..self }
    }

    const fn assigns(self) -> Self {
        Self { assigns: true, ..self }
    }

    const fn directory(self, directory: &'static str) -> Self {
        Self { directory, ..self }
    }

    const fn script(self, script: &'static str) -> Self {
        Self { script, ..self }
    }

    const fn resplit(self, resplit: &'static str) -> Self {
        Self { resplit, ..self }
    }

    const fn nothing(self, nothing: &'static str) -> Self {
        Self { nothing, ..self }
    }

    const fn own(self, own: &'static str) -> Self {
        Self { own, ..self }
    }

    const fn tail(self, tail: Tail) -> Self {
        Self { tail, ..self }
    }

    const fn unjoined(self, unjoined: &'static str) -> Self {
        Self { unjoined, ..self }
    }
}
