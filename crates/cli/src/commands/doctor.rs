//! `palanca doctor`: what this machine really enforces, on one page.

mod network;
mod programs;

use crate::args::{Global, Listing};
use crate::exit::{Ended, Exit};
use crate::render::{stdout, time};
use crate::say::say;
use crate::wire::open::AT_ONCE;
use crate::wire::settings;
use palanca_core::Message;
use palanca_files::StateDirectory;
use palanca_host::workspace::disk;
use palanca_host::{Descriptors, Places, descriptors, descriptors_for, unusable};
use palanca_store::{Database, Server};
use serde_json::json;
use std::io::IsTerminal as _;

/// One line of the page.
struct Finding {
    /// For programs: the same in every language.
    what: &'static str,
    label: String,
    is: String,
    remedy: Option<Message>,
}

/// A finding with the name that people read.
fn finding(what: &'static str, label: &Message, is: impl Into<String>) -> Finding {
    Finding { what, label: say(label), is: is.into(), remedy: None }
}

impl Finding {
    fn remedy(self, remedy: &'static str) -> Self {
        Self { remedy: Some(Message::new(remedy)), ..self }
    }
}

pub fn doctor(global: &Global, args: &Listing) -> Ended {
    let findings = examine(global, &settings::places(global)?);
    let healthy = findings.iter().all(|finding| finding.remedy.is_none());
    if args.json {
        let rows = findings
            .iter()
            .map(|finding| json!({"what": finding.what, "is": finding.is, "remedy": finding.remedy.as_ref().map(say)}));
        stdout::json(&rows.collect())?;
    } else {
        let width = findings.iter().map(|finding| finding.label.chars().count()).max().unwrap_or_default();
        let rows = findings.iter().map(|Finding { label, is, remedy, .. }| {
            let remedy =
                remedy.as_ref().map(|remedy| format!("\n{:<width$} → {}", "", say(remedy))).unwrap_or_default();
            format!("{label:<width$} {is}{remedy}\n")
        });
        stdout::text(&rows.collect::<String>())?;
    }
    Ok(if healthy { Exit::Success } else { Exit::Failed })
}

fn examine(global: &Global, places: &Places) -> Vec<Finding> {
    // The configuration first: it has a say in the language.
    let resolved = settings::resolve(global, &[]);
    let mut findings = vec![finding("version", &Message::new("doctor-version"), env!("CARGO_PKG_VERSION"))];
    let (configuration, workspace) = (Message::new("doctor-configuration"), Message::new("doctor-workspace"));
    match resolved {
        Err(failure) => findings
            .push(finding("configuration", &configuration, failure.to_string()).remedy("doctor-configuration-mend")),
        Ok(loaded) => {
            let valid = Message::new("doctor-configuration-valid").with("warnings", loaded.warnings.len());
            findings.push(finding("configuration", &configuration, say(&valid)));
            match disk::disk(places, &loaded.config) {
                Err(fault) => {
                    findings.push(finding("workspace", &workspace, say(&fault.message)).remedy("doctor-workspace-mend"))
                }
                Ok(disk) => {
                    findings.push(finding("workspace", &workspace, disk.workspace().display().to_string()));
                    let containment = Message::new(if disk.containment().contains("openat2)") {
                        "doctor-containment-kernel"
                    } else {
                        "doctor-containment-stepwise"
                    });
                    findings.push(finding("containment", &Message::new("doctor-containment"), say(&containment)));
                    let (tried, level) = programs::programs(places, &loaded.config, disk);
                    findings.extend(tried);
                    findings.extend(network::network(&loaded.config, level));
                }
            }
        }
    }
    findings.push(open_files());
    findings.push(state_directory(places));
    findings.extend(database(places));
    findings.extend(servers(places));
    let asked = std::io::stdin().is_terminal();
    let questions = Message::new(if asked { "doctor-questions-here" } else { "doctor-questions-nobody" });
    findings.push(finding("questions", &Message::new("doctor-questions"), say(&questions)));
    for (what, label, variable) in [
        ("openai key", Message::new("doctor-openai-key"), "OPENAI_API_KEY"),
        ("anthropic key", Message::new("doctor-anthropic-key"), "ANTHROPIC_API_KEY"),
    ] {
        let set = std::env::var_os(variable).is_some_and(|value| !value.is_empty());
        let is = if set {
            Message::new("doctor-key-set").with("variable", variable)
        } else {
            Message::new("doctor-key-unset").with("variable", variable)
        };
        findings.push(finding(what, &label, say(&is)));
    }
    findings
}

/// How many descriptors may be open; the soft limit is raised when calls need it.
fn open_files() -> Finding {
    let Descriptors { limit, most } = descriptors();
    let shown =
        Message::new("doctor-descriptors-limits").with("limit", limit.to_string()).with("most", most.to_string());
    let found = finding("open files", &Message::new("doctor-descriptors"), say(&shown));
    if most < descriptors_for(AT_ONCE) { found.remedy("doctor-descriptors-mend") } else { found }
}

fn state_directory(places: &Places) -> Finding {
    let label = Message::new("doctor-state");
    let Some(path) = &places.state else {
        return finding("state", &label, say(&Message::new("doctor-state-none"))).remedy("doctor-state-none-mend");
    };
    match StateDirectory::open(path) {
        Ok(_) => finding("state", &label, path.display().to_string()),
        Err(error) => finding("state", &label, say(&unusable(&error))).remedy("doctor-state-mend"),
    }
}

/// Processes that keep bots.
fn servers(places: &Places) -> Vec<Finding> {
    let label = Message::new("doctor-serve");
    let Some(state) = places.state.as_ref() else { return Vec::new() };
    // What is wrong with the database is a finding of its own.
    let servers = Database::lazy(state).servers().unwrap_or_default();
    let of = |server: &Server| {
        let key = if server.lives { "doctor-serve-lives" } else { "doctor-serve-gone" };
        let seen = time::utc(u64::try_from(server.seen_ms).unwrap_or_default());
        let shown = Message::new(key)
            .with("pid", server.pid.to_string())
            .with("workspace", &server.workspace)
            .with("bots", if server.bots.is_empty() { "–".to_owned() } else { server.bots.join(", ") })
            .with("seen", seen);
        finding("serve", &label, say(&shown))
    };
    servers.iter().map(of).collect()
}

/// The database, read from end to end; created when something is first stored.
fn database(places: &Places) -> Option<Finding> {
    let label = Message::new("doctor-database");
    let database = Database::lazy(places.state.as_ref()?);
    if !database.exists() {
        return Some(finding("database", &label, say(&Message::new("doctor-database-none"))));
    }
    Some(match database.check() {
        Ok(()) => finding("database", &label, say(&Message::new("doctor-database-whole"))),
        Err(error) => finding("database", &label, say(&error.message())).remedy("doctor-database-mend"),
    })
}
