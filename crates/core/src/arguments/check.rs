//! A compiled JSON Schema. Only this module names the validator crate.

use serde_json::Value;

/// Maximum number of errors reported at once.
const MAX_ERRORS: usize = 12;

/// Checks arguments against one schema.
pub struct Checker {
    validator: Result<jsonschema::Validator, String>,
}

impl Checker {
    /// Compiles the schema. A schema that does not compile rejects every call and says why.
    #[must_use]
    pub fn new(schema: &Value) -> Self {
        Self { validator: jsonschema::validator_for(schema).map_err(|error| error.to_string()) }
    }

    /// Why the schema does not compile.
    #[must_use]
    pub fn fault(&self) -> Option<&str> {
        self.validator.as_ref().err().map(String::as_str)
    }

    /// Every violation as `path: what is wrong`, at most 12; none means that the arguments fit.
    #[must_use]
    pub fn errors(&self, arguments: &Value) -> Vec<String> {
        match &self.validator {
            Err(reason) => vec![format!("the tool's own schema is broken: {reason}")],
            Ok(validator) if validator.is_valid(arguments) => Vec::new(),
            Ok(validator) => validator.iter_errors(arguments).map(|error| describe(&error)).take(MAX_ERRORS).collect(),
        }
    }
}

/// The library's own words, except for an enumeration: it names two values, and a model that guessed needs all of them.
fn reason(error: &jsonschema::ValidationError<'_>) -> String {
    if let jsonschema::error::ValidationErrorKind::Enum { options } = error.kind()
        && let Some(options) = options.as_array()
    {
        let options: Vec<String> = options.iter().map(Value::to_string).collect();
        return format!("{} is none of {}", error.instance(), options.join(", "));
    }
    error.to_string()
}

fn describe(error: &jsonschema::ValidationError<'_>) -> String {
    let path = error.instance_path().to_string();
    let mut reason = reason(error);
    if reason.len() > 300 {
        let cut = (0..=300).rev().find(|at| reason.is_char_boundary(*at)).unwrap_or(0);
        reason.truncate(cut);
        reason.push('…');
    }
    if path.is_empty() { reason } else { format!("{}: {reason}", path.trim_start_matches('/')) }
}
