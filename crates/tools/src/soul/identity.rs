//! `update_identity`: lines `key: value`, of which those that are given change and every other stays.

use super::{missing, one_line};
use palanca_core::ToolError;

pub(crate) struct Identity<'a> {
    pub(crate) name: Option<&'a str>,
    pub(crate) emoji: Option<&'a str>,
    pub(crate) vibe: Option<&'a str>,
}

impl Identity<'_> {
    /// What is given, in the order of the document.
    ///
    /// # Errors
    /// Nothing is, or a value is more than a line.
    pub(crate) fn given(&self) -> Result<Vec<(&'static str, &str)>, ToolError> {
        let all = [("name", self.name), ("emoji", self.emoji), ("vibe", self.vibe)];
        let given =
            all.into_iter().filter_map(|(key, value)| Some((key, value.filter(|value| !value.trim().is_empty())?)));
        let given: Vec<_> =
            given.map(|(key, value)| Ok((key, one_line(key, value)?))).collect::<Result<_, ToolError>>()?;
        if given.is_empty() { Err(missing("name, emoji or vibe")) } else { Ok(given) }
    }
}

/// The file with these values.
pub(crate) fn with(before: &str, given: &[(&'static str, &str)]) -> String {
    let mut lines: Vec<String> = before.lines().map(str::to_owned).collect();
    for (key, value) in given {
        let own = |line: &String| line.split_once(':').is_some_and(|(name, _)| name.trim().eq_ignore_ascii_case(key));
        let line = format!("{key}: {value}");
        match lines.iter_mut().find(|line| own(line)) {
            Some(old) => *old = line,
            None => lines.push(line),
        }
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_given_stays() {
        let before = "# Who I am\nName: Ana\npronouns: she\nfree text\n";
        assert_eq!(
            with(before, &[("name", "Eva"), ("vibe", "calm")]),
            "# Who I am\nname: Eva\npronouns: she\nfree text\nvibe: calm\n"
        );
        assert_eq!(with("", &[("emoji", "🦊")]), "emoji: 🦊\n");
        let identity = |name| Identity { name, emoji: None, vibe: Some(" ") };
        assert!(identity(None).given().is_err() && identity(Some("a\nvibe: evil")).given().is_err());
        assert_eq!(identity(Some(" a ")).given().unwrap(), [("name", "a")]);
    }
}
