//! What a script may ask for: three lists that a person has approved. Everything else is refused before anybody is asked.

use crate::request::Request;
use palanca_core::Message;
use url::{Position, Url};

/// What a script may ask for. The default is nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Permissions {
    /// Hosts that it may fetch from: `example.com` at the usual ports, `example.com:8080` at this one.
    pub hosts: Vec<String>,
    /// Files and folders of the workspace that it may read, relative to it; a folder with all that it contains.
    pub reads: Vec<String>,
    /// Tools that it may call, by name.
    pub tools: Vec<String>,
}

impl Permissions {
    /// Whether an address is at one of the hosts.
    #[must_use]
    pub fn allow_fetching(&self, url: &str) -> bool {
        let parsed = Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        parsed.is_some_and(|url| self.has_host(&url))
    }

    fn has_host(&self, url: &Url) -> bool {
        let wanted = (url.host_str().unwrap_or_default(), url.port());
        self.hosts.iter().filter_map(|host| origin(host)).any(|(host, port)| (&*host, port) == wanted)
    }

    /// The request, with its path in the usual form, if it is permitted.
    pub(crate) fn judge(&self, request: Request) -> Result<Request, Message> {
        match request {
            Request::Fetch { ref url, .. } => {
                let parsed = Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
                let Some(parsed) = parsed else {
                    return Err(Message::new("script-url-unusable").with("url", shortened(url)));
                };
                if self.has_host(&parsed) {
                    return Ok(request);
                }
                let host = &parsed[Position::BeforeHost..Position::AfterPort];
                Err(Message::new("script-host-not-permitted").with("host", host))
            }
            Request::Read { path } => match components(&path) {
                Some(wanted)
                    if self.reads.iter().filter_map(|path| components(path)).any(|of| wanted.starts_with(&of)) =>
                {
                    Ok(Request::Read { path: wanted.join("/") })
                }
                _ => Err(Message::new("script-path-not-permitted").with("path", shortened(&path))),
            },
            Request::Call { ref tool, .. } if self.tools.contains(tool) => Ok(request),
            Request::Call { tool, .. } => Err(Message::new("script-tool-not-permitted").with("tool", shortened(&tool))),
        }
    }
}

/// Part of a name that a script made up, for a sentence.
fn shortened(name: &str) -> String {
    name.chars().take(200).flat_map(char::escape_debug).collect()
}

/// A host as addresses name it, and its port unless it is the usual one.
fn origin(entry: &str) -> Option<(String, Option<u16>)> {
    let plain = |character: char| character.is_alphanumeric() || "-._:[]".contains(character);
    if entry.is_empty() || !entry.chars().all(plain) {
        return None;
    }
    let url = Url::parse(&format!("http://{entry}/")).ok()?;
    let host = url.host_str().filter(|host| !host.is_empty())?;
    Some((host.to_owned(), url.port()))
}

/// The names of a path in the workspace; none if it is absolute, leaves it, or is no path.
fn components(path: &str) -> Option<Vec<&str>> {
    if path.starts_with('/') || path.contains(['\0', '\\']) {
        return None;
    }
    let names: Vec<_> = path.split('/').filter(|name| !matches!(*name, "" | ".")).collect();
    (!path.is_empty() && !names.contains(&"..")).then_some(names)
}

#[cfg(test)]
mod tests;
