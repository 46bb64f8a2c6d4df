//! Where configuration files are found by themselves.

use super::MAX_BYTES;
use crate::fault::Fault;
use crate::places::{NAMES, Places};
use palanca_config::is_bots_document;
use palanca_core::Message;
use palanca_files::{is_file, read_regular};
use std::path::{Path, PathBuf};

/// The files of the bots' document, relative to the workspace: the configuration, and the bots alone.
pub(crate) const DOCUMENT: [&str; 2] = ["config/config.json", "config/bots.json"];

/// The workspace's own files, each with its path and text: ours, or those of the bots' document.
///
/// # Errors
/// When one is there and cannot be read; when both kinds are.
pub fn project_files(folder: &Path) -> Result<Vec<(String, String)>, Fault> {
    if is_file(folder) {
        let (path, reason) = (folder.display().to_string(), Message::new("cli-io-file"));
        return Err(Fault::said(Message::new("cli-workspace-failed").with("path", path).with("reason", reason)));
    }
    let own = first(folder, &NAMES)?;
    let mut document = Vec::new();
    for name in DOCUMENT {
        document.extend(first(folder, &[name])?.filter(|(path, text)| is_bots_document(path, text)));
    }
    match (own, document.first()) {
        (Some((own, _)), Some((other, _))) => {
            Err(Fault::said(Message::new("cli-config-two").with("path", own).with("other", other)))
        }
        (own, _) => Ok(own.into_iter().chain(document).collect()),
    }
}

/// The person's own file: its path and its text.
///
/// # Errors
/// When it is there and cannot be read.
pub fn user_file(places: &Places) -> Result<Option<(String, String)>, Fault> {
    Ok(places.user.as_deref().map(|folder| first(folder, &NAMES)).transpose()?.flatten())
}

fn first(folder: &Path, names: &[&str]) -> Result<Option<(String, String)>, Fault> {
    use std::io::ErrorKind::{IsADirectory, NotADirectory};
    for name in names {
        let path: PathBuf = folder.join(name);
        // A pipe of that name would keep everybody waiting who opens the folder.
        match read_regular(&path, MAX_BYTES) {
            Ok(text) => return Ok(Some((path.display().to_string(), text))),
            Err(error) if error.is_not_found() => {}
            // While a command runs, the sandbox keeps the place of a file that is not there shut with an empty folder.
            Err(error) if matches!(error.source.kind(), IsADirectory | NotADirectory) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(None)
}
