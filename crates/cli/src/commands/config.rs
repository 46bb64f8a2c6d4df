//! `palanca config`: effective values and their origins.

use super::bots::patterns;
use crate::args::{Config, ConfigCommand, Global};
use crate::exit::{Ended, Exit, Failure};
use crate::render::{stderr, stdout};
use crate::say::say;
use crate::wire::open::{Asking, calls};
use crate::wire::settings;
use palanca_config::Config as Settings;
use palanca_core::Message;
use palanca_core::ports::Redactor as _;
use palanca_host::Notices as _;
use palanca_host::acceptance::accept;
use palanca_host::agent::{limits, model, notes, words};
use palanca_host::configuration::{self, with_programs};
use palanca_mcp::Needed;
use palanca_policy::secrets::Secrets;
use serde_json::Value;
use std::sync::Arc;

pub fn config(global: &Global, args: Config) -> Ended {
    match args.what {
        ConfigCommand::Trust => {
            let loaded = settings::resolve(global, &[])?;
            let places = settings::places(global)?;
            let mut accepted = notes::gather(&places, &loaded.config)?.accept(&places)?;
            let folder = settings::folder(global);
            for (at, (path, text)) in configuration::project_files(folder)?.into_iter().enumerate() {
                accept(&places, &path, &with_programs(folder, &path, &text))?;
                accepted.insert(at, path);
            }
            if accepted.is_empty() {
                return Err(Failure::said(&Message::new("cli-config-none")));
            }
            for path in accepted {
                stderr::note(&Message::new("cli-config-trusted").with("path", path));
            }
        }
        ConfigCommand::Schema => stdout::json(&palanca_config::Config::schema())?,
        ConfigCommand::Show(listing) => {
            let loaded = settings::load(global, &[])?;
            let secrets = words::secrets(&loaded.config);
            let shown = |value: &Value| shown(value, &secrets);
            if listing.json {
                stdout::json(&clean(loaded.show(), &secrets))?;
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
            let notices = settings::notices(&Global { quiet: false, ..global.clone() });
            loaded.warnings.iter().for_each(|warning| notices.advise(&configuration::not_used(warning)));
            let count = loaded.warnings.len();
            patterns(&loaded, None)?;
            built(global, &Arc::new(loaded.config))?;
            stdout::text(&say(&Message::new("cli-config-valid").with("warnings", count)))?;
        }
        ConfigCommand::Explain { key } => {
            let loaded = settings::load(global, &[])?;
            let explanation = loaded.explain(&key).map_err(Failure::usage)?;
            let secrets = words::secrets(&loaded.config);
            let shown = |value: &Value| shown(value, &secrets);
            let mut page = format!("{} = {}\n", explanation.key, shown(&explanation.value));
            if let Some(documentation) = explanation.documentation {
                page.push_str(&format!("  {documentation}\n"));
            }
            let expects = Message::new("cli-config-expects").with("what", explanation.expected);
            page.push_str(&format!("  {}\n", say(&expects)));
            for step in &explanation.steps {
                let applied = step.not_applied.as_deref().map_or_else(String::new, |why| format!("  ({why})"));
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

fn shown(value: &Value, secrets: &Secrets) -> String {
    if value.is_null() { say(&Message::new("cli-config-unset")) } else { clean(value.clone(), secrets).to_string() }
}

/// Without the secrets that stand in commands and other texts.
fn clean(value: Value, secrets: &Secrets) -> Value {
    match value {
        Value::String(text) => Value::String(secrets.redact(&text).into_owned()),
        Value::Array(items) => items.into_iter().map(|item| clean(item, secrets)).collect(),
        Value::Object(map) => map.into_iter().map(|(key, item)| (key, clean(item, secrets))).collect(),
        other => other,
    }
}

/// Builds what calls and runs are built of, so that what they would refuse is refused here.
pub(super) fn built(global: &Global, config: &Arc<Settings>) -> Result<(), Failure> {
    let session = calls(global, config, Asking::Nobody, Needed::Nothing)?;
    notes::sections((&settings::places(global)?, &settings::notices(global)), config, &*session.words().redactor)?;
    model::fallbacks(config)?;
    if let Some(spec) = model::named(config)? {
        let prices = limits::prices(config)?;
        limits::can_hold_budget(config, &prices, &spec.to_string())?;
    }
    Ok(())
}
