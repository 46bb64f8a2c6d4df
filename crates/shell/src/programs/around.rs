//! What stands around a program: how it was reached, what it is assigned, where its output goes.

use super::place::Place;
use super::refusal::Refusal;
use super::tables;
use super::variables::{Change, change};
use crate::catalogue::has;
use crate::command::{Assignment, Command, Piece, RedirectKind, Via, Word};
use crate::verdict::Class;

/// Directories whose programs count as their bare names.
const SYSTEM: &str = "/bin/ /usr/bin/ /usr/local/bin/ /sbin/ /usr/sbin/";

/// The program's name, without a system directory.
pub(super) fn program(name: &Word) -> Result<&str, Refusal> {
    let text = name.literal().filter(|text| !text.is_empty()).ok_or(Refusal::NamelessProgram)?;
    let bare = SYSTEM.split(' ').find_map(|directory| text.strip_prefix(directory)).unwrap_or(text);
    let by_path = bare.contains('/') || (bare != text && tables::is_by_name(bare));
    if by_path { Err(Refusal::ProgramByPath(text.to_owned())) } else { Ok(bare) }
}

/// Only assignments or redirections. A known value in a variable that is the text's own (`x=3`) changes nothing else.
pub(super) fn nothing_runs(command: &Command) -> Result<Class, Refusal> {
    // Only what is exported reaches programs, so a path in it leads to none.
    let matters = |one: &&Assignment| change(&one.name, one.value.literal().map(|_| "")) == Change::Programs;
    match (command.assignments.as_slice(), command.redirects.first()) {
        ([], None) => Err(Refusal::NamelessProgram),
        (_, Some(redirect)) => Err(Refusal::Redirect(redirect.target.to_string())),
        (all, None) => match all.iter().find(matters) {
            Some(assignment) => Err(Refusal::Assignment(assignment.name.clone())),
            None => reached(command, Class::Safe),
        },
    }
}

/// Whether a person who approves the words sees what they are.
pub(super) fn visible(command: &Command) -> Result<(), Refusal> {
    let assigned = command.assignments.iter().map(|assignment| &assignment.value);
    let words = command.words.iter().chain(assigned).chain(command.redirects.iter().map(|redirect| &redirect.target));
    for piece in words.flat_map(|word| word.pieces.iter()) {
        if let Piece::Text(text) | Piece::Glob(text) = piece
            && text.chars().any(deceives)
        {
            return Err(Refusal::Invisible);
        }
    }
    Ok(())
}

/// Control characters, characters without a shape, those that turn the writing direction, blanks that are no blanks to
/// a shell, and letters that look like its operators.
fn deceives(letter: char) -> bool {
    match letter {
        '\n' | '\t' => false,
        '\u{ad}' | '\u{a0}' | '\u{1680}' | '\u{180e}' | '\u{3000}' | '\u{37e}' | '\u{feff}' | '\u{61c}' => true,
        '\u{2000}'..='\u{200f}' | '\u{2028}'..='\u{202f}' | '\u{205f}'..='\u{206f}' => true,
        '\u{fe00}'..='\u{fe0f}' | '\u{ff01}'..='\u{ff5e}' | '\u{fff9}'..='\u{fffb}' => true,
        '\u{e0000}'..='\u{e0fff}' => true,
        other => other.is_control(),
    }
}

/// Patterns that one command may hold: each is held against the names of secrets.
const PATTERNS: usize = 1024;

/// Whether the patterns of a command are few enough to look at.
pub(super) fn few_patterns(command: &Command) -> Result<(), Refusal> {
    let too_many = command.words.iter().filter(|word| word.has_glob()).nth(PATTERNS);
    too_many.map_or(Ok(()), |word| Err(Refusal::UnknownWord(word.to_string())))
}

/// `cat` alone waits for what never comes.
pub(super) fn has_input(command: &Command, program: &str) -> Result<(), Refusal> {
    let connected = command.input.text.is_some()
        || !command.input.trace.is_empty()
        || command.redirects.iter().any(|redirect| redirect.kind == RedirectKind::Read);
    if program == "cat" && command.operands().is_empty() && !connected {
        return Err(Refusal::NoInput(program.to_owned()));
    }
    Ok(())
}

/// Reads stay inside, writes go to the null device.
pub(super) fn redirects(command: &Command, place: &Place) -> Result<(), Refusal> {
    command.redirects.iter().try_for_each(|redirect| {
        if redirect.target.literal() == Some("/dev/null") {
            return Ok(());
        }
        match redirect.kind {
            RedirectKind::Read => place.reads(&redirect.target),
            _ => Err(Refusal::Redirect(redirect.target.to_string())),
        }
    })
}

/// An assignment is never safe; before a development tool it must not be one that changes what runs.
pub(super) fn assignments(command: &Command, class: Class) -> Result<Class, Refusal> {
    for assignment in &command.assignments {
        if class == Class::Safe || change(&assignment.name, assignment.value.literal()) == Change::Programs {
            return Err(Refusal::Assignment(assignment.name.clone()));
        }
    }
    Ok(class)
}

/// Wrappers that leave a command as it is. Others of the second list start more or write a file, but only a little.
const TRANSPARENT: &str = "time command builtin nice timeout";
const NEARLY: &str = "env nohup stdbuf ionice chronic";

/// The class of a command that was reached this way.
pub(super) fn reached(command: &Command, class: Class) -> Result<Class, Refusal> {
    for via in &command.via {
        let passes = match via {
            Via::Wrapper(name) => {
                let name = name.rsplit('/').next().unwrap_or(name);
                has(TRANSPARENT, name) || (class == Class::Dev && has(NEARLY, name))
            }
            _ => false,
        };
        if !passes {
            return Err(Refusal::Through(how(via)));
        }
    }
    Ok(class)
}

fn how(via: &Via) -> String {
    match via {
        Via::Wrapper(name)
        | Via::Each(name)
        | Via::Shell(name)
        | Via::Code(name)
        | Via::Setting(name)
        | Via::Function(name)
        | Via::Elsewhere(name) => name.clone(),
        Via::Substitution => "$(…)".to_owned(),
    }
}
