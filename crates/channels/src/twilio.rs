//! Telephone calls through Twilio's API, or a server that speaks as it does: one request for each call.
//!
//! A call cannot be taken back, so no request is sent twice, redirects are not followed, and what is not known to have
//! failed counts as perhaps placed. Nothing of the account's secrets or of the answer's own words stands in an error.

use crate::Secret;
use data_encoding::BASE64;
use palanca_core::Message;
use palanca_core::call::{Cancel, Chosen, HttpAccess, Method};
use palanca_core::ports::http::Header;
use palanca_core::ports::{AnyHop, Web, WebError, WebErrorKind, WebLimits, WebRequest};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Twilio's own address.
pub const TWILIO: &str = "https://api.twilio.com";
/// The name under which the network door must know the address.
pub const PROVIDER: &str = "twilio";
/// Characters of TwiML that a request may hold.
const LONGEST_TWIML: usize = 4_000;
/// Bytes of an answer; an ordinary one has two thousand.
const ANSWER_BYTES: usize = 64 << 10;

/// An account.
#[derive(Clone)]
pub struct TwilioAccount {
    /// The address of the API.
    pub address: String,
    /// Its `AC…`.
    pub sid: String,
    /// Its token.
    pub token: Secret,
    /// The number that calls.
    pub from: String,
    /// The longest that a request takes.
    pub timeout: Duration,
}

/// What is said to whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spoken {
    /// The number.
    pub to: String,
    /// The message.
    pub text: String,
    /// How often it is said.
    pub times: u32,
    /// Its language, such as `es-MX`.
    pub language: String,
    /// The voice, such as `Polly.Mia`.
    pub voice: String,
}

impl Spoken {
    /// What the voice reads, as TwiML. Nothing where it is too long for a request.
    #[must_use]
    pub fn twiml(&self) -> Option<String> {
        let Self { text, times, language, voice, .. } = self;
        let (language, voice, text) = (Escaped(language), Escaped(voice), Escaped(text));
        let twiml = format!(
            "<Response><Say language=\"{language}\" voice=\"{voice}\" loop=\"{times}\">{text}</Say></Response>"
        );
        twiml.chars().nth(LONGEST_TWIML).is_none().then_some(twiml)
    }
}

/// Text in XML. Characters that XML has no form for are left out.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|character| match character {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            '\'' => f.write_str("&apos;"),
            '\t' | '\n' => fmt::Write::write_char(f, character),
            '\u{fffe}' | '\u{ffff}' => Ok(()),
            character if character.is_control() => Ok(()),
            character => fmt::Write::write_char(f, character),
        })
    }
}

/// A call that the service has taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Its number at the service, where the answer said it.
    pub sid: Option<String>,
}

/// A call that was not placed, or perhaps was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotPlaced {
    /// It was not.
    Never(Message),
    /// Nobody knows: it must not be repeated.
    Unknown(Message),
}

/// Places calls.
pub struct Twilio {
    web: Arc<dyn Web>,
    account: TwilioAccount,
}

impl Twilio {
    /// Calls of this account through this door, which knows the address as [`PROVIDER`].
    #[must_use]
    pub const fn new(web: Arc<dyn Web>, account: TwilioAccount) -> Self {
        Self { web, account }
    }

    /// Places a call.
    ///
    /// # Errors
    /// Whether it was not placed, or may have been.
    pub async fn call(&self, call: &Spoken, cancel: &Cancel) -> Result<Placed, NotPlaced> {
        let twiml = call.twiml().ok_or_else(|| NotPlaced::Never(Message::new("phone-message-too-long-xml")))?;
        let TwilioAccount { address, sid, token, from, timeout } = &self.account;
        let reach = HttpAccess {
            method: Method::Post,
            url: format!("{}/2010-04-01/Accounts/{}/Calls.json", address.trim_end_matches('/'), encoded(sid)),
            body: format!("To={}&From={}&Twiml={}", encoded(&call.to), encoded(from), encoded(&twiml)),
            chosen: Chosen::ByOperator { provider: PROVIDER.to_owned() },
        };
        let login = BASE64.encode(format!("{sid}:{}", token.reveal()).as_bytes());
        let headers = [
            Header::new("Accept", "application/json"),
            Header::new("Content-Type", "application/x-www-form-urlencoded"),
            Header::secret("Authorization", format!("Basic {login}")),
        ];
        let limits = WebLimits { bytes: ANSWER_BYTES, time: *timeout, idle: *timeout, redirects: 0 };
        let with = WebRequest { headers: &headers, limits, fresh: Duration::ZERO, hops: &AnyHop, cancel };
        let answer = self.web.open(&reach, with).await.map_err(failed)?;
        let said: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        match answer.status {
            200..=299 => Ok(Placed {
                sid: said.get("sid").and_then(Value::as_str).filter(|sid| is_plain(sid)).map(str::to_owned),
            }),
            status => Err(refused(status, said.get("code").and_then(Value::as_u64))),
        }
    }
}

fn refused(status: u16, code: Option<u64>) -> NotPlaced {
    let message = |key| Message::new(key).with("status", u32::from(status));
    match (status, code) {
        (408 | 500.., _) => NotPlaced::Unknown(message("phone-unknown-status")),
        (401 | 403, _) => NotPlaced::Never(message("phone-refused-login")),
        (429, _) => NotPlaced::Never(message("phone-refused-busy")),
        (_, Some(code)) => NotPlaced::Never(message("phone-refused-code").with("code", code.to_string())),
        (_, None) => NotPlaced::Never(message("phone-refused-status")),
    }
}

/// Without an answer: what certainly was not sent was not placed.
fn failed(error: WebError) -> NotPlaced {
    match error.kind {
        WebErrorKind::Timeout
        | WebErrorKind::Interrupted
        | WebErrorKind::TooLarge
        | WebErrorKind::NotUpgraded
        | WebErrorKind::Cancelled => NotPlaced::Unknown(Message::new("phone-unknown").with("detail", error.detail)),
        _ => NotPlaced::Never(error.into_tool_error().message().clone()),
    }
}

fn is_plain(sid: &str) -> bool {
    (1..=64).contains(&sid.len()) && sid.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// What stands as it is in a form and in a path.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string()
}

#[cfg(test)]
mod tests;
