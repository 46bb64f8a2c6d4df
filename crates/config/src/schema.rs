//! The JSON Schema of [`Config`] in a form for lookups: references followed, nullability split off. Checking, the
//! environment and `config explain` all use it, so a key added to the tree is known everywhere at once.
//!
//! The surprising decision: the whole schema is made only to be shown. A lookup makes the part below one key at the top,
//! because a file, a flag or a variable touches few of them, and making all takes longer than most commands.

use std::sync::LazyLock;

use serde_json::Value;

use crate::tree::{Config, KEYS};

impl Config {
    /// The JSON Schema (draft 2020-12) of a configuration file, with the documentation and default of every key.
    #[must_use]
    pub fn schema() -> Value {
        schemars::schema_for!(Self).to_value()
    }
}

/// A place in the schema.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    /// None at the top.
    schema: Option<&'static Value>,
    nullable: bool,
}

/// The shape of a place.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Type {
    /// Fixed keys.
    Section,
    /// Free keys, all with the same shape.
    Table(Shape),
    List(Shape),
    Text,
    Integer,
    Number,
    Flag,
    /// Any value.
    Free,
}

pub(crate) const fn root() -> Shape {
    Shape { schema: None, nullable: false }
}

fn whole() -> &'static Value {
    static WHOLE: LazyLock<Value> = LazyLock::new(Config::schema);
    &WHOLE
}

impl Shape {
    fn new(schema: &'static Value) -> Self {
        let (mut schema, mut nullable) = (schema, false);
        while let Some(Value::Array(options)) = schema.get("anyOf") {
            let is_null = |option: &&Value| option.get("type").and_then(Value::as_str) == Some("null");
            nullable |= options.iter().any(|option| is_null(&option));
            match options.iter().find(|option| !is_null(option)) {
                Some(found) => schema = found,
                None => break,
            }
        }
        Self { schema: Some(schema), nullable }
    }

