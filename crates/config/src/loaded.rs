//! A resolved configuration and how it came to be: the data that `config show`, `config explain` and `config check`
//! print. Every [`Value`] returned here has secrets replaced by `***`.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::check::describe;
use crate::nearest;
use crate::origin::{Origin, Place};
use crate::problem::Warning;
use crate::schema::{self, Shape, Type, join};
use crate::tree::Config;

/// The values of every layer, by dotted key.
pub(crate) type Steps = BTreeMap<String, Vec<Step>>;

/// The replacement of a secret.
const HIDDEN: &str = "***";

/// One layer's value of a key.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Where.
    pub place: Place,
    /// The value; hidden if secret.
    pub value: Value,
    /// Why it was not applied, if so.
    pub not_applied: Option<String>,
}

/// One key with its effective value.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Dotted.
    pub key: String,
    /// Hidden if secret; null if unset.
    pub value: Value,
    /// The layer that decided.
    pub place: Place,
}

/// Everything about one key or section.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// As asked, dotted.
    pub key: String,
    /// The effective value; hidden if secret.
    pub value: Value,
    /// The purpose of the key.
    pub documentation: Option<&'static str>,
    /// The allowed values, in words.
    pub expected: String,
    /// The default first, then every layer from weak to strong; the last applied one decides, in a list that joins by name about
    /// each name. Empty for a section.
    pub steps: Vec<Step>,
    /// The keys of a section; empty for a single value.
    pub entries: Vec<Entry>,
}

/// An effective configuration.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The typed values.
    pub config: Config,
    /// Values that were understood but not used; show them.
    pub warnings: Vec<Warning>,
    said: Said,
    steps: Steps,
}

/// What others say: a key that nobody names is missing, and has its default.
#[derive(Debug, Clone)]
pub(crate) struct Said {
    /// Built-in values of other crates.
    pub preset: Value,
    /// What the layers say.
    pub layers: Value,
}

impl Said {
    /// The default of every key.
    pub(crate) fn defaults(&self) -> Value {
        // Serialising a plain tree of our own types cannot fail.
        let mut defaults = serde_json::to_value(Config::default()).unwrap_or_default();
        lay(&mut defaults, &self.preset);
        defaults
    }

    /// The value of every key.
    pub(crate) fn whole(&self) -> Value {
        let mut whole = self.defaults();
        lay(&mut whole, &self.layers);
        whole
    }

    /// The values that are no default of the tree.
    pub(crate) fn own(&self) -> Value {
        let mut own = self.preset.clone();
        lay(&mut own, &self.layers);
        own
    }
}

/// Lays one tree over another, key by key.
fn lay(below: &mut Value, above: &Value) {
    match (below, above) {
        (Value::Object(below), Value::Object(above)) => {
            for (key, value) in above {
                lay(below.entry(key).or_insert(Value::Null), value);
            }
        }
        (below, above) => below.clone_from(above),
    }
}

impl Loaded {
    pub(crate) fn new(config: Config, said: Said, steps: Steps, warnings: Vec<Warning>) -> Self {
        Self { config, warnings, said, steps }
    }

    /// The whole configuration, secrets hidden.
    #[must_use]
    pub fn show(&self) -> Value {
        hidden(&self.said.whole(), Some(schema::root()))
    }

    /// Every single value with the layer that decided it, in the order of the schema; secrets hidden.
    #[must_use]
    pub fn entries(&self) -> Vec<Entry> {
        let mut entries = Vec::new();
        self.collect("", &self.said.whole(), Some(schema::root()), &mut entries);
        entries
    }

    /// Where a value comes from.
    ///
    /// # Errors
    /// A sentence with the nearest name if there is no such key.
    pub fn explain(&self, key: &str) -> Result<Explanation, String> {
        let mut shape = Some(schema::root());
        let whole = self.said.whole();
        let mut value = Some(&whole);
        let mut walked = String::new();
        for part in key.split('.') {
            let found = shape.and_then(|shape| shape.key(part));
            if let (None, Some(section)) = (found, shape) {
                let near = nearest::nearest(&walked, section, part);
                let hint = match near {
                    Some(near) => format!("did you mean \"{near}\"?"),
                    None if walked.is_empty() => "`palanca config show` lists every key".to_owned(),
                    None => {
                        let keys: Vec<&str> = section.keys().map(|(key, _)| key).collect();
                        format!(
                            "\"{walked}\" has {}",
                            if keys.is_empty() { "no keys".to_owned() } else { keys.join(", ") }
                        )
                    }
                };
                return Err(format!("there is no key \"{key}\"; {hint}"));
            }
            shape = found;
            value = value.and_then(|value| value.get(part));
            walked = join(&walked, part);
        }
        let value = value.unwrap_or(&Value::Null);
        let mut entries = Vec::new();
        let is_section = shape.is_some_and(|shape| matches!(shape.expected(), Type::Section | Type::Table(_)));
        if is_section {
            self.collect(key, value, shape, &mut entries);
        }
        Ok(Explanation {
            key: key.to_owned(),
            value: hidden(value, shape),
            documentation: schema::documentation(key),
            expected: shape.map_or_else(String::new, describe),
            steps: if is_section { Vec::new() } else { self.steps(key, shape) },
            entries,
        })
    }

