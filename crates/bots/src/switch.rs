//! A bot's tools, switched on and off for it: a change of `disabledTools` in the file of the configuration that names the bots.

use crate::registry::Bots;
use palanca_config::{Origin, Trust, with_disabled_tools};
use palanca_core::Message;
use palanca_files::{read_text, write_report};
use palanca_host::Fault;
use palanca_host::acceptance::accept;
use palanca_host::configuration::{self, MAX_BYTES, with_programs};
use std::path::Path;

/// What becomes of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// It is offered, as far as the rest of the configuration allows.
    On,
    /// It is neither offered nor run.
    Off,
}

impl Bots {
    /// Switches a tool of a bot in the configuration's file, and reads the configuration again: sessions that begin from now on have it
    /// so. A project's file that was trusted stays trusted.
    ///
    /// # Errors
    /// A file that is not written in a way that can be changed: what to write by hand. What is wrong with the configuration.
    pub fn switch(&self, bot: &str, tool: &str, to: Switch) -> Result<(), Fault> {
        let loaded = configuration::resolve(self.host().places(), self.folder(), self.flags())?;
        let own = loaded.config.bots.iter().find(|own| own.id == bot);
        let mut tools = own.map(|own| own.disabled_tools.clone()).unwrap_or_default();
        tools.retain(|known| known != tool);
        if to == Switch::Off {
            tools.push(tool.to_owned());
        }
        let file = match loaded.origin("bots") {
            Origin::User(file) | Origin::Named(file) => Some((file, Trust::Untrusted)),
            Origin::Project(file, trust) => Some((file, trust)),
            _ => None,
        };
        let by_hand = || {
            let path = file.as_ref().map_or("palanca.yaml", |(file, _)| file);
            let tools = tools.join(", ");
            Fault::said(Message::new("bots-by-hand").with("path", path).with("bot", bot).with("tools", tools))
        };
        let (path, trust) = file.as_ref().ok_or_else(by_hand)?;
        let text = read_text(Path::new(path), MAX_BYTES)?;
        let text = with_disabled_tools(path, &text, bot, &tools).ok_or_else(by_hand)?;
        write_report(Path::new(path), &text)?;
        if *trust == Trust::Trusted {
            accept(self.host().places(), path, &with_programs(self.folder(), path, &text))?;
        }
        self.reload().map(drop)
    }
}
