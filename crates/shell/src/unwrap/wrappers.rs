//! Programs that start the command given in their operands: one table, and the one reader of it.

use super::build::{Start, joined, script, started, stdin};
use super::scan::{Order, Scan, scan};
use super::words::{cut_at, join, moved};
use super::{Outer, Unwrapped};
use crate::catalogue::{self, Far, Starts, Tail};
use crate::command::{Assignment, Command, Surroundings, Via, Word};

mod parted;

use parted::{parted, quoted};

/// How often `env -S` may stand inside itself.
const NESTED: usize = 4;

/// Whether the table has a program of this name.
pub(super) fn knows(name: &str) -> bool {
    row(name).is_some()
}

fn row(name: &str) -> Option<&'static Starts> {
    catalogue::starts(name).find(|row| row.path.is_none())
}

/// What a wrapper of the table starts.
pub(super) fn unwrap(command: &Command, surroundings: &Surroundings) -> Option<Unwrapped> {
    let name = command.program()?;
    let row = row(name)?;
    let mut out = Unwrapped { outer: row.outer, inner: Vec::new() };
    let mut readings = scan(command.operands(), row.syntax, row.order);
    if row.order == Order::Any && row.tail != Tail::Texts {
        // What looks like the wrapper's own option may be the command's.
        readings.extend(scan(command.operands(), row.syntax, Order::First));
    }
    for reading in readings {
        if !row.nothing.is_empty() && reading.has(row.nothing) {
            continue;
        }
        if reading.doubtful || (!row.own.is_empty() && reading.has(row.own)) {
            out.outer = Outer::Judged;
        }
        read(&mut out, row, &reading, Start::new(command, via(row, name)), surroundings);
    }
    out.inner.dedup();
    (!out.inner.is_empty()).then_some(out)
}

fn via(row: &Starts, name: &str) -> Via {
    match row.far {
        Far::Here => Via::Wrapper(name.to_owned()),
        Far::Elsewhere => Via::Elsewhere(name.to_owned()),
    }
}

fn read(out: &mut Unwrapped, row: &Starts, reading: &Scan<'_>, mut start: Start<'_>, surroundings: &Surroundings) {
    for to in reading.values(row.directory) {
        start.directory = moved(&start.directory, to, surroundings.home.as_deref());
    }
    for text in reading.values(row.script) {
        out.inner.push(script(&start, text.clone(), Vec::new()));
    }
    let mut operands = reading.operands.as_ref();
    if let Some(text) = reading.values(row.resplit).next() {
        let again = parted(text);
        if text.prefix().contains("${") {
            // A shell puts the same values in their places.
            let shown = again.iter().map(quoted).chain(operands.iter().map(quoted)).collect::<Vec<_>>();
            out.inner.push(script(&start, join(&shown, " "), Vec::new()));
            return;
        }
        let words = again.into_iter().chain(operands.iter().cloned()).collect::<Vec<_>>();
        let deep = start.outer.words.first().into_iter().chain(&words).cloned().collect();
        if start.depth < NESTED {
            for reading in scan(&words, row.syntax, row.order) {
                let mut inner = start.clone();
                inner.depth += 1;
                read(out, row, &reading, inner, surroundings);
            }
        } else {
            out.inner.extend(started(&start, deep));
        }
        return;
    }
    if row.before_dashes {
        operands = operands.get(reading.dashes.unwrap_or(0)..).unwrap_or_default();
    }
    if row.loose && row.before > 0 {
        tail(out, row, reading, &start, operands);
    }
    operands = operands.get(row.before..).unwrap_or_default();
    let again;
    if row.again && operands.first().is_some_and(|word| word.prefix().starts_with('-')) {
        let late = scan(operands, row.syntax, row.order).into_iter().next().unwrap_or_default();
        for text in late.values(row.script) {
            out.inner.push(script(&start, text.clone(), Vec::new()));
        }
        again = late.operands;
        operands = &again;
    }
    if row.assigns {
        while let Some((name, value)) = operands.first().and_then(assigned_to_any) {
            if let Some(function) = name.strip_prefix("BASH_FUNC_") {
                // A shell that finds this takes it for a function of that name.
                let function = function.trim_end_matches(['%', '(', ')']);
                let text =
                    join([&Word::text(format!("{function} ")), &value, &Word::text(format!("\n{function}"))], "");
                out.inner.push(script(&start, text, Vec::new()));
            }
            start.assignments.push(Assignment { name: name.to_owned(), value });
            operands = operands.get(1..).unwrap_or_default();
        }
    }
    if operands.first().and_then(Word::literal) == Some("--") {
        operands = operands.get(1..).unwrap_or_default();
    }
    tail(out, row, reading, &start, operands);
}

/// `NAME=value` as the kernel takes it: any name will do.
fn assigned_to_any(word: &Word) -> Option<(&str, Word)> {
    cut_at(word, '=').filter(|(name, _)| !name.is_empty() && !name.starts_with('-'))
}

fn tail(out: &mut Unwrapped, row: &Starts, reading: &Scan<'_>, start: &Start<'_>, operands: &[Word]) {
    if operands.is_empty() {
        // A machine and no command: its shell reads stdin.
        if row.far == Far::Elsewhere && row.tail == Tail::Text && !reading.operands.is_empty() {
            let text = stdin(&start.input).map(|text| script(&start.clone().without_input(), text, Vec::new()));
            out.inner.extend(text);
        }
        return;
    }
    match row.tail {
        Tail::Nothing | Tail::AfterScript => {}
        Tail::Shell => {
            let shell = std::iter::once(Word::text("sh"));
            out.inner.extend(started(start, shell.chain(operands.iter().cloned()).collect()));
        }
        Tail::Words => out.inner.extend(started(start, operands.to_vec())),
        Tail::Text if reading.has(row.unjoined) => out.inner.extend(started(start, operands.to_vec())),
        Tail::Text => out.inner.push(joined(start, operands)),
        Tail::Texts => out.inner.extend(operands.iter().map(|text| script(start, text.clone(), Vec::new()))),
        Tail::Either => {
            // With one operand it may be a whole text, with more it is a program and its arguments.
            if operands.len() == 1 {
                out.inner.push(joined(start, operands));
            }
            out.inner.extend(started(start, operands.to_vec()));
        }
    }
}
