//! What the derive macros expand to: one argument's value and schema, and the form of a default.
//!
//! Not for use by hand. Our own trait wraps those of serde and schemars to reject types that JSON cannot represent in
//! one sentence: their own errors list every type they know.

use crate::message::Words;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Deserialize, DeserializeOwned, Deserializer};
use serde::ser::Serialize;
use serde_json::Value;

/// The default catalogue of derived arguments: none, because this workspace's own binaries set one.
#[must_use]
pub const fn words() -> Option<Words> {
    None
}

/// A type that can be one argument of a tool.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a tool",
    label = "JSON cannot carry this type, or nothing describes it",
    note = "use text, numbers, bool, or an `Option`, `Vec` or map of those",
    note = "for a type of your own: `#[derive(palanca::Args)]` on a struct whose fields have doc comments, or on an enum of plain words"
)]
pub trait Argument: Sized {
    /// Reads the value.
    ///
    /// # Errors
    /// The value is not of this type.
    fn read<'de, D: Deserializer<'de>>(from: D) -> Result<Self, D::Error>;

    /// Describes the type; the argument's description is its own, not its type's.
    fn describe(generator: &mut SchemaGenerator) -> Schema;
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> Argument for T {
    fn read<'de, D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Deserialize::deserialize(from)
    }

    fn describe(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = generator.subschema_for::<T>().to_value();
        plain(&mut schema);
        if let Some(object) = schema.as_object_mut() {
            object.shift_remove("title");
            object.shift_remove("description");
        }
        // ignored: a schema is still an object or a boolean.
        Schema::try_from(schema).unwrap_or_default()
    }
}

/// Removes `null` from optional arguments, which may only be left out, and Rust's number formats: providers' strict
/// modes accept neither.
pub(super) fn plain(property: &mut Value) {
    let Some(object) = property.as_object_mut() else { return };
    object.shift_remove("format");
    if object.get("default").is_some_and(Value::is_null) {
        object.shift_remove("default");
    }
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|one| one != "null");
        if let [only] = types.as_mut_slice() {
            let only = only.take();
            object.insert("type".into(), only);
        }
    }
    if let Some(Value::Array(words)) = object.get_mut("enum") {
        words.retain(|word| !word.is_null());
    }
    if let Some(Value::Array(branches)) = object.get_mut("anyOf") {
        branches.retain(|branch| branch.get("type").is_none_or(|one| one != "null"));
        branches.iter_mut().for_each(plain);
        if let [only] = branches.as_mut_slice() {
            let only = only.take();
            object.shift_remove("anyOf");
            if let Value::Object(branch) = only {
                for (key, value) in branch {
                    object.entry(key).or_insert(value);
                }
            }
        }
    }
    for inner in ["items", "additionalProperties"] {
        if let Some(schema @ Value::Object(_)) = object.get_mut(inner) {
            schema.as_object_mut().map(|schema| schema.shift_remove("format"));
        }
    }
}

/// An enum whose values are plain words.
pub trait Word {
    /// The word in JSON.
    fn word(&self) -> &'static str;
}

/// A default for the schema: as its word if it has one, otherwise as JSON.
///
/// The two traits below differ by one reference, so that `(&&Shown(&value)).shown()` prefers the word: a type's own
/// `Serialize` may spell it differently from the parser of the arguments.
pub struct Shown<'a, T>(pub &'a T);

/// See [`Shown`].
pub trait ShowWord {
    /// The default as JSON.
    fn shown(&self) -> Value;
}

impl<T: Word> ShowWord for &Shown<'_, T> {
    fn shown(&self) -> Value {
        self.0.word().into()
    }
}

/// See [`Shown`].
pub trait ShowJson {
    /// The default as JSON; `null` if it has no JSON form.
    fn shown(&self) -> Value;
}

impl<T: Serialize> ShowJson for Shown<'_, T> {
    fn shown(&self) -> Value {
        serde_json::to_value(self.0).unwrap_or_default()
    }
}
