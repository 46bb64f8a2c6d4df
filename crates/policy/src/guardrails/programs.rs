//! What of a command's words a program would change, and which programs run text as code: by name, without a claim to be
//! complete. A program that is not known here changes nothing that this room could name; the kernel keeps protected files
//! closed all the same.

use palanca_core::call::Access;
use palanca_core::ports::{CommandPart, CommandWord};
use palanca_shell::{Changes, changes, takes_code};

/// Options with which a program writes back what it reads.
const IN_PLACE: &[&str] = &["-i", "--in-place", "-w", "--write", "--fix", "-pi", "-L"];

/// Options of any program whose value is a file that it writes.
const OUTPUT_OPTIONS: &[&str] =
    &["-o", "-O", "-out", "--out", "--output", "--output-document", "--outfile", "--out-file"];

/// Places that are no file.
const NOWHERE: &[&str] = &["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/fd/1", "/dev/fd/2"];

/// The program's own name: without folders and without a version.
pub(super) fn name(part: &CommandPart) -> String {
    let program = part.words.first().and_then(CommandWord::known).unwrap_or_default();
    let name = program.rsplit('/').next().unwrap_or(program).to_lowercase();
    let name = name.strip_suffix(".exe").unwrap_or(&name);
    name.trim_end_matches(|end: char| end.is_ascii_digit() || end == '.').to_owned()
}

/// Whether a part runs text of its command line as code that may open files.
pub(super) fn interprets(part: &CommandPart) -> bool {
    takes_code(&name(part))
}

/// Whether a part puts its own text, or what it is given, into a file.
pub(super) fn writes(part: &CommandPart) -> bool {
    written_redirects(part).next().is_some() || !operands(part).is_empty()
}

/// The targets of redirections that write, as far as they are files.
pub(super) fn written_redirects(part: &CommandPart) -> impl Iterator<Item = &CommandWord> {
    let written = part.redirects.iter().filter(|(_, access)| *access == Access::Write);
    written.map(|(target, _)| target).filter(|target| target.known().is_none_or(|path| !NOWHERE.contains(&path)))
}

/// One operand that a program would change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Changed<'p> {
    /// This file.
    It(&'p CommandWord),
    /// A file of that name in this folder.
    Into(&'p CommandWord, &'p CommandWord),
}

/// The operands that a program would change.
pub(super) fn operands(part: &CommandPart) -> Vec<Changed<'_>> {
    let program = name(part);
    let words = part.words.get(1..).unwrap_or_default();
    let plain = || words.iter().filter(|word| !is_option(word));
    let mut found: Vec<Changed<'_>> = match changes(&program) {
        None => Vec::new(),
        Some(Changes::Every) => plain().map(Changed::It).collect(),
        Some(Changes::InPlace) => {
            let given = words.iter().filter_map(CommandWord::known).any(|word| {
                let option = word.split('=').next().unwrap_or(word);
                IN_PLACE.contains(&option)
                    || (word.starts_with("-i") && !word.starts_with("--"))
                    || word.starts_with("-pi")
            });
            if given { plain().map(Changed::It).collect() } else { Vec::new() }
        }
        Some(Changes::After(verbs)) => {
            let mut rest =
                plain().skip_while(|word| !word.known().is_some_and(|word| verbs.split(' ').any(|verb| verb == word)));
            rest.next();
            rest.map(Changed::It).collect()
        }
        Some(Changes::Last) => last(plain().collect(), words),
        Some(Changes::Output) => words
            .iter()
            .filter(|word| word.known().is_some_and(|word| word.starts_with("of=")))
            .map(Changed::It)
            .collect(),
    };
    let mut pairs = words.iter().zip(words.iter().skip(1));
    let value = pairs.find(|(option, _)| option.known().is_some_and(|option| OUTPUT_OPTIONS.contains(&option)));
    found.extend(value.map(|(_, file)| Changed::It(file)));
    let joined = |word: &&CommandWord| {
        word.known().and_then(|word| word.split_once('=')).is_some_and(|(option, _)| OUTPUT_OPTIONS.contains(&option))
    };
    found.extend(words.iter().filter(joined).map(Changed::It));
    found
}

/// Copies: the target, and where it may be a folder, each source's name in it.
fn last<'p>(mut plain: Vec<&'p CommandWord>, words: &'p [CommandWord]) -> Vec<Changed<'p>> {
    let folder = words.iter().zip(words.iter().skip(1)).find(|(option, _)| option.known() == Some("-t"));
    let Some(target) = folder.map(|(_, folder)| folder).or_else(|| plain.pop()) else { return Vec::new() };
    let inside = plain.into_iter().map(|source| Changed::Into(target, source));
    std::iter::once(Changed::It(target)).chain(inside).collect()
}

fn is_option(word: &CommandWord) -> bool {
    word.known().is_some_and(|word| word.starts_with('-') && word.len() > 1)
}
