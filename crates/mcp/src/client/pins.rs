//! What was agreed to of a server: how it is reached, and the definitions of its tools, as they were when it was started first. What is
//! other or new since then is off before a person agrees. The definitions are offered before the server runs.

use super::change::{Change, plain};
use palanca_config::McpServer;
use palanca_core::Message;
use palanca_core::call::Digest;
use palanca_core::ports::Redactor;
use palanca_files::{StateDirectory, StateError};
use palanca_host::{Fault, Host, unusable};
use rmcp::model::Tool;
use std::collections::BTreeMap;

/// Bytes of the file: those of as many tools as a server may have, each of a usual size.
const LARGEST: u64 = 16 << 20;

/// Tools that are kept beside those that are taken.
const MOST: usize = 1_000;

/// The command line, the names of variables and the address: the hash of them, and how they are shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reach {
    hash: String,
    /// Without secrets.
    shown: String,
}

impl Reach {
    pub(crate) fn of(wanted: &McpServer, redactor: &dyn Redactor) -> Self {
        let one = |key: &'static str, value: &Option<String>| value.iter().map(|value| (key, value.clone())).collect();
        let each =
            |key: &'static str, values: Vec<&String>| values.into_iter().map(|value| (key, value.clone())).collect();
        let rows: Vec<(&str, String)> = [
            one("url", &wanted.url),
            one("token_env", &wanted.token_env),
            one("command", &wanted.command),
            each("arg", wanted.args.iter().collect()),
            each("env", wanted.env.keys().collect()),
        ]
        .into_iter()
        .flat_map(|rows: Vec<_>| rows)
        .collect();
        let shown = |(key, value): &(&str, String)| format!("{key}: {}\n", plain(&redactor.redact(value), usize::MAX));
        let shown = rows.iter().map(shown).collect();
        let hash = Digest::of_bytes(serde_json::json!(rows).to_string().as_bytes()).to_hex();
        Self { hash, shown }
    }

    /// As lines, without secrets.
    pub(crate) fn shown(&self) -> &str {
        &self.shown
    }
}

/// Of one server. Without a state directory they last as long as the process.
pub(crate) struct Pins {
    state: Option<StateDirectory>,
    file: String,
    /// None before the server is started first.
    reach: Option<Reach>,
    /// By the server's own name for the tool.
    known: BTreeMap<String, Pin>,
    /// What the file has, where that is known.
    written: Option<String>,
    /// What was agreed to cannot be known any more.
    is_lost: bool,
}

/// A tool as it was agreed to.
struct Pin {
    tool: Tool,
    /// Whether the server had it when it was last asked.
    listed: bool,
}

/// How a tool stands against what was agreed to.
pub(crate) enum Held<'a> {
    Same,
    Changed(&'a Tool),
    New,
}

impl Pins {
    /// Those of this server. A file that cannot be read is told of, and whatever the server is now is a change.
    pub(crate) fn load(host: &Host, server: &str) -> Self {
        let state = host.places().state.as_deref().and_then(|path| StateDirectory::open(path).ok());
        let mut pins = Self {
            state,
            file: format!("mcp-tools-{server}"),
            reach: None,
            known: BTreeMap::new(),
            written: None,
            is_lost: false,
        };
        pins.read().inspect_err(|error| host.notices().warn(&unusable(error))).unwrap_or_default();
        pins
    }

    /// As the file has them, which another process may have written meanwhile.
    pub(crate) fn read(&mut self) -> Result<(), StateError> {
        let text = match self.state.as_ref().map(|state| state.read(&self.file, LARGEST)) {
            Some(Ok(text)) => text,
            Some(Err(error)) if !error.is_not_found() => {
                self.is_lost = true;
                return Err(error);
            }
            Some(Err(_)) | None => return Ok(()),
        };
        if self.written.as_ref() == Some(&text) {
            return Ok(());
        }
        let mut lines = text.lines();
        self.reach = lines.next().and_then(|line| {
            let (hash, shown): (String, String) = serde_json::from_str(line).ok()?;
            Some(Reach { hash, shown })
        });
        let pins: Result<Vec<(bool, Tool)>, _> = lines.map(serde_json::from_str).collect();
        self.is_lost = !text.is_empty() && (self.reach.is_none() || pins.is_err());
        let pins =
            pins.unwrap_or_default().into_iter().map(|(listed, tool)| (tool.name.to_string(), Pin { tool, listed }));
        self.known = pins.collect();
        self.written = Some(text);
        Ok(())
    }

