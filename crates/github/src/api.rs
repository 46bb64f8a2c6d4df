//! One request and its response: headers, redirects, one retry, entity tags, the rate limit.
//!
//! The token goes only to the API's own address, even after redirects; the client decides which other addresses are
//! reachable.

use super::cache::Tagged;
use super::fault::{Fault, of_error, of_status, until_said};
use super::options::GitHubOptions;
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt as _;
use palanca_core::ports::RemoteFault;
use palanca_core::ports::http::{Header, Http, HttpRequest, HttpResponse, HttpTimeouts, Method};
use parking_lot::Mutex;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// Maximum number of redirects of one request.
const REDIRECTS: usize = 5;
/// Maximum bytes of an error response.
const COMPLAINT: usize = 64 << 10;

pub(super) struct Api {
    http: Arc<dyn Http>,
    options: GitHubOptions,
    tagged: Tagged,
    pause: Mutex<Pause>,
}

/// While a rate limit lasts, no request is sent.
#[derive(Default)]
struct Pause {
    until: Option<SystemTime>,
    /// Consecutive rate limits without an end time.
    unsaid: u32,
}

/// For a rate limit without an end time: a minute first, then twice as long each time, as GitHub recommends.
const FIRST_PAUSE: Duration = Duration::from_secs(60);
/// Maximum number of doublings: 32 minutes.
const DOUBLINGS: u32 = 5;

impl Pause {
    /// Records a rate limit, and returns until when no request is sent.
    fn begin(&mut self, said: Option<SystemTime>, now: SystemTime) -> SystemTime {
        let until = said.unwrap_or_else(|| {
            let pause = FIRST_PAUSE.saturating_mul(1 << self.unsaid.min(DOUBLINGS));
            self.unsaid = self.unsaid.saturating_add(1);
            now + pause
        });
        self.until = Some(until);
        until
    }
}

impl Api {
    pub(super) fn new(http: Arc<dyn Http>, options: GitHubOptions) -> Self {
        Self { http, options, tagged: Tagged::default(), pause: Mutex::default() }
    }

    pub(super) const fn options(&self) -> &GitHubOptions {
        &self.options
    }

    /// `/repos/owner/name` with the rest of the path.
    fn url(&self, rest: &str) -> String {
        format!("{}/repos/{}{rest}", self.options.api_base.trim_end_matches('/'), self.options.repository)
    }

    /// The whole body of an answer, within the time of one request.
    pub(super) async fn get(&self, rest: &str) -> Result<Bytes, Fault> {
        let url = self.url(rest);
        let mut again = true;
        loop {
            let asked = tokio::time::timeout(self.options.time, self.once(&url)).await;
            let fault = match asked {
                Ok(Ok(body)) => return Ok(body),
                Ok(Err(fault)) => fault,
                Err(_) => Fault::new(RemoteFault::Unavailable, format!("{} s", self.options.time.as_secs())),
            };
            if !again || fault.kind != RemoteFault::Unavailable {
                return Err(fault);
            }
            again = false;
            tokio::time::sleep(self.options.pause).await;
        }
    }

    async fn once(&self, url: &str) -> Result<Bytes, Fault> {
        let kept = self.tagged.get(url);
        let mut response = self.follow(url, kept.as_ref().map(|(tag, _)| tag.as_str())).await?;
        if let (304, Some((_, body))) = (response.status, kept) {
            return Ok(body);
        }
        let body = read(&mut response, self.options.limits.answer).await?;
        if let Some(tag) = response.header("etag") {
            self.tagged.keep(url, tag, &body);
        }
        Ok(body)
    }

    /// The head of an answer whose body is read as it arrives.
    pub(super) async fn stream(&self, rest: &str) -> Result<HttpResponse, Fault> {
        let url = self.url(rest);
        match self.follow(&url, None).await {
            Err(fault) if fault.kind == RemoteFault::Unavailable => {
                tokio::time::sleep(self.options.pause).await;
                self.follow(&url, None).await
            }
            answered => answered,
        }
    }

    /// A success, or "not modified" if there is a tag. Redirects are followed.
    async fn follow(&self, url: &str, tag: Option<&str>) -> Result<HttpResponse, Fault> {
        let mut at = url.to_owned();
        for _ in 0..=REDIRECTS {
            self.wait_is_over()?;
            let mut response = self.http.send(self.request(&at, tag)).await.map_err(|error| of_error(&error))?;
            match response.status {
                200..=299 => return Ok(self.answered(response)),
                304 if tag.is_some() => return Ok(self.answered(response)),
                301 | 302 | 303 | 307 | 308 => {
                    let to = response.header("location").unwrap_or_default();
                    at = target(&at, to).ok_or_else(|| Fault::new(RemoteFault::Elsewhere, shown(to)))?;
                }
                _ => {
                    // ignored: the status is enough if the message is truncated.
                    let body = read(&mut response, COMPLAINT).await.unwrap_or_default();
                    return Err(self.noted(of_status(&response, &body)));
                }
            }
        }
        Err(Fault::malformed(format!("{REDIRECTS} redirects")))
    }

