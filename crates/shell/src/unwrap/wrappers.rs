//! Programs that start the command given in their operands: the reader of the catalogue's rows about them.

use super::build::{Start, joined, script, started, stdin};
use super::words::{cut_at, join, moved, replaced, split};
use super::{Inner, Outer, Unwrapped};
use crate::catalogue::{Starts, Tail, starts};
use crate::command::{Assignment, Command, Directory, Surroundings, Via, Word};
use crate::options::{Given, Kind, Order, readings};
use std::path::Path;

mod mounts;

/// How often `env -S` may stand inside itself.
const NESTED: usize = 4;

/// Whether a program starts its operands without a subcommand.
pub(super) fn knows(name: &str) -> bool {
    starts(name).iter().any(|row| row.path.is_empty())
}

/// What a program of the catalogue starts.
pub(super) fn unwrap(command: &Command, surroundings: &Surroundings) -> Option<Unwrapped> {
    let name = command.program()?;
    let (mut outer, mut found) = (Outer::PassedThrough, Vec::new());
    for row in starts(name) {
        let Some(rest) = after(command.operands(), row.path) else { continue };
        let mut all = readings(rest, &row.options, row.order);
        if row.order == Order::Anywhere && row.tail != Tail::Texts {
            // What looks like the program's own option may be the command's.
            all.extend(readings(rest, &row.options, Order::First));
        }
        let via = if row.far { Via::Elsewhere } else { Via::Wrapper };
        for reading in all.iter().filter(|reading| !reading.has(row.nothing)) {
            if row.outer == Outer::Judged || reading.doubt.is_some() || reading.has(row.own) {
                outer = Outer::Judged;
            }
            let home = surroundings.home.as_deref();
            Reader { row, home, found: &mut found }.read(reading, Start::new(command, via(name.to_owned())));
        }
    }
    if name == "git" {
        let repositories = command.operands().iter().filter(|word| word.prefix().starts_with("ext::"));
        let start = Start::new(command, Via::Wrapper(name.to_owned()));
        found.extend(repositories.map(|word| script(&start, super::words::without(word, 5), Vec::new())));
    }
    found.dedup();
    Unwrapped::of(outer, found)
}

/// What follows the subcommand where it stands first; options of the program itself may stand before it.
fn after<'a>(words: &'a [Word], path: &str) -> Option<&'a [Word]> {
    let behind = |path: &str| {
        path.split(' ').filter(|step| !step.is_empty()).try_fold(words, |rest, step| {
            let at = rest.iter().position(|word| word.literal() == Some(step))?;
            let operands = rest.iter().take(at).filter(|word| !word.prefix().starts_with('-')).count();
            // Each option before it may have a value.
            (step.starts_with('-') || operands * 2 <= at + 1).then(|| rest.get(at + 1..).unwrap_or_default())
        })
    };
    path.split('|').filter_map(behind).max_by_key(|rest| rest.len())
}

struct Reader<'r> {
    row: &'r Starts,
    home: Option<&'r Path>,
    found: &'r mut Vec<Inner>,
}