    /// What is other now than what was agreed to; None before the first start.
    pub(crate) fn change_to(&self, reach: &Reach) -> Option<Change> {
        let before = match &self.reach {
            _ if self.is_lost => "",
            Some(before) if before.hash != reach.hash => &before.shown,
            _ => return None,
        };
        Some(Change::of_reach(before, &reach.shown))
    }

    /// Whether nothing was agreed to yet, so that everything is taken as it is.
    pub(crate) const fn is_first(&self) -> bool {
        self.reach.is_none() && !self.is_lost
    }

    /// Whether tools that are not taken may be kept, too.
    pub(crate) fn has_room(&self) -> bool {
        self.known.len() < MOST
    }

    /// Whether the server was started before, and never told what it has.
    pub(crate) fn has_failed(&self) -> bool {
        self.is_first() && self.written.is_some()
    }

    /// Remembers that the first start failed, so that nobody waits for the next one.
    ///
    /// # Errors
    /// The state directory cannot be written.
    pub(crate) fn fail(&mut self) -> Result<(), StateError> {
        if self.is_first() { self.write() } else { Ok(()) }
    }

    /// Those that the server had when it was last asked.
    pub(crate) fn listed(&self) -> impl Iterator<Item = Tool> {
        self.known.values().filter(|pin| pin.listed).map(|pin| pin.tool.clone())
    }

    /// Before the server's tools are held against them.
    pub(crate) fn begin(&mut self) {
        self.known.values_mut().for_each(|pin| pin.listed = false);
    }

    /// Whether the tool is defined as it was agreed to, which happens now with the first start.
    pub(crate) fn hold(&mut self, tool: &Tool, is_same: impl FnOnce(&Tool) -> bool) -> Held<'_> {
        if self.is_first() {
            self.take(tool.clone());
            return Held::Same;
        }
        match self.known.get_mut(&*tool.name) {
            Some(pin) if is_same(&pin.tool) => {
                pin.listed = true;
                Held::Same
            }
            Some(pin) => Held::Changed(&pin.tool),
            None => Held::New,
        }
    }

    /// Agrees to this definition.
    pub(crate) fn take(&mut self, tool: Tool) {
        self.known.insert(tool.name.to_string(), Pin { tool, listed: true });
    }

    /// Agrees to this command line or address, and writes it down. Where nothing is known of its tools they are taken with the next
    /// start.
    ///
    /// # Errors
    /// No state directory, or one that cannot be written.
    pub(crate) fn agree_to(&mut self, reach: &Reach) -> Result<(), Fault> {
        if self.state.is_none() {
            return Err(Fault::said(Message::new("cli-home-unset")));
        }
        if std::mem::take(&mut self.is_lost) || self.known.is_empty() {
            (self.reach, self.known) = (None, BTreeMap::new());
        } else {
            self.reach = Some(reach.clone());
        }
        Ok(self.write()?)
    }

    /// Writes down what there is now, of a server that is reached in this way.
    ///
    /// # Errors
    /// The state directory cannot be written: what came is pinned for this process alone.
    pub(crate) fn keep(&mut self, reach: &Reach) -> Result<(), StateError> {
        self.reach.get_or_insert_with(|| reach.clone());
        self.write()
    }

    fn write(&mut self) -> Result<(), StateError> {
        let Some(state) = &self.state else { return Ok(()) };
        let first = self.reach.iter().map(|reach| serde_json::json!([reach.hash, reach.shown]).to_string());
        let tools = self.known.values().filter_map(|pin| serde_json::to_string(&(pin.listed, &pin.tool)).ok());
        let text: String = first.chain(tools).flat_map(|line| [line, "\n".to_owned()]).collect();
        if self.written.as_ref() != Some(&text) {
            state.write(&self.file, &text)?;
            self.written = Some(text);
        }
        Ok(())
    }
}