    fn answered(&self, response: HttpResponse) -> HttpResponse {
        self.pause.lock().unsaid = 0;
        response
    }

    fn noted(&self, fault: Fault) -> Fault {
        if fault.kind != RemoteFault::RateLimited {
            return fault;
        }
        let now = SystemTime::now();
        let until = self.pause.lock().begin(fault.until, now);
        Fault { detail: until_said(until, now), until: Some(until), ..fault }
    }

    /// During a rate limit, further requests would only extend it.
    fn wait_is_over(&self) -> Result<(), Fault> {
        let until = self.pause.lock().until;
        let now = SystemTime::now();
        match until.filter(|until| *until > now) {
            Some(until) => {
                Err(Fault { kind: RemoteFault::RateLimited, detail: until_said(until, now), until: Some(until) })
            }
            None => Ok(()),
        }
    }

    fn request(&self, url: &str, tag: Option<&str>) -> HttpRequest {
        let mut headers = vec![
            Header::new("accept", "application/vnd.github+json"),
            Header::new("x-github-api-version", "2022-11-28"),
        ];
        let ours =
            origin(url).zip(origin(&self.options.api_base)).is_some_and(|(to, api)| to.eq_ignore_ascii_case(api));
        if ours {
            headers.push(Header::secret("authorization", format!("Bearer {}", self.options.token)));
        }
        if let Some(tag) = tag {
            headers.push(Header::new("if-none-match", tag));
        }
        HttpRequest {
            method: Method::Get,
            url: url.to_owned(),
            headers,
            body: Bytes::new(),
            timeouts: HttpTimeouts { first_byte: self.options.time, idle: self.options.time.min(IDLE) },
        }
    }
}

/// Maximum wait between two pieces of a body.
const IDLE: Duration = Duration::from_secs(15);

/// All of a body. One that ends before its announced length is an error of the exchange.
async fn read(response: &mut HttpResponse, limit: usize) -> Result<Bytes, Fault> {
    let mut body = BytesMut::new();
    while let Some(piece) = response.body.next().await {
        let piece = piece.map_err(|error| of_error(&error))?;
        if body.len().saturating_add(piece.len()) > limit {
            return Err(Fault::too_large("answer", body.len().saturating_add(piece.len()) as u64, limit as u64));
        }
        body.extend_from_slice(&piece);
    }
    Ok(body.freeze())
}

/// `https://host:port` of a URL; none for one with a user in it.
fn origin(url: &str) -> Option<&str> {
    let start = url.find("://")?.checked_add(3)?;
    let rest = url.get(start..)?;
    let end = rest.find(['/', '?', '#', '\\']).map_or(url.len(), |at| start.saturating_add(at));
    url.get(..end).filter(|origin| !origin.contains('@'))
}

/// The target of a `location` header relative to here.
fn target(from: &str, to: &str) -> Option<String> {
    if to.starts_with("//") {
        return None;
    }
    if to.starts_with('/') {
        return Some(format!("{}{to}", origin(from)?));
    }
    let lower = to.get(..8).unwrap_or(to).to_ascii_lowercase();
    let absolute = lower.starts_with("http://") || lower.starts_with("https://");
    absolute.then(|| origin(to)).flatten().map(|_| to.to_owned())
}

fn shown(location: &str) -> String {
    origin(location).unwrap_or_default().chars().filter(|c| !c.is_control()).take(200).collect()
}

/// A path or a ref in an address; slashes stay.
pub(super) fn encode(text: &str) -> String {
    const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');
    utf8_percent_encode(text, ENCODED).to_string()
}

#[cfg(test)]
mod tests {
    #![allow(missing_docs)]
    use super::*;

    #[test]
    fn a_limit_without_an_end_is_waited_for_longer_each_time() {
        let now = SystemTime::UNIX_EPOCH;
        let mut pause = Pause::default();
        let minutes = |until: SystemTime| until.duration_since(now).unwrap_or_default().as_secs() / 60;
        let waited: Vec<u64> = (0..8).map(|_| minutes(pause.begin(None, now))).collect();
        assert_eq!(waited, [1, 2, 4, 8, 16, 32, 32, 32]);
        assert_eq!(minutes(pause.begin(Some(now + Duration::from_secs(120)), now)), 2, "what is said counts");
        pause.unsaid = 0;
        assert_eq!(minutes(pause.begin(None, now)), 1, "an answer in between ends the row");
    }

    #[test]
    fn redirects_lead_to_absolute_addresses_or_stay_here() {
        let check = |to: &str, expected: Option<&str>| {
            assert_eq!(target("https://api.example/repos/a/b", to).as_deref(), expected, "{to}");
        };
        check("/repositories/1", Some("https://api.example/repositories/1"));
        check("https://codeload.example/x", Some("https://codeload.example/x"));
        check("//evil.example/x", None);
        check("https://api.example@evil.example/x", None);
        check("file:///etc/passwd", None);
        check("", None);
        check("repositories/1", None);
        assert_eq!(origin("https://api.example\\@evil.example/"), Some("https://api.example"));
        assert_eq!(encode("heads/ñ?x#y"), "heads/%C3%B1%3Fx%23y");
    }
}