impl Reader<'_> {
    fn read(&mut self, reading: &Given<'_>, mut start: Start<'_>) {
        let row = self.row;
        let outside = start.directory.clone();
        for to in reading.of(Kind::Directory) {
            start.directory = moved(&start.directory, to, self.home);
        }
        self.scripts(reading, &start);
        let mut operands = reading.operands.as_ref();
        if reading.used.last().is_some_and(|used| used.kind == Kind::Split) {
            let words = reading.of(Kind::Split).chain(operands).cloned().collect::<Vec<_>>();
            self.split(&words, start);
            return;
        }
        if row.loose && row.before > 0 {
            self.tail(&start, reading, operands);
        }
        let dashes = reading.dashes.filter(|dashes| row.tail != Tail::Texts && *dashes >= row.before);
        operands = operands.get(dashes.unwrap_or(row.before)..).unwrap_or_default();
        let late;
        if row.again && operands.first().is_some_and(|word| word.prefix().starts_with('-')) {
            late = readings(operands, &row.options, row.order).into_iter().next().unwrap_or_default();
            self.scripts(&late, &start);
            operands = &late.operands;
        }
        while let Some((name, value)) = operands.first().filter(|_| row.assigns).and_then(assigned_to_any) {
            if let Some(function) = name.strip_prefix("BASH_FUNC_") {
                // A shell that finds this takes it for a function of that name.
                let function = function.trim_end_matches(['%', '(', ')']);
                let text =
                    join([&Word::text(format!("{function} ")), &value, &Word::text(format!("\n{function}"))], "");
                self.found.push(script(&start, text, Vec::new()));
            }
            start.assignments.push(Assignment { name: name.to_owned(), value });
            operands = operands.get(1..).unwrap_or_default();
        }
        if operands.first().and_then(Word::literal) == Some("--") {
            operands = operands.get(1..).unwrap_or_default();
        }
        let program = reading.of(Kind::Program).next();
        let whole = || program.into_iter().chain(operands);
        let mounts = mounts::of(reading.of(Kind::Mount));
        if !mounts.is_empty() {
            // The command with its paths as this machine names them.
            let to = reading.of(Kind::Directory).next().map(|to| mounts::outside(&mounts, to));
            let directory = to.map_or(Directory::Unknown, |to| moved(&outside, &to, self.home));
            let words = whole().map(|word| mounts::outside(&mounts, word)).collect();
            self.found.extend(started(&Start { directory, ..start.clone() }, words));
        }
        if program.is_none() {
            self.tail(&start, reading, operands);
        } else {
            self.found.extend(started(&start, whole().cloned().collect()));
        }
    }

    fn scripts(&mut self, reading: &Given<'_>, start: &Start<'_>) {
        self.found.extend(reading.of(Kind::Script).map(|text| script(start, text.clone(), Vec::new())));
    }

    /// `env -S`: the first word is split at blanks and read in front of the others.
    fn split(&mut self, words: &[Word], mut start: Start<'_>) {
        let Some((first, rest)) = words.split_first() else { return };
        let Some(known) = first.literal().filter(|text| !text.contains("${")) else {
            // A shell puts the same values in their places.
            self.found.push(script(&start, join(words, " "), Vec::new()));
            return;
        };
        // `\c` ends the value.
        let known = known.split("\\c").next().unwrap_or(known);
        let words: Vec<Word> = split(known).into_iter().map(Word::text).chain(rest.iter().cloned()).collect();
        if start.depth == NESTED {
            self.found.extend(started(&start, start.outer.words.iter().take(1).chain(&words).cloned().collect()));
            return;
        }
        start.depth += 1;
        for reading in readings(&words, &self.row.options, self.row.order) {
            self.read(&reading, start.clone());
        }
    }

    fn tail(&mut self, start: &Start<'_>, reading: &Given<'_>, operands: &[Word]) {
        let each = |text: &Word| script(start, text.clone(), Vec::new());
        match self.row.tail {
            Tail::Nothing => {}
            // A machine and no command: its shell reads stdin.
            Tail::Text if operands.is_empty() => {
                let text = stdin(&start.input).filter(|_| self.row.far && !reading.operands.is_empty());
                self.found.extend(text.map(|text| script(&start.clone().without_input(), text, Vec::new())));
            }
            _ if operands.is_empty() => {}
            Tail::Text if !reading.has(self.row.unjoined) => self.found.push(joined(start, operands)),
            Tail::Texts => self.found.extend(operands.iter().map(each)),
            Tail::Typed => self.found.push(typed(start, operands)),
            Tail::Shell => {
                self.found.extend(started(start, [&[Word::text("sh")], operands].concat()));
            }
            // With one operand it may be a whole text, with more it is a program and its arguments.
            Tail::Either if operands.len() == 1 => {
                self.found.push(joined(start, operands));
                self.found.extend(started(start, operands.to_vec()));
            }
            Tail::Words | Tail::Text | Tail::Either => self.found.extend(started(start, operands.to_vec())),
        }
    }
}

/// `NAME=value` as the kernel takes it: any name will do.
fn assigned_to_any(word: &Word) -> Option<(&str, Word)> {
    cut_at(word, '=').filter(|(name, _)| !name.is_empty() && !name.starts_with('-'))
}

/// What is typed into a terminal: the names of keys end a line.
fn typed(start: &Start<'_>, keys: &[Word]) -> Inner {
    let key = |word: &Word| match word.literal() {
        Some("Enter" | "C-m" | "KPEnter" | "C-j") => Word::text("\n"),
        Some("Space") => Word::text(" "),
        _ => {
            ["^M", "\\n", "\\015", "\r"].iter().fold(word.clone(), |word, end| replaced(&word, end, &Word::text("\n")))
        }
    };
    script(&start.clone().without_input(), join(&keys.iter().map(key).collect::<Vec<_>>(), ""), Vec::new())
}
