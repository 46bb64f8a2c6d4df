//! What stands before the command in the operands of every wrapper that is known.

use crate::unwrap::Outer;
use crate::unwrap::scan::{Order, Syntax};
use std::collections::HashMap;
use std::sync::LazyLock;

mod far;
mod near;
mod rights;

/// One wrapper, or several that are written alike.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) names: &'static [&'static str],
    pub(super) syntax: Syntax,
    pub(super) order: Order,
    /// Operands before the command: a duration, a machine, a lock.
    pub(super) before: usize,
    /// Those operands may be missing.
    pub(super) loose: bool,
    /// Options may follow those operands.
    pub(super) again: bool,
    /// Only what follows `--` is the command, when there is a `--`.
    pub(super) before_dashes: bool,
    /// `NAME=value` may stand before the command.
    pub(super) assigns: bool,
    /// Options whose value is the directory that the command runs in. Here and below: names with blanks between them.
    pub(super) directory: &'static str,
    /// Options whose value is a text for a shell.
    pub(super) script: &'static str,
    /// Options whose value is a command split at blanks, without a shell.
    pub(super) words: &'static str,
    /// Options whose value is split and read as if it stood there.
    pub(super) resplit: &'static str,
    /// Options with which nothing is started.
    pub(super) nothing: &'static str,
    /// Options that do something beside starting the command.
    pub(super) own: &'static str,
    pub(super) tail: Tail,
    /// With [`Tail::Text`]: options with which no shell reads the operands.
    pub(super) unjoined: &'static str,
    pub(super) far: Far,
    pub(super) outer: Outer,
}

/// What becomes of the operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tail {
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
}

/// Where the command runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Far {
    Here,
    Elsewhere,
}

/// Adds nothing of its own.
const PASS: Row = Row {
    names: &[],
    syntax: Syntax { short: "", long: "help version" },
    order: Order::First,
    before: 0,
    loose: false,
    again: false,
    before_dashes: false,
    assigns: false,
    directory: "",
    script: "",
    words: "",
    resplit: "",
    nothing: "",
    own: "",
    tail: Tail::Words,
    unjoined: "",
    far: Far::Here,
    outer: Outer::PassedThrough,
};

/// Does something of its own.
const JUDGED: Row = Row { outer: Outer::Judged, ..PASS };

/// Somewhere else.
const FAR: Row = Row { far: Far::Elsewhere, ..JUDGED };

const fn syntax(short: &'static str, long: &'static str) -> Syntax {
    Syntax { short, long }
}

static BY_NAME: LazyLock<HashMap<&'static str, &'static Row>> = LazyLock::new(|| {
    let mut all = HashMap::new();
    for row in near::ROWS.iter().chain(rights::ROWS).chain(far::ROWS) {
        for name in row.names {
            all.entry(*name).or_insert(row);
        }
    }
    all
});

/// The row of a program.
pub(super) fn row(name: &str) -> Option<&'static Row> {
    if let Some(row) = BY_NAME.get(name) {
        return Some(row);
    }
    let loader = name.starts_with("ld-linux") || name.starts_with("ld-musl") || name.starts_with("ld.so");
    loader.then_some(&near::LOADER)
}

/// Every name.
#[cfg(test)]
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    near::ROWS.iter().chain(rights::ROWS).chain(far::ROWS).flat_map(|row| row.names.iter().copied())
}
