//! What reaches the network under this configuration, and through which door: models, tools, messages, a repository, a
//! collector of traces.

use super::{Finding, finding};
use crate::say::say;
use palanca_config::{ChannelKind, Config, NetworkSetting};
use palanca_core::Message;
use palanca_core::tool::Annotations;
use palanca_host::Fault;
use palanca_host::agent::{contracts, model, toolset};
use palanca_host::traces::collector;
use palanca_net::Origin;
use palanca_sandbox::Level;

/// One line for each way out. `level` is the one at which programs run.
pub(super) fn network(config: &Config, level: Option<Level>) -> Vec<Finding> {
    let mut lines = vec![models(config)];
    match tools(config, level) {
        Ok(tools) if tools.is_empty() => lines.push(Message::new("doctor-network-no-tool")),
        Ok(tools) => lines.extend(tools),
        // The configuration cannot be used; its own line of `doctor` does not try so much.
        Err(fault) => lines.push(Message::new("doctor-network-unknown").with("reason", fault.message)),
    }
    lines.extend(collector(config).map(|address| Message::new("doctor-network-traces").with("address", address)));
    let label = Message::new("doctor-network");
    lines.iter().map(|line| finding("network", &label, say(line))).collect()
}

fn models(config: &Config) -> Message {
    let said = |key: &'static str, address: &str| {
        Message::new(key).with("address", Origin::of(address).map_or_else(|_| address.to_owned(), |at| at.to_string()))
    };
    match model::address(config) {
        Ok(model::Address::Of(spec, base)) => said("doctor-network-model", &base).with("model", spec.to_string()),
        Ok(model::Address::Local(base)) => said("doctor-network-model-none", &base),
        Ok(model::Address::Program(spec, program)) => {
            Message::new("doctor-network-model-program").with("program", program).with("model", spec.to_string())
        }
        Ok(model::Address::Recorded) => Message::new("doctor-network-model-recorded"),
        Err(fault) => Message::new("doctor-network-unknown").with("reason", fault.message),
    }
}

fn tools(config: &Config, level: Option<Level>) -> Result<Vec<Message>, Fault> {
    let offered = toolset::registry(config)?.snapshot();
    // A tool says of itself that it reaches beyond this machine; whether it changes something there tells the doors apart.
    let named = |wanted: fn(&Annotations) -> bool| {
        let all = offered.iter().map(|tool| tool.spec());
        let names: Vec<String> = all
            .filter(|spec| spec.annotations.open_world && wanted(&spec.annotations))
            .map(|spec| spec.name.to_string())
            .collect();
        (!names.is_empty()).then(|| names.join(", "))
    };
    let mut lines = Vec::new();
    if let Some(tools) = named(|hints| hints.read_only) {
        let hosts = config.net.allow_hosts.join(", ");
        lines.push(Message::new("doctor-network-web").with("tools", tools).with("hosts", hosts));
    }
    if let Some(tools) = named(|hints| !hints.read_only && !hints.destructive) {
        for (name, channel) in config.channels.iter().filter(|(_, channel)| channel.kind == ChannelKind::Webhook) {
            let url = channel.url.as_deref().unwrap_or_default();
            // The rest of the address is the operator's secret.
            let address = Origin::of(url).map_or_else(|_| "?".to_owned(), |origin| origin.to_string());
            lines.push(
                Message::new("doctor-network-message")
                    .with("tools", &tools)
                    .with("channel", name)
                    .with("address", address),
            );
        }
    }
    if let Some(remote) = contracts::remote(config)? {
        let tools = "list_dirs, list_files, read_file, search_code";
        lines.push(match remote.repository {
            Some(repository) => Message::new("doctor-network-repository")
                .with("tools", tools)
                .with("repository", repository)
                .with("addresses", remote.addresses.join(", ")),
            None => Message::new("doctor-network-repository-none").with("tools", tools),
        });
    }
    if let (Some(tools), Some(level)) = (named(|hints| hints.destructive), level) {
        let key = match config.commands.network {
            _ if level == Level::None => "doctor-network-commands-open",
            NetworkSetting::Off => "doctor-network-commands",
            NetworkSetting::Ask => "doctor-network-commands-ask",
            NetworkSetting::On => "doctor-network-commands-on",
        };
        lines.push(Message::new(key).with("tools", tools));
    }
    Ok(lines)
}
