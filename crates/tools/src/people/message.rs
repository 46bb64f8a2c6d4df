//! `message`: sends a text over one of the operator's channels.
//!
//! The recipient comes from the call: its arguments, else its conversation, else the operator's default. The tool holds no
//! conversation, so two chats at once never mix. The conversation's recipient is never used on another channel: the same
//! number is someone else there.

use crate::options::{ChannelFrom, KnownChannel, ToolOptions};
use palanca_core::call::{ChannelId, ChatId, Claims, Effect, ErrorKind, Outgoing, Scope};
use palanca_core::ports::{ChannelError, ChannelErrorKind};
use palanca_core::tool::Annotations;
use palanca_core::{Message, Output, Spec, Tool, ToolCx, ToolError};
use palanca_derive::Args;
use serde_json::json;
use std::sync::Arc;

/// Characters of a channel's or a recipient's name.
const LONGEST_NAME: usize = 256;

#[derive(Args)]
pub(crate) struct MessageArgs {
    /// The message.
    content: String,
    /// Channel to send it over. Leave out for the one of this conversation.
    channel: Option<String>,
    /// Who gets it, as the channel names them. Leave out for this conversation.
    to: Option<String>,
}

pub(crate) struct Tell {
    options: Arc<ToolOptions>,
    unnamed: Unnamed,
}

/// Where a message goes when nothing names a channel and the operator has none.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unnamed {
    Nowhere,
    /// To the channel that is always there: whoever sits at this session.
    Here,
}

impl Tell {
    pub(crate) const fn new(options: Arc<ToolOptions>) -> Self {
        Self { options, unnamed: Unnamed::Nowhere }
    }

    /// The same, and what nobody else gets is said here.
    pub(crate) const fn or_here(options: Arc<ToolOptions>) -> Self {
        Self { options, unnamed: Unnamed::Here }
    }

    /// Exactly what would be sent.
    fn resolve(&self, args: &MessageArgs, scope: &Scope) -> Result<Outgoing, ToolError> {
        if args.content.trim().is_empty() {
            return Err(ToolError::new(ErrorKind::InvalidArguments, Message::new("message-empty")));
        }
        let (named, to) = (name("channel", args.channel.as_deref())?, name("to", args.to.as_deref())?);
        let channel = named.map(ChannelId::new).or_else(|| scope.channel.clone()).or_else(|| self.usual());
        let channel = channel.ok_or_else(no_target)?;
        let known = self.known(&channel)?;
        let own = || scope.chat.clone().filter(|_| scope.channel.as_ref() == Some(&channel));
        let to = to.map(ChatId::new).or_else(own).or_else(|| known?.default_to.clone()).ok_or_else(no_target)?;
        Ok(Outgoing { channel, to, text: args.content.clone() })
    }

    /// The channel that is meant when nothing names one: the only one of the operator's, or the only one with a recipient.
    fn usual(&self) -> Option<ChannelId> {
        let own = || self.options.message.channels.iter().filter(|known| known.from == ChannelFrom::Operator);
        let has_own = own().next().is_some();
        let here = || {
            let built_in = self.options.message.channels.iter().filter(|known| known.from == ChannelFrom::BuiltIn);
            (self.unnamed == Unnamed::Here && !has_own).then(|| only(built_in)).flatten()
        };
        only(own()).or_else(|| only(own().filter(|known| known.default_to.is_some()))).or_else(here)
    }

    /// What is known of the channel; nothing where nothing is known of any.
    fn known(&self, channel: &ChannelId) -> Result<Option<&KnownChannel>, ToolError> {
        let channels = &self.options.message.channels;
        if channels.is_empty() {
            return Ok(None);
        }
        if let Some(known) = channels.iter().find(|known| known.name == *channel) {
            return Ok(Some(known));
        }
        let configured = channels.iter().any(|known| known.from == ChannelFrom::Operator);
        let names: Vec<&str> = channels.iter().map(|known| known.name.as_str()).collect();
        let kind = if configured { ChannelErrorKind::Unknown } else { ChannelErrorKind::NotConfigured };
        Err(ChannelError::new(kind, channel, names.join(", ")).into())
    }
}

fn only<'k>(mut channels: impl Iterator<Item = &'k KnownChannel>) -> Option<ChannelId> {
    match (channels.next(), channels.next()) {
        (Some(one), None) => Some(one.name.clone()),
        _ => None,
    }
}

/// The name, unless it is blank.
fn name<'a>(argument: &'static str, given: Option<&'a str>) -> Result<Option<&'a str>, ToolError> {
    let Some(given) = given.map(str::trim).filter(|given| !given.is_empty()) else { return Ok(None) };
    if given.chars().any(char::is_control) || given.chars().nth(LONGEST_NAME).is_some() {
        let message = Message::new("message-bad-name").with("name", argument).with("limit", LONGEST_NAME);
        return Err(ToolError::new(ErrorKind::InvalidArguments, message));
    }
    Ok(Some(given))
}

fn no_target() -> ToolError {
    ToolError::new(ErrorKind::InvalidArguments, Message::new("message-no-target"))
}

impl Tool for Tell {
    type Args = MessageArgs;

    fn spec(&self) -> Spec {
        Spec::new("message", "Send a message to somebody, by default to the conversation that this is about. It is sent at once and cannot be taken back.")
            .annotated(Annotations { read_only: false, destructive: false, idempotent: false, open_world: true })
    }

    fn effects(&self, args: &MessageArgs, scope: &Scope) -> Result<Claims, ToolError> {
        Ok(Effect::Message(Box::new(self.resolve(args, scope)?)).into())
    }

    async fn run(&self, args: MessageArgs, cx: ToolCx) -> Result<Output, ToolError> {
        let message = self.resolve(&args, cx.scope())?;
        cx.channels().send(&message).await?;
        let said =
            Message::new("message-sent").with("channel", message.channel.as_str()).with("to", message.to.as_str());
        Ok(Output::text(said).with_data(json!({"channel": message.channel, "to": message.to})))
    }
}
