//! Simple commands: expanded, then started in every way that they may turn out.

use super::launch::Ready;
use super::{Output, Process, Scope, Status, Walker};
use crate::command::{Assignment, Piece, Trace, Word};
use crate::read::grammar::tree::{self, AssignmentKind, Operand, Simple};
use crate::read::limits::Within;
use crate::read::state::{Covers, Entry, Key, Reach, Value};

impl Walker<'_> {
    pub(super) fn simple(&mut self, simple: &Simple, scope: &Scope) -> Within<Output> {
        self.budget.step()?;
        let outer = std::mem::take(&mut self.processes);
        let output = self.expanded_simple(simple, scope);
        self.processes = outer;
        output
    }

    fn expanded_simple(&mut self, simple: &Simple, scope: &Scope) -> Within<Output> {
        let mut lists: Vec<Vec<Word>> = vec![Vec::new()];
        let mut declared = Vec::new();
        for operand in &simple.words {
            let next = match operand {
                Operand::Word(word) => self.fields(word, scope)?,
                Operand::Assignment(assignment) => {
                    let (values, words) = self.assignment_values(assignment, scope)?;
                    let shown = words.first().cloned().unwrap_or_default();
                    declared.push((assignment, values));
                    vec![vec![named(&assignment.name, shown)]]
                }
            };
            lists = self.crossed(lists, next)?;
        }
        let mut assignments = Vec::new();
        let mut set = Vec::new();
        for assignment in &simple.assignments {
            let (values, words) = self.assignment_values(assignment, scope)?;
            for value in words {
                assignments.push(Assignment { name: assignment.name.clone(), value });
            }
            if simple.words.is_empty() {
                self.store(assignment, values, Reach::Shell);
            } else {
                set.push((assignment, values));
            }
        }
        let channels = self.channels(&simple.redirects, scope)?;
        let mut input = match &channels.input {
            Some(input) => input.clone(),
            None => self.standard_input(scope)?,
        };
        let mut feeds = channels.readers.clone();
        let mut handed = None;
        for process in std::mem::take(&mut self.processes) {
            match process {
                Process::From(output) => handed = handed.or(Some(output).filter(|output| output.text.is_some())),
                Process::Into(body) => feeds.push(body),
            }
        }
        if let Some(output) = handed {
            self.startup(&assignments, &output, scope)?;
            // What reads the substitution by its name reads it as its input.
            input = output.into_input();
        }
        let scope = &if feeds.is_empty() { scope.clone() } else { scope.heard() };
        let lists = self.without_vanishing(lists)?;
        let directories = self.directories();
        let single = lists.len() * directories.len() == 1;
        let mut outputs = Vec::new();
        let mut changes = Vec::new();
        let last = directories.len().saturating_sub(1);
        for mut words in lists {
            for (place, directory) in directories.iter().enumerate() {
                let mark = self.state.mark();
                if !single {
                    self.state.set(Key::Directory, Entry::Directories(vec![directory.clone()]));
                }
                let mut command = self.blank_in(directory.clone(), &simple.source, scope);
                command.words = if place == last { std::mem::take(&mut words) } else { words.clone() };
                command.assignments.clone_from(&assignments);
                command.redirects.clone_from(&channels.redirects);
                command.input = input.clone();
                self.budget.copy(16 * command.words.len())?;
                let ready = Ready { command, set: &set, declared: &declared, channels: &channels };
                outputs.push(self.start(ready, scope)?);
                if !single {
                    changes.push(self.state.rollback(mark));
                }
            }
        }
        if !single {
            self.state.join(changes, Covers::All);
        }
        let mut output = if outputs.len() == 1 { outputs.pop().unwrap_or_default() } else { Output::either(outputs) };
        if !feeds.is_empty() {
            let mut said = output.clone();
            if said.text.as_ref().is_none_or(String::is_empty) {
                // `tee >(…)`: what goes in comes out there.
                said.text = said.text.filter(|text| !text.is_empty()).or_else(|| input.text.clone());
            }
            said.trace.merge(&input.trace);
            self.read_by(&feeds, &said, scope)?;
        }
        if channels.away {
            output = Output { text: Some(String::new()), trace: Trace::default(), status: output.status };
        }
        if simple.words.is_empty() {
            output.status = Status::Likely;
        }
        Ok(output)
    }

    /// A first word that may be nothing at all leaves the next one in its place.
    fn without_vanishing(&mut self, lists: Vec<Vec<Word>>) -> Within<Vec<Vec<Word>>> {
        let mut all = Vec::with_capacity(lists.len());
        for list in lists {
            let mut rest = list.as_slice();
            while let Some((first, more)) = rest.split_first() {
                let vanishes = matches!(first.pieces.as_slice(),
                    [Piece::Unknown(unknown)] if unknown.splits && unknown.may_be_empty);
                if !vanishes || more.is_empty() || all.len() > 8 {
                    break;
                }
                self.budget.copy(16 * more.len())?;
                all.push(more.to_vec());
                rest = more;
            }
            all.push(list);
        }
        Ok(all)
    }

    /// The values of an assignment, and the same as words.
    fn assignment_values(&mut self, assignment: &tree::Assignment, scope: &Scope) -> Within<(Vec<Value>, Vec<Word>)> {
        if let Some(index) = &assignment.index {
            self.arithmetic(index, scope)?;
        }
        let values = self.assigned(&assignment.value, scope)?;
        let words = values
            .iter()
            .map(|value| match value {
                Value::Unset => Word::default(),
                Value::Scalar(word) => word.clone(),
                Value::List(words) => listed(words),
            })
            .collect();
        Ok((values, words))
    }

    /// Remembers an assignment.
    pub(super) fn store(&mut self, assignment: &tree::Assignment, values: Vec<Value>, reach: Reach) {
        if self.state.awaits_target(&assignment.name)
            && let [Value::Scalar(word)] = values.as_slice()
            && let Some(target) = word.literal()
        {
            self.state.refer(&assignment.name, target);
            return;
        }
        let before = self.state.variable(&assignment.name).map(|(values, _)| values.to_vec());
        let mut all = Vec::new();
        let place = assignment.index.as_deref().map(place);
        for value in values {
            let olds = match (&before, assignment.kind, &place) {
                (None, ..) | (_, AssignmentKind::Set, None) => vec![Value::Unset],
                (Some(olds), ..) => olds.clone(),
            };
            for old in olds {
                let new = match (&place, assignment.kind) {
                    (Some(place), kind) => element(old, value.clone(), *place, kind),
                    (None, AssignmentKind::Append) => appended(old, value.clone()),
                    (None, AssignmentKind::Set) => value.clone(),
                };
                if !all.contains(&new) && all.len() < 16 {
                    all.push(new);
                }
            }
        }
        if all.is_empty() {
            all.push(Value::Unset);
        }
        self.state.assign(&assignment.name, all, reach);
    }
}

