//! One change of a file as its person wrote it: which tools a bot has not. Comments, order and everything else stay; a text that was
//! not written in one of the usual ways is left to the person.
//!
//! Nothing here understands a format. Places where the change could stand are tried, and the one counts whose text reads as exactly the
//! old values with this one changed.

use crate::node::{Kind, Node};
use crate::parse::parse;
use serde_json::{Value, json};

const KEY: &str = "disabledTools";

/// The text of this file with `tools` as the tools that a bot has not. None where that must be done by hand: the file does not have the
/// bot, cannot be read, or is written in another way.
#[must_use]
pub fn with_disabled_tools(path: &str, text: &str, bot: &str, tools: &[String]) -> Option<String> {
    let mut wanted = parse(path, text).ok()?.to_value();
    let bots = wanted.get_mut("bots")?.as_array_mut()?;
    let own = bots.iter_mut().find(|own| own.get("id").and_then(Value::as_str) == Some(bot))?.as_object_mut()?;
    let is_there = own.insert(KEY.to_owned(), json!(tools)).is_some();
    let candidates = if is_there { replaced(text, tools) } else { added(text, bot, tools) };
    let fits = |text: &String| parse(path, text).is_ok_and(|node| same(&node, &wanted));
    candidates.into_iter().find(fits)
}

/// Whether a node has these values; `1` and `1.0` are two.
fn same(node: &Node, wanted: &Value) -> bool {
    matches!(node.kind, Kind::Map(_)) && node.to_value() == *wanted
}

/// The list, wherever it is.
fn replaced(text: &str, tools: &[String]) -> Vec<String> {
    let after_keys = text.match_indices(KEY).map(|(at, _)| at + KEY.len());
    let lists = after_keys.filter_map(|at| {
        let rest = text.get(at..)?;
        let quote = rest.len() - rest.trim_start_matches(['"', '\'']).len();
        let rest = rest.get(quote..)?;
        let space = rest.len() - rest.trim_start().len();
        let rest = rest.get(space..)?.strip_prefix([':', '='])?;
        let begin = at + quote + space + 1;
        let blank = rest.len() - rest.trim_start().len();
        Some(match rest.trim_start().strip_prefix('[') {
            Some(list) => (begin + blank, begin + blank + 1 + list.find(']')? + 1, ""),
            None => (begin, begin + items(rest), " "),
        })
    });
    let quoted = |begin: usize, end: usize| text.get(begin..end).is_some_and(|list| list.contains('"'));
    let list = |(begin, end, space): (usize, usize, &str)| {
        let is_json = quoted(begin, end) || quoted(begin.saturating_sub(KEY.len()), begin);
        Some(format!("{}{space}{}{}", text.get(..begin)?, listed(tools, is_json), text.get(end..)?))
    };
    lists.filter_map(list).collect()
}

/// The length of a list of one item a line.
fn items(text: &str) -> usize {
    let mut lines = text.split_inclusive('\n');
    let Some(first) = lines.next().filter(|line| line.trim().is_empty()) else { return 0 };
    let length =
        first.len() + lines.take_while(|line| line.trim_start().starts_with("- ")).map(str::len).sum::<usize>();
    // The line's end stays.
    text.get(..length).map_or(0, |list| list.trim_end_matches(['\n', '\r']).len())
}

/// Behind the bot's id: on its line, or on a line of its own.
fn added(text: &str, bot: &str, tools: &[String]) -> Vec<String> {
    let mut candidates = Vec::new();
    for (at, _) in text.match_indices(bot) {
        let (Some(before), Some(rest)) = (text.get(..at), text.get(at + bot.len()..)) else { continue };
        if !before.trim_end_matches(['"', '\'', ' ', ':', '=']).ends_with("id") {
            continue;
        }
        let quote = before.chars().next_back().filter(|last| ['"', '\''].contains(last));
        let end = at + bot.len() + usize::from(quote.is_some_and(|quote| rest.starts_with(quote)));
        let Some((before, rest)) = text.split_at_checked(end) else { continue };
        let line = before.rsplit('\n').next().unwrap_or_default();
        let is_json = line.contains("\"id\"");
        let key = if is_json { format!("\"{KEY}\"") } else { KEY.to_owned() };
        candidates.push(format!("{before}, {key}: {}{rest}", listed(tools, is_json)));
        let rest_of_line = rest.split('\n').next().unwrap_or_default();
        let Some((head, tail)) = text.split_at_checked(end + rest_of_line.len()) else { continue };
        let indent: String = line.chars().take_while(|one| [' ', '-'].contains(one)).map(|_| ' ').collect();
        candidates.push(format!("{head}\n{indent}{KEY}: {}{tail}", listed(tools, false)));
        candidates.push(format!("{head}\n{indent}{KEY} = {}{tail}", listed(tools, true)));
    }
    candidates
}

fn listed(tools: &[String], quoted: bool) -> String {
    let tool = |tool: &String| if quoted { format!("\"{tool}\"") } else { tool.clone() };
    format!("[{}]", tools.iter().map(tool).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests;
