//! Vectors of texts from a model behind HTTP, in OpenAI's form or Ollama's. One request, never repeated here: whoever searches tries again
//! with the next search.

use super::{HttpModel, ModelOptions};
use crate::endpoint::Endpoint;
use crate::error::{Cause, ModelError, ModelErrorKind};
use crate::spec::Provider;
use crate::wire::Fault;
use bytes::Bytes;
use futures_util::StreamExt as _;
use palanca_core::ports::http::{Http, HttpRequest, HttpResponse, HttpTimeouts, Method};
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;

/// Bytes of an answer.
const LONGEST_ANSWER: usize = 16 << 20;
/// Numbers of one vector.
const MOST_DIMENSIONS: usize = 16_384;

/// How it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// `POST /v1/embeddings`.
    OpenAi,
    /// `POST /api/embed`.
    Ollama,
}

/// A model that makes vectors.
pub struct EmbeddingModel {
    model: HttpModel,
    url: String,
    form: Form,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Answer {
    OpenAi { data: Vec<Item> },
    Ollama { embeddings: Vec<Vec<f32>> },
}

#[derive(Deserialize)]
struct Item {
    #[serde(default)]
    index: usize,
    embedding: Vec<f32>,
}

impl EmbeddingModel {
    /// The model at this endpoint; none where its provider makes no vectors. Nothing is sent yet.
    #[must_use]
    pub fn new(provider: Provider, endpoint: Endpoint, http: Arc<dyn Http>, options: ModelOptions) -> Option<Self> {
        let (form, url) = match provider {
            Provider::OpenAi => (Form::OpenAi, format!("{}/embeddings", endpoint.base)),
            Provider::Ollama => {
                (Form::Ollama, format!("{}/api/embed", endpoint.base.strip_suffix("/v1").unwrap_or(&endpoint.base)))
            }
            _ => return None,
        };
        Some(Self { model: HttpModel::new(endpoint, http, options), url, form })
    }

    /// Where it is, and its name.
    #[must_use]
    pub const fn endpoint(&self) -> &Endpoint {
        self.model.endpoint()
    }

    /// A vector for each text, in their order: all of one dimension, at most 16,384, of finite numbers.
    ///
    /// # Errors
    /// What went wrong on the way, or is wrong with the answer.
    pub async fn embed(&self, texts: &[impl AsRef<str> + Sync]) -> Result<Vec<Vec<f32>>, ModelError> {
        let limit = self.model.options.timeout;
        let late = || {
            let cause = Cause::NoAnswer { within: limit };
            ModelError::because(ModelErrorKind::Timeout, &self.model.endpoint.place, cause)
        };
        tokio::time::timeout(limit, self.ask(texts)).await.unwrap_or_else(|_| Err(late()))
    }

    async fn ask(&self, texts: &[impl AsRef<str> + Sync]) -> Result<Vec<Vec<f32>>, ModelError> {
        let (endpoint, options) = (&self.model.endpoint, &self.model.options);
        let texts: Vec<&str> = texts.iter().map(AsRef::as_ref).collect();
        let body = match self.form {
            Form::OpenAi => json!({"model": endpoint.model, "input": texts, "encoding_format": "float"}),
            Form::Ollama => json!({"model": endpoint.model, "input": texts, "truncate": true}),
        };
        let request = HttpRequest {
            method: Method::Post,
            url: self.url.clone(),
            headers: endpoint.wire.headers(endpoint.key.as_ref()),
            body: Bytes::from(body.to_string()),
            timeouts: HttpTimeouts::all(options.timeout),
        };
        let response = self.model.http.send(request).await.map_err(|error| self.model.transport_error(&error))?;
        if response.status != 200 {
            return Err(self.model.status_error(response).await.0);
        }
        let body = self.body(response).await?;
        match serde_json::from_slice(&body) {
            Ok(answer) => vectors(answer, texts.len()).map_err(|what| self.wrong(what)),
            Err(_) if body.iter().all(u8::is_ascii_whitespace) => Err(self.model.fault(Fault::Silence, &body)),
            Err(error) => Err(self.wrong(format!("no vectors ({error})"))),
        }
    }