/// `NAME=value` as an operand.
fn named(name: &str, value: Word) -> Word {
    let mut pieces = vec![Piece::Text(format!("{name}="))];
    for piece in value.pieces {
        match (pieces.last_mut(), piece) {
            (Some(Piece::Text(before)), Piece::Text(more)) => before.push_str(&more),
            (_, piece) => pieces.push(piece),
        }
    }
    Word { pieces }
}

fn listed(words: &[Word]) -> Word {
    let mut all = Word::default();
    for (place, word) in words.iter().enumerate() {
        if place > 0 {
            push(&mut all, Piece::Text(" ".to_owned()));
        }
        word.pieces.iter().cloned().for_each(|piece| push(&mut all, piece));
    }
    all
}

pub(super) fn push(word: &mut Word, piece: Piece) {
    match (word.pieces.last_mut(), piece) {
        (Some(Piece::Text(before)), Piece::Text(more)) => before.push_str(&more),
        (_, Piece::Text(text)) if text.is_empty() => {}
        (_, piece) => word.pieces.push(piece),
    }
}

/// The element that a constant subscript names.
fn place(index: &[tree::Part]) -> Option<usize> {
    match index {
        [tree::Part::Quoted(text)] => text.trim().parse().ok(),
        _ => None,
    }
}

fn appended(old: Value, new: Value) -> Value {
    match (old, new) {
        (Value::Unset, new) => new,
        (Value::Scalar(mut word), Value::Scalar(more)) => {
            more.pieces.into_iter().for_each(|piece| push(&mut word, piece));
            Value::Scalar(word)
        }
        (Value::Scalar(word), Value::List(more)) => Value::List([vec![word], more].concat()),
        (Value::List(mut words), Value::List(more)) => {
            words.extend(more);
            Value::List(words)
        }
        (Value::List(mut words), Value::Scalar(more)) => {
            match words.first_mut() {
                Some(first) => more.pieces.into_iter().for_each(|piece| push(first, piece)),
                None => words.push(more),
            }
            Value::List(words)
        }
        (old, Value::Unset) => old,
    }
}

fn element(old: Value, new: Value, place: Option<usize>, kind: AssignmentKind) -> Value {
    let mut words = match old {
        Value::Unset => Vec::new(),
        Value::Scalar(word) => vec![word],
        Value::List(words) => words,
    };
    let Value::Scalar(word) = new else { return Value::List(words) };
    match place.filter(|place| *place < 1024) {
        Some(place) => {
            while words.len() <= place {
                words.push(Word::default());
            }
            if let Some(slot) = words.get_mut(place) {
                match kind {
                    AssignmentKind::Set => *slot = word,
                    AssignmentKind::Append => word.pieces.into_iter().for_each(|piece| push(slot, piece)),
                }
            }
        }
        // Under a name or an unknown number: any element may be it.
        None => words.push(word),
    }
    Value::List(words)
}
