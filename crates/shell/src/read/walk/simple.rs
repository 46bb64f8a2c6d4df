//! Simple commands: expanded, then started in every way that they may turn out.

use super::launch::Ready;
use super::{Output, Process, Scope, Status, Walker};
use crate::command::{Assignment, Piece, Trace, Word};
use crate::read::grammar::tree::{self, AssignmentKind, Operand, Simple};
use crate::read::limits::Within;
use crate::read::state::{Covers, Entry, Key, Reach, Value};
use crate::unwrap::words::push;
use std::borrow::Cow;

/// First words that may be nothing, and are taken away one by one.
const MOVED: usize = 8;

impl Walker<'_> {
    pub(super) fn simple(&mut self, simple: &Simple, scope: &Scope) -> Within<Output> {
        self.budget.step()?;
        let outer = std::mem::take(&mut self.processes);
        let mut lists: Vec<Vec<Word>> = vec![Vec::new()];
        let mut declared = Vec::new();
        for operand in &simple.words {
            let next = match operand {
                Operand::Word(word) => match (self.plain(word)?, lists.as_mut_slice()) {
                    (Some(word), [list]) => {
                        self.budget.step()?;
                        list.push(word);
                        continue;
                    }
                    _ => self.fields(word, scope)?,
                },
                Operand::Assignment(assignment) => {
                    let values = self.assignment_values(assignment, scope)?;
                    let mut word = Word::text(format!("{}=", assignment.name));
                    extend(&mut word, &values.first().map(Value::joined).unwrap_or_default());
                    declared.push((assignment, values));
                    vec![vec![word]]
                }
            };
            lists = self.crossed(lists, next)?;
        }
        let mut assignments = Vec::new();
        let mut set = Vec::new();
        for assignment in &simple.assignments {
            let values = self.assignment_values(assignment, scope)?;
            let one = |value: &Value| Assignment { name: assignment.name.clone(), value: value.joined() };
            assignments.extend(values.iter().map(one));
            if simple.words.is_empty() {
                self.store(assignment, values, Reach::Shell);
            } else {
                set.push((assignment, values));
            }
        }
        let channels = self.channels(&simple.redirects, scope)?;
        let mut input = match (&channels.input, self.state.get(&Key::Descriptor(Cow::Borrowed("0")))) {
            (Some(input), _) | (None, Some(Entry::Input(input))) => input.clone(),
            _ => scope.input.as_ref().clone(),
        };
        self.budget.copy(input.text.as_ref().map_or(0, String::len))?;
        let mut feeds = channels.readers.clone();
        let mut handed = None;
        for process in std::mem::replace(&mut self.processes, outer) {
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
        let mut output = Output::either(outputs);
        if !feeds.is_empty() {
            let mut said = output.clone();
            if said.text.as_ref().is_none_or(String::is_empty) {
                // `tee >(…)`: what goes in comes out there.
                said.text = said.text.filter(|text| !text.is_empty()).or_else(|| input.text.clone());
            }
            said.trace.merge(input.trace);
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

    /// First words that may be nothing at all leave the next one in their place.
    fn without_vanishing(&mut self, lists: Vec<Vec<Word>>) -> Within<Vec<Vec<Word>>> {
        let vanishes = |word: &&Word| matches!(word.pieces.as_slice(), [Piece::Unknown(unknown)] if unknown.splits && unknown.may_be_empty);
        let mut all = Vec::with_capacity(lists.len());
        for list in lists {
            let count = list.iter().take_while(vanishes).count();
            for start in 1..=count.min(list.len().saturating_sub(1)).min(MOVED) {
                let rest = list.get(start..).unwrap_or_default();
                self.budget.copy(16 * rest.len())?;
                all.push(rest.to_vec());
            }
            all.push(list);
        }
        Ok(all)
    }

    /// The values of an assignment.
    fn assignment_values(&mut self, assignment: &tree::Assignment, scope: &Scope) -> Within<Vec<Value>> {
        if let Some(index) = &assignment.index {
            self.arithmetic(index, scope)?;
        }
        self.assigned(&assignment.value, scope)
    }

    /// Remembers an assignment.
    pub(super) fn store(&mut self, assignment: &tree::Assignment, values: Vec<Value>, reach: Reach) {
        if self.state.awaits_target(&assignment.name)
            && let [value] = values.as_slice()
            && let Some(target) = value.literal()
        {
            self.state.refer(&assignment.name, target);
            return;
        }
        let mut all = Vec::new();
        let mut add = |new: Value| {
            if !all.contains(&new) && all.len() < 16 {
                all.push(new);
            }
        };
        let place = assignment.index.as_deref().map(place);
        if (assignment.kind, place) == (AssignmentKind::Set, None) {
            values.into_iter().for_each(add);
        } else {
            let before = self.state.variable(&assignment.name).map_or(&[Value::Unset][..], |(olds, _)| olds);
            for value in values {
                for old in before.iter().cloned() {
                    add(match place {
                        Some(place) => element(old, value.clone(), place, assignment.kind),
                        None => appended(old, value.clone()),
                    });
                }
            }
        }
        if all.is_empty() {
            all.push(Value::Unset);
        }
        self.state.assign(&assignment.name, all, reach);
    }
}

fn extend(word: &mut Word, more: &Word) {
    more.pieces.iter().for_each(|piece| push(word, piece.clone()));
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
            extend(&mut word, &more);
            Value::Scalar(word)
        }
        (old, new) => Value::List([old.words(), new.words()].concat()),
    }
}

fn element(old: Value, new: Value, place: Option<usize>, kind: AssignmentKind) -> Value {
    let mut words = old.words();
    let Value::Scalar(word) = new else { return Value::List(words) };
    match place.filter(|place| *place < 1024) {
        Some(place) => {
            while words.len() <= place {
                words.push(Word::default());
            }
            if let Some(slot) = words.get_mut(place) {
                match kind {
                    AssignmentKind::Set => *slot = word,
                    AssignmentKind::Append => extend(slot, &word),
                }
            }
        }
        // Under a name or an unknown number: any element may be it.
        None => words.push(word),
    }
    Value::List(words)
}