    fn steps(&self, key: &str, shape: Option<Shape>) -> Vec<Step> {
        let defaults = self.said.defaults();
        let default = key.split('.').try_fold(&defaults, |value, part| value.get(part)).cloned().unwrap_or_default();
        let default = Step { place: Place::new(Origin::Default, 0), value: default, not_applied: None };
        let written = self.steps.get(key).into_iter().flatten().cloned();
        std::iter::once(default).chain(written).map(|step| Step { value: hidden(&step.value, shape), ..step }).collect()
    }

    fn collect(&self, key: &str, value: &Value, shape: Option<Shape>, entries: &mut Vec<Entry>) {
        let walked = shape.is_some_and(|shape| matches!(shape.expected(), Type::Section | Type::Table(_)));
        match value {
            Value::Object(map) if walked && !map.is_empty() => {
                for (name, child) in map {
                    let shape = shape.and_then(|shape| shape.key(name));
                    self.collect(&join(key, name), child, shape, entries);
                }
            }
            Value::Array(items) if shape.is_some_and(Shape::joins_by_name) && !items.is_empty() => {
                let item = shape.and_then(Shape::item);
                entries.extend(items.iter().enumerate().map(|(at, child)| Entry {
                    key: format!("{key}[{at}]"),
                    value: hidden(child, item),
                    place: self.place(key, |said| said.as_array().is_some_and(|items| items.contains(child))),
                }));
            }
            _ => {
                let place = self.place(key, |_| true);
                entries.push(Entry { key: key.to_owned(), value: hidden(value, shape), place });
            }
        }
    }

    /// The layer that decided about a key.
    #[must_use]
    pub fn origin(&self, key: &str) -> Origin {
        self.place(key, |_| true).origin
    }

    fn place(&self, key: &str, decides: impl Fn(&Value) -> bool) -> Place {
        let steps = self.steps.get(key).map_or(&[][..], Vec::as_slice);
        steps
            .iter()
            .rfind(|step| step.not_applied.is_none() && decides(&step.value))
            .map_or_else(|| Place::new(Origin::Default, 0), |step| step.place.clone())
    }
}

fn hidden(value: &Value, shape: Option<Shape>) -> Value {
    if shape.is_some_and(Shape::is_secret) && !value.is_null() {
        return Value::from(HIDDEN);
    }
    match value {
        Value::Object(map) => map
            .iter()
            .map(|(key, child)| {
                let shape = shape.and_then(|shape| shape.key(key));
                (key.clone(), hidden(child, shape))
            })
            .collect(),
        Value::Array(items) => {
            let item = shape.and_then(Shape::item);
            items.iter().map(|child| hidden(child, item)).collect()
        }
        Value::String(text) if shape.is_some_and(Shape::has_secret_path) => Value::String(only_host(text)),
        Value::String(text) => Value::String(public(text)),
        other => other.clone(),
    }
}

/// `https://hooks.example.com/***`, or none for a text that is not an address.
fn only_host(text: &str) -> String {
    match text.split_once("://") {
        Some((scheme, rest)) => {
            let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
            let host = authority.rsplit('@').next().unwrap_or_default();
            let path = if rest.len() > authority.len() { "/***" } else { "" };
            format!("{scheme}://{host}{path}")
        }
        None => HIDDEN.to_owned(),
    }
}

/// An address without its credentials: `https://user:password@host/?key=value` keeps the user and the names.
fn public(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://").filter(|(scheme, _)| !scheme.contains(char::is_whitespace))
    else {
        return text.to_owned();
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let authority = match authority.rsplit_once('@').map(|(user, host)| (user.split_once(':'), host)) {
        Some((Some((user, _)), host)) => format!("{user}:{HIDDEN}@{host}"),
        _ => authority.to_owned(),
    };
    let (path, query) = path.split_once('?').map_or((path, None), |(path, query)| (path, Some(query)));
    let values = |query: &str| {
        let pair = |pair: &str| match pair.split_once('=') {
            Some((name, _)) => format!("{name}={HIDDEN}"),
            None => HIDDEN.to_owned(),
        };
        query.split('&').map(pair).collect::<Vec<_>>().join("&")
    };
    let query = query.map_or_else(String::new, |query| format!("?{}", values(query)));
    format!("{scheme}://{authority}{path}{query}")
}
