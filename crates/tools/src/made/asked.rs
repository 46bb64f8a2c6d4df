//! What a script asks for, as tools: a request to a host, and a file's text. No toolset offers them: whoever runs scripts submits
//! such calls for them, so that they are judged, asked about and recorded as any other.

use crate::files::{TextForm, binary, shown};
use crate::operation::{Annotations, Args};
use crate::web;
use data_encoding::BASE64;
use palanca_core::call::{Chosen, Claims, Effect, ErrorKind, HttpAccess, Method, Scope};
use palanca_core::ports::http::Header;
use palanca_core::ports::{BodyEnd, Hops, WebAnswer, WebError, WebErrorKind, WebLimits};
use palanca_core::tool::{Lane, Typed};
use palanca_core::{AnyTool, Message, Output, Spec, Tool, ToolCx, ToolError};
use serde_json::json;
use std::io::Read as _;
use std::sync::Arc;

/// The name of the tool that fetches.
pub const FETCH: &str = "script_fetch";
/// The name of the tool that reads.
pub const READ: &str = "script_read";

/// Bytes of one answer, and of one file.
const MOST: usize = 512 << 10;
/// Headers that a script may send: those that say what it sends and wants. What is judged is the address and the body, so nothing else
/// may carry data.
const HEADERS: [&str; 3] = ["accept", "accept-language", "content-type"];
/// Characters of a header.
const LONGEST_HEADER: usize = 100;

/// Which addresses a script may be redirected to.
pub type Within = Arc<dyn Fn(&str) -> bool + Send + Sync>;

/// The tools for the requests of one script. `within` says which addresses its permissions name.
#[must_use]
pub fn asked_by_scripts(within: Within) -> [Arc<dyn AnyTool>; 2] {
    [Arc::new(Typed::new(Fetch(within))), Arc::new(Typed::new(Read))]
}

#[derive(Args)]
pub(crate) struct FetchArgs {
    /// An absolute address.
    url: String,
    /// In capitals.
    method: String,
    /// `name: value`.
    headers: Vec<String>,
    /// What is sent.
    body: Option<String>,
}

struct Fetch(Within);

impl Tool for Fetch {
    type Args = FetchArgs;

    fn spec(&self) -> Spec {
        let limits = limits();
        let spec = Spec::new(FETCH, "Sends a request of a script to a host.");
        spec.annotated(Annotations { read_only: false, idempotent: false, ..web::HINTS }).timeout(limits.time * 2)
    }

    fn effects(&self, args: &FetchArgs, _scope: &Scope) -> Result<Claims, ToolError> {
        let method = Method::ALL.into_iter().find(|method| method.name() == args.method);
        let Some(method) = method else {
            let names = Method::ALL.map(Method::name).join(", ");
            return Err(invalid(
                Message::new("script-fetch-method").with("method", &*args.method).with("names", names),
            ));
        };
        headers(&args.headers)?;
        let body = args.body.clone().unwrap_or_default();
        if method.only_reads() && !body.is_empty() {
            return Err(invalid(Message::new("script-fetch-body").with("method", method.name())));
        }
        let reach = HttpAccess { method, url: args.url.clone(), body, chosen: Chosen::ByCall };
        Ok(Effect::Http(Box::new(reach)).into())
    }

    async fn run(&self, args: FetchArgs, cx: ToolCx) -> Result<Output, ToolError> {
        let web = cx.web();
        let Some(reach) = web.granted().next() else {
            return Err(WebError::new(WebErrorKind::NotGranted, &args.url).into_tool_error());
        };
        let headers = headers(&args.headers)?;
        let answer = web.open_within(reach, &headers, limits(), &Permitted(&self.0)).await;
        tell(&answer.map_err(WebError::into_tool_error)?)
    }
}

fn limits() -> WebLimits {
    WebLimits { bytes: MOST, ..WebLimits::default() }
}

fn invalid(why: Message) -> ToolError {
    ToolError::new(ErrorKind::InvalidArguments, why)
}

fn headers(lines: &[String]) -> Result<Vec<Header>, ToolError> {
    let header = |line: &String| {
        let (name, value) = line.split_once(": ").unwrap_or((line, ""));
        let name = name.to_ascii_lowercase();
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/+*.;=,- ".contains(&byte);
        let fits = value.len() <= LONGEST_HEADER && value.bytes().all(plain);
        if HEADERS.contains(&name.as_str()) && fits {
            return Ok(Header::new(name, value));
        }
        let name: String = name.chars().take(LONGEST_HEADER).flat_map(char::escape_debug).collect();
        Err(invalid(Message::new("script-fetch-header").with("name", name).with("names", HEADERS.join(", "))))
    };
    lines.iter().map(header).collect()
}

/// Redirects stay at the hosts that a person approved.
struct Permitted<'a>(&'a Within);

impl Hops for Permitted<'_> {
    fn judge(&self, hop: &HttpAccess) -> Result<(), String> {
        if (self.0)(&hop.url) { Ok(()) } else { Err("script.permissions".to_owned()) }
    }
}

fn tell(answer: &WebAnswer) -> Result<Output, ToolError> {
    if answer.end != BodyEnd::Complete {
        return Err(match answer.end {
            BodyEnd::Bytes => {
                ToolError::new(ErrorKind::TooLarge, Message::new("script-fetch-large").with("limit", MOST >> 10))
            }
            BodyEnd::Time => ToolError::new(ErrorKind::Timeout, Message::new("script-fetch-broken")),
            BodyEnd::Broken | BodyEnd::Complete => {
                ToolError::new(ErrorKind::Failed, Message::new("script-fetch-broken"))
            }
        });
    }
    let (body, encoded) = match std::str::from_utf8(&answer.body) {
        Ok(text) => (text.to_owned(), false),
        Err(_) => (BASE64.encode(&answer.body), true),
    };
    let headers: Vec<_> = answer.headers.iter().map(|header| [header.name(), header.value()]).collect();
    let text = format!("{} {}", answer.status, answer.url);
    let data =
        json!({"status": answer.status, "url": answer.url, "headers": headers, "body": body, "encoded": encoded});
    Ok(Output::text(text).with_data(data).foreign(answer.url.as_str()))
}

#[derive(Args)]
pub(crate) struct ReadArgs {
    /// A file of the workspace.
    path: String,
}

struct Read;

impl Tool for Read {
    type Args = ReadArgs;

    fn spec(&self) -> Spec {
        Spec { lane: Lane::Reading, ..Spec::new(READ, "Reads a file for a script.") }
    }

    fn effects(&self, args: &ReadArgs, _scope: &Scope) -> Result<Claims, ToolError> {
        Ok(Effect::ReadFile(args.path.clone()).into())
    }

    async fn run(&self, args: ReadArgs, cx: ToolCx) -> Result<Output, ToolError> {
        let files = cx.files();
        let path = files.locate(&args.path)?;
        let opened = files.open(&path)?;
        let mut bytes = Vec::new();
        let read = opened.content.take(MOST as u64 + 1).read_to_end(&mut bytes);
        read.map_err(|error| ToolError::from(error.to_string()))?;
        if bytes.len() > MOST {
            let message = Message::new("script-read-large").with("path", shown(&path)).with("limit", MOST >> 10);
            return Err(ToolError::new(ErrorKind::TooLarge, message));
        }
        let Some((text, _)) = TextForm::decode(&bytes) else {
            return Err(binary(&path, bytes.len() as u64));
        };
        Ok(Output::text(text.into_owned()))
    }
}
