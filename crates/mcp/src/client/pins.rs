//! The definitions of a server's tools as they were when they were taken first: one that is another is not taken before a person
//! agrees. They are offered before the server runs.

use palanca_core::Message;
use palanca_files::{StateDirectory, StateError};
use palanca_host::{Fault, Host, unusable};
use rmcp::model::Tool;
use std::collections::BTreeMap;

/// Bytes of the file: those of as many tools as a server may have, each of a usual size.
const LARGEST: u64 = 16 << 20;

/// Of one server. Without a state directory they last as long as the process.
pub(crate) struct Pins {
    state: Option<StateDirectory>,
    file: String,
    /// By the server's own name for the tool.
    known: BTreeMap<String, Pin>,
    /// What the file has.
    written: String,
}

/// A tool as it was agreed to.
struct Pin {
    tool: Tool,
    /// Whether the server had it when it was last asked.
    listed: bool,
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
        let pins = text.lines().filter_map(|line| serde_json::from_str(line).ok());
        let pins = pins.map(|(listed, tool): (bool, Tool)| Pin { tool, listed });
        let known = pins.map(|pin| (pin.tool.name.clone().into_owned(), pin)).collect();
        Self { state, file, known, written: text }
    }

    /// Those that the server had when it was last asked.
    pub(crate) fn listed(&self) -> impl Iterator<Item = Tool> {
        self.known.values().filter(|pin| pin.listed).map(|pin| pin.tool.clone())
    }

    /// Before the server's tools are held against them.
    pub(crate) fn begin(&mut self) {
        self.known.values_mut().for_each(|pin| pin.listed = false);
    }

    /// Whether the tool is defined as it was when it was taken first, which may be now.
    pub(crate) fn hold(&mut self, tool: &Tool, is_same: impl FnOnce(&Tool) -> bool) -> bool {
        match self.known.get_mut(&*tool.name) {
            Some(pin) => {
                pin.listed = is_same(&pin.tool);
                pin.listed
            }
            None => {
                self.known.insert(tool.name.clone().into_owned(), Pin { tool: tool.clone(), listed: true });
                true
            }
        }
    }

    /// Writes down what there is now.
    ///
    /// # Errors
    /// The state directory cannot be written: what came is pinned for this process alone.
    pub(crate) fn keep(&mut self) -> Result<(), StateError> {
        let Some(state) = &self.state else { return Ok(()) };
        let lines = self.known.values().filter_map(|pin| serde_json::to_string(&(pin.listed, &pin.tool)).ok());
        let text: String = lines.flat_map(|line| [line, "\n".to_owned()]).collect();
        if text != self.written {
            state.write(&self.file, &text)?;
            self.written = text;
        }
        Ok(())
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
