//! Commands that name a closed file: refused here with a sentence, and kept out by the kernel whatever they name.
//!
//! Every word is taken for a path, in each of the ways in which programs hide paths in words (`--file=x`, `-fx`, `of=x`,
//! `@x`, `HEAD:x`, `a,b`), because which of them is one, only the program knows. A file that may be read is guarded
//! against redirections and against the operands that known programs change.

use super::denied;
use super::programs::{self, Changed};
use crate::paths::{Guarded, GuardedFiles, PathRule};
use crate::texts::plain;
use palanca_core::Message;
use palanca_core::gate::CheckedCall;
use palanca_core::ports::{CommandClass, CommandPart, CommandWord, Guard, Verdict};
use palanca_shell::Workspace;
use std::path::PathBuf;
use std::sync::Arc;

pub(super) struct NamedFiles {
    files: Arc<GuardedFiles>,
    workspace: Workspace,
}

struct Named<'r> {
    rule: &'r PathRule,
    list: Guarded,
    word: String,
}

impl NamedFiles {
    pub(super) const fn new(files: Arc<GuardedFiles>, workspace: Workspace) -> Self {
        Self { files, workspace }
    }

    fn part(&self, part: &CommandPart) -> Option<Named<'_>> {
        let redirects = part.redirects.iter().map(|(target, _)| target);
        let mut words = part.words.iter().chain(redirects);
        words
            .find_map(|word| self.word(part, word, Guarded::Sensitive))
            .or_else(|| self.code(part))
            .or_else(|| {
                programs::written_redirects(part).find_map(|target| self.word(part, target, Guarded::Protected))
            })
            .or_else(|| self.changed(part))
    }

    /// Files that are named inside code on the command line.
    fn code(&self, part: &CommandPart) -> Option<Named<'_>> {
        if !programs::interprets(part) {
            return None;
        }
        let code = part.words.iter().skip(1).filter_map(CommandWord::known);
        let names = code.flat_map(|code| code.split(|end: char| !is_of_a_path(end))).filter(|name| !name.is_empty());
        names.into_iter().find_map(|name| self.path(part, name, Guarded::Sensitive))
    }

    /// Operands that a program would change.
    fn changed(&self, part: &CommandPart) -> Option<Named<'_>> {
        if part.class == CommandClass::Safe {
            return None;
        }
        programs::operands(part).into_iter().find_map(|changed| match changed {
            Changed::It(word) => self.word(part, word, Guarded::Protected),
            Changed::Into(folder, source) => {
                let name = source.known()?.trim_end_matches('/').rsplit('/').next()?;
                self.path(part, &format!("{}/{name}", folder.known()?), Guarded::Protected)
            }
        })
    }

    fn word(&self, part: &CommandPart, word: &CommandWord, list: Guarded) -> Option<Named<'_>> {
        match word {
            CommandWord::Known(text) => candidates(text).into_iter().find_map(|path| self.path(part, path, list)),
            CommandWord::Pattern(text) => {
                let pattern = self.relative(part, text, list)?;
                let rule = self.files.aimed_at(list, &pattern)?;
                Some(Named { rule, list, word: text.clone() })
            }
            CommandWord::Unknown(text) => {
                // Whatever folder it lies in: the name alone may be enough.
                let name = text.rsplit('/').next().filter(|name| name.len() < text.len())?;
                if name.contains(['$', '`', '(', '*', '?', '[']) { None } else { self.path(part, name, list) }
            }
        }
    }

    fn path(&self, part: &CommandPart, path: &str, list: Guarded) -> Option<Named<'_>> {
        let relative = self.relative(part, path, list)?;
        let rule = match list {
            Guarded::Sensitive => self.files.find(list, &relative)?,
            Guarded::Protected => self.files.find_for_programs(&relative)?,
        };
        Some(Named { rule, list, word: path.to_owned() })
    }

    /// The path from the workspace's root. Elsewhere, what is to be kept from changes is no concern, and what is not to be
    /// read is known by its name. None for either root.
    fn relative(&self, part: &CommandPart, path: &str, list: Guarded) -> Option<PathBuf> {
        let start = part.directory.as_deref().unwrap_or_else(|| self.workspace.path());
        let whole = plain(&start.join(path));
        let relative = match (self.workspace.within(&whole), list) {
            (Some(inside), _) => inside,
            (None, Guarded::Sensitive) => whole.strip_prefix("/").unwrap_or(&whole),
            (None, Guarded::Protected) => return None,
        };
        (!relative.as_os_str().is_empty()).then(|| relative.to_owned())
    }
}

impl Guard for NamedFiles {
    fn judge(&self, call: &CheckedCall) -> Option<Verdict> {
        let parts = call.commands().iter().flat_map(|reading| &reading.parts);
        let (part, named) = parts.into_iter().find_map(|part| Some((part, self.part(part)?)))?;
        let (rule, key) = match named.list {
            Guarded::Sensitive => ("guardrails.sensitive_files", "guardrail-sensitive-operand"),
            Guarded::Protected => ("guardrails.protected_files", "guardrail-protected-operand"),
        };
        let to_model = Message::new(key).with("word", &named.word).with("rule", named.rule.id());
        let evidence = format!("'{}' of '{}' is named by {}", named.word, part.source, named.rule.id());
        Some(denied(rule, to_model, evidence))
    }
}

/// The ways in which a word may hold a path.
fn candidates(word: &str) -> Vec<&str> {
    let mut found = vec![word];
    let apart = |end: char| matches!(end, '=' | ':' | ',' | '@');
    if word.contains(apart) {
        found.extend(word.split(apart));
        found.extend(word.split_once(apart).map(|(_, rest)| rest));
    }
    if let Some(rest) = word.strip_prefix('-') {
        // `-fNAME`; a bundle of options before it is too rare to guess at.
        let mut characters = rest.chars();
        characters.next();
        found.push(characters.as_str());
    }
    found.retain(|path| !path.is_empty());
    found
}

fn is_of_a_path(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '.' | '/' | '_' | '-' | '~' | '+' | '%' | '#')
}
