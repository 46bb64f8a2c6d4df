//! The JSON Schema of [`Config`] in a form for lookups: references followed, nullability split off. Checking, the
//! environment and `config explain` all use it, so a key added to the tree is known everywhere at once.

use std::sync::OnceLock;

use serde_json::Value;

use crate::tree::Config;

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
    schema: &'static Value,
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

pub(crate) fn root() -> Shape {
    Shape::new(root_value())
}

fn root_value() -> &'static Value {
    static SCHEMA: OnceLock<Value> = OnceLock::new();
    SCHEMA.get_or_init(Config::schema)
}

impl Shape {
    fn new(schema: &'static Value) -> Self {
        let mut shape = Self { schema, nullable: false };
        loop {
            if let Some(reference) = shape.schema.get("$ref").and_then(Value::as_str) {
                let target = reference.strip_prefix('#').unwrap_or(reference);
                match root_value().pointer(target) {
                    Some(found) => shape.schema = found,
                    None => return shape,
                }
            } else if let Some(Value::Array(options)) = shape.schema.get("anyOf") {
                let is_null = |option: &&Value| option.get("type").and_then(Value::as_str) == Some("null");
                shape.nullable |= options.iter().any(|option| is_null(&option));
                match options.iter().find(|option| !is_null(option)) {
                    Some(found) => shape.schema = found,
                    None => return shape,
                }
            } else {
                return shape;
            }
        }
    }

    pub(crate) fn nullable(self) -> bool {
        self.nullable || self.type_names().any(|name| name == "null")
    }

    fn type_names(self) -> impl Iterator<Item = &'static str> {
        let names = match self.schema.get("type") {
            Some(Value::Array(names)) => names.as_slice(),
            Some(name) => std::slice::from_ref(name),
            None => &[],
        };
        names.iter().filter_map(Value::as_str)
    }

    pub(crate) fn expected(self) -> Type {
        if self.choices().next().is_some() {
            return Type::Text;
        }
        match self.type_names().find(|name| *name != "null") {
            Some("object") => match self.schema.get("additionalProperties") {
                Some(values @ Value::Object(_)) if self.schema.get("properties").is_none() => {
                    Type::Table(Self::new(values))
                }
                _ if self.schema.get("properties").is_some() => Type::Section,
                _ => Type::Free,
            },
            Some("array") => self.schema.get("items").map_or(Type::Free, |items| Type::List(Self::new(items))),
            Some("string") => Type::Text,
            Some("integer") => Type::Integer,
            Some("number") => Type::Number,
            Some("boolean") => Type::Flag,
            _ => Type::Free,
        }
    }

    /// The fixed keys of a section.
    pub(crate) fn keys(self) -> impl Iterator<Item = (&'static str, Self)> {
        self.schema
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
            .map(|(key, schema)| (key.as_str(), Self::new(schema)))
    }

    pub(crate) fn key(self, key: &str) -> Option<Self> {
        match self.expected() {
            Type::Table(value) => Some(value),
            _ => self.schema.get("properties")?.get(key).map(Self::new),
        }
    }

    /// The shape at a dotted key without list indices.
    pub(crate) fn at(self, key: &str) -> Option<Self> {
        key.split('.').try_fold(self, Self::key)
    }

    pub(crate) fn required(self) -> impl Iterator<Item = &'static str> {
        self.schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
    }

    /// The allowed words of a text; none if it is free.
    pub(crate) fn choices(self) -> impl Iterator<Item = &'static str> {
        let listed = self.schema.get("enum").and_then(Value::as_array);
        let documented = self.schema.get("oneOf").and_then(Value::as_array);
        let documented = documented.into_iter().flatten().filter_map(|option| option.get("const"));
        listed.into_iter().flatten().chain(documented).filter_map(Value::as_str)
    }

    pub(crate) fn minimum(self) -> Option<f64> {
        self.schema.get("minimum").and_then(Value::as_f64)
    }

    pub(crate) fn maximum(self) -> Option<f64> {
        self.schema.get("maximum").and_then(Value::as_f64)
    }

    /// The documentation of one of its keys: from the reference to the key's type, or else from the type.
    pub(crate) fn documentation_of(self, key: &str) -> Option<&'static str> {
        let property = self.schema.get("properties")?.get(key)?;
        let described = |schema: &'static Value| schema.get("description").and_then(Value::as_str);
        described(property).or_else(|| described(Self::new(property).schema))
    }

    /// The default of one of its keys.
    pub(crate) fn default_of(self, key: &str) -> Option<&'static Value> {
        self.schema.get("properties")?.get(key)?.get("default")
    }

    /// Whether both are the same place of the schema.
    pub(crate) fn is_same(self, other: Self) -> bool {
        std::ptr::eq(self.schema, other.schema)
    }

    /// An address of which only scheme and host may be shown.
    pub(crate) fn has_secret_path(self) -> bool {
        self.schema.get("x-secretPath") == Some(&Value::Bool(true))
    }

    /// Must not be shown.
    pub(crate) fn is_secret(self) -> bool {
        self.schema.get("writeOnly") == Some(&Value::Bool(true))
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
