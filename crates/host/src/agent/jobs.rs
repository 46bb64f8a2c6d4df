//! A bot's jobs: its file of them, what notes in it, and the rule by which that is not asked about.

use super::{Agent, bots, toolset};
use crate::configuration::catalogue;
use crate::fault::Fault;
use palanca_config::Config;
use palanca_core::{Catalogue as _, Message, Registry, Toolset, ToolsetName};
use palanca_notes::{is_there, read};
use palanca_tools::job_notes;
use serde_json::Value;

/// Bytes of a file of jobs.
const MAX_BYTES: u64 = 1 << 20;

/// Where it is, from the workspace's root.
#[must_use]
pub fn path(config: &Config) -> String {
    format!("{}/jobs.json", bots::jobs(config))
}

/// Whether the jobs of the bot that acts start by themselves: not without the tool that people and it manage them by.
#[must_use]
pub fn start(config: &Config) -> bool {
    config.toolset == ToolsetName::Bots
        && config.cron.enabled
        && !bots::disabled(config).iter().any(|tool| tool == "cron")
}

/// The file as it is now; None where there is none.
///
/// # Errors
/// Why it cannot be read.
pub fn text(agent: &Agent) -> Result<Option<String>, Message> {
    let (path, files) = (path(&agent.config), &*agent.workspace.disk);
    if !is_there(files, &path) {
        return Ok(None);
    }
    let broken = |detail: String| Message::new("cron-file-broken").with("path", &path).with("detail", detail);
    match read(files, &path, MAX_BYTES) {
        Ok(content) if content.size > MAX_BYTES => Err(broken(format!("more than {MAX_BYTES} bytes"))),
        Ok(content) => Ok(Some(content.text)),
        Err(left) => Err(broken(catalogue(&agent.config).render(&left.why).trim_end_matches('.').to_owned())),
    }
}

/// The tool that notes what became of jobs, alone.
///
/// # Errors
/// What is wrong with the configuration.
pub fn notes(config: &Config) -> Result<Toolset, Fault> {
    let registry = Registry::with_shape(config.toolset);
    let tool = job_notes(&std::sync::Arc::new(toolset::options(config)));
    registry.register_any(tool, palanca_core::registry::Override::Refuse).map_err(Fault::usage)?;
    Ok(registry.snapshot())
}

/// A rule in the language of rule files: what became of a due job is noted without a question. It is the bot's own note (`origin`
/// bot): the turn of an instruction comes from `schedule` and may not change the file unasked. None where the folder's name would
/// be a pattern.
pub(super) fn rule(config: &Config) -> Option<String> {
    let path = path(config);
    let is_bot = config.toolset == ToolsetName::Bots && bots::is_plain(&path);
    is_bot.then(|| {
        let (path, other) = (Value::String(path), Value::String(format!("{}/other.json", bots::jobs(config))));
        format!(
            "[[rule]]\nid = \"cron.own\"\ndecision = \"allow\"\neffect = \"write\"\norigin = \"bot\"\npaths = [{path}]\n\
             matches = [{{ write = {path}, origin = \"bot\" }}]\nnot_matches = [{{ write = {path}, origin = \"schedule\" }}, \
             {{ write = {other}, origin = \"bot\" }}]\n"
        )
    })
}
