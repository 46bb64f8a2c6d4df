//! `palanca config`: what is in force and where it comes from.

use crate::args::{Config, ConfigCommand, Global};
use crate::exit::{Ended, Exit, Failure};
use crate::render::{stderr, stdout};
use crate::wire::{settings, state};
use serde_json::Value;

pub fn config(global: &Global, args: Config) -> Ended {
    match args.what {
        ConfigCommand::Trust => {
            let Some((path, text)) = settings::project_file(global)? else {
                return Err(Failure::usage("this workspace has no palanca.yaml, palanca.toml or palanca.json"));
            };
            state::trust(&path, &text)?;
            stderr::line(&format!("trusted as it is now: {path}; a change to it ends that"));
        }
        ConfigCommand::Schema => stdout::json(&palanca_config::Config::schema())?,
        ConfigCommand::Show(listing) => {
            let loaded = settings::load(global, &[])?;
            if listing.json {
                stdout::json(&loaded.show())?;
            } else {
                let rows = loaded
                    .entries()
                    .into_iter()
                    .map(|entry| format!("{} = {}  # {}\n", entry.key, shown(&entry.value), entry.place));
                stdout::text(&rows.collect::<String>())?;
            }
        }
        ConfigCommand::Check => {
            let loaded = settings::resolve(global, &[])?;
            loaded.warnings.iter().for_each(|warning| stderr::warning(&warning.to_string()));
            stdout::text(&format!("configuration is valid, {} warnings\n", loaded.warnings.len()))?;
        }
        ConfigCommand::Explain { key } => {
            let loaded = settings::load(global, &[])?;
            let explanation = loaded.explain(&key).map_err(Failure::usage)?;
            let mut page = format!("{} = {}\n", explanation.key, shown(&explanation.value));
            if let Some(documentation) = explanation.documentation {
                page.push_str(&format!("  {documentation}\n"));
            }
            page.push_str(&format!("  expects {}\n", explanation.expected));
            for step in &explanation.steps {
                let applied =
                    step.not_applied.as_deref().map(|why| format!("  (not applied: {why})")).unwrap_or_default();
                page.push_str(&format!("  {}: {}{applied}\n", step.place, shown(&step.value)));
            }
            for entry in &explanation.entries {
                page.push_str(&format!("  {} = {}  # {}\n", entry.key, shown(&entry.value), entry.place));
            }
            stdout::text(&page)?;
        }
    }
    Ok(Exit::Success)
}

fn shown(value: &Value) -> String {
    if value.is_null() { "unset".to_owned() } else { value.to_string() }
}
