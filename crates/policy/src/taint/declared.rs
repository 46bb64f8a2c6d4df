//! What the operator says of tools, by name: which fields of their results can be trusted, which arguments say where a
//! call goes, and whose effects stay with the user. Code knows no tool by its name; all names come from here.
//!
//! Declarations widen what may happen, so they are taken from the operator alone, never from an untrusted repository.

use palanca_core::message::Message;
use palanca_core::registry::{Toolset, nearest};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Stands for every field.
const ALL: &str = "*";

/// What one tool is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Declaration {
    /// Of a source: the fields of its results whose values may be used, at any depth; `*` for all of them, also of a result
    /// that is a list or lines of text. Empty: it may be asked, and nothing of its results may be used.
    pub trusted: Option<Vec<String>>,
    /// Words by which people name what the source says, in any language: `bill`, `invoice`. Where there are any, the task
    /// must have one of them or name the record.
    pub roles: Vec<String>,
    /// The arguments that say where a call goes or what it acts on. The others are text that goes there.
    pub targets: Option<Vec<String>>,
    /// Its effects stay with the user, and what it returns is the user's own.
    pub closed: bool,
}

impl Declaration {
    /// A source of these fields.
    #[must_use]
    pub fn source<'f>(trusted: impl IntoIterator<Item = &'f str>) -> Self {
        Self { trusted: Some(trusted.into_iter().map(str::to_owned).collect()), ..Self::default() }
    }

    /// A tool whose calls go where these arguments say.
    #[must_use]
    pub fn sink<'f>(targets: impl IntoIterator<Item = &'f str>) -> Self {
        Self { targets: Some(targets.into_iter().map(str::to_owned).collect()), ..Self::default() }
    }

    /// A tool whose effects stay with the user.
    #[must_use]
    pub fn closed() -> Self {
        Self { closed: true, ..Self::default() }
    }

    /// The same, with words by which people name what the source says.
    #[must_use]
    pub fn named<'f>(mut self, roles: impl IntoIterator<Item = &'f str>) -> Self {
        self.roles = roles.into_iter().map(str::to_owned).collect();
        self
    }

    pub(super) fn trusts(&self, field: &str) -> bool {
        self.trusted.iter().flatten().any(|trusted| trusted == field || trusted == ALL)
    }

    /// Whether all of its results can be trusted.
    pub(super) fn trusts_all(&self) -> bool {
        self.trusts(ALL)
    }

    pub(super) fn is_target(&self, argument: &str) -> bool {
        self.targets.iter().flatten().any(|target| target == argument || target == ALL)
    }
}

/// A declaration that cannot be meant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeclarationError {
    /// No tool has this name, or one that begins so.
    #[error("tools.{name}: there is no tool of this name{}; take the entry out, or write a tool's name or its beginning and `*`", hint(.nearest))]
    NoTool {
        /// The name, or the beginning of names.
        name: String,
        /// Names like it.
        nearest: Vec<String>,
    },
    /// No such argument.
    #[error("tools.{name}.targets: the tool has no argument {argument:?}; it has {}", .arguments.join(", "))]
    NoArgument {
        /// The tool.
        name: String,
        /// What was declared.
        argument: String,
        /// What it has.
        arguments: Vec<String>,
    },
    /// What excludes each other.
    #[error("tools.{0}: a closed tool has neither trusted fields nor targets; write `closed`, or the others")]
    Contradiction(String),
    /// Nothing is said.
    #[error("tools.{0}: nothing is declared; write `trusted`, `targets` or `closed`")]
    Nothing(String),
}

impl DeclarationError {
    /// For people, in their language.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::NoTool { name, nearest } if nearest.is_empty() => Message::new("taint-no-tool").with("name", name),
            Self::NoTool { name, nearest } => {
                Message::new("taint-no-tool-near").with("name", name).with("nearest", nearest.join(", "))
            }
            Self::NoArgument { name, argument, arguments } => Message::new("taint-no-argument")
                .with("name", name)
                .with("argument", argument)
                .with("arguments", arguments.join(", ")),
            Self::Contradiction(name) => Message::new("taint-contradiction").with("name", name),
            Self::Nothing(name) => Message::new("taint-nothing-declared").with("name", name),
        }
    }
}

fn hint(nearest: &[String]) -> String {
    if nearest.is_empty() { String::new() } else { format!(" (meant: {}?)", nearest.join(", ")) }
}

/// Declarations by the name of a tool, or by the beginning of names and `*`: `mcp_bank_*`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declarations(BTreeMap<String, Declaration>);

