//! What a script asks for, and who answers.

use futures_util::future::BoxFuture;
use palanca_core::Message;
use serde::{Deserialize, Serialize};

/// One request of a script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// `fetch(url, {method, headers, body})`. Only `http` and `https`.
    Fetch {
        /// Absolute, as the script gave it.
        url: String,
        /// In capitals.
        method: String,
        /// In the script's order.
        headers: Vec<(String, String)>,
        /// The body, if there is one.
        body: Option<String>,
    },
    /// `palanca.read(path)`, `Bun.file(path).text()`.
    Read {
        /// Relative to the workspace, with no `.` or `..` in it.
        path: String,
    },
    /// `palanca.call(tool, arguments)`.
    Call {
        /// The name of a tool.
        tool: String,
        /// Its arguments as JSON text, not validated.
        arguments: String,
    },
}

/// The answer to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// To a fetch.
    Response {
        /// The status code.
        status: u16,
        /// Where it came from, after redirects.
        url: String,
        /// The headers of the response.
        headers: Vec<(String, String)>,
        /// The body.
        body: Vec<u8>,
    },
    /// The content of a file.
    Text(String),
    /// What a tool gave back.
    Result {
        /// Whether it did what was asked.
        success: bool,
        /// Its result.
        content: String,
    },
}

/// Answers a script's requests. They come here only if the script's permissions name them, several at once, and each is an
/// ordinary call: judged, confirmed and recorded by whoever implements this.
pub trait Requests: Send + Sync {
    /// The answer, or why there is none: the script sees it as an error that it may catch. Dropped when the script ends.
    fn answer<'a>(&'a self, request: Request) -> BoxFuture<'a, Result<Answer, Message>>;
}

/// Refuses everything: for scripts that may ask for nothing.
impl Requests for () {
    fn answer<'a>(&'a self, _: Request) -> BoxFuture<'a, Result<Answer, Message>> {
        Box::pin(async { Err(Message::new("script-nobody-answers")) })
    }
}
