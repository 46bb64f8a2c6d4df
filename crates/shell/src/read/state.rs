//! What a shell remembers: variables, functions, aliases, its directory. Every change can be taken back, because
//! subshells forget and branches may not have run.

use crate::command::{Directory, Input, UnknownKind, Word};
use crate::unwrap::words::{anything, join};
use hashbrown::HashMap;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Values of one variable that are told apart.
const VALUES: usize = 8;
/// Names that stand for names that stand for names.
const REFERENCES: usize = 8;
/// Directories that are told apart.
const DIRECTORIES: usize = 4;

/// What is remembered under a name.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Key {
    /// `@` are the positional parameters, `$0` first.
    Variable(String),
    /// A name that stands for a text, or for a program (`hash -p`).
    Alias(String),
    Function(String),
    Directory,
    /// What an open descriptor gives; `0` after `exec <`.
    Descriptor(Cow<'static, str>),
}

/// One possible value of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// Surely unset.
    Unset,
    Scalar(Word),
    List(Vec<Word>),
}

impl Value {
    /// Every word of it.
    pub(super) fn words_mut(&mut self) -> &mut [Word] {
        match self {
            Self::Unset => &mut [],
            Self::Scalar(word) => std::slice::from_mut(word),
            Self::List(words) => words,
        }
    }

    pub(super) fn words(mut self) -> Vec<Word> {
        self.words_mut().iter_mut().map(std::mem::take).collect()
    }

    /// As one word.
    pub(super) fn joined(&self) -> Word {
        match self {
            Self::Unset => Word::default(),
            Self::Scalar(word) => word.clone(),
            Self::List(words) => join(words, " "),
        }
    }

    /// Its text, when it is one that is known.
    pub(super) fn literal(&self) -> Option<&str> {
        match self {
            Self::Scalar(word) => word.literal(),
            _ => None,
        }
    }
}

/// What is remembered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    /// Alternatives; never empty.
    Values(Vec<Value>, Reach),
    /// Places among the functions of the text, and whether the name surely stands for one of them.
    Functions(Vec<usize>, Certainty),
    Directories(Vec<Directory>),
    Input(Input),
}

/// Whether programs see a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reach {
    Shell,
    Exported,
}

/// Whether a definition surely holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Certainty {
    Possible,
    Sure,
}

/// What a branch changed: its last entries.
pub(super) type Changes = BTreeMap<Key, Option<Rc<Entry>>>;

/// Whether one of the branches surely ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Covers {
    All,
    Maybe,
}

#[derive(Debug, Default)]
pub(super) struct State {
    entries: HashMap<Key, Rc<Entry>>,
    journal: Vec<(Key, Option<Rc<Entry>>)>,
    /// `export -f`
    exported: Vec<String>,
    /// `declare -n`: names that stand for others.
    references: HashMap<String, String>,
}

impl State {
    pub(super) fn get(&self, key: &Key) -> Option<&Entry> {
        self.entries.get(key).map(Rc::as_ref)
    }

    pub(super) fn set(&mut self, key: Key, entry: Entry) {
        self.put(key, Some(Rc::new(entry)));
    }

    pub(super) fn remove(&mut self, key: Key) {
        self.put(key, None);
    }

    /// What stands under some keys, to be put back.
    pub(super) fn saved(&self, keys: Vec<Key>) -> Vec<(Key, Option<Rc<Entry>>)> {
        keys.into_iter().map(|key| (key.clone(), self.entries.get(&key).cloned())).collect()
    }

    pub(super) fn restore(&mut self, saved: Vec<(Key, Option<Rc<Entry>>)>) {
        saved.into_iter().for_each(|(key, entry)| self.put(key, entry));
    }

    fn put(&mut self, key: Key, entry: Option<Rc<Entry>>) {
        let before = match entry {
            Some(entry) => self.entries.insert(key.clone(), entry),
            None => self.entries.remove(&key),
        };
        self.journal.push((key, before));
    }

    /// A point to come back to.
    pub(super) fn mark(&self) -> usize {
        self.journal.len()
    }

    /// Takes back everything since the mark.
    pub(super) fn forget(&mut self, mark: usize) {
        for (key, before) in self.journal.drain(mark.min(self.journal.len())..).rev() {
            match before {
                Some(before) => _ = self.entries.insert(key, before),
                None => _ = self.entries.remove(&key),
            }
        }
    }

    /// Takes back everything since the mark, and tells what it had come to.
    pub(super) fn rollback(&mut self, mark: usize) -> Changes {
        let mut last = Changes::new();
        while self.journal.len() > mark {
            let Some((key, before)) = self.journal.pop() else { break };
            let now = match before {
                Some(before) => self.entries.insert(key.clone(), before),
                None => self.entries.remove(&key),
            };
            last.entry(key).or_insert(now);
        }
        last
    }

