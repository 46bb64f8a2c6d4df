//! A compiled JSON Schema. Only this module names the validator crate.

use super::bounds::{Patterns, patterns};
use super::work;
use jsonschema::PatternOptions;
use serde_json::Value;

/// Maximum number of errors reported at once.
const MAX_ERRORS: usize = 12;

/// Bytes of one compiled pattern.
const PATTERN: usize = 128 << 10;

/// Steps of one check: a hundredth of a second, or some where patterns are matched.
const MOST: usize = 2_000_000;
/// Steps of one that may say where the arguments do not fit: the validator makes every error before it gives out one.
const EXPLAINED: usize = 100_000;
/// Steps that take no time.
const QUICK: usize = 5_000;

/// Checks arguments against one schema.
pub struct Checker {
    compiled: Result<Compiled, String>,
}

struct Compiled {
    validator: jsonschema::Validator,
    schema: Value,
    patterns: Patterns,
}

impl Checker {
    /// Compiles the schema, in 30 ms at most. One that does not compile, or would take longer, rejects every call and says
    /// why. Patterns are matched in time linear to the text, so they have neither look-around nor back-references;
    /// references lead nowhere outside the schema.
    #[must_use]
    pub fn new(schema: &Value) -> Self {
        let options = jsonschema::options().with_pattern_options(PatternOptions::regex().size_limit(PATTERN));
        let compiled = patterns(schema).and_then(|patterns| {
            let validator = options.build(schema).map_err(|error| uncompiled(&error))?;
            Ok(Compiled { validator, schema: schema.clone(), patterns })
        });
        Self { compiled }
    }

    /// Why the schema does not compile.
    #[must_use]
    pub fn fault(&self) -> Option<&str> {
        self.compiled.as_ref().err().map(String::as_str)
    }

    /// Whether [`Checker::errors`] takes no time for these arguments.
    pub(crate) fn is_quick(&self, arguments: &Value) -> bool {
        self.compiled.as_ref().is_ok_and(|compiled| compiled.steps(arguments, QUICK).is_some())
    }

    /// Every violation as `path: what is wrong`, at most 12; none means that the arguments fit. Arguments that would take
    /// more than two million steps are not checked, which is an error, too.
    #[must_use]
    pub fn errors(&self, arguments: &Value) -> Vec<String> {
        match &self.compiled {
            Err(reason) => vec![format!("the tool's own schema is broken: {reason}")],
            Ok(compiled) => compiled.errors(arguments),
        }
    }
}

impl Compiled {
    fn steps(&self, arguments: &Value, most: usize) -> Option<usize> {
        work::steps(&self.schema, &self.patterns, arguments, most)
    }

    fn errors(&self, arguments: &Value) -> Vec<String> {
        let Some(steps) = self.steps(arguments, MOST) else {
            return vec![format!("checking them against the tool's schema takes more than {MOST} steps: send less")];
        };
        if self.validator.is_valid(arguments) {
            return Vec::new();
        }
        if steps > EXPLAINED {
            return vec!["they do not fit the tool's schema, and are too many to say where".to_owned()];
        }
        self.validator.iter_errors(arguments).map(|error| describe(&error)).take(MAX_ERRORS).collect()
    }
}

/// Why a schema does not compile.
fn uncompiled(error: &jsonschema::ValidationError<'_>) -> String {
    match error.kind() {
        jsonschema::error::ValidationErrorKind::Format { format } if format == "regex" => format!(
            "the pattern {} is none that is matched in linear time: no look-around, no back-references, less than 128 KiB",
            error.instance()
        ),
        _ => error.to_string(),
    }
}

/// The library's own words, except where they do not help: of an enumeration it names two values, and a model that guessed
/// needs all of them; before the length of a list it shows the list.
fn reason(error: &jsonschema::ValidationError<'_>) -> String {
    if let jsonschema::error::ValidationErrorKind::Enum { options } = error.kind()
        && let Some(options) = options.as_array()
    {
        let options: Vec<String> = options.iter().map(Value::to_string).collect();
        return format!("{} is none of {}", error.instance(), options.join(", "));
    }
    if let jsonschema::error::ValidationErrorKind::MaxItems { limit } = error.kind() {
        let count = error.instance().as_array().map_or(0, Vec::len);
        return format!("{count} items, and {limit} is the most");
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
