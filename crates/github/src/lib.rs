//! A repository on GitHub as a door: the same port as the workspace, read-only, over the REST API.
//!
//! One [`GitHub`] sees one state: the branch or commit is looked up once, and every later answer belongs to it. The
//! policy's rules apply to the repository as to the workspace: links are followed only when a path is located, so that
//! its real target is judged. Nothing from the server is trusted: unsafe names are skipped, sizes are bounded, and
//! content is accepted only under the name that matches its hash.
//!
//! The surprising decision: a search that opens more than a few files fetches the whole repository as one archive, because
//! one request for each file would use up an hour's requests in one search.

mod answer;
mod api;
mod archive;
mod cache;
mod contents;
mod door;
mod fault;
mod line;
mod links;
mod object;
mod options;
mod session;
mod tree;
mod walk;

pub use door::GitHub;
pub use options::{GitHubLimits, GitHubOptions, Repository, RepositoryError};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
