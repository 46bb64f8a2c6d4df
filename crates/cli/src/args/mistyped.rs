//! Suggestions for a mistyped command line. The parser only looks for similar options of one command; here those of the
//! following command count, too, and among equally near ones swapped letters win (`--modle`).

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};
use palanca_config::closest;

/// Adds a tip to the error, or puts it in the place of the parser's own. `words` are the words behind the program's name.
pub fn advise(error: &mut Error, mut root: Command, words: &[String]) {
    let invalid = |kind| match error.get(kind) {
        Some(ContextValue::String(invalid)) => Some(invalid.clone()),
        _ => None,
    };
    match error.kind() {
        ErrorKind::UnknownArgument => {
            let Some(invalid) = invalid(ContextKind::InvalidArg) else { return };
            root.build();
            let at = words.iter().position(|word| word.split('=').next() == Some(&invalid)).unwrap_or(words.len());
            let (before, after) = words.split_at(at);
            let here = descended(&root, before);
            match invalid.strip_prefix("--") {
                Some(flag) => option(error, here, descended(here, after), flag),
                None if here.get_name() == "run" && !invalid.starts_with('-') => {
                    tip(
                        error,
                        "a prompt of several words needs quotes: palanca run \"Fix the failing test\"".to_owned(),
                    );
                }
                None => {}
            }
        }
        ErrorKind::InvalidSubcommand => {
            let sentence = invalid(ContextKind::InvalidSubcommand).filter(|word| word.contains(char::is_whitespace));
            if let Some(sentence) = sentence {
                tip(error, format!("a prompt needs a command: palanca run \"{sentence}\""));
            }
        }
        _ => {}
    }
}

/// The command that these words lead to.
fn descended<'a>(command: &'a Command, words: &[String]) -> &'a Command {
    words.iter().fold(command, |command, word| command.find_subcommand(word).unwrap_or(command))
}

fn option(error: &mut Error, here: &Command, later: &Command, flag: &str) {
    let (near, far) = (flags(here), flags(later));
    let found = closest(flag, near.iter().chain(&far).copied());
    let is_value = |arg: &&clap::Arg| arg.get_possible_values().iter().any(|value| value.get_name() == flag);
    match (found, here.get_arguments().find(is_value).and_then(clap::Arg::get_long)) {
        (Some(found), _) if near.contains(&found) => {
            let found = format!("--{found}");
            error.insert(ContextKind::SuggestedArg, ContextValue::String(found));
        }
        (Some(found), _) => {
            error.remove(ContextKind::SuggestedArg);
            tip(error, format!("'--{found}' comes after its command: {} --{found}", name(later)));
        }
        (None, Some(option)) => tip(error, format!("write '--{option} {flag}'")),
        (None, None) => return,
    }
    error.insert(ContextKind::Usage, ContextValue::StyledStr(here.clone().render_usage()));
}

fn flags(command: &Command) -> Vec<&str> {
    command.get_arguments().filter_map(clap::Arg::get_long_and_visible_aliases).flatten().collect()
}

fn name(command: &Command) -> &str {
    command.get_bin_name().unwrap_or_else(|| command.get_name())
}

fn tip(error: &mut Error, text: String) {
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(text)]));
}
