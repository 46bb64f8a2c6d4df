//! Rules by what they name, so that of ten thousand a call asks those that could be about it.
//!
//! A rule stands under the first folder of each of its globs, the program of its command, its hosts. One that names nothing
//! so plain is asked by every call, and a call that reaches wide, such as a search of the whole workspace, asks every rule.
//! Nothing is decided here: a rule that is found in vain costs time alone.

use super::deed::Deed;
use super::glob::Spot;
use super::hosts::Target;
use super::named::Named;
use super::row::Kind;
use super::rule::Rule;
use palanca_core::call::{ActKind, CommandLine, Launch};
use palanca_core::ports::{CommandReading, CommandWord};
use std::borrow::Borrow;
use std::collections::{BTreeSet, HashMap};

/// What rules and calls have in common.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    /// The first name of a path.
    Path(String),
    /// The name of a program.
    Program(String),
    /// A whole text of a program.
    Text(String),
    /// A host, or the end of one.
    Host(String),
    Message,
    Stop,
    Act(ActKind),
}

/// Which rules a call asks.
pub(super) enum Wanted {
    Under(Vec<Key>),
    All,
}

/// Rules in the order in which they were given.
pub(super) struct Shelf<R> {
    rules: Vec<R>,
    /// Numbers of those that every call asks.
    everywhere: Vec<usize>,
    by_key: HashMap<Key, Vec<usize>>,
}

impl<R> Default for Shelf<R> {
    fn default() -> Self {
        Self { rules: Vec::new(), everywhere: Vec::new(), by_key: HashMap::new() }
    }
}

impl<R: Borrow<Rule>> Shelf<R> {
    pub(super) fn push(&mut self, rule: R) {
        let number = self.rules.len();
        match rule.borrow().keys() {
            None => self.everywhere.push(number),
            Some(keys) => keys.into_iter().for_each(|key| self.by_key.entry(key).or_default().push(number)),
        }
        self.rules.push(rule);
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Rule> {
        self.rules.iter().map(Borrow::borrow)
    }

    /// Those that a call asks, in their order.
    pub(super) fn asked(&self, wanted: &Wanted) -> Vec<&Rule> {
        let Wanted::Under(keys) = wanted else { return self.iter().collect() };
        let named = keys.iter().filter_map(|key| self.by_key.get(key)).flatten();
        let numbers: BTreeSet<usize> = named.chain(&self.everywhere).copied().collect();
        numbers.into_iter().filter_map(|number| self.rules.get(number)).map(Borrow::borrow).collect()
    }

    pub(super) fn has(&self, is: impl Fn(&R) -> bool) -> bool {
        self.rules.iter().any(is)
    }

    /// The same shelf without some.
    pub(super) fn without(self, goes: impl Fn(&R) -> bool) -> Self {
        self.rules.into_iter().filter(|rule| !goes(rule)).collect()
    }
}

impl<R: Borrow<Rule>> Extend<R> for Shelf<R> {
    fn extend<I: IntoIterator<Item = R>>(&mut self, rules: I) {
        rules.into_iter().for_each(|rule| self.push(rule));
    }
}

impl<R: Borrow<Rule>> FromIterator<R> for Shelf<R> {
    fn from_iter<I: IntoIterator<Item = R>>(rules: I) -> Self {
        let mut shelf = Self::default();
        shelf.extend(rules);
        shelf
    }
}

impl Rule {
    /// What it stands under; none where it names nothing that could be looked up.
    fn keys(&self) -> Option<Vec<Key>> {
        let mut keys = Vec::new();
        for kind in self.row.kinds() {
            match kind {
                Kind::Read | Kind::Write | Kind::Delete | Kind::Move => {
                    for glob in &self.paths {
                        keys.extend(glob.first_names()?.map(|name| Key::Path(name.to_owned())));
                    }
                }
                Kind::Run | Kind::Feed => keys.push(match (&self.words, &self.row.text) {
                    (Some(words), _) => Key::Program((*words.fixed().first()?).to_owned()),
                    (None, Some(text)) => Key::Text(text.clone()),
                    (None, None) => return None,
                }),
                Kind::Http => keys.extend(self.hosts.as_ref()?.ends()?.into_iter().map(Key::Host)),
                Kind::Message => keys.push(Key::Message),
                Kind::Stop => keys.push(Key::Stop),
                Kind::Act(kind) => keys.push(Key::Act(*kind)),
            }
        }
        keys.dedup();
        Some(keys)
    }
}

impl Wanted {
    pub(super) fn of(deeds: &[Deed<'_>]) -> Self {
        let mut keys = Vec::new();
        match deeds.iter().try_for_each(|deed| add(deed, &mut keys)) {
            Some(()) => Self::Under(keys),
            None => Self::All,
        }
    }
}

/// What one deed is looked up by; none where only asking every rule is sure.
fn add(deed: &Deed<'_>, keys: &mut Vec<Key>) -> Option<()> {
    match deed {
        Deed::File(_, path) => place(path.spot(), keys),
        Deed::Move(from, to) => place(from, keys).and_then(|()| place(to, keys)),
        Deed::Run(launch, reading, named) => {
            text(launch, keys);
            command(reading, named, keys)
        }
        Deed::Feed(reading, named) => command(reading, named, keys),
        Deed::Http(target) => host(target, keys),
        Deed::Message(_) => {
            keys.push(Key::Message);
            Some(())
        }
        Deed::Stop => {
            keys.push(Key::Stop);
            Some(())
        }
        Deed::Act(act) => {
            keys.push(Key::Act(act.kind));
            Some(())
        }
        Deed::Other => Some(()),
    }
}

fn place(spot: &Spot, keys: &mut Vec<Key>) -> Option<()> {
    keys.extend(spot.first_names()?.map(|name| Key::Path(name.to_owned())));
    Some(())
}

fn text(launch: &Launch, keys: &mut Vec<Key>) {
    if let CommandLine::Script { text, .. } = &launch.command {
        keys.push(Key::Text(text.clone()));
    }
}

fn command(reading: &CommandReading, named: &[Named], keys: &mut Vec<Key>) -> Option<()> {
    for part in &reading.parts {
        match part.words.first() {
            Some(CommandWord::Known(program)) => {
                let name = program.rsplit('/').next().filter(|name| name != program);
                keys.extend([Some(program.as_str()), name].into_iter().flatten().map(|name| Key::Program(name.into())));
            }
            Some(CommandWord::Pattern(_) | CommandWord::Unknown(_)) => return None,
            None => {}
        }
    }
    named.iter().try_for_each(|named| place(&named.spot, keys))
}

/// The host, and each domain that it lies in.
fn host(target: &Target<'_>, keys: &mut Vec<Key>) -> Option<()> {
    let host = target.address.as_ref()?.host();
    let domains = host.match_indices('.').filter_map(|(at, _)| host.get(at + 1..));
    keys.extend(std::iter::once(host).chain(domains).map(|end| Key::Host(end.to_owned())));
    Some(())
}
