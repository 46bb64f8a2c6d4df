//! A bot's jobs: its file of them, and the rule by which what becomes of them is noted without a question.

use super::{Agent, bots};
use crate::configuration::catalogue;
use palanca_config::Config;
use palanca_core::ports::{Files as _, Metadata};
use palanca_core::{Catalogue as _, Message, ToolsetName};
use palanca_notes::{is_there, read};
use serde_json::Value;
use std::time::SystemTime;

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

/// What shows of the file without reading it. None where there is none, or a change could be hidden.
#[must_use]
pub fn glance(agent: &Agent) -> Option<Metadata> {
    let files = &*agent.workspace.disk;
    let info = files.locate(&path(&agent.config)).and_then(|located| files.info(&located)).ok();
    info.filter(|info| info.is_settled(SystemTime::now()))
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
        // No text is no list of jobs either, as that of a disk that lost its power.
        Err(left) if left.why.key() == "note-binary" => Ok(Some("\0".to_owned())),
        Err(left) => Err(broken(catalogue(&agent.config).render(&left.why).trim_end_matches('.').to_owned())),
    }
}

/// A rule in the language of rule files: what became of a due job is noted without a question, and a damaged file is put aside. It is
/// the bot's own note (`origin` bot): the turn of an instruction comes from `schedule` and may not change the file unasked. None where
/// the folder's name would be a pattern.
pub(super) fn rule(config: &Config) -> Option<String> {
    let path = path(config);
    let is_bot = config.toolset == ToolsetName::Bots && bots::is_plain(&path);
    is_bot.then(|| {
        let (aside, one) = (Value::String(format!("{path}.corrupt-*")), Value::String(format!("{path}.corrupt-1")));
        let (path, other) = (Value::String(path), Value::String(format!("{}/other.json", bots::jobs(config))));
        format!(
            "[[rule]]\nid = \"cron.own\"\ndecision = \"allow\"\neffect = [\"write\", \"move\"]\norigin = \"bot\"\n\
             paths = [{path}, {aside}]\n\
             matches = [{{ write = {path}, origin = \"bot\" }}, {{ move = [{path}, {one}], origin = \"bot\" }}]\n\
             not_matches = [{{ write = {path}, origin = \"schedule\" }}, {{ write = {other}, origin = \"bot\" }}, \
             {{ move = [{path}, {other}], origin = \"bot\" }}]\n"
        )
    })
}