    /// Makes the state one of several: any of the branches, or (unless they cover everything) none of them. Tells whether
    /// anything is less sure than before.
    pub(super) fn join(&mut self, branches: Vec<Changes>, covers: Covers) -> bool {
        let count = branches.len();
        let mut found: BTreeMap<Key, Vec<Option<Rc<Entry>>>> = BTreeMap::new();
        for (key, entry) in branches.into_iter().flatten() {
            found.entry(key).or_default().push(entry);
        }
        let mut changed = false;
        for (key, mut all) in found {
            let before = self.entries.get(&key).cloned();
            if covers == Covers::Maybe || all.len() < count {
                all.insert(0, before.clone());
            }
            let merged = all.into_iter().reduce(|one, other| union(&key, one, other)).flatten();
            changed |= before != merged;
            self.put(key, merged);
        }
        changed
    }

    /// Hides from a child shell what is not exported.
    pub(super) fn enter_child(&mut self) -> usize {
        let hidden: Vec<Key> = self
            .entries
            .iter()
            .filter(|(key, entry)| match (key, entry.as_ref()) {
                (Key::Variable(_) | Key::Alias(_), Entry::Values(_, reach)) => *reach == Reach::Shell,
                (Key::Function(name), _) => !self.exported.contains(name),
                _ => false,
            })
            .map(|(key, _)| key.clone())
            .collect();
        let count = hidden.len();
        for key in hidden {
            self.remove(key);
        }
        count
    }

    /// Lets child shells see a function.
    pub(super) fn export_function(&mut self, name: &str) {
        if !self.exported.iter().any(|known| known == name) {
            self.exported.push(name.to_owned());
        }
    }

    /// Makes a name stand for another.
    pub(super) fn refer(&mut self, name: &str, target: &str) {
        if name != target {
            self.references.insert(name.to_owned(), target.to_owned());
        }
    }

    /// Whether a name will stand for the one that it is given next: after `declare -n x`.
    pub(super) fn awaits_target(&self, name: &str) -> bool {
        self.references.get(name).is_some_and(String::is_empty)
    }

    /// The name that a name stands for.
    pub(super) fn resolved<'n>(&'n self, name: &'n str) -> &'n str {
        // A ring of them would have no end.
        let mut name = name;
        for _ in 0..REFERENCES {
            match self.references.get(name) {
                Some(target) if !target.is_empty() => name = target,
                _ => break,
            }
        }
        name
    }

    pub(super) fn variable(&self, name: &str) -> Option<(&[Value], Reach)> {
        let name = self.resolved(name);
        // A key without a copy of the name would need a second map; names are short.
        match self.get(&Key::Variable(name.to_owned()))? {
            Entry::Values(values, reach) => Some((values, *reach)),
            _ => None,
        }
    }

    pub(super) fn assign(&mut self, name: &str, values: Vec<Value>, reach: Reach) {
        let name = self.resolved(name).to_owned();
        let reach = self.variable(&name).map_or(reach, |(_, before)| reach.max(before));
        self.set(Key::Variable(name), Entry::Values(bounded(values), reach));
    }

    /// The positional parameters, when they are known for sure: `$0` first.
    pub(super) fn parameters(&self) -> Option<&[Word]> {
        match self.variable("@") {
            Some(([Value::List(words)], _)) => Some(words),
            _ => None,
        }
    }

    pub(super) fn set_parameters(&mut self, words: Vec<Word>) {
        self.set(Key::Variable("@".to_owned()), Entry::Values(vec![Value::List(words)], Reach::Shell));
    }
}

/// Characters that nothing is known of.
pub(super) fn unknown_word() -> Word {
    anything(UnknownKind::Other)
}

fn bounded(mut values: Vec<Value>) -> Vec<Value> {
    if values.len() > VALUES {
        values.truncate(VALUES);
        values.push(Value::Scalar(unknown_word()));
    }
    values
}

fn merged<T: Clone + PartialEq>(one: &[T], other: &[T]) -> Vec<T> {
    let new = other.iter().filter(|new| !one.contains(new));
    one.iter().chain(new).cloned().collect()
}

fn union(key: &Key, one: Option<Rc<Entry>>, other: Option<Rc<Entry>>) -> Option<Rc<Entry>> {
    let entry = match (one.as_deref(), other.as_deref()) {
        (Some(Entry::Values(values, reach)), Some(Entry::Values(others, wider))) => {
            Entry::Values(bounded(merged(values, others)), *reach.max(wider))
        }
        // Not set on one path: what the environment says there is not known.
        (Some(Entry::Values(values, reach)), None) | (None, Some(Entry::Values(values, reach))) => {
            let Key::Variable(name) = key else { return one.or(other) };
            if name == "@" {
                return None;
            }
            let unknown = Value::Scalar(anything(UnknownKind::Variable(name.clone())));
            Entry::Values(merged(values, &[unknown]), *reach)
        }
        (Some(Entry::Functions(one, sure)), Some(Entry::Functions(other, too))) => {
            Entry::Functions(merged(one, other), *sure.min(too))
        }
        (Some(Entry::Functions(bodies, _)), None) | (None, Some(Entry::Functions(bodies, _))) => {
            Entry::Functions(bodies.clone(), Certainty::Possible)
        }
        (Some(Entry::Directories(one)), Some(Entry::Directories(other))) => {
            let all = merged(one, other);
            Entry::Directories(if all.len() > DIRECTORIES { vec![Directory::Unknown] } else { all })
        }
        _ => return one.or(other),
    };
    Some(Rc::new(entry))
}
