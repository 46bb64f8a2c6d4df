//! The files of the workspace that a command names, as far as its text tells. By name alone: a link is another name, and a
//! word that is not known names nothing here. What must be closed to every program is for guardrails and the sandbox.

use super::glob::Spot;
use crate::texts::plain;
use palanca_core::call::Access;
use palanca_core::ports::{CommandClass, CommandPart, CommandWord};
use std::path::Path;

/// How a command names a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    Redirect(Access),
    /// As a word of a command of this class.
    Operand(CommandClass),
}

/// A file that a command names.
pub(super) struct Named {
    pub(super) spot: Spot,
    pub(super) by: Use,
}

/// Every word that could be a path of the workspace, and every redirection into it.
pub(super) fn places<'p>(part: &'p CommandPart, workspace: &'p Path) -> impl Iterator<Item = Named> + 'p {
    let operands = part.words.iter().skip(1).filter_map(CommandWord::known).flat_map(ways);
    let operands = operands.map(|word| (word, Use::Operand(part.class)));
    let redirects =
        part.redirects.iter().filter_map(|(target, access)| Some((target.known()?, Use::Redirect(*access))));
    operands.chain(redirects).filter_map(|(word, by)| Some(Named { spot: place(part, word, workspace)?, by }))
}

/// Where a word points in the workspace.
pub(super) fn place(part: &CommandPart, word: &str, workspace: &Path) -> Option<Spot> {
    let from = part.directory.as_deref().unwrap_or(workspace);
    plain(&from.join(word)).strip_prefix(workspace).ok()?.to_str().map(Spot::in_workspace)
}

/// The word itself, or what an option or an assignment gives: `--file=x`, `of=x`.
fn ways(word: &str) -> impl Iterator<Item = &str> {
    let value = word.split_once('=').map(|(_, value)| value).filter(|value| !value.is_empty());
    (!word.starts_with('-') && !word.is_empty()).then_some(word).into_iter().chain(value)
}
