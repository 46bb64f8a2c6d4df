//! What declared sources said: which values may be used, because the user's words point at them.
//!
//! A value of a trusted field is pointed at when the user's words
//! - name its record by another trusted field (the title of the meeting whose participants are meant),
//! - have a role that was declared for the source, or
//! - where no roles were declared, hold all that its source was asked for (`search_contacts("Ana")`) or the field's name.
//!
//! Free text has no fields. Of a source that declares roles, its only address of a trusted kind counts, when the user's words
//! have a role, point at the text and hold no such address themselves. Of several any could be an outsider's: each is
//! in doubt. What stands in free text alone is vouched for by nothing else.

use super::declared::Declaration;
use super::kinds::{self, Kind};
use super::words::{Words, hash, normal, tokens};
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Values, and origins of addresses, of one session; later ones are unknown.
const MOST: usize = 1 << 14;
/// Characters of the longest value.
const LONGEST: usize = 200;
/// Places in which one value stands.
const MOST_FACTS: usize = 64;
/// Names of one record.
const MOST_NAMES: usize = 32;
/// Lines of a text that are values.
const MOST_LINES: usize = 1 << 10;
/// Letters of the shortest word that names a record alone, as the first of several.
const FIRST: usize = 4;

/// How a value stands to what the user said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Credibility {
    /// It is in the user's words.
    Said,
    /// A declared source says so, and the user's words point at it.
    Vouched,
    /// A declared source says so, and nothing points at it.
    Doubtful(Arc<str>),
    /// No declared source knows it; where foreign text had it, its source.
    Unknown(Option<Arc<str>>),
}

#[derive(Debug, Default)]
pub(super) struct Facts {
    records: Vec<Record>,
    values: HashMap<u64, Vec<Fact>>,
    origins: HashMap<u64, Arc<str>>,
    granted: HashSet<u64>,
}

/// An object of a result, or a text.
#[derive(Clone, Debug)]
struct Record {
    source: Arc<str>,
    asked: Asked,
    roles: Arc<[String]>,
    /// Words of its trusted values.
    names: Vec<Name>,
}

/// Whether the user's words hold what a source was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    ByUser,
    Otherwise,
}

#[derive(Clone, Debug)]
struct Name {
    first: Option<u64>,
    all: Vec<u64>,
}

#[derive(Clone, Debug)]
struct Fact {
    record: usize,
    ground: Ground,
}

/// What a value stands on.
#[derive(Clone, Debug)]
enum Ground {
    /// The field of this name.
    Field(String),
    /// Free text that has no other of this kind.
    Only(Kind),
    /// Free text of a record that has no other of this kind; other records do.
    OnlyHere(Kind),
    /// Free text with others of this kind.
    OneOfMany,
}

impl Facts {
    /// What a declared source returned.
    pub(super) fn learn(&mut self, declaration: &Declaration, (source, asked): (&str, Asked), result: &Value) {
        let roles = declaration.roles.iter().map(|role| role.to_lowercase()).collect();
        let record = Record { source: source.into(), asked, roles, names: Vec::new() };
        let Some(record) = self.keep_record(record) else { return };
        let mut reading = Reading { declaration, facts: self, free: Vec::new() };
        reading.value(result, None, record);
        if let Value::String(text) = result {
            reading.lines(text, record);
        }
        let free = reading.free;
        self.learn_free(declaration, &free);
    }

    /// Addresses in free text, by record.
    fn learn_free(&mut self, declaration: &Declaration, free: &[(usize, String)]) {
        if declaration.roles.is_empty() {
            return;
        }
        let fields = declaration.trusted.iter().flatten();
        for kind in fields.filter_map(|field| Kind::of(field)).collect::<HashSet<_>>() {
            let mut each: HashMap<usize, HashSet<String>> = HashMap::new();
            free.iter().for_each(|(record, text)| each.entry(*record).or_default().extend(kinds::find(kind, text)));
            let every: HashSet<&String> = each.values().flatten().collect();
            let is_only = every.len() == 1;
            for (record, found) in &each {
                let ground = match found.len() {
                    _ if is_only => Ground::Only(kind),
                    1 => Ground::OnlyHere(kind),
                    _ => Ground::OneOfMany,
                };
                found.iter().for_each(|value| self.keep(value, Fact { record: *record, ground: ground.clone() }));
            }
        }
    }

    fn keep_record(&mut self, record: Record) -> Option<usize> {
        (self.records.len() < MOST).then(|| self.records.push(record))?;
        Some(self.records.len() - 1)
    }

    fn keep(&mut self, value: &str, fact: Fact) {
        let key = hash(&normal(value));
        if self.values.len() < MOST || self.values.contains_key(&key) {
            let facts = self.values.entry(key).or_default();
            if facts.len() < MOST_FACTS {
                facts.push(fact);
            }
        }
    }

    /// Where foreign text with these addresses came from: the first source counts.
    pub(super) fn came_from(&mut self, source: &str, text: &str) {
        let source: Arc<str> = source.into();
        for address in kinds::every(text) {
            if self.origins.len() < MOST {
                self.origins.entry(hash(&address)).or_insert_with(|| Arc::clone(&source));
            }
        }
    }

    /// How a value stands to the user's words.
    pub(super) fn credibility(&self, value: &str, words: &Words) -> Credibility {
        if words.say(value) {
            return Credibility::Said;
        }
        let key = hash(&normal(value));
        let known = self.values.get(&key).into_iter().flatten();
        if { known }.any(|fact| self.is_pointed_at(fact, words)) || self.granted.contains(&self.grant(key)) {
            return Credibility::Vouched;
        }
        match self.source(key) {
            Some(source) => Credibility::Doubtful(Arc::clone(source)),
            None => Credibility::Unknown(self.origins.get(&key).cloned()),
        }
    }

