//! `X --version` and its like: many programs that otherwise do anything only tell their version when asked alone.

use crate::catalogue::{Fact, facts, has};
use crate::command::Word;
use crate::verdict::Class;

/// Programs that only tell about themselves when asked so, also behind a word that says what they would do.
const POWER: &str = "systemctl shutdown reboot halt poweroff init telinit";

/// The class when the words only ask for the version.
pub(super) fn asked(program: &str, words: &[Word]) -> Option<Class> {
    let version =
        facts(program).iter().find_map(|fact| if let Fact::Version(words) = fact { Some(words) } else { None });
    let words: Option<Vec<&str>> = words.iter().map(Word::literal).collect();
    let safe = match words?.as_slice() {
        ["--help" | "--version"] if has(POWER, program) => true,
        [verb, "--help" | "--version"] if has(POWER, program) => !verb.starts_with('-'),
        ["--version"] => version.is_some(),
        ["version", "--client" | "--client=true" | "--short"] => program == "kubectl" || program == "helm",
        [one] => version.is_some_and(|words| has(words, one)),
        _ => false,
    };
    safe.then_some(Class::Safe)
}
