//! `palanca init` and `palanca skills`.

use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Args)]
#[command(
    after_help = "Examples:\n  palanca init\n  palanca init --list-presets\n  palanca init --preset python\n  palanca init --preset paranoid --overwrite"
)]
pub struct Init {
    /// A preset from --list-presets [default: detected from the folder's files; on a terminal, you are asked]
    #[arg(long, value_name = "NAME")]
    pub preset: Option<String>,
    /// Replace existing files
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
    /// List every skill: where it is, whose it is, and whether agents see it
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show one skill: its fields and its instructions
    Show {
        /// Its name
        name: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Validate skills against the public format; exit code 1 if one is invalid
    Check {
        /// A skill's folder, its SKILL.md, or a folder of skills [default: every skill found]
        path: Option<PathBuf>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Create a skill
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
        /// The folder with its SKILL.md
        #[arg(value_name = "DIR")]
        from: PathBuf,
        /// Into your own configuration instead of the workspace
        #[arg(long)]
        user: bool,
        /// Replace an installed skill of the same name
        #[arg(long)]
        overwrite: bool,
    },
    /// Remove an installed skill
    Remove {
        /// Its name
        name: String,
        /// From your own configuration instead of the workspace
        #[arg(long)]
        user: bool,
    },
}
