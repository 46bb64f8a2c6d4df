//! The tools of a command, with the limits of the configuration.

use super::{channels, contracts, limits, subagents, web};
use crate::fault::Fault;
use palanca_config::Config;
use palanca_core::Registry;
use palanca_tools::{CommandOptions, ExecOptions, ProcessOptions, SubagentOptions, ToolOptions, register_all};
use std::time::Duration;

/// The tools of the configured vocabulary.
///
/// # Errors
/// A type of answers that cannot be used.
pub fn registry(config: &Config) -> Result<Registry, Fault> {
    let options = ToolOptions { output_types: contracts::output_types(config)?, ..options(config) };
    let registry = Registry::with_shape(config.toolset);
    register_all(&registry, config.toolset, &options).map_err(Fault::usage)?;
    Ok(registry)
}

fn options(config: &Config) -> ToolOptions {
    ToolOptions {
        allow_delete: config.workspace.allow_delete,
        default_file_pattern: config.search.default_file_pattern.clone(),
        max_read_bytes: usize::try_from(config.files.max_read_bytes).unwrap_or(usize::MAX),
        commands: CommandOptions {
            enabled: config.commands.enabled,
            default_timeout: Duration::from_secs(config.commands.default_timeout.into()),
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
        artifact_page_bytes: limits::page(config),
        web: web::options(config),
        subagents: SubagentOptions { enabled: config.subagents.enabled, longest: subagents::longest(config) },
        message: channels::options(config),
        ..ToolOptions::default()
    }
}
