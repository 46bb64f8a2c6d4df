//! The repository, the credentials and the limits.

use palanca_core::call::shown_origin;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The address of the public API.
pub(crate) const API: &str = "https://api.github.com";

/// `owner/name`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Repository(String);

/// A text that does not name a repository.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no repository: write owner/name")]
pub struct RepositoryError(pub String);

impl Repository {
    /// `owner/name`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Repository {
    type Err = RepositoryError;

    fn from_str(text: &str) -> Result<Self, RepositoryError> {
        let name = |part: &str| {
            let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
            !part.is_empty() && part.len() <= 100 && part != "." && part != ".." && part.chars().all(plain)
        };
        match text.split_once('/') {
            Some((owner, repository)) if name(owner) && name(repository) => Ok(Self(text.to_owned())),
            _ => Err(RepositoryError(text.to_owned())),
        }
    }
}

impl fmt::Display for Repository {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// How to reach a repository.
#[derive(Clone)]
pub struct GitHubOptions {
    /// The repository.
    pub repository: Repository,
    /// A branch, a tag or a commit; the default branch unless given.
    pub reference: Option<String>,
    /// The token. Never shown, and sent only to the API's own address.
    pub token: String,
    /// The API's address, without a slash at the end.
    pub api_base: String,
    /// The time of one request; an archive may take four times as long.
    pub time: Duration,
    /// How long to wait before the single retry of a failed request.
    pub pause: Duration,
    /// The limits.
    pub limits: GitHubLimits,
}

impl GitHubOptions {
    /// The public API, 30 s a request.
    #[must_use]
    pub fn new(repository: Repository, token: impl Into<String>) -> Self {
        Self {
            repository,
            reference: None,
            token: token.into(),
            api_base: API.to_owned(),
            time: Duration::from_secs(30),
            pause: Duration::from_millis(500),
            limits: GitHubLimits::default(),
        }
    }
}

impl fmt::Debug for GitHubOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GitHubOptions")
            .field("repository", &self.repository)
            .field("reference", &self.reference)
            .field("api_base", &shown_origin(&self.api_base))
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// Limits on reading a repository. Sizes in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GitHubLimits {
    /// The largest file. 32 MiB unless set.
    pub file: u64,
    /// The largest answer that is not an archive. 64 MiB unless set.
    pub answer: usize,
    /// The largest archive, compressed. 256 MiB unless set.
    pub archive: u64,
    /// The same, unpacked. 1 GiB unless set.
    pub unpacked: u64,
    /// Number of names, in the tree and in an archive. 500,000 unless set.
    pub names: usize,
    /// Cached contents. 128 MiB unless set.
    pub kept: usize,
    /// Number of files that one walk fetches individually before it fetches the archive. 8 unless set.
    pub single: usize,
    /// The same if no archive is available. 500 unless set.
    pub most_single: usize,
    /// Number of directories fetched individually if the whole tree is too long for one answer. 1,000 unless set.
    pub directories: usize,
}

impl Default for GitHubLimits {
    fn default() -> Self {
        Self {
            file: 32 << 20,
            answer: 64 << 20,
            archive: 256 << 20,
            unpacked: 1 << 30,
            names: 500_000,
            kept: 128 << 20,
            single: 8,
            most_single: 500,
            directories: 1_000,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, missing_docs)]
    use super::*;

    #[test]
    fn a_repository_is_an_owner_and_a_name() {
        for text in ["a/b", "rust-lang/rust", "A1/.github", "a_b/c.d"] {
            assert_eq!(text.parse::<Repository>().unwrap().as_str(), text);
        }
        for text in ["", "a", "/b", "a/", "a/b/c", "../b", "a/..", "a b/c", "a/b?x", "https://github.com/a/b", "ñ/b"] {
            assert_eq!(text.parse::<Repository>(), Err(RepositoryError(text.to_owned())));
        }
    }

    #[test]
    fn the_token_is_never_shown() {
        let options = GitHubOptions::new("a/b".parse().unwrap(), "ghp_secret");
        assert!(!format!("{options:?}").contains("ghp_secret"));
    }
}