impl Declarations {
    /// These.
    ///
    /// # Errors
    /// The first that says nothing or contradicts itself.
    pub fn new(all: impl IntoIterator<Item = (String, Declaration)>) -> Result<Self, DeclarationError> {
        let all: BTreeMap<String, Declaration> = all.into_iter().collect();
        for (name, declaration) in &all {
            let speaks = declaration.trusted.is_some() || declaration.targets.is_some();
            match (declaration.closed, speaks) {
                (true, true) => return Err(DeclarationError::Contradiction(name.clone())),
                (false, false) => return Err(DeclarationError::Nothing(name.clone())),
                _ => {}
            }
        }
        Ok(Self(all))
    }

    /// Whether every declared tool is among these, with the arguments that are declared.
    ///
    /// # Errors
    /// The first that is not.
    pub fn check(&self, tools: &Toolset) -> Result<(), DeclarationError> {
        for (name, declaration) in &self.0 {
            let mut meant = tools.iter().filter(|tool| matches(name, &tool.spec().name)).peekable();
            if meant.peek().is_none() && tools.why_absent(name).is_none() {
                let nearest = nearest(name, tools.names(), 3).into_iter().map(str::to_owned).collect();
                return Err(DeclarationError::NoTool { name: name.clone(), nearest });
            }
            // Of several tools each has its own arguments.
            if name.ends_with(ALL) {
                continue;
            }
            for tool in meant {
                let properties = tool.schema().get("properties").and_then(Value::as_object);
                let has = |argument: &str| properties.is_some_and(|all| all.contains_key(argument));
                let missing = declaration.targets.iter().flatten().find(|target| *target != ALL && !has(target));
                if let Some(argument) = missing {
                    let arguments = properties.into_iter().flat_map(|all| all.keys().cloned()).collect();
                    let (name, argument) = (name.clone(), argument.clone());
                    return Err(DeclarationError::NoArgument { name, argument, arguments });
                }
            }
        }
        Ok(())
    }

    /// What is said of a tool: by its whole name, else by the longest beginning.
    pub(super) fn of(&self, tool: &str) -> Option<&Declaration> {
        self.0.get(tool).or_else(|| {
            let patterns = self.0.iter().filter(|(name, _)| matches(name, tool));
            patterns.max_by_key(|(name, _)| name.len()).map(|(_, declaration)| declaration)
        })
    }
}

fn matches(name: &str, tool: &str) -> bool {
    name == tool || name.strip_suffix(ALL).is_some_and(|beginning| tool.starts_with(beginning))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;
    use palanca_core::Registry;
    use palanca_testkit::ForeignPage;
    use std::sync::Arc;

    fn declared(name: &str, declaration: Declaration) -> Result<Declarations, DeclarationError> {
        Declarations::new([(name.to_owned(), declaration)])
    }

    #[test]
    fn what_does_not_exist_or_says_nothing_is_an_error() {
        let registry = Registry::new();
        let page = Arc::new(ForeignPage::new("text"));
        registry.register_any(page, palanca_core::registry::Override::Refuse).unwrap();
        let tools = registry.snapshot();
        let check = |name: &str, declaration: Declaration| declared(name, declaration)?.check(&tools);
        for name in [ForeignPage::NAME, "foreign_*", "*"] {
            assert_eq!(check(name, Declaration::source(["x"])), Ok(()), "{name}");
        }
        for (name, declaration, said) in [
            ("foreign_pages", Declaration::closed(), "foreign_page"),
            ("mcp_*", Declaration::closed(), "tools.mcp_*"),
            (ForeignPage::NAME, Declaration::sink(["to"]), "no argument \"to\""),
            (ForeignPage::NAME, Declaration::default(), "nothing is declared"),
            (ForeignPage::NAME, Declaration { closed: true, ..Declaration::sink(["to"]) }, "closed"),
        ] {
            let error = check(name, declaration).unwrap_err();
            assert!(error.to_string().contains(said), "{error}");
        }
    }

    #[test]
    fn the_whole_name_counts_before_the_longest_beginning() {
        let rows = ["mcp_*", "mcp_bank_*", "mcp_bank_pay"];
        let all = Declarations::new(rows.map(|name| (name.to_owned(), Declaration::source([name])))).unwrap();
        for (tool, by) in [("mcp_bank_pay", 2), ("mcp_bank_see", 1), ("mcp_x", 0)] {
            assert_eq!(all.of(tool), Some(&Declaration::source([rows[by]])), "{tool}");
        }
        assert_eq!(all.of("read_file"), None);
    }
}
