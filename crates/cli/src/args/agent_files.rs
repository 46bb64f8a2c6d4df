//! `palanca init` and `palanca skills`.

use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Args)]
#[command(
    after_help = "Examples:\n  palanca init\n  palanca init --list-presets\n  palanca init --preset python\n  palanca init --preset paranoid --overwrite"
)]
pub struct Init {
    /// One of those that --list-presets shows [default: what fits the folder's files; on a terminal it is asked for]
    #[arg(long, value_name = "NAME")]
    pub preset: Option<String>,
    /// Replace files that are there already
    #[arg(long)]
    pub overwrite: bool,
    /// List the presets
    #[arg(long)]
    pub list_presets: bool,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  palanca skills list\n  palanca skills create release-notes --description \"Writes release notes. Use it before a release.\"\n  palanca skills check .palanca/skills/release-notes\n  palanca skills install ~/src/skills/pdf"
)]
pub struct Skills {
    #[command(subcommand)]
    pub what: SkillsCommand,
}

#[derive(Subcommand)]
pub enum SkillsCommand {
    /// Every skill that is found: where, whose, and whether an agent is told of it
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// One skill: its fields and its instructions
    Show {
        /// Its name
        name: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Judge skills by the public format; exit code 1 when one is not valid
    Check {
        /// A skill's folder, its SKILL.md, or a folder of skills [default: every skill that is found]
        path: Option<PathBuf>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Make a new skill
    Create {
        /// Its name: lowercase letters, digits, single hyphens
        name: String,
        /// What it does and when to use it
        #[arg(long, value_name = "TEXT")]
        description: Option<String>,
        /// In your own configuration instead of the workspace
        #[arg(long)]
        user: bool,
    },
    /// Copy a skill from a folder
    Install {
        /// The folder that holds its SKILL.md
        #[arg(value_name = "DIR")]
        from: PathBuf,
        /// Into your own configuration instead of the workspace
        #[arg(long)]
        user: bool,
        /// Replace what was installed under this name
        #[arg(long)]
        overwrite: bool,
    },
    /// Remove a skill that was installed
    Remove {
        /// Its name
        name: String,
        /// From your own configuration instead of the workspace
        #[arg(long)]
        user: bool,
    },
}
