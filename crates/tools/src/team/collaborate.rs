//! `collaborate`: other bots, what each can do, and talking with one over several messages.
//!
//! What is said is an act, and what comes back another's words. A bot that is asked has no tool that reaches other bots, so
//! questions never go in circles.

use super::delegate::{known_bot, message_of};
use super::talks::{ALOUD, TalksHandle, gone};
use crate::list::{BETWEEN_BOTS, BUILT_IN};
use crate::options::{OtherBot, ToolOptions};
use crate::toolsets::ToolsetName;
use palanca_core::call::{Act, ActKind, Claims, Effect, ErrorKind, Scope};
use palanca_core::tool::Annotations;
use palanca_core::{Message, Output, Spec, Text, Tool, ToolCx, ToolError};
use palanca_derive::Args;
use serde::Serialize;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

/// What a call may take beyond the time of an answer.
const MARGIN: Duration = Duration::from_secs(60);

#[derive(Args, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CollaborateAction {
    Discover,
    Send,
    EndSession,
}

#[derive(Args)]
pub(crate) struct CollaborateArgs {
    /// `discover`: who there is and what each can do. `send`: ask one. `end_session`: a conversation is over.
    action: CollaborateAction,
    /// For `send`: the id of the bot.
    #[arg(rename = "targetBotId")]
    target_bot_id: Option<String>,
    /// For `send`: what it is told.
    message: Option<String>,
    /// For `send`: goes on with the conversation of this id, which an earlier answer named. For `end_session`: the one that ends.
    #[arg(rename = "sessionId")]
    session_id: Option<String>,
    /// For `send`: whether the people of this group read along; the bot answers there, as messages of the group. Outside a group the bot is asked internally.
    #[arg(default = false)]
    visible: bool,
}

pub(crate) struct Collaborate {
    options: Arc<ToolOptions>,
}

fn missing(name: &'static str) -> ToolError {
    ToolError::new(ErrorKind::InvalidArguments, Message::new("collaborate-missing").with("name", name))
}

fn given(text: Option<&String>) -> Option<&str> {
    text.map(|text| text.trim()).filter(|text| !text.is_empty())
}

impl Collaborate {
    pub(crate) const fn new(options: Arc<ToolOptions>) -> Self {
        Self { options }
    }

    /// The message, to the bot or to the conversation with it.
    fn said(&self, args: &CollaborateArgs) -> Result<Act, ToolError> {
        let target = given(args.target_bot_id.as_ref()).ok_or_else(|| missing("targetBotId"))?;
        known_bot(&self.options.bots, target)?;
        let message = message_of(args.message.as_deref().ok_or_else(|| missing("message"))?)?;
        let target = match given(args.session_id.as_ref()) {
            Some(session) if session.contains(ALOUD) => return Err(gone(session)),
            Some(session) => format!("{target}/{session}"),
            None if args.visible => format!("{target}/{ALOUD}"),
            None => target.to_owned(),
        };
        Ok(Act::new(ActKind::AskBot, target, message))
    }

    fn discovered(&self) -> Output {
        let others = &self.options.bots.others;
        let listed = others.iter().map(|other| self.told(other)).reduce(Text::line).unwrap_or_default();
        let data = others.iter().map(|other| {
            let (id, name) = (&other.id, &other.name);
            json!({"id": id, "name": name, "description": other.description, "tools": self.tools_of(other),
                "skills": other.skills, "model": other.models})
        });
        Output::text(listed).with_data(data.collect::<Vec<_>>())
    }

    fn told(&self, other: &OtherBot) -> Text {
        let head = if other.name.is_empty() {
            format!("- **{}**", other.id)
        } else {
            format!("- **{}** ({})", other.id, other.name)
        };
        let tools = self.tools_of(other).join(", ");
        let lines = [
            ("collaborate-description", other.description.clone()),
            ("collaborate-skills", other.skills.join(", ")),
            ("collaborate-tools", tools),
            ("collaborate-model", other.models.join(", ")),
        ];
        let lines = lines.into_iter().filter(|(_, value)| !value.is_empty());
        lines.fold(Text::from(head), |text, (key, value)| text.line("  ").then(line(key, value)))
    }

    /// What it may use while it is asked.
    fn tools_of(&self, other: &OtherBot) -> Vec<&'static str> {
        let Some(collaboration) = &self.options.bots.collaboration else { return Vec::new() };
        let bots = ToolsetName::Bots;
        let has = |name: &&str| !other.disabled.iter().any(|disabled| disabled == name) && !BETWEEN_BOTS.contains(name);
        let on = BUILT_IN.iter().filter(|tool| tool.is_in(bots) && tool.switched_off(bots, &self.options).is_none());
        on.map(|tool| tool.name).filter(|_| collaboration.target_tools).filter(has).collect()
    }
}

/// One line on a bot.
fn line(key: &'static str, value: String) -> Message {
    match key {
        "collaborate-description" => Message::new("collaborate-description").with("value", value),
        "collaborate-skills" => Message::new("collaborate-skills").with("value", value),
        "collaborate-tools" => Message::new("collaborate-tools").with("value", value),
        _ => Message::new("collaborate-model").with("value", value),
    }
}

impl Tool for Collaborate {
    type Args = CollaborateArgs;

    fn spec(&self) -> Spec {
        let ids = self.options.bots.others.iter().map(|other| other.id.as_str()).collect::<Vec<_>>().join(", ");
        let longest = self.options.bots.collaboration.as_ref().map_or(MARGIN, |own| own.longest.saturating_add(MARGIN));
        Spec::new(
            "collaborate",
            format!("Talk with other bots: discover what each can do, send one a message and get its answer (go on with the sessionId of that answer), end_session. Bots: {ids}."),
        )
        .annotated(Annotations { read_only: false, destructive: false, idempotent: false, open_world: true })
        .timeout(longest)
    }

    fn effects(&self, args: &CollaborateArgs, _scope: &Scope) -> Result<Claims, ToolError> {
        Ok(match args.action {
            CollaborateAction::Send => Effect::Act(Box::new(self.said(args)?)).into(),
            CollaborateAction::Discover | CollaborateAction::EndSession => Claims::none(),
        })
    }

    async fn run(&self, args: CollaborateArgs, cx: ToolCx) -> Result<Output, ToolError> {
        match args.action {
            CollaborateAction::Discover => Ok(self.discovered()),
            CollaborateAction::EndSession => {
                let session = given(args.session_id.as_ref()).ok_or_else(|| missing("sessionId"))?;
                Ok(Output::text(cx.door::<TalksHandle>().end(session)?))
            }
            CollaborateAction::Send => {
                let said = self.said(&args)?;
                // As it was judged: the group instead of the wish.
                let act = cx.acts().granted().next().cloned().unwrap_or(said);
                let answer = cx.acts().perform_aloud(&act, cx.voice()).await?;
                if answer.data.as_ref().is_some_and(|data| data.get("group").is_some()) {
                    return Ok(answer);
                }
                let data = answer.data.unwrap_or_default();
                let told = serde_json::to_string(&data).unwrap_or_default();
                // Whatever it was asked, its words are its own.
                let output = Output::text(told).with_data(data).foreign(format!("bot {}", act.party()));
                let note = match act.parts().1 {
                    None => Some(Message::new("collaborate-no-group")),
                    Some(place) if !place.contains(ALOUD) => Some(Message::new("collaborate-goes-on-internally")),
                    Some(_) => None,
                };
                Ok(output.with_notes(answer.notes.into_iter().chain(note.filter(|_| args.visible))))
            }
        }
    }
}