    fn get(self, keyword: &str) -> Option<&'static Value> {
        self.schema.unwrap_or_else(whole).get(keyword)
    }

    pub(crate) fn nullable(self) -> bool {
        self.nullable || self.type_names().any(|name| name == "null")
    }

    fn type_names(self) -> impl Iterator<Item = &'static str> {
        let names = match self.get("type") {
            Some(Value::Array(names)) => names.as_slice(),
            Some(name) => std::slice::from_ref(name),
            None => &[],
        };
        names.iter().filter_map(Value::as_str)
    }

    pub(crate) fn expected(self) -> Type {
        if self.schema.is_none() {
            return Type::Section;
        }
        if self.choices().next().is_some() {
            return Type::Text;
        }
        match self.type_names().find(|name| *name != "null") {
            Some("object") => match self.get("additionalProperties") {
                Some(values @ Value::Object(_)) if self.get("properties").is_none() => Type::Table(Self::new(values)),
                _ if self.get("properties").is_some() => Type::Section,
                _ => Type::Free,
            },
            Some("array") => self.get("items").map_or(Type::Free, |items| Type::List(Self::new(items))),
            Some("string") => Type::Text,
            Some("integer") => Type::Integer,
            Some("number") => Type::Number,
            Some("boolean") => Type::Flag,
            _ => Type::Free,
        }
    }

    /// The fixed keys of a section.
    pub(crate) fn keys(self) -> impl Iterator<Item = (&'static str, Self)> {
        let top = KEYS.iter().filter(move |_| self.schema.is_none()).map(|(key, schema)| (*key, &**schema));
        let properties = self.schema.and_then(|schema| schema.get("properties")?.as_object());
        let below = properties.into_iter().flatten().map(|(key, schema)| (key.as_str(), schema));
        top.chain(below).map(|(key, schema)| (key, Self::new(schema)))
    }

    pub(crate) fn key(self, key: &str) -> Option<Self> {
        let Some(schema) = self.schema else {
            return KEYS.iter().find(|(name, _)| *name == key).map(|(_, schema)| Self::new(schema));
        };
        match self.expected() {
            Type::Table(value) => Some(value),
            _ => schema.get("properties")?.get(key).map(Self::new),
        }
    }

    /// The shape of a list's items.
    pub(crate) fn item(self) -> Option<Self> {
        match self.expected() {
            Type::List(item) => Some(item),
            _ => None,
        }
    }

    /// The shape at a dotted key without list indices.
    pub(crate) fn at(self, key: &str) -> Option<Self> {
        key.split('.').try_fold(self, Self::key)
    }

    pub(crate) fn required(self) -> impl Iterator<Item = &'static str> {
        // Nothing is required at the top.
        self.schema
            .and_then(|schema| schema.get("required")?.as_array())
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
    }

    /// The allowed words of a text; none if it is free.
    pub(crate) fn choices(self) -> impl Iterator<Item = &'static str> {
        let listed = self.get("enum").and_then(Value::as_array);
        let documented = self.get("oneOf").and_then(Value::as_array);
        let documented = documented.into_iter().flatten().filter_map(|option| option.get("const"));
        listed.into_iter().flatten().chain(documented).filter_map(Value::as_str)
    }

    pub(crate) fn minimum(self) -> Option<f64> {
        self.get("minimum").and_then(Value::as_f64)
    }

    pub(crate) fn maximum(self) -> Option<f64> {
        self.get("maximum").and_then(Value::as_f64)
    }

    /// The documentation of one of its keys: from the reference to the key's type, or else from the type.
    pub(crate) fn documentation_of(self, key: &str) -> Option<&'static str> {
        let property = self.get("properties")?.get(key)?;
        let described = |schema: &'static Value| schema.get("description").and_then(Value::as_str);
        described(property).or_else(|| described(Self::new(property).schema?))
    }

    /// The default of one of its keys.
    pub(crate) fn default_of(self, key: &str) -> Option<&'static Value> {
        self.get("properties")?.get(key)?.get("default")
    }

    /// Whether both have the same keys, with the same documentation.
    pub(crate) fn is_same(self, other: Self) -> bool {
        self.schema == other.schema
    }

    /// An address of which only scheme and host may be shown.
    pub(crate) fn has_secret_path(self) -> bool {
        self.get("x-secretPath") == Some(&Value::Bool(true))
    }

    /// A list that may be written as its only item.
    pub(crate) fn takes_one(self) -> bool {
        self.get("x-oneIsEnough") == Some(&Value::Bool(true))
    }

    /// A list of all layers together, in which an item takes the place of one of the same name from a layer below.
    pub(crate) fn joins_by_name(self) -> bool {
        self.get("x-joinsByName") == Some(&Value::Bool(true))
    }

    /// Must not be shown.
    pub(crate) fn is_secret(self) -> bool {
        self.get("writeOnly") == Some(&Value::Bool(true))
    }
}

/// The documentation of a dotted key.
pub(crate) fn documentation(key: &str) -> Option<&'static str> {
    match key.rsplit_once('.') {
        Some((section, name)) => root().at(section)?.documentation_of(name),
        None => root().documentation_of(key),
    }
}

/// Calls `visit` with every dotted key, sections included. List items and table values are not keys.
pub(crate) fn visit_keys(visit: &mut dyn FnMut(&str, Shape)) {
    fn walk(prefix: &str, shape: Shape, visit: &mut dyn FnMut(&str, Shape)) {
        for (name, child) in shape.keys() {
            let key = join(prefix, name);
            visit(&key, child);
            if matches!(child.expected(), Type::Section) {
                walk(&key, child, visit);
            }
        }
    }
    walk("", root(), visit);
}

pub(crate) fn join(prefix: &str, key: &str) -> String {
    if prefix.is_empty() { key.to_owned() } else { format!("{prefix}.{key}") }
}

/// Whether `key`, or a section above it, matches `pattern`. `*` matches one part; list indices are ignored.
pub(crate) fn covers(pattern: &str, key: &str) -> bool {
    let mut parts = key.split('.');
    pattern.split('.').all(|wanted| {
        parts.next().is_some_and(|part| {
            let name = part.split('[').next().unwrap_or(part);
            wanted == "*" || wanted == name
        })
    })
}

/// Like [`covers`], but nothing may follow.
pub(crate) fn is_key(pattern: &str, key: &str) -> bool {
    covers(pattern, key) && pattern.split('.').count() == key.split('.').count()
}
