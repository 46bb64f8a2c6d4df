//! What is told of results, in the form of each toolset. The forms' own words are the same in every language.

use super::hits::Hit;
use super::{Found, Search};
use palanca_core::{Message, Output, Text, ToolError};
use serde_json::{Value, json};

/// How results are listed.
#[derive(Clone, Copy)]
pub(crate) struct Listing {
    /// Before and after the query, where something was found.
    pub(crate) found: (&'static str, &'static str),
    /// The same where nothing was.
    pub(crate) nothing: (&'static str, &'static str),
    /// Before each result.
    pub(crate) gap: &'static str,
    /// Before each address.
    pub(crate) url: &'static str,
    /// Whether the age of a result is told, who was asked, and who before in vain.
    pub(crate) origin: bool,
}

impl Search<'_> {
    pub(super) fn tell(&self, found: &Found, errors: &[(&'static str, ToolError)]) -> Output {
        let query = self.query.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = Text::from(self.listing.write(&query, &found.hits));
        let text = if self.listing.origin { origin(text, found, errors) } else { text };
        Output::text(text).with_data(facts(&query, found)).foreign(format!("web_search {}", found.provider))
    }
}

impl Listing {
    fn write(&self, query: &str, hits: &[Hit]) -> String {
        let (before, after) = if hits.is_empty() { self.nothing } else { self.found };
        let mut text = format!("{before}{query}{after}");
        for (hit, number) in hits.iter().zip(1..) {
            text.push_str(&format!("{}{number}. {}\n   {}{}", self.gap, hit.title, self.url, hit.url));
            let age = hit.age.as_ref().filter(|_| self.origin).map(|age| format!("Age: {age}"));
            for line in [Some(&hit.snippet).filter(|snippet| !snippet.is_empty()), age.as_ref()].into_iter().flatten() {
                text.push_str(&format!("\n   {line}"));
            }
        }
        text
    }
}

fn origin(text: Text, found: &Found, errors: &[(&'static str, ToolError)]) -> Text {
    let text = text.paragraph(Message::new("web-search-by").with("provider", found.provider));
    let failed = errors.iter().map(|(name, error)| {
        Text::from(Message::new("web-search-before").with("provider", *name)).then(" ").then(error.message().clone())
    });
    failed.fold(text, Text::line)
}

fn facts(query: &str, found: &Found) -> Value {
    let results: Vec<Value> = found
        .hits
        .iter()
        .map(|hit| {
            let mut result = json!({"title": hit.title, "url": hit.url, "snippet": hit.snippet});
            if let (Some(age), Some(result)) = (&hit.age, result.as_object_mut()) {
                result.insert("age".to_owned(), age.as_str().into());
            }
            result
        })
        .collect();
    json!({
        "query": query,
        "provider": found.provider,
        "results": results,
        "age_seconds": found.age.map(|age| age.as_secs()),
    })
}
