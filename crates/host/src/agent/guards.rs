//! The operator's guardrails and the watch over loops, from the configuration to the gate.

use crate::fault::Fault;
use crate::notices::Notices;
use palanca_config::{Config, Severity as Configured};
use palanca_core::Message;
use palanca_core::gate::GateBuilder;
use palanca_files::Disk;
use palanca_policy::commands::Workspace;
use palanca_policy::guardrails::{self, CodeRule, GuardrailSettings, Severity};
use palanca_policy::loops::{LoopSettings, Loops};
use palanca_policy::paths::{GuardedFiles, PathRules};
use std::path::Path;
use std::sync::Arc;

/// What the configuration says, with nothing in it where guardrails are switched off.
fn settings(config: &Config) -> GuardrailSettings {
    if config.guardrails.enabled == Some(false) { GuardrailSettings::default() } else { written(config) }
}

fn written(config: &Config) -> GuardrailSettings {
    let own = &config.guardrails;
    // What an untrusted project says is judged by and not repeated.
    let message = |at: usize, message: &String| match config.unvouched.contains(message) {
        true => format!("guardrails.code_rules[{at}]"),
        false => message.clone(),
    };
    let rule = |(at, rule): (usize, &palanca_config::CodeRule)| CodeRule {
        pattern: rule.pattern.clone(),
        message: message(at, &rule.message),
        severity: match rule.severity {
            Configured::Warn => Severity::Warn,
            Configured::Block => Severity::Block,
        },
    };
    GuardrailSettings {
        protected_files: own.protected_files.clone(),
        sensitive_files: own.sensitive_files.clone(),
        blocked_commands: own.blocked_commands.clone(),
        unvouched: config.unvouched.clone(),
        max_files_modified: own.max_files_modified,
        max_lines_changed: own.max_lines_changed,
        max_commands_executed: own.max_commands_executed,
        require_test_after_edit: own.require_test_after_edit,
        test_commands: own.test_commands.clone(),
        code_rules: own.code_rules.iter().enumerate().map(rule).collect(),
    }
}

/// The files that the operator keeps closed, for every door that asks about paths.
///
/// # Errors
/// A glob that does not parse.
pub fn files(config: &Config) -> Result<Arc<GuardedFiles>, Fault> {
    guardrails::files(&settings(config)).map_err(|error| Fault::said(error.message()))
}

/// The globs of the files that are never read.
pub fn sensitive(config: &Config) -> Vec<String> {
    settings(config).sensitive_files
}

/// The globs of the files that are never changed.
pub fn protected(config: &Config) -> Vec<String> {
    settings(config).protected_files
}

/// Says it, where rules stand in the configuration and are switched off there.
pub fn warn(config: &Config, notices: &dyn Notices) {
    let off = config.guardrails.enabled == Some(false) && written(config) != GuardrailSettings::default();
    if off {
        notices.advise(&Message::new("cli-guardrails-off"));
    }
}

/// Adds every guard that the configuration wants. `paths` hold its globs already; the workspace has its names from the disk.
///
/// # Errors
/// A pattern that is no regular expression, or thresholds that do not fit together.
pub fn add(mut gate: GateBuilder, config: &Config, paths: &PathRules, disk: &Disk) -> Result<GateBuilder, Fault> {
    let workspace = Workspace::new(disk.workspace().to_owned(), disk.link().map(Path::to_owned));
    let guards = guardrails::guards(&settings(config), paths.guarded(), workspace)
        .map_err(|error| Fault::said(error.message()))?;
    for guard in guards {
        gate = gate.guard(guard);
    }
    let own = &config.loops;
    let loops = Loops::new(LoopSettings { warn: own.warn, refuse: own.refuse, stop: own.stop });
    let unfit = |_| {
        Fault::said(
            Message::new("cli-loops-unfit").with("warn", own.warn).with("refuse", own.refuse).with("stop", own.stop),
        )
    };
    Ok(gate.guard(Arc::new(loops.map_err(unfit)?)))
}
