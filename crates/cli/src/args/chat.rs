//! `palanca chat`.

use super::run::AgentFlags;
use clap::Args;

#[derive(Args)]
#[command(
    after_help = "Examples:\n  palanca chat\n  palanca chat --continue\n  palanca chat ana\n  palanca chat ana --chat work\n  palanca chat --agent plan --model ollama:qwen3\n  printf 'What does this project do?\\nAnd who calls parse()?\\n' | palanca chat"
)]
pub struct Chat {
    /// A bot of the configuration, whose chat goes on where it was left [default: the one of --bot, else the agent]
    #[arg(value_name = "BOT")]
    pub with_bot: Option<String>,
    /// One of several chats with the bot [default: operator]
    #[arg(long, value_name = "NAME")]
    pub chat: Option<String>,
    /// Begin the bot's chat anew
    #[arg(long, conflicts_with = "goes_on")]
    pub new: bool,
    /// Go on with this workspace's latest session
    #[arg(long = "continue")]
    pub goes_on: bool,
    #[command(flatten)]
    pub with: AgentFlags,
}
