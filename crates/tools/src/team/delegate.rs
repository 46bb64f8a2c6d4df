//! `delegate_to_bot`: another bot answers as itself.

use super::answer::{answer, not_taken};
use crate::options::{OtherBot, OtherBotsOptions, ToolOptions};
use palanca_core::call::{Claims, Delegation, Effect, ErrorKind, Scope};
use palanca_core::registry::nearest;
use palanca_core::{Message, Output, Spec, Tool, ToolCx, ToolError};
use palanca_derive::Args;
use std::sync::Arc;

/// Characters of an answer that the result shows.
const ANSWER_CHARS: usize = 20_000;
/// Characters of a message.
const MESSAGE_CHARS: usize = 20_000;

#[derive(Args)]
pub(crate) struct DelegateArgs {
    /// The id of the bot.
    #[arg(rename = "targetBotId")]
    target_bot_id: String,
    /// What it is told: all that it needs to know, since it knows nothing of this conversation.
    message: String,
}

pub(crate) struct DelegateToBot {
    options: Arc<ToolOptions>,
}

impl DelegateToBot {
    pub(crate) const fn new(options: Arc<ToolOptions>) -> Self {
        Self { options }
    }

    fn delegation(&self, args: &DelegateArgs) -> Result<Delegation, ToolError> {
        let target = args.target_bot_id.trim();
        known_bot(&self.options.bots, target)?;
        Ok(Delegation::to_bot(target, message_of(&args.message)?))
    }
}

fn invalid(message: Message) -> ToolError {
    ToolError::new(ErrorKind::InvalidArguments, message)
}

/// Whether there is another bot of this id.
pub(super) fn known_bot(bots: &OtherBotsOptions, target: &str) -> Result<(), ToolError> {
    if target == bots.own {
        return Err(invalid(Message::new("delegate-self").with("bot", target)));
    }
    if bots.others.iter().any(|other| other.id == target) {
        return Ok(());
    }
    let known = || bots.others.iter().map(|other| other.id.as_str());
    let near = nearest(target, known(), 3);
    let names = if near.is_empty() { known().collect() } else { near };
    Err(invalid(Message::new("delegate-unknown").with("bot", target).with("names", names.join(", "))))
}

/// The message, without what is around it.
pub(super) fn message_of(given: &str) -> Result<&str, ToolError> {
    let message = given.trim();
    let is_one = (1..=MESSAGE_CHARS).contains(&message.chars().count());
    is_one.then_some(message).ok_or_else(|| invalid(Message::new("delegate-message").with("limit", MESSAGE_CHARS)))
}

impl Tool for DelegateToBot {
    type Args = DelegateArgs;

    fn spec(&self) -> Spec {
        let known = self.options.bots.others.iter().map(|OtherBot { id, name, description, .. }| {
            let about: Vec<&str> = [name.as_str(), description].into_iter().filter(|part| !part.is_empty()).collect();
            if about.is_empty() { id.clone() } else { format!("{id} ({})", about.join(", ")) }
        });
        let known = known.collect::<Vec<_>>().join("; ");
        Spec::new(
            "delegate_to_bot",
            format!("Ask another bot, which answers as itself and without tools, and get its answer. Bots: {known}."),
        )
        .timeout(self.options.subagents.longest)
    }

    fn effects(&self, args: &DelegateArgs, _scope: &Scope) -> Result<Claims, ToolError> {
        Ok(Effect::Delegate(Box::new(self.delegation(args)?)).into())
    }

    async fn run(&self, args: DelegateArgs, cx: ToolCx) -> Result<Output, ToolError> {
        let delegation = self.delegation(&args)?;
        let mut status = cx.subagents().delegate(&delegation).await.map_err(|error| not_taken(&error))?;
        // Whatever it was asked, its words are its own.
        status.foreign = true;
        answer(status, ANSWER_CHARS)
    }
}
