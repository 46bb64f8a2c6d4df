//! The contracts toolset and where its files come from: `contracts`, `github`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use super::section::section;

/// The source of the contracts toolset's files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FileSource {
    /// In the workspace.
    Workspace,
    /// In a repository on GitHub, as `github` says; read over its API.
    Github,
}

section! {
    /// The contracts toolset.
    #[serde(rename_all = "camelCase")]
    ContractSettings {
        /// Whether `read_artifact` is offered beside the six tools: the rest of an output that was cut.
        artifacts: bool = false,
        /// Where its files are.
        source: FileSource = FileSource::Workspace,
        /// The product to which its tools are bound, one of `contracts.products`. Unset: `github.repository`.
        product: Option<String> = None,
        /// Products by id, each with its repository. Other products have no connection.
        products: BTreeMap<String, ProductSettings> = BTreeMap::new(),
        /// More types for `validate_output`: the name of each and the file with its JSON Schema, relative to the
        /// current folder or, if it does not exist there, to the workspace.
        output_types: BTreeMap<String, String> = BTreeMap::new(),
    }
}

/// A product of the contracts toolset.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProductSettings {
    /// The repository, as `owner/name`.
    pub repository: String,
    /// A branch, a tag or a commit. Unset: the default branch.
    #[serde(default, rename = "ref")]
    pub reference: Option<String>,
}

section! {
    /// The connection to GitHub, for `contracts.source: github`.
    GithubSettings {
        /// The repository, as `owner/name`.
        repository: Option<String> = None,
        /// A branch, a tag or a commit. Unset: the default branch.
        #[serde(rename = "ref")]
        reference: Option<String> = None,
        /// Name of the environment variable that holds the token.
        token_env: String = "GITHUB_TOKEN".to_owned(),
        /// Address of the API; set it for your own server (`https://github.corp/api/v3`). Plain `http` only to this
        /// machine.
        api_base: String = "https://api.github.com".to_owned(),
        /// Address from which archives are fetched, if the API redirects there. Unset: `https://codeload.github.com`
        /// for the public API, the API's own host for every other.
        archive_base: Option<String> = None,
        /// Time limit of one request, in seconds; an archive may take four times as long.
        #[schemars(range(min = 1, max = 600))]
        timeout: u32 = 30,
    }
}
