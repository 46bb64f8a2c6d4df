//! What is told of results, in the form of each toolset. The forms' own words are the same in every language.

use super::hits::Hit;
use super::{Found, Search};
use crate::toolsets::ToolsetName;
use palanca_core::{Message, Output, Text, ToolError};
use serde_json::{Value, json};

impl Search<'_> {
    pub(super) fn tell(&self, found: &Found, errors: &[(&'static str, ToolError)]) -> Output {
        let query = self.query.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = match self.toolset {
            ToolsetName::Picoclaw => Text::from(picoclaw(&query, &found.hits)),
            ToolsetName::Bots => Text::from(bots(&query, &found.hits, Ages::Hidden)),
            ToolsetName::Palanca | ToolsetName::Architect | ToolsetName::Contracts => palanca(&query, found, errors),
        };
        Output::text(text).with_data(facts(&query, found)).foreign(format!("web_search {}", found.provider))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ages {
    Shown,
    Hidden,
}

fn bots(query: &str, hits: &[Hit], ages: Ages) -> String {
    if hits.is_empty() {
        return format!("No results found for \"{query}\".");
    }
    let mut text = format!("Search results for \"{query}\":");
    for (hit, number) in hits.iter().zip(1..) {
        text.push_str(&format!("\n\n{number}. {}\n   URL: {}", hit.title, hit.url));
        let age = hit.age.as_ref().filter(|_| ages == Ages::Shown).map(|age| format!("Age: {age}"));
        for line in [Some(&hit.snippet).filter(|snippet| !snippet.is_empty()), age.as_ref()].into_iter().flatten() {
            text.push_str(&format!("\n   {line}"));
        }
    }
    text
}

fn palanca(query: &str, found: &Found, errors: &[(&'static str, ToolError)]) -> Text {
    let text = Text::from(bots(query, &found.hits, Ages::Shown));
    let text = text.paragraph(Message::new("web-search-by").with("provider", found.provider));
    let failed = errors.iter().map(|(name, error)| {
        Text::from(Message::new("web-search-before").with("provider", *name)).then(" ").then(error.message().clone())
    });
    failed.fold(text, Text::line)
}

fn picoclaw(query: &str, hits: &[Hit]) -> String {
    if hits.is_empty() {
        return format!("No results for: {query}");
    }
    let mut text = format!("Results for: {query}");
    for (hit, number) in hits.iter().zip(1..) {
        text.push_str(&format!("\n{number}. {}\n   {}", hit.title, hit.url));
        if !hit.snippet.is_empty() {
            text.push_str(&format!("\n   {}", hit.snippet));
        }
    }
    text
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
