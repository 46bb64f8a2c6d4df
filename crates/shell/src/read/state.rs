//! What a shell remembers: variables, functions, aliases, its directory. Every change can be taken back, because
//! subshells forget and branches may not have run.

use super::grammar::tree::Node;
use crate::command::{Directory, Input, Piece, Unknown, UnknownKind, Word};
use std::borrow::Cow;
use std::collections::HashMap;
use std::rc::Rc;

/// Values of one variable that are told apart.
const VALUES: usize = 8;
/// Names that stand for names that stand for names.
const REFERENCES: usize = 8;
/// Directories that are told apart.
const DIRECTORIES: usize = 4;

/// What is remembered under a name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Variable(String),
    Function(String),
    Alias(String),
    /// `hash -p`
    Program(String),
    Directory,
    /// `$OLDPWD`
    Previous,
    Positional,
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

/// What is remembered.
#[derive(Clone, Debug)]
pub(super) enum Entry {
    /// Alternatives; never empty.
    Variable {
        values: Vec<Value>,
        scope: Reach,
    },
    /// Bodies, and whether the name surely stands for one of them.
    Functions(Vec<Rc<Node>>, Certainty),
    Text(Word),
    Directories(Vec<Directory>),
    Words(Vec<Word>),
    Input(Input),
}

/// Whether programs see a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    Shell,
    Exported,
}

/// Whether a definition surely holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Certainty {
    Sure,
    Possible,
}

/// What a branch changed: its last entries.
pub(super) type Changes = Vec<(Key, Option<Rc<Entry>>)>;

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

    /// Takes back everything since the mark, and tells what it had come to.
    pub(super) fn rollback(&mut self, mark: usize) -> Changes {
        let mut last: HashMap<Key, Option<Rc<Entry>>> = HashMap::new();
        let mut order = Vec::new();
        while self.journal.len() > mark {
            let Some((key, before)) = self.journal.pop() else { break };
            let now = match before {
                Some(before) => self.entries.insert(key.clone(), before),
                None => self.entries.remove(&key),
            };
            last.entry(key).or_insert_with_key(|key| {
                order.push(key.clone());
                now
            });
        }
        order.reverse();
        order.into_iter().map(|key| (key.clone(), last.remove(&key).flatten())).collect()
    }

    /// Makes the state one of several: any of the branches, or (unless they cover everything) none of them. Tells whether
    /// anything is less sure than before.
    pub(super) fn join(&mut self, branches: Vec<Changes>, covers: Covers) -> bool {
        let mut keys: Vec<Key> = Vec::new();
        let count = branches.len();
        let mut found: HashMap<Key, Vec<Option<Rc<Entry>>>> = HashMap::new();
        for (key, entry) in branches.into_iter().flatten() {
            if !found.contains_key(&key) {
                keys.push(key.clone());
            }
            found.entry(key).or_default().push(entry);
        }
        let mut changed = false;
        for key in keys {
            let mut all = found.remove(&key).unwrap_or_default();
            let before = self.entries.get(&key).cloned();
            if covers == Covers::Maybe || all.len() < count {
                all.insert(0, before.clone());
            }
            let mut merged: Option<Rc<Entry>> = None;
            for (place, entry) in all.into_iter().enumerate() {
                merged = if place == 0 { entry } else { union(&key, merged, entry) };
            }
            changed |= !same(before.as_deref(), merged.as_deref());
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
                (Key::Variable(_), Entry::Variable { scope, .. }) => *scope == Reach::Shell,
                (Key::Function(name), _) => !self.exported.contains(name),
                (Key::Alias(_) | Key::Program(_) | Key::Positional, _) => true,
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

    /// Whether any name stands for another.
    pub(super) fn has_references(&self) -> bool {
        !self.references.is_empty()
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
            Entry::Variable { values, scope } => Some((values, *scope)),
            _ => None,
        }
    }

    pub(super) fn assign(&mut self, name: &str, mut values: Vec<Value>, scope: Reach) {
        if values.len() > VALUES {
            values.truncate(VALUES);
            values.push(Value::Scalar(unknown_word()));
        }
        let name = self.resolved(name).to_owned();
        let scope = match self.variable(&name) {
            Some((_, Reach::Exported)) => Reach::Exported,
            _ => scope,
        };
        self.set(Key::Variable(name), Entry::Variable { values, scope });
    }
}

