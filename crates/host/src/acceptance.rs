//! What the person has accepted: files of projects, by their content and their place.

use crate::fault::{Fault, FaultKind, unusable};
use crate::places::Places;
use palanca_core::Message;
use palanca_core::call::Digest;
use palanca_files::{StateDirectory, StateError, places as places_of};
use std::path::Path;

/// The hashes of project files that were accepted, one a line with the place it was accepted at. The same text in another
/// folder is another decision: what it allows is allowed there.
const TRUSTED: &str = "trusted-projects";
const MAX_TRUSTED: u64 = 1 << 20;

/// What was accepted before.
pub struct Accepted(String);

impl Accepted {
    /// Everything that was; nothing where it cannot be read.
    #[must_use]
    pub fn load(places: &Places) -> Self {
        let read = |path: &Path| StateDirectory::open(path).ok()?.read(TRUSTED, MAX_TRUSTED).ok();
        Self(places.state.as_deref().and_then(read).unwrap_or_default())
    }

    /// Whether exactly this text of the file at `file` was.
    #[must_use]
    pub fn holds(&self, file: &str, text: &str) -> bool {
        accepted(file, text).is_some_and(|accepted| self.0.lines().any(|line| line == accepted))
    }

    /// Whether any text of it was.
    #[must_use]
    pub fn knows(&self, file: &str) -> bool {
        let place = accepted(file, "").and_then(|line| line.split_once(' ').map(|(_, place)| place.to_owned()));
        place.is_some_and(|place| self.0.lines().any(|line| line.split_once(' ').is_some_and(|(_, at)| at == place)))
    }
}

/// The line for it. The folder is resolved and the name is not: a link to a file that was accepted elsewhere is not that file.
fn accepted(file: &str, text: &str) -> Option<String> {
    let file = Path::new(file);
    let folder = file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let place = places_of(folder).ok()?.pop()?.join(file.file_name()?);
    let plain = place.to_str().filter(|text| !text.contains(char::is_control));
    // Quoted, two places that cannot be written plainly stay two.
    let place = plain.map_or_else(|| format!("{place:?}"), str::to_owned);
    Some(format!("{} {place}", Digest::of_bytes(text.as_bytes()).to_hex()))
}

fn broken(error: StateError) -> Fault {
    Fault { kind: FaultKind::Machine, message: unusable(&error) }
}

/// Accepts this text of the project's file at `file`.
///
/// # Errors
/// When there is no state directory or it cannot be written.
pub fn accept(places: &Places, file: &str, text: &str) -> Result<(), Fault> {
    let home = places.state_for("trust")?;
    let accepted = accepted(file, text).ok_or_else(|| Fault::said(Message::new("cli-config-none")))?;
    let state = StateDirectory::open(home).map_err(broken)?;
    let kept = match state.read(TRUSTED, MAX_TRUSTED) {
        Ok(kept) => kept,
        Err(error) if error.is_not_found() => String::new(),
        Err(error) => return Err(broken(error)),
    };
    if kept.lines().any(|line| line == accepted) {
        return Ok(());
    }
    state.write(TRUSTED, &format!("{kept}{accepted}\n")).map_err(broken)
}
