//! `${NAME}` in texts. Only this form, so that `$NAME` in shell texts is left to the shell.

use std::collections::BTreeMap;

use crate::schema::is_key;

/// Texts for other programs that may contain their own `${…}`: commands, regular expressions, prompts.
const VERBATIM: &[&str] = &[
    "hooks.*.command",
    "guardrails.quality_gates.command",
    "guardrails.code_rules.pattern",
    "guardrails.blocked_commands",
    "commands.blocked_patterns",
    "exec.allowedPatterns",
    "exec.deniedPatterns",
    "fileTools.deniedPatterns",
    "agents.*.system_prompt",
];

/// The outcome of looking for placeholders.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Substituted {
    /// There is none.
    Unchanged,
    /// Text around the values.
    Text(String),
    /// The whole text was one placeholder, so the value may also be a number or a list.
    Whole(String),
}

pub(crate) fn is_verbatim(key: &str) -> bool {
    VERBATIM.iter().any(|pattern| is_key(pattern, key))
}

/// Fills in `${NAME}` and `${NAME:-default}`; `$${` is a literal `${`.
///
/// # Errors
/// What is wrong and what to do, if a name is not defined or the brace is not closed.
pub(crate) fn substitute(text: &str, environment: &BTreeMap<String, String>) -> Result<Substituted, String> {
    if !text.contains("${") {
        return Ok(Substituted::Unchanged);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("${") {
        let (before, found) = rest.split_at(at);
        if let Some(escaped) = before.strip_suffix('$') {
            out.push_str(escaped);
            out.push_str("${");
            rest = found.get(2..).unwrap_or_default();
            continue;
        }
        out.push_str(before);
        let inner = found.get(2..).unwrap_or_default();
        let Some((inside, after)) = inner.split_once('}') else {
            return Err(format!("\"{found}\" opens a placeholder and never closes it; write $${{ for a literal ${{"));
        };
        out.push_str(&value(inside, environment)?);
        rest = after;
    }
    out.push_str(rest);
    let whole =
        text.strip_prefix("${").and_then(|inside| inside.strip_suffix('}')).is_some_and(|inside| !inside.contains('}'));
    Ok(if whole { Substituted::Whole(out) } else { Substituted::Text(out) })
}

fn value(inside: &str, environment: &BTreeMap<String, String>) -> Result<String, String> {
    let (name, default) = match inside.split_once(":-") {
        Some((name, default)) => (name, Some(default)),
        None => (inside, None),
    };
    let mut letters = name.chars();
    let well_formed = letters.next().is_some_and(|first| first == '_' || first.is_ascii_alphabetic())
        && letters.all(|letter| letter == '_' || letter.is_ascii_alphanumeric());
    if !well_formed {
        return Err(format!("\"${{{inside}}}\" names no environment variable; write $${{ for a literal ${{"));
    }
    environment
        .get(name)
        .map(String::as_str)
        .or(default)
        .map(str::to_owned)
        .ok_or_else(|| format!("the environment variable {name} is not defined; set it, or write ${{{name}:-DEFAULT}}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders() {
        let environment: BTreeMap<_, _> =
            [("A", "1"), ("B_2", "two"), ("EMPTY", "")].map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let text = |text: &str| Ok(Substituted::Text(text.to_owned()));
        let whole = |text: &str| Ok(Substituted::Whole(text.to_owned()));
        for (input, expected) in [
            ("plain $A", Ok(Substituted::Unchanged)),
            ("${A}", whole("1")),
            ("${EMPTY}", whole("")),
            ("x${A}y${B_2}", text("x1ytwo")),
            ("${A}${A}", text("11")),
            ("${NOT:-d}", whole("d")),
            ("${NOT:-}", whole("")),
            ("$${A} ${A}", text("${A} 1")),
            ("$$${A}", text("$${A}")),
        ] {
            assert_eq!(substitute(input, &environment), expected, "{input}");
        }
        for (input, part) in [
            ("${NOT}", "the environment variable NOT is not defined"),
            ("a ${A", "never closes it"),
            ("${1x}", "names no environment variable"),
            ("${}", "names no environment variable"),
        ] {
            let error = substitute(input, &environment).unwrap_err();
            assert!(error.contains(part), "{input}: {error}");
        }
    }
}
