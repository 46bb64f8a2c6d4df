//! `palanca mcp import`: the servers of another program's file, added to a configuration.

use crate::args::Global;
use crate::exit::{Ended, Exit, Failure};
use crate::render::{stderr, stdout};
use crate::wire::asker::agreed;
use crate::wire::settings;
use palanca_config::{Layers, Loaded, Source};
use palanca_core::Message;
use palanca_files::{Log, StateDirectory, read_text};
use palanca_host::agent::words;
use palanca_host::{Fault, configuration};
use palanca_mcp::{ImportedSecret, ImportedServer, import as read};
use std::path::{Path, PathBuf};

/// Bytes of the other program's file, which may be its whole state.
const LARGEST: u64 = 64 << 20;

pub(super) fn import(global: &Global, file: &Path, project: bool) -> Ended {
    let config = settings::load(global, &[])?.config;
    let text = read_text(file, LARGEST).map_err(Fault::from)?;
    let imported = read(&text, &words::secrets(&config)).map_err(|why| of_file(file, &why))?;
    imported.left_out.iter().for_each(stderr::warn);
    let there = if project {
        configuration::project_files(settings::folder(global))?.into_iter().next()
    } else {
        configuration::user_file(&settings::places(global)?)?
    };
    let configured = match &there {
        Some((path, text)) => alone(path, text, configuration::variables())?.config.mcp.servers,
        None => Vec::new(),
    };
    let is_new = |server: &&ImportedServer| {
        let known = configured.iter().any(|known| known.name == server.name);
        if known {
            stderr::warn(&Message::new("mcp-import-known").with("server", server.name.as_str()));
        }
        !known
    };
    let new: Vec<_> = imported.servers.iter().filter(is_new).collect();
    if new.is_empty() {
        stderr::note(&Message::new("mcp-import-nothing"));
        return Ok(Exit::Failed);
    }
    // A workspace's file is shared with others.
    let written = |server: &&ImportedServer| if project { server.portable.clone() } else { server.yaml.clone() };
    let shown = |server: &&ImportedServer| if project { server.portable.clone() } else { server.shown.clone() };
    let section = |rows: String| format!("mcp:\n  servers:\n{rows}");
    let block = section(new.iter().map(written).collect());
    stdout::text(&section(new.iter().map(shown).collect()))?;
    let key = if project { "mcp-import-secret-out" } else { "mcp-import-secret" };
    for server in &new {
        for ImportedSecret { key: at, variable, form } in &server.secrets {
            let told = Message::new(key).with("server", server.name.as_str()).with("key", at.as_str());
            stderr::warn(&told.with("variable", variable.as_str()).with("form", form.as_str()));
        }
    }
    let (path, text) = match there {
        Some((path, text)) => (PathBuf::from(path), text),
        None => (new_file(global, project)?, String::new()),
    };
    let added = if text.is_empty() || text.ends_with('\n') { block } else { format!("\n{block}") };
    let variables = new.iter().flat_map(|server| &server.secrets).map(|secret| secret.variable.clone());
    check(&path, (&text, &added), variables)?;
    let shown = path.display().to_string();
    if global.is_dry() {
        stderr::note(&Message::new("init-would").with("path", shown));
        return Ok(Exit::Success);
    }
    if !agreed(&Message::new("mcp-import-ask").with("path", shown.as_str()))? {
        return Ok(Exit::Failed);
    }
    Log::at(&path).map_err(Fault::from)?.append(added.as_bytes())?;
    stderr::note(&Message::new(if project { "mcp-import-project" } else { "mcp-import-done" }).with("path", shown));
    Ok(Exit::Success)
}

fn new_file(global: &Global, project: bool) -> Result<PathBuf, Failure> {
    const NAME: &str = "palanca.yaml";
    if project {
        return Ok(settings::folder(global).join(NAME));
    }
    let user = settings::places(global)?.user.ok_or_else(|| Failure::said(&Message::new("cli-home-unset")))?;
    Ok(StateDirectory::open(&user).map_err(Fault::from)?.path().join(NAME))
}

/// Whether the file is one after this is added, and these variables are set: one that has servers already, or is no YAML, is the person's to edit.
fn check(path: &Path, (text, added): (&str, &str), to_be_set: impl Iterator<Item = String>) -> Result<(), Failure> {
    let shown = path.display().to_string();
    let is_yaml = path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml");
    let has_servers = text.lines().any(|line| line.starts_with("mcp:") || line.starts_with("mcp "));
    if !is_yaml || has_servers {
        return Err(Failure::said(&Message::new("mcp-import-by-hand").with("path", shown)));
    }
    let variables = to_be_set.map(|name| (name, "-".to_owned())).chain(configuration::variables());
    alone(&shown, &format!("{text}{added}"), variables).map(drop)
}

/// What a file says by itself.
fn alone(path: &str, text: &str, variables: impl Iterator<Item = (String, String)>) -> Result<Loaded, Failure> {
    Layers::new().with_environment(variables).file(Source::User, path, text).resolve().map_err(Failure::usage)
}

fn of_file(file: &Path, why: &Message) -> Failure {
    Failure::said(&Message::new("mcp-import-failed").with("path", file.display().to_string()).with("why", why.clone()))
}