/// Characters that nothing is known of.
pub(super) fn unknown_word() -> Word {
    let unknown = Unknown { kind: UnknownKind::Other, splits: false, may_be_empty: true };
    Word { pieces: vec![Piece::Unknown(unknown)] }
}

fn same(one: Option<&Entry>, other: Option<&Entry>) -> bool {
    match (one, other) {
        (None, None) => true,
        (Some(Entry::Variable { values, .. }), Some(Entry::Variable { values: others, .. })) => values == others,
        (Some(Entry::Directories(one)), Some(Entry::Directories(other))) => one == other,
        (Some(Entry::Text(one)), Some(Entry::Text(other))) => one == other,
        (Some(Entry::Words(one)), Some(Entry::Words(other))) => one == other,
        (Some(Entry::Input(one)), Some(Entry::Input(other))) => one == other,
        (Some(Entry::Functions(one, sure)), Some(Entry::Functions(other, too))) => {
            one.len() == other.len() && sure == too
        }
        _ => false,
    }
}

fn union(key: &Key, one: Option<Rc<Entry>>, other: Option<Rc<Entry>>) -> Option<Rc<Entry>> {
    let entry = match (one.as_deref(), other.as_deref()) {
        (Some(Entry::Variable { values, scope }), Some(Entry::Variable { values: others, scope: reach })) => {
            let mut values = values.clone();
            for value in others {
                if !values.contains(value) {
                    values.push(value.clone());
                }
            }
            if values.len() > VALUES {
                values.truncate(VALUES);
                values.push(Value::Scalar(unknown_word()));
            }
            let scope =
                if *scope == Reach::Exported || *reach == Reach::Exported { Reach::Exported } else { Reach::Shell };
            Entry::Variable { values, scope }
        }
        // Not set on one path: what the environment says there is not known.
        (Some(Entry::Variable { values, scope }), None) | (None, Some(Entry::Variable { values, scope })) => {
            let Key::Variable(name) = key else { return one };
            let unknown = Unknown { kind: UnknownKind::Variable(name.clone()), splits: true, may_be_empty: true };
            let mut values = values.clone();
            values.push(Value::Scalar(Word { pieces: vec![Piece::Unknown(unknown)] }));
            Entry::Variable { values, scope: *scope }
        }
        (Some(Entry::Functions(one, sure)), Some(Entry::Functions(other, too))) => {
            let mut all = one.clone();
            all.extend(other.iter().filter(|new| !one.iter().any(|old| Rc::ptr_eq(old, new))).cloned());
            Entry::Functions(all, if sure == too { *sure } else { Certainty::Possible })
        }
        (Some(Entry::Functions(bodies, _)), None) | (None, Some(Entry::Functions(bodies, _))) => {
            Entry::Functions(bodies.clone(), Certainty::Possible)
        }
        (Some(Entry::Directories(one)), Some(Entry::Directories(other))) => {
            let mut all = one.clone();
            all.extend(other.iter().filter(|new| !one.contains(new)).cloned());
            if all.len() > DIRECTORIES {
                all = vec![Directory::Unknown];
            }
            Entry::Directories(all)
        }
        (Some(Entry::Words(one)), Some(Entry::Words(other))) if one == other => Entry::Words(one.clone()),
        (Some(Entry::Words(_)), _) | (_, Some(Entry::Words(_))) => return None,
        (Some(_), _) => return one,
        (None, _) => return other,
    };
    Some(Rc::new(entry))
}
