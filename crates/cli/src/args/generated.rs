//! `palanca completions` and `palanca man`: generated from the list of commands itself.

use clap::Args;
use clap_complete::Shell;

#[derive(Args)]
#[command(
    after_help = "Examples:\n  source <(palanca completions bash)\n  palanca completions bash > ~/.local/share/bash-completion/completions/palanca\n  palanca completions zsh > \"${fpath[1]}/_palanca\"\n  palanca completions fish > ~/.config/fish/completions/palanca.fish"
)]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  palanca man | man -l -\n  palanca man sessions undo | man -l -\n  palanca man > ~/.local/share/man/man1/palanca.1"
)]
pub struct Man {
    /// The page of this command [default: the page of palanca itself]
    pub command: Vec<String>,
}
