//! Names that say nothing: a type called `Manager` could be anything, so it becomes everything.

const EMPTY_WORDS: &[&str] = &["manager", "helper", "helpers", "util", "utils", "service", "data", "info"];

/// The name of the item that begins on this line, when one of its words is empty. Reads lines, not syntax.
pub fn empty_name(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let item = match line.strip_prefix("pub(") {
        Some(restricted) => restricted.split_once(')')?.1,
        None => line.strip_prefix("pub ").unwrap_or(line),
    };
    let mut words = item.split_whitespace().skip_while(|word| matches!(*word, "unsafe" | "auto"));
    if !matches!(words.next()?, "struct" | "enum" | "trait" | "mod" | "union") {
        return None;
    }
    let rest = words.next()?;
    let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let name = rest.get(..end.unwrap_or(rest.len()))?;
    words_of(name).iter().any(|word| EMPTY_WORDS.contains(&word.as_str())).then_some(name)
}

/// `ToolInfoPage` and `tool_info_page` are the words tool, info, page.
fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for letter in name.chars() {
        if letter == '_' || letter.is_uppercase() {
            words.push(String::new());
        }
        if letter != '_'
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::empty_name;

    #[test]
    fn items_with_empty_words_are_found() {
        for (line, expected) in [
            ("pub struct ToolManager {", Some("ToolManager")),
            ("pub(crate) enum ConnectionInfo<T> {", Some("ConnectionInfo")),
            ("    mod utils;", Some("utils")),
            ("mod string_helpers {", Some("string_helpers")),
            ("trait DataSource: Send {", Some("DataSource")),
            ("pub(in super::super) struct Info(u8);", Some("Info")),
            ("pub unsafe trait Service {}", Some("Service")),
            ("pub struct Metadata;", None),
            ("pub struct Database;", None),
            ("pub struct Information;", None),
            ("// struct Manager", None),
            ("let data = service();", None),
            ("pub fn info() {}", None),
            ("use crate::util;", None),
            ("", None),
        ] {
            assert_eq!(empty_name(line), expected, "{line}");
        }
    }
}
