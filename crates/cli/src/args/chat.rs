//! `palanca chat`.

use super::run::AgentFlags;
use clap::Args;

#[derive(Args)]
#[command(
    after_help = "Examples:\n  palanca chat\n  palanca chat --continue\n  palanca chat --agent plan --model ollama:qwen3\n  printf 'What does this project do?\\nAnd who calls parse()?\\n' | palanca chat"
)]
pub struct Chat {
    /// Go on with this workspace's latest session
    #[arg(long = "continue")]
    pub goes_on: bool,
    #[command(flatten)]
    pub with: AgentFlags,
}
