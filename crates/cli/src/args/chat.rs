//! `palanca chat`.

use super::run::AgentFlags;
use clap::Args;

#[derive(Args)]
#[command(
    after_help = "Examples:\n  palanca chat\n  palanca chat --continue\n  palanca chat ana\n  palanca chat ana --chat work\n  palanca chat --agent plan --model ollama:qwen3\n  printf 'What does this project do?\\nAnd who calls parse()?\\n' | palanca chat"
)]
pub struct Chat {
    /// A bot of the configuration, whose chat goes on where it was left [default: the agent]
    pub bot: Option<String>,
    /// One of several chats with the bot
    #[arg(long, value_name = "NAME", default_value = "operator", requires = "bot")]
    pub chat: String,
    /// Begin the bot's chat anew
    #[arg(long, requires = "bot", conflicts_with = "goes_on")]
    pub new: bool,
    /// Go on with this workspace's latest session
    #[arg(long = "continue")]
    pub goes_on: bool,
    #[command(flatten)]
    pub with: AgentFlags,
}
