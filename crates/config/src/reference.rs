//! The list of all keys for the generated reference page: generated from the schema, so it is always up to date.

use serde_json::Value;

use crate::check::describe;
use crate::not_yet::is_not_yet;
use crate::schema::{self, Shape, Type, join};
use crate::tree::Config;

/// One key as the reference page shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyReference {
    /// Dotted; `NAME` stands for a free name, `[]` for the items of a list.
    pub key: String,
    /// The allowed values, in words.
    pub expected: String,
    /// The built-in value.
    pub default: KeyDefault,
    /// What it is for.
    pub documentation: &'static str,
    /// Whether it is implemented.
    pub effect: Effect,
}

/// The default of a key.
#[derive(Debug, Clone, PartialEq)]
pub enum KeyDefault {
    /// This value.
    Value(Value),
    /// Nothing.
    Unset,
    /// The key is required.
    Required,
    /// A section or a table: its keys have their own defaults.
    Section,
}

/// Whether a key has an effect in this version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It does what its documentation says.
    Now,
    /// It is accepted with a warning.
    NotYet,
}

impl Config {
    /// Every key in the order of the tree, sections before their keys. List items of one type are described once, at
    /// the first list that holds them.
    #[must_use]
    pub fn reference() -> Vec<KeyReference> {
        let mut described = Described::default();
        described.walk("", schema::root());
        described.keys
    }
}

#[derive(Default)]
struct Described {
    keys: Vec<KeyReference>,
    items: Vec<Shape>,
}

impl Described {
    fn walk(&mut self, prefix: &str, section: Shape) {
        for (name, shape) in section.keys() {
            let key = join(prefix, name);
            let expected = shape.expected();
            let below = match expected {
                Type::Section => Some((key.clone(), shape)),
                Type::Table(value) => Some((format!("{key}.NAME"), value)),
                Type::List(item) if !self.items.iter().any(|seen| seen.is_same(item)) => {
                    self.items.push(item);
                    Some((format!("{key}[]"), item))
                }
                _ => None,
            };
            self.keys.push(KeyReference {
                expected: describe(shape),
                default: match (expected, section.default_of(name)) {
                    (Type::Section | Type::Table(_), _) => KeyDefault::Section,
                    _ if section.required().any(|required| required == name) => KeyDefault::Required,
                    (_, None | Some(Value::Null)) => KeyDefault::Unset,
                    (_, Some(value)) => KeyDefault::Value(value.clone()),
                },
                documentation: section.documentation_of(name).unwrap_or_default(),
                effect: if is_not_yet(&key) { Effect::NotYet } else { Effect::Now },
                key,
            });
            if let Some((prefix, shape)) = below {
                self.walk(&prefix, shape);
            }
        }
    }
}