    /// The declared source that knows a value.
    fn source(&self, key: u64) -> Option<&Arc<str>> {
        self.values.get(&key)?.first().and_then(|fact| self.records.get(fact.record)).map(|record| &record.source)
    }

    /// A value and where it came from.
    fn grant(&self, key: u64) -> u64 {
        let source = self.source(key).or_else(|| self.origins.get(&key));
        hash(&format!("{key} {}", source.map_or("", |source| source)))
    }

    fn is_pointed_at(&self, fact: &Fact, words: &Words) -> bool {
        let Some(record) = self.records.get(fact.record) else { return false };
        let is_named = || record.names.iter().any(|name| self.names_record(name, record, words));
        let has_role = || record.roles.iter().any(|role| words.say(role));
        let is_asked = record.asked == Asked::ByUser;
        match &fact.ground {
            Ground::Field(field) if record.roles.is_empty() => is_asked || words.say(field) || is_named(),
            Ground::Field(_) => has_role() || is_named(),
            Ground::Only(kind) => !words.hold(*kind) && has_role() && (is_asked || is_named()),
            Ground::OnlyHere(kind) => !words.hold(*kind) && has_role() && is_named(),
            Ground::OneOfMany => false,
        }
    }

    /// Whether the user's words have the whole name, or its first word where no other record has a whole name with it.
    fn names_record(&self, name: &Name, record: &Record, words: &Words) -> bool {
        let others =
            || self.records.iter().filter(|other| other.source == record.source).flat_map(|other| &other.names);
        let is_first = || name.first.is_some_and(|first| words.has(first));
        name.is_said(words) || is_first() && !others().any(|other| other.first == name.first && other.is_said(words))
    }

    /// A person allowed a call with this value.
    pub(super) fn allow(&mut self, value: &str) {
        let key = hash(&normal(value));
        let grant = self.grant(key);
        if self.granted.len() < MOST {
            self.granted.insert(grant);
        }
    }
}

impl Name {
    /// None for numbers and for words so short that they name nothing.
    fn new(value: &str) -> Option<Self> {
        let words: Vec<String> = tokens(value).take(16).collect();
        let letters = |word: &String| word.chars().filter(|one| one.is_alphabetic()).count();
        let first = words.first().filter(|word| letters(word) >= FIRST && letters(word) == word.chars().count());
        let all =
            words.iter().any(|word| letters(word) >= 3).then(|| words.iter().map(|word| Words::key(word)).collect())?;
        Some(Self { first: first.map(|word| Words::key(word)), all })
    }

    fn is_said(&self, words: &Words) -> bool {
        self.all.iter().all(|word| words.has(*word))
    }
}

/// One result on its way into the facts.
struct Reading<'d> {
    declaration: &'d Declaration,
    facts: &'d mut Facts,
    free: Vec<(usize, String)>,
}

impl Reading<'_> {
    fn value(&mut self, value: &Value, field: Option<&str>, record: usize) {
        match value {
            Value::Object(map) => {
                let record = self.object(map, record);
                for (field, value) in map {
                    if self.declaration.trusts_all() {
                        self.trusted(field, None, record);
                    }
                    self.value(value, Some(field), record);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.value(item, field, record)),
            Value::String(text) if self.is_trusted(field) => self.trusted(text, field, record),
            Value::Number(number) if self.is_trusted(field) => self.trusted(&number.to_string(), field, record),
            Value::String(text) => self.free.push((record, text.clone())),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// A record of its own, which what is around it names, too.
    fn object(&mut self, map: &Map<String, Value>, around: usize) -> usize {
        let Some(mut record) = self.facts.records.get(around).cloned() else { return around };
        let trusted = map.iter().filter(|(field, _)| self.declaration.trusts(field));
        record.names.extend(trusted.filter_map(|(_, value)| Name::new(value.as_str()?)));
        record.names.truncate(MOST_NAMES);
        self.facts.keep_record(record).unwrap_or(around)
    }

    fn is_trusted(&self, field: Option<&str>) -> bool {
        field.map_or_else(|| self.declaration.trusts_all(), |field| self.declaration.trusts(field))
    }

    /// A value on one line, and each of several between commas: `Ana <ana@one.example>, bob@one.example`.
    fn trusted(&mut self, text: &str, field: Option<&str>, record: usize) {
        let text = text.trim();
        if text.contains('\n') || text.chars().count() > LONGEST {
            return;
        }
        let inner = |part: &str| Some(part.strip_suffix('>')?.split_once('<')?.1.to_owned());
        let parts =
            text.split([',', ';']).map(str::trim).flat_map(|part| [Some(part.to_owned()), inner(part)]).flatten();
        let values: HashSet<String> = parts.chain([text.to_owned()]).filter(|value| !value.is_empty()).collect();
        let field = field.unwrap_or_default();
        for value in values {
            self.facts.keep(&value, Fact { record, ground: Ground::Field(field.to_owned()) });
        }
    }

    /// A text, all of which is trusted: its lines, and what stands behind a colon.
    fn lines(&mut self, text: &str, record: usize) {
        if self.declaration.trusts_all() {
            for line in text.lines().take(MOST_LINES) {
                self.trusted(line, None, record);
                line.split_once(':').into_iter().for_each(|(_, rest)| self.trusted(rest, None, record));
            }
        }
    }
}

#[cfg(test)]
mod tests;
