//! The channels of one command, from the configuration. The channel `terminal` always exists when named.

use super::telegram::Account;
use crate::fault::Fault;
use crate::notices::Notices;
use palanca_channels::{ChannelSet, Secret, Telegram, Terminal, Webhook, WebhookSettings};
use palanca_config::{ChannelKind, ChannelSettings, Config};
use palanca_core::Message;
use palanca_core::call::ChatId;
use palanca_net::NetClient;
use palanca_tools::{ChannelFrom, KnownChannel, MessageOptions};
use std::sync::Arc;
use std::time::Duration;

/// The channel that needs no configuration.
const TERMINAL: &str = "terminal";
/// Who sits in front of it.
const READER: &str = "user";

/// What the tools need to know.
pub fn options(config: &Config) -> MessageOptions {
    let known = |name: &String, channel: &ChannelSettings| {
        let own = channel.default_to.clone().filter(|to| !to.trim().is_empty());
        let default_to = own.or_else(|| (channel.kind == ChannelKind::Terminal).then(|| READER.to_owned()));
        KnownChannel {
            name: name.as_str().into(),
            default_to: default_to.map(ChatId::new),
            from: ChannelFrom::Operator,
        }
    };
    let mut channels: Vec<_> = config.channels.iter().map(|(name, channel)| known(name, channel)).collect();
    if !config.channels.contains_key(TERMINAL) {
        let default_to = Some(ChatId::new(READER));
        channels.push(KnownChannel { name: TERMINAL.into(), default_to, from: ChannelFrom::BuiltIn });
    }
    MessageOptions { channels }
}

/// The channels themselves. Nothing is opened: a connection waits for the first message.
///
/// # Errors
/// What a webhook lacks.
pub fn set(config: &Config, notices: &dyn Notices) -> Result<ChannelSet, Fault> {
    let mut set = ChannelSet::new().with(TERMINAL, Terminal::new(notices.terminal()));
    for (name, channel) in &config.channels {
        set = match channel.kind {
            ChannelKind::Terminal => set.with(name.as_str(), Terminal::new(notices.terminal())),
            ChannelKind::Webhook => set.with(name.as_str(), webhook(name, channel)?),
            ChannelKind::Telegram => set.with(name.as_str(), telegram(name, channel, config)?),
        };
    }
    Ok(set)
}

fn secret(name: &str, channel: &ChannelSettings) -> Result<Option<Secret>, Fault> {
    let secret = match (&channel.secret, &channel.secret_env) {
        (Some(secret), _) => Some(secret.reveal().to_owned()),
        (None, Some(variable)) => Some(std::env::var(variable).map_err(|_| {
            Fault::said(Message::new("cli-channel-no-variable").with("channel", name).with("variable", variable))
        })?),
        (None, None) => None,
    };
    Ok(secret.and_then(Secret::new))
}

fn telegram(name: &str, channel: &ChannelSettings, config: &Config) -> Result<Telegram, Fault> {
    let wrong = || Fault::said(Message::new("cli-channel-no-token").with("channel", name));
    Account::new(config, secret(name, channel)?.ok_or_else(wrong)?).line()
}

fn webhook(name: &str, channel: &ChannelSettings) -> Result<Webhook, Fault> {
    let wrong = |key: &'static str| Fault::said(Message::new(key).with("channel", name));
    let url = channel.url.clone().filter(|url| !url.trim().is_empty()).ok_or_else(|| wrong("cli-channel-no-url"))?;
    let secret = secret(name, channel)?.ok_or_else(|| wrong("cli-channel-no-secret"))?;
    let client = NetClient::to(&url).map_err(|error| {
        Fault::said(Message::new("cli-channel-bad-url").with("channel", name).with("reason", error.detail))
    })?;
    let timeout = Duration::from_secs(channel.timeout);
    Ok(Webhook::new(Arc::new(client), WebhookSettings { url, secret, timeout }))
}
