//! Texts about past steps: as input for a model's summary, and as a replacement for it.

use palanca_core::call::{Part, Resource};
use palanca_models::{Message as Said, ToolCall};

/// Characters of one message that a model is shown, from the first attempt to the last.
const SHOWN: [usize; 4] = [2000, 600, 200, 60];
/// Characters of a result in a summary without a model.
const RESULT_CHARS: usize = 300;
/// Characters of arguments in one.
const ARGUMENT_CHARS: usize = 100;
const GAP: &str = "\n[…]\n";

/// What was said and done, each message shortened so far that the whole has at most about `room` characters.
pub(super) fn transcript<'a, I: Iterator<Item = &'a Said>>(messages: impl Fn() -> I, room: usize) -> String {
    let mut text = String::new();
    for shown in SHOWN {
        text = messages().map(|message| entry(message, shown)).collect();
        if room == 0 || text.len() <= room {
            return text;
        }
    }
    clip(&text, room)
}

fn entry(message: &Said, shown: usize) -> String {
    match message {
        Said::System { text } => format!("\n## User\n{}\n", clip(text, shown)),
        Said::User { text, parts } => format!("\n## User\n{}\n{}", clip(text, shown), left_out(parts, "\n")),
        Said::Assistant { text, calls, .. } => {
            let mut entry = format!("\n## Agent\n{}\n", clip(text, shown));
            for call in calls {
                entry.push_str(&format!("calls {}({})\n", call.name, clip(&call.arguments, shown)));
            }
            entry
        }
        Said::Tool { name, content, is_error, parts, .. } => {
            let failed = if *is_error { ", failed" } else { "" };
            format!("\n## Result of {name}{failed}\n{}\n{}", clip(content, shown), left_out(parts, "\n"))
        }
    }
}

/// The summary so far and one line for each call since: the tool, its arguments, the beginning of its result.
pub(super) fn mechanical<'a>(so_far: Option<&str>, messages: impl Iterator<Item = &'a Said>) -> String {
    let mut lines: Vec<String> = so_far.map(str::to_owned).into_iter().collect();
    let mut asked: Vec<&ToolCall> = Vec::new();
    for message in messages {
        match message {
            Said::System { .. } => {}
            Said::User { text, parts } => {
                lines.push(
                    format!("- was told: {} {}", one_line(text, RESULT_CHARS), left_out(parts, " "))
                        .trim_end()
                        .to_owned(),
                );
            }
            Said::Assistant { text, calls, .. } => {
                asked = calls.iter().collect();
                if !text.trim().is_empty() {
                    lines.push(format!("- said: {}", one_line(text, RESULT_CHARS)));
                }
            }
            Said::Tool { call_id, name, content, is_error, parts } => {
                let call = asked.iter().find(|call| call.id == *call_id);
                let arguments = call.map(|call| one_line(&call.arguments, ARGUMENT_CHARS)).unwrap_or_default();
                let failed = if *is_error { " failed" } else { "" };
                let told = format!(
                    "- {name}({arguments}){failed}: {} {}",
                    one_line(content, RESULT_CHARS),
                    left_out(parts, " ")
                );
                lines.push(told.trim_end().to_owned());
            }
        }
    }
    lines.join("\n")
}

/// What was beside a text, each followed by `after`: a summary says that it was there, and does not have it.
fn left_out(parts: &[Part], after: &str) -> String {
    let named = parts.iter().map(|part| match (part, part.media()) {
        (_, Some(media)) => {
            let kept = media.artifact().map(|artifact| format!(", stored as {artifact}")).unwrap_or_default();
            format!("[{}, {} bytes{kept}: left out here]{after}", media.media_type(), media.bytes().len())
        }
        (Part::Link(link), None) => format!("[link {}]{after}", one_line(&link.uri, ARGUMENT_CHARS)),
        (Part::Resource(Resource { uri, .. }), None) => {
            format!("[resource {}: left out here]{after}", one_line(uri, ARGUMENT_CHARS))
        }
        (Part::Image(_) | Part::Audio(_), None) => String::new(),
    });
    named.collect()
}

fn one_line(text: &str, characters: usize) -> String {
    let words = text.split_whitespace().flat_map(|word| [" ", word]).skip(1);
    let mut line: String = words.flat_map(str::chars).take(characters + 1).collect();
    if line.chars().count() > characters {
        line.pop();
        line.push('…');
    }
    line
}

/// At most about `limit` characters: the first third and the last two.
pub(super) fn clip(text: &str, limit: usize) -> String {
    let text = text.trim();
    if text.len() <= limit || text.chars().count() <= limit {
        return text.to_owned();
    }
    let room = limit.saturating_sub(GAP.len());
    let (first, last) = (room / 3, room - room / 3);
    let head = text.char_indices().nth(first).map_or(text.len(), |(at, _)| at);
    let tail = text.char_indices().rev().nth(last.saturating_sub(1)).map_or(text.len(), |(at, _)| at);
    let tail = if last == 0 { text.len() } else { tail };
    format!("{}{GAP}{}", text.get(..head).unwrap_or_default(), text.get(tail..).unwrap_or_default())
}
