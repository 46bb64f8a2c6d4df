//! Lists the models of a local Ollama.

use crate::endpoint::{filled, ollama_host};
use bytes::Bytes;
use futures_util::StreamExt as _;
use palanca_core::ports::http::{Http, HttpRequest, HttpTimeouts, Method};
use serde_json::Value;
use std::time::Duration;

/// Long enough for a server on this machine, short enough for a missing one.
const PATIENCE: Duration = Duration::from_secs(2);
const MAX_LIST: usize = 4 << 20;

/// The address of Ollama: `OLLAMA_HOST` if set, otherwise this machine.
#[must_use]
pub fn ollama_base(host: Option<String>) -> String {
    ollama_host(&host.and_then(filled).unwrap_or_default())
}

/// The names of the models installed at this base, newest first as Ollama lists them; empty if no Ollama answers.
pub async fn installed_models(http: &dyn Http, base: &str) -> Vec<String> {
    let request = HttpRequest {
        method: Method::Get,
        url: format!("{base}/api/tags"),
        headers: Vec::new(),
        body: Bytes::new(),
        timeouts: HttpTimeouts::all(PATIENCE),
    };
    let Ok(mut response) = http.send(request).await else {
        return Vec::new();
    };
    let mut body = Vec::new();
    while let Some(Ok(piece)) = response.body.next().await {
        body.extend_from_slice(&piece);
        if body.len() > MAX_LIST {
            return Vec::new();
        }
    }
    let list: Value = serde_json::from_slice(&body).unwrap_or_default();
    let models = list.get("models").and_then(Value::as_array);
    models
        .into_iter()
        .flatten()
        .filter_map(|model| model.get("name").and_then(Value::as_str))
        .map(str::to_owned)
        .collect()
}
