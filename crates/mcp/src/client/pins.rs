//! The definitions of a server's tools as they were when they were taken first: one that is another is not taken before a person
//! agrees.

use super::tool::ForeignTool;
use palanca_core::Message;
use palanca_core::call::Digest;
use palanca_files::{StateDirectory, StateError};
use palanca_host::{Fault, Host, unusable};
use std::collections::BTreeMap;

/// Bytes of the file.
const LARGEST: u64 = 1 << 20;

/// Of one server. Without a state directory they last as long as the process.
pub(crate) struct Pins {
    state: Option<StateDirectory>,
    file: String,
    /// Hash by the server's own name for the tool.
    known: BTreeMap<String, String>,
    has_new: bool,
}

impl Pins {
    /// Those of this server. A file that cannot be read pins nothing, and is told of.
    pub(crate) fn load(host: &Host, server: &str) -> Self {
        let state = host.places().state.as_deref().and_then(|path| StateDirectory::open(path).ok());
        let file = file(server);
        let text = match state.as_ref().map(|state| state.read(&file, LARGEST)) {
            Some(Ok(text)) => text,
            Some(Err(error)) if !error.is_not_found() => {
                host.notices().warn(&unusable(&error));
                String::new()
            }
            Some(Err(_)) | None => String::new(),
        };
        let line = |line: &str| line.split_once(' ').map(|(hash, tool)| (tool.to_owned(), hash.to_owned()));
        Self { state, file, known: text.lines().filter_map(line).collect(), has_new: false }
    }

    /// Whether the tool is defined as it was when it was taken first, which may be now.
    pub(crate) fn hold(&mut self, original: &str, tool: &ForeignTool) -> bool {
        let hash = Digest::of_bytes(tool.definition().as_bytes()).to_hex();
        // A name with a line break in it is written as one line.
        let name = original.escape_debug().to_string();
        match self.known.get(&name) {
            Some(known) => *known == hash,
            None => {
                self.known.insert(name, hash);
                self.has_new = true;
                true
            }
        }
    }

    /// Writes down what came.
    ///
    /// # Errors
    /// The state directory cannot be written: what came is pinned for this process alone.
    pub(crate) fn keep(&mut self) -> Result<(), StateError> {
        if !std::mem::take(&mut self.has_new) {
            return Ok(());
        }
        let Some(state) = &self.state else { return Ok(()) };
        let lines: String = self.known.iter().map(|(tool, hash)| format!("{hash} {tool}\n")).collect();
        state.write(&self.file, &lines)
    }
}

/// Forgets what was pinned of this server: its tools are taken as they are when it is next connected.
///
/// # Errors
/// No state directory, or one that cannot be written.
pub(crate) fn forget(host: &Host, server: &str) -> Result<(), Fault> {
    let Some(path) = &host.places().state else { return Err(Fault::said(Message::new("cli-home-unset"))) };
    Ok(StateDirectory::open(path)?.write(&file(server), "")?)
}

fn file(server: &str) -> String {
    format!("mcp-tools-{server}")
}
