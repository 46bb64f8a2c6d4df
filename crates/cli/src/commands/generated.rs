//! `palanca completions` and `palanca man`.

use crate::args::Cli;
use crate::args::generated::{Completions, Man};
use crate::exit::{Ended, Exit, Failure};
use crate::render::stdout;
use clap::CommandFactory as _;
use palanca_core::Message;

pub fn completions(args: &Completions) -> Ended {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "palanca", &mut script);
    stdout::text(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Success)
}

pub fn man(args: &Man) -> Ended {
    let mut command = Cli::command();
    command.build();
    let mut page = &command;
    for name in &args.command {
        page = page.find_subcommand(name).ok_or_else(|| unknown(page, name))?;
    }
    let mut text = Vec::new();
    clap_mangen::Man::new(page.clone()).render(&mut text)?;
    stdout::text(&String::from_utf8_lossy(&text))?;
    Ok(Exit::Success)
}

fn unknown(above: &clap::Command, name: &str) -> Failure {
    let names: Vec<&str> =
        above.get_subcommands().map(clap::Command::get_name).filter(|name| *name != "help").collect();
    let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let command = above.get_bin_name().unwrap_or("palanca");
    Failure::said(&Message::new("man-unknown").with("command", command).with("name", name).with("names", names))
}
