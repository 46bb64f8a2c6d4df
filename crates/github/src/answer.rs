//! The parts of the API's responses that are read. Everything else in them is ignored.

use super::fault::Fault;
use data_encoding::BASE64;
use serde::Deserialize;
use serde::de::DeserializeOwned;

#[derive(Deserialize)]
pub(super) struct RepositoryAnswer {
    pub(super) default_branch: String,
}

#[derive(Deserialize)]
pub(super) struct CommitAnswer {
    pub(super) sha: String,
    #[serde(default)]
    pub(super) commit: Option<CommitBody>,
}

#[derive(Deserialize)]
pub(super) struct CommitBody {
    #[serde(default)]
    pub(super) tree: Option<Named>,
}

#[derive(Deserialize)]
pub(super) struct Named {
    pub(super) sha: String,
}

#[derive(Deserialize)]
pub(super) struct TreeAnswer {
    pub(super) tree: Vec<TreeEntry>,
    #[serde(default)]
    pub(super) truncated: bool,
}

#[derive(Deserialize)]
pub(super) struct TreeEntry {
    pub(super) path: String,
    #[serde(default)]
    pub(super) mode: String,
    #[serde(rename = "type")]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) sha: Option<String>,
    #[serde(default)]
    pub(super) size: Option<u64>,
}

/// Of a blob, or of a file by its path.
#[derive(Deserialize)]
pub(super) struct ContentAnswer {
    #[serde(default)]
    content: String,
    #[serde(default)]
    encoding: String,
}

impl ContentAnswer {
    pub(super) fn bytes(self) -> Result<Vec<u8>, Fault> {
        match self.encoding.as_str() {
            "base64" => {
                let mut text = self.content.into_bytes();
                // The API wraps lines.
                text.retain(|byte| !byte.is_ascii_whitespace());
                BASE64.decode(&text).map_err(|error| Fault::malformed(format!("base64: {error}")))
            }
            "utf-8" => Ok(self.content.into_bytes()),
            other => Err(Fault::malformed(format!("encoding '{other}'"))),
        }
    }
}

pub(super) fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Fault> {
    serde_json::from_slice(body).map_err(|error| Fault::malformed(format!("JSON: {error}")))
}

/// An object's name: the only value inserted into an address unencoded.
pub(super) fn is_object(name: &str) -> bool {
    (4..=64).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
}
