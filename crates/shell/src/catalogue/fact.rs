//! The facts of a row. Lists are one text: words with blanks between them, or `|` where an entry has blanks itself.

use super::interpreters::Language;

/// One thing that is known of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fact {
    /// Runs texts in this language.
    Speaks(Language),
    /// Runs text of its command line as code that may open files, whatever else it does.
    TakesCode,
    /// Runs anything that it is told, or changes what the next commands mean.
    RunsAnything,
    /// The same with one of these words.
    RunsAnythingWith(&'static str),
    /// Its first operand is a target of the project.
    RunsTargets,
    /// Gives the value of one of these options to a shell.
    ExecutesText(&'static str),
    /// Splits it at blanks and starts it.
    ExecutesWords(&'static str),
    /// Gives it to a shell that also gets the program's own stdin.
    ExecutesFed(&'static str),
    /// Prints what another machine sends.
    Client,
    /// Does so with one of these words, and prints completions or settings otherwise.
    ClientWith(&'static str),
    /// Saves what it fetches in the value of one of these options.
    SavesAs(&'static str),
    /// Saves it under the last name of the address, unless an option says where.
    SavesByAddress,
    /// The same with one of these options.
    SavesByAddressWith(&'static str),
    /// Copies to its last operand, after one of these subcommands when there are any; from elsewhere when another operand is
    /// an address or `host:path`.
    Copies(&'static str),
    /// When it needs the network.
    Needs(Needs),
    /// Prints what it decodes.
    Decodes,
    /// The same when an option says so.
    DecodesIfTold,
    /// The same with one of these words.
    DecodesWith(&'static str),
    /// Prints what it reads, changed.
    Filters,
    /// Only tells its version when it is asked with `--version` alone, or with one of these words alone.
    Version(&'static str),
    /// Which operands it changes.
    Changes(Changes),
    /// Made to write file systems, partition tables or whole devices.
    Formats,
    /// Does so with one of these words.
    FormatsWith(&'static str),
    /// Does so with any operand but one of these words, with which it only looks.
    FormatsUnless(&'static str),
    /// Its operands are devices, or files that hold what a device would.
    TakesImage,
    /// Made to run others as another user.
    Raises,
    /// The same with one of these words.
    RaisesWith(&'static str),
    /// Looks programs up, and asks whether they may be run.
    LooksUp,
    /// Switches the machine off.
    Power,
    /// The same with one of these words.
    PowerWith(&'static str),
}

/// When a program needs the network. Subcommands with `|` between them are its first words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needs {
    Always,
    With(&'static str),
    /// As [`Needs::With`], or with no subcommand at all.
    WithOrBare(&'static str),
    /// With one of these subcommands, unless the operand behind it is a local path.
    Remote(&'static str),
    /// When an operand is on another host: `host:path`.
    HostAndPath,
}

/// Which operands a program changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changes {
    /// Every one.
    Every,
    /// The last one, or what is put into it.
    Last,
    /// Every one, when an option says so: `-i`, `--write`.
    InPlace,
    /// Every one after one of these words, which have blanks between them.
    After(&'static str),
    /// What follows `of=`.
    Output,
}
