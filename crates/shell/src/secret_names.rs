//! The names that secrets have. Which names those are is the caller's to say.

use std::fmt;
use std::path::Path;

/// Tells files that hold secrets from others by their names.
#[derive(Clone)]
pub struct SecretNames {
    judge: fn(&Path) -> bool,
    examples: fn() -> &'static [String],
}

impl SecretNames {
    /// `is_secret` judges a path relative to the workspace; `examples` are file names that secrets have, in lower case and
    /// sorted: a pattern that could match one of them is taken to be written towards it.
    #[must_use]
    pub const fn new(is_secret: fn(&Path) -> bool, examples: fn() -> &'static [String]) -> Self {
        Self { judge: is_secret, examples }
    }

    /// No name is a secret's.
    #[must_use]
    pub const fn none() -> Self {
        Self::new(|_| false, || &[])
    }

    pub(crate) fn is_secret(&self, path: &Path) -> bool {
        (self.judge)(path)
    }

    pub(crate) fn examples(&self) -> &'static [String] {
        (self.examples)()
    }
}

impl fmt::Debug for SecretNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretNames")
    }
}

/// The names of the tests: `.env` and its kin, keys, and what lies in `.ssh` or `.aws`.
#[cfg(test)]
pub(crate) fn of_tests() -> SecretNames {
    static EXAMPLES: std::sync::LazyLock<[String; 3]> =
        std::sync::LazyLock::new(|| [".env", ".env.local", "id_rsa"].map(str::to_owned));
    let is_secret = |path: &Path| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        path.components().any(|part| part.as_os_str() == ".ssh" || part.as_os_str() == ".aws")
            || (name.starts_with(".env") && name != ".env.example")
            || name == "id_rsa"
            || name.ends_with(".pem")
    };
    SecretNames::new(is_secret, || EXAMPLES.as_slice())
}