    async fn body(&self, mut response: HttpResponse) -> Result<Vec<u8>, ModelError> {
        let mut body = Vec::new();
        while let Some(piece) = response.body.next().await {
            body.extend_from_slice(&piece.map_err(|error| self.model.transport_error(&error))?);
            if body.len() > LONGEST_ANSWER {
                return Err(self.wrong(format!("an answer of more than {} MiB", LONGEST_ANSWER >> 20)));
            }
        }
        Ok(body)
    }

    fn wrong(&self, what: impl Into<String>) -> ModelError {
        ModelError::new(ModelErrorKind::Malformed, &self.model.endpoint.place, what)
    }
}

/// The vectors of an answer, in the order of the texts.
fn vectors(answer: Answer, texts: usize) -> Result<Vec<Vec<f32>>, String> {
    let vectors: Vec<Vec<f32>> = match answer {
        Answer::Ollama { embeddings } => embeddings,
        Answer::OpenAi { mut data } => {
            // Stable, for servers that number none of them.
            data.sort_by_key(|item| item.index);
            data.into_iter().map(|item| item.embedding).collect()
        }
    };
    if vectors.len() != texts {
        return Err(format!("{} vectors for {texts} texts", vectors.len()));
    }
    let dimensions = vectors.first().map_or(0, Vec::len);
    if let Some(other) = vectors.iter().find(|vector| vector.len() != dimensions) {
        return Err(format!("vectors of {dimensions} and of {} dimensions in one answer", other.len()));
    }
    if dimensions == 0 || dimensions > MOST_DIMENSIONS {
        return Err(format!("vectors of {dimensions} dimensions; 1 to {MOST_DIMENSIONS} can be compared"));
    }
    if vectors.iter().flatten().any(|one| !one.is_finite()) {
        return Err("a vector with a number that is not finite".to_owned());
    }
    Ok(vectors)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, missing_docs)]
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str, texts: usize) -> Result<Vec<Vec<f32>>, String> {
        vectors(serde_json::from_str(text).map_err(|_| "no vectors".to_owned())?, texts)
    }

    #[test]
    fn both_forms_are_read_and_what_is_no_vector_is_refused() {
        let ordered = r#"{"data": [{"index": 1, "embedding": [2]}, {"index": 0, "embedding": [1.5]}], "model": "m"}"#;
        assert_eq!(read(ordered, 2).unwrap(), [[1.5], [2.0]]);
        assert_eq!(read(r#"{"data": [{"embedding": [1]}, {"embedding": [2]}]}"#, 2).unwrap(), [[1.0], [2.0]]);
        assert_eq!(read(r#"{"embeddings": [[1, -1e-9]]}"#, 1).unwrap(), [[1.0, -1e-9]]);
        for (text, texts, words) in [
            (r#"{"embeddings": [[1], [2]]}"#, 3, "2 vectors for 3 texts"),
            (r#"{"embeddings": [[1], [2, 3]]}"#, 2, "of 1 and of 2 dimensions"),
            (r#"{"embeddings": [[]]}"#, 1, "0 dimensions"),
            (r#"{"embeddings": [[1e39]]}"#, 1, "not finite"),
            (r#"{"embeddings": [[null]]}"#, 1, "no vectors"),
            (r#"{"embeddings": [["1"]]}"#, 1, "no vectors"),
            (r#"{"data": [{"embedding": "AACAPw=="}]}"#, 1, "no vectors"),
            ("[]", 1, "no vectors"),
            ("", 1, "no vectors"),
        ] {
            let refused = read(text, texts).unwrap_err();
            assert!(refused.contains(words), "{text}: {refused}");
        }
        let long = format!(r#"{{"embeddings": [[{}1]]}}"#, "1,".repeat(MOST_DIMENSIONS));
        assert!(read(&long, 1).unwrap_err().contains("16385 dimensions"));
    }

    proptest! {
        #[test]
        fn no_answer_panics(text in r#"(\{"(data|embeddings)": \[)?[\[\]{}":,0-9a-z. -]{0,60}"#, texts in 0_usize..4) {
            if let Ok(vectors) = read(&text, texts) {
                prop_assert_eq!(vectors.len(), texts);
            }
        }
    }
}
