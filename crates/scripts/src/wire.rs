//! The protocol of both sides: one JSON object a line.
//!
//! The first line to the script are its [`Limits`], with which it makes itself ready; the second one is its [`Order`], which may come
//! much later; all others are [`Reply`]s. What it sends are [`Said`]s; the last one says how it ended. Values of the script travel as text inside a text, so no value of its own can be mistaken for a line.

use crate::error::SyntaxError;
use crate::limits::Limit;
#[cfg(doc)]
use crate::limits::Limits;
use crate::request::{Answer, Request};
use serde::{Deserialize, Serialize};

/// The first argument of our binary when it is started to run one script.
pub(crate) const RUNS_A_SCRIPT: &str = "__script";
/// The name of the file in messages.
#[cfg(feature = "engine")]
pub(crate) const FILE: &str = "tool.ts";

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Order {
    pub(crate) source: String,
    /// JSON text; none: the source is only checked.
    pub(crate) arguments: Option<String>,
}

/// To the script.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Reply {
    pub(crate) id: u64,
    pub(crate) answer: Answered,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Answered {
    Response {
        status: u16,
        url: String,
        headers: Vec<(String, String)>,
        body: String,
        /// Whether the body is in base64.
        encoded: bool,
    },
    Text(String),
    Result {
        success: bool,
        content: String,
    },
    Refused(String),
}

impl Answered {
    pub(crate) fn of(answer: Answer) -> Self {
        match answer {
            Answer::Response { status, url, headers, body } => {
                let (body, encoded) = match String::from_utf8(body) {
                    Ok(text) => (text, false),
                    Err(other) => (data_encoding::BASE64.encode(other.as_bytes()), true),
                };
                Self::Response { status, url, headers, body, encoded }
            }
            Answer::Text(text) => Self::Text(text),
            Answer::Result { success, content } => Self::Result { success, content },
        }
    }
}

/// From the script.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Said {
    /// The source could be read.
    Read,
    Asks {
        id: u64,
        request: Request,
    },
    Ended {
        how: How,
        stdout: String,
        stderr: String,
    },
}

/// How a script ended.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum How {
    /// The source was only checked.
    Checked,
    Syntax(SyntaxError),
    /// Its function returned: JSON or text, or nothing.
    Returned(Option<String>),
    /// A program without such a function came to its end.
    Finished,
    /// It called `process.exit`.
    Exited(i32),
    Threw(String),
    /// It waits for what never comes.
    Stuck,
    Limited(Limit),
    /// Something of ours failed.
    Broken(String),
}
