//! Arguments as received.

use super::parse::parse;
use serde_json::Value;

/// Arguments as received: a model's text, or JSON that a program built.
#[derive(Clone, Debug, PartialEq)]
pub enum RawArguments {
    /// Text that should be a JSON object; invalid text is reported to the model with the position of the error.
    Text(String),
    /// Already JSON.
    Json(Value),
}

impl RawArguments {
    /// Takes the arguments out, leaving nothing.
    pub(crate) fn take(&mut self) -> Self {
        std::mem::replace(self, Self::Json(Value::Null))
    }

    /// The arguments as JSON: text that is a JSON object becomes one, other text is a string.
    #[must_use]
    pub fn to_value(&self) -> Value {
        match self {
            Self::Json(value) => value.clone(),
            Self::Text(text) => parse(self).map_or_else(|_| text.as_str().into(), Value::Object),
        }
    }
}

impl From<Value> for RawArguments {
    fn from(value: Value) -> Self {
        Self::Json(value)
    }
}
impl From<String> for RawArguments {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}
