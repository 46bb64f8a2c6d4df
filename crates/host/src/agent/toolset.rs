//! The tools of a command, with the limits of the configuration.

use super::{bots, channels, collaborate, contracts, improve, limits, phone, subagents, web};
use crate::fault::Fault;
use palanca_config::Config;
use palanca_core::call::Shell;
use palanca_core::registry::Override;
use palanca_core::{Message, Registry, Toolset, ToolsetName};
use palanca_files::is_file;
use palanca_tools::{
    CommandOptions, CronOptions, DatetimeOptions, DeniedPaths, DynamicOptions, ExecOptions, FileToolOptions,
    MemorySearchOptions, OtherBotsOptions, ProcessOptions, SoulOptions, SubagentOptions, ToolOptions, is_base,
    is_time_zone, register_all,
};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The tools of the configured vocabulary.
///
/// # Errors
/// A type of answers that cannot be used.
pub fn registry(config: &Config) -> Result<Registry, Fault> {
    let mut options = ToolOptions {
        output_types: contracts::output_types(config)?,
        artifacts: config.contracts.artifacts,
        ..options(config)
    };
    options.file_tools.denied = denied(config)?;
    check_bots(config)?;
    let registry = Registry::with_shape(config.toolset);
    register_all(&registry, config.toolset, &options).map_err(Fault::usage)?;
    for name in bots::disabled(config) {
        registry.remove(name);
    }
    Ok(registry)
}

/// The tools that a bot's keeper calls for itself.
///
/// # Errors
/// What is wrong with the configuration.
pub fn unoffered(config: &Config) -> Result<Toolset, Fault> {
    let registry = Registry::with_shape(config.toolset);
    for tool in palanca_tools::unoffered(&Arc::new(options(config))) {
        registry.register_any(tool, Override::Refuse).map_err(Fault::usage)?;
    }
    Ok(registry.snapshot())
}

fn denied(config: &Config) -> Result<DeniedPaths, Fault> {
    DeniedPaths::new(config.file_tools.denied_patterns.clone()).map_err(|error| {
        let (key, detail) = ("fileTools.deniedPatterns", error.to_string());
        Fault::said(Message::new("cli-pattern-unusable").with("key", key).with("detail", detail))
    })
}

/// What the tools of bots cannot do without.
fn check_bots(config: &Config) -> Result<(), Fault> {
    bots::check(config)?;
    let wrong = |key, value: &str| Fault::said(Message::new(key).with("value", value));
    if !is_base(&config.file_tools.base_path) {
        return Err(wrong("cli-base-path", &config.file_tools.base_path));
    }
    // What a bot writes unasked is a folder of its own, and never the whole workspace.
    let soul = bots::soul(config);
    if !is_base(&soul) || matches!(&*soul, "" | ".") {
        return Err(wrong("cli-soul-folder", &soul));
    }
    let jobs = bots::jobs(config);
    if !is_base(&jobs) {
        return Err(wrong("cli-cron-folder", &jobs));
    }
    let made = bots::made(config);
    if !is_base(&made) || matches!(&*made, "" | ".") {
        return Err(wrong("cli-dynamic-folder", &made));
    }
    let revised = improve::folder(config);
    if config.improve.enabled && (!is_base(&revised) || matches!(&*revised, "" | ".")) {
        return Err(wrong("cli-improve-folder", &revised));
    }
    if !is_time_zone(&config.datetime.timezone) {
        return Err(wrong("cli-time-zone", &config.datetime.timezone));
    }
    Ok(())
}

/// What may be changed in place.
fn largest(config: &Config) -> u64 {
    match config.toolset {
        ToolsetName::Bots => config.file_tools.max_file_size_bytes,
        _ => ToolOptions::default().max_edit_bytes,
    }
}

/// Seconds of a `run_command` that sets none. A build of a project takes longer than the architect's document allows.
const fn usual_time(config: &Config) -> u32 {
    match config.toolset {
        ToolsetName::Palanca => 120,
        _ => 30,
    }
}

/// Models write for bash (`source`, `[[`, `kill %1`), and its grammar is the one that commands are judged by.
fn shell() -> Shell {
    if ["/bin/bash", "/usr/bin/bash"].iter().any(|bash| is_file(Path::new(bash))) { Shell::Bash } else { Shell::Sh }
}

pub(crate) fn options(config: &Config) -> ToolOptions {
    ToolOptions {
        allow_delete: config.workspace.allow_delete,
        default_file_pattern: config.search.default_file_pattern.clone(),
        max_read_bytes: usize::try_from(config.files.max_read_bytes).unwrap_or(usize::MAX),
        commands: CommandOptions {
            enabled: config.commands.enabled,
            shell: shell(),
            default_timeout: Duration::from_secs(config.commands.default_timeout.unwrap_or(usual_time(config)).into()),
            max_output_lines: config.commands.max_output_lines as usize,
        },
        exec: ExecOptions {
            enabled: config.exec.enabled,
            timeout: Duration::from_millis(config.exec.timeout),
            max_output_length: usize::try_from(config.exec.max_output_length).unwrap_or(usize::MAX),
            workdir: config.exec.workdir.clone(),
        },
        process: ProcessOptions {
            enabled: config.process_tools.enabled,
            max_output_chars: usize::try_from(config.process_tools.max_output_chars).unwrap_or(usize::MAX),
        },
        max_edit_bytes: largest(config),
        file_tools: FileToolOptions {
            enabled: config.file_tools.enabled,
            base: config.file_tools.base_path.clone(),
            denied: DeniedPaths::default(),
        },
        soul: SoulOptions {
            enabled: config.soul.enabled,
            dir: bots::soul(config),
            versions: config.soul.versioning.enabled,
            search: MemorySearchOptions {
                enabled: config.soul.search.enabled,
                max_results: config.soul.search.max_results,
                min_score: config.soul.search.min_score,
            },
        },
        cron: CronOptions { enabled: config.cron.enabled, dir: bots::jobs(config) },
        dynamic: DynamicOptions {
            enabled: config.dynamic_tools.enabled,
            dir: bots::made(config),
            most: config.dynamic_tools.max_tools_per_bot as usize,
        },
        datetime: DatetimeOptions {
            enabled: config.datetime.enabled,
            timezone: config.datetime.timezone.clone(),
            locale: config.datetime.locale.clone(),
        },
        artifact_page_bytes: limits::page(config),
        web: web::options(config),
        subagents: SubagentOptions { enabled: config.subagents.enabled, longest: subagents::longest(config) },
        message: channels::options(config),
        phone: phone::options(config),
        improve: improve::options(config),
        bots: OtherBotsOptions {
            own: bots::id(config).unwrap_or_default().to_owned(),
            others: bots::others(config),
            collaboration: collaborate::options(config),
        },
        ..ToolOptions::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_without_a_time_has_the_one_of_its_toolset() {
        for (toolset, set, expected) in [
            (ToolsetName::Palanca, None, 120),
            (ToolsetName::Architect, None, 30),
            (ToolsetName::Palanca, Some(7), 7),
            (ToolsetName::Architect, Some(90), 90),
        ] {
            let mut config = Config { toolset, ..Config::default() };
            config.commands.default_timeout = set;
            assert_eq!(options(&config).commands.default_timeout, Duration::from_secs(expected), "{toolset:?} {set:?}");
        }
    }
}
