//! One result, made harmless for the line that it will stand in: plain text on one line, an address that is one.

use super::clean::plain;
use serde_json::Value;

const TITLE_CHARS: usize = 200;
const SNIPPET_CHARS: usize = 1000;
const AGE_CHARS: usize = 60;
const URL_BYTES: usize = 2048;

/// One result. Foreign text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hit {
    pub(super) title: String,
    pub(super) url: String,
    /// May be empty.
    pub(super) snippet: String,
    pub(super) age: Option<String>,
}

/// The fields of a provider's result.
pub(super) struct Fields {
    pub(super) snippet: &'static str,
    /// The first of them that is there.
    pub(super) age: &'static [&'static str],
}

impl Hit {
    /// Nothing for a result that leads nowhere.
    pub(super) fn read(result: &Value, fields: &Fields) -> Option<Self> {
        let text = |name: &str| result.get(name).and_then(Value::as_str);
        let url = text("url")?.trim();
        let is_web = url.starts_with("https://") || url.starts_with("http://");
        if !is_web || url.len() > URL_BYTES || url.contains(|c: char| c.is_whitespace() || c.is_control()) {
            return None;
        }
        let title = plain(text("title").unwrap_or_default(), TITLE_CHARS);
        let age = fields.age.iter().find_map(|name| text(name)).map(|age| plain(age, AGE_CHARS));
        Some(Self {
            title: if title.is_empty() { url.to_owned() } else { title },
            url: url.to_owned(),
            snippet: plain(text(fields.snippet).unwrap_or_default(), SNIPPET_CHARS),
            age: age.filter(|age| !age.is_empty()),
        })
    }
}
