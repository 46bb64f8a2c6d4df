//! Which names secrets have, for the reader of commands: the built-in rules of [`paths`](crate::paths).

use crate::paths::{Access, PathRules, PathVerdict};
use palanca_shell::SecretNames;
use std::path::Path;
use std::sync::LazyLock;

static RULES: LazyLock<Option<PathRules>> = LazyLock::new(|| PathRules::new(&[], &[], None).ok());

/// File names of the rules' examples, in order.
static EXAMPLES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let rules = RULES.iter().flat_map(PathRules::built_in).filter(|rule| rule.id().starts_with("secret."));
    let paths = rules.flat_map(|rule| rule.examples());
    let mut names: Vec<String> = paths.map(|path| path.rsplit('/').next().unwrap_or(path).to_lowercase()).collect();
    names.sort();
    names.dedup();
    names
});

/// The names that the built-in rules know.
#[must_use]
pub const fn secret_names() -> SecretNames {
    SecretNames::new(is_secret, || EXAMPLES.as_slice())
}

fn is_secret(relative: &Path) -> bool {
    RULES.as_ref().is_none_or(|rules| matches!(rules.judge(relative, Access::Read), PathVerdict::Secret(_)))
}
