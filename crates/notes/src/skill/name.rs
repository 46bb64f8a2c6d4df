//! A skill's name. It becomes a folder's name, so it is a type: a valid name contains no separator, dot or anything
//! else that could act as a path.

use palanca_core::Message;
use std::fmt;
use unicode_general_category::{GeneralCategory as G, get_general_category};
use unicode_normalization::UnicodeNormalization as _;

/// Maximum length in characters.
const MAX: usize = 64;

/// 1 to 64 lowercase letters and digits of any script, with single hyphens between them; in Unicode's NFKC.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SkillName(String);

/// All faults of a name.
#[derive(Clone, Debug, PartialEq)]
pub struct SkillNameError {
    /// The sentences.
    pub messages: Vec<Message>,
}

impl SkillName {
    /// Checks a name.
    ///
    /// # Errors
    /// All its faults.
    pub fn new(name: &str) -> Result<Self, SkillNameError> {
        let (name, messages) = judge(name);
        if messages.is_empty() { Ok(Self(name)) } else { Err(SkillNameError { messages }) }
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SkillName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The name in NFKC, and its faults.
pub(super) fn judge(given: &str) -> (String, Vec<Message>) {
    let name = normal(trim(given));
    let mut wrong = Vec::new();
    if name.is_empty() {
        wrong.push(Message::new("skill-name-empty"));
        return (name, wrong);
    }
    let mut say = |key: &'static str| wrong.push(Message::new(key).with("name", &name));
    if name.chars().count() > MAX {
        say("skill-name-long");
    }
    if name.to_lowercase() != name {
        say("skill-name-case");
    }
    if name.starts_with('-') || name.ends_with('-') {
        say("skill-name-edge");
    }
    if name.contains("--") {
        say("skill-name-hyphens");
    }
    if !name.chars().all(|c| c == '-' || is_word(c)) {
        say("skill-name-characters");
    }
    (name, wrong)
}

pub(super) fn normal(text: &str) -> String {
    text.nfkc().collect()
}

/// Like Python's `strip`, which also treats the four ASCII separators as blanks.
pub(super) fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c))
}

/// As Python's `isalnum`: letters and numbers, without the marks that Rust counts as alphabetic.
fn is_word(c: char) -> bool {
    matches!(
        get_general_category(c),
        G::UppercaseLetter
            | G::LowercaseLetter
            | G::TitlecaseLetter
            | G::ModifierLetter
            | G::OtherLetter
            | G::DecimalNumber
            | G::LetterNumber
            | G::OtherNumber
    )
}
