//! `palanca doctor`: what this machine really enforces, on one page.

use crate::args::{Global, Listing};
use crate::exit::{Ended, Exit};
use crate::render::stdout;
use crate::wire::processes::Deferred;
use crate::wire::{gate, settings, state};
use palanca_config::Config;
use palanca_files::{Disk, StateDirectory};
use palanca_sandbox::Level;
use palanca_store::Database;
use serde_json::json;
use std::io::IsTerminal as _;
use std::sync::Arc;

/// One line of the page.
struct Finding {
    what: &'static str,
    is: String,
    remedy: Option<&'static str>,
}

fn finding(what: &'static str, is: impl Into<String>) -> Finding {
    Finding { what, is: is.into(), remedy: None }
}

pub fn doctor(global: &Global, args: &Listing) -> Ended {
    let findings = examine(global);
    let healthy = findings.iter().all(|finding| finding.remedy.is_none());
    if args.json {
        let rows =
            findings.iter().map(|finding| json!({"what": finding.what, "is": finding.is, "remedy": finding.remedy}));
        stdout::json(&rows.collect())?;
    } else {
        let rows = findings.iter().map(|Finding { what, is, remedy }| {
            let remedy = remedy.map(|remedy| format!("\n{:<16} → {remedy}", "")).unwrap_or_default();
            format!("{what:<16} {is}{remedy}\n")
        });
        stdout::text(&rows.collect::<String>())?;
    }
    Ok(if healthy { Exit::Success } else { Exit::Failed })
}

fn examine(global: &Global) -> Vec<Finding> {
    let mut findings = vec![finding("version", env!("CARGO_PKG_VERSION"))];
    match settings::resolve(global, &[]) {
        Err(failure) => findings.push(Finding {
            remedy: Some("mend the configuration; `palanca config check` says the same"),
            ..finding("configuration", failure.to_string())
        }),
        Ok(loaded) => {
            findings.push(finding("configuration", format!("valid, {} warnings", loaded.warnings.len())));
            findings.push(match gate::disk(&loaded.config) {
                Ok(disk) => finding("workspace", disk.workspace().display().to_string()),
                Err(failure) => Finding {
                    remedy: Some("name an existing folder with --workspace"),
                    ..finding("workspace", failure.to_string())
                },
            });
            if let Ok(disk) = gate::disk(&loaded.config) {
                findings.push(finding("containment", disk.containment()));
                findings.extend(programs(&loaded.config, disk));
            }
        }
    }
    findings.push(finding("network", "only the model's endpoint: no tool can reach the network"));
    findings.push(state_directory());
    findings.extend(database());
    let terminal = |on: bool| if on { "a terminal" } else { "not a terminal" };
    findings.push(finding(
        "questions",
        if std::io::stdin().is_terminal() {
            "asked here".to_owned()
        } else {
            format!("nobody can be asked: stdin is {}", terminal(false))
        },
    ));
    for (what, variable) in [("openai key", "OPENAI_API_KEY"), ("anthropic key", "ANTHROPIC_API_KEY")] {
        let set = std::env::var_os(variable).is_some_and(|value| !value.is_empty());
        findings.push(finding(what, format!("{variable} is {}", if set { "set" } else { "not set" })));
    }
    findings
}

/// What keeps programs in on this machine, and what the configuration makes of it.
fn programs(config: &Config, disk: Disk) -> Vec<Finding> {
    let probe = palanca_sandbox::probe();
    let mut findings: Vec<Finding> = probe.findings().into_iter().map(|(what, is)| finding(what, is)).collect();
    let door = Deferred::new(config, Arc::new(disk));
    findings.push(match door.open() {
        Ok(door) if door.level() == Level::None => Finding {
            remedy: Some("take `commands.unsandboxed` out of your configuration"),
            ..finding("isolation", "none: commands can do whatever you can")
        },
        Ok(door) if door.level() == Level::Filters => Finding {
            remedy: Some("allow user namespaces (sysctl kernel.unprivileged_userns_clone, user.max_user_namespaces)"),
            ..finding("isolation", "filters alone: landlock and seccomp")
        },
        Ok(_) => finding("isolation", "full: namespaces, no capability, landlock, seccomp"),
        Err(error) => Finding {
            remedy: Some("commands are refused; see docs/commands.md for what a machine must have"),
            ..finding("isolation", error.detail)
        },
    });
    findings
}

/// The database, read from end to end; made by whoever first keeps something.
fn database() -> Option<Finding> {
    let database = Database::lazy(&state::path()?);
    if !database.exists() {
        return Some(finding("database", "none yet: nothing was asked or changed"));
    }
    Some(match database.check() {
        Ok(()) => finding("database", "whole"),
        Err(error) => Finding {
            remedy: Some("docs/approvals.md says what each fault means; until then nothing is written to workspaces"),
            ..finding("database", error.to_string())
        },
    })
}

fn state_directory() -> Finding {
    let Some(path) = state::path() else {
        return Finding {
            remedy: Some("set PALANCA_HOME: without it calls are not recorded and cannot be undone"),
            ..finding("state", "no directory")
        };
    };
    match StateDirectory::open(&path) {
        Ok(_) => finding("state", path.display().to_string()),
        Err(error) => Finding {
            remedy: Some("set PALANCA_HOME to a folder that can be written"),
            ..finding("state", error.to_string())
        },
    }
}
