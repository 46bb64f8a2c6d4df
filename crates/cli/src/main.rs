//! The binary `palanca`: results go to stdout and nothing else does; progress, questions and logs go to stderr.
//!
//! This file owns the order of things: read the arguments, run one command, turn its end into an exit code. Everything
//! that a command needs is put together in `wire`, everything that it shows is drawn in `render`.

mod args;
mod commands;
mod exit;
mod render;
mod say;
mod wire;

use args::{Cli, Command};
use clap::{CommandFactory as _, Parser as _};
use exit::{Ended, Exit, Failure};
use palanca_core::Message;
use std::process::ExitCode;

fn main() -> ExitCode {
    // First of all: when the sandbox starts this binary again, it becomes the program that it was told to run.
    palanca_host::enter();
    if is_version() {
        return match render::stdout::text(concat!("palanca ", env!("CARGO_PKG_VERSION"), "\n")) {
            Ok(()) => Exit::Success.code(),
            Err(failure) => failure.exit.code(),
        };
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(mut error) => {
            let words: Vec<String> = std::env::args_os().skip(1).filter_map(|word| word.into_string().ok()).collect();
            args::mistyped::advise(&mut error, Cli::command(), &words);
            // ignored: when the terminal is gone, it cannot be reported.
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage.code() } else { Exit::Success.code() };
        }
    };
    say::speak(say::first(&cli.global, |name| std::env::var(name).ok()));
    let ended = wire::settings::places(&cli.global).and_then(|_| ended(cli));
    render::terminal::release();
    match ended {
        Ok(exit) => exit.code(),
        Err(failure) => {
            render::stderr::error(&failure);
            failure.exit.code()
        }
    }
}

/// Whether only the version is asked for: building all of the command line takes longer than anything else that this does.
fn is_version() -> bool {
    let mut words = std::env::args_os().skip(1);
    let is_flag = words.next().is_some_and(|word| word == "--version" || word == "-V");
    is_flag && words.next().is_none()
}

fn ended(cli: Cli) -> Ended {
    if cli.global.log_file.is_some() && !cli.command.writes_log() {
        return Err(Failure::said(&Message::new("cli-log-file-unused")));
    }
    match cli.command {
        Command::Serve(args) => commands::serve::serve(cli.global, args),
        Command::Bots(args) => commands::bots::bots(&cli.global, args),
        Command::Call(args) => commands::call::call(&cli.global, args),
        Command::Explain(args) => commands::explain::explain(&cli.global, args),
        Command::Check(args) => commands::check::check(&cli.global, args),
        Command::Tools(args) => commands::tools::tools(&cli.global, args),
        Command::Chat(args) => commands::chat::chat(&cli.global, *args),
        Command::Run(args) => commands::run::run(&cli.global, *args),
        Command::Init(args) => commands::init::init(&cli.global, &args),
        Command::Skills(args) => commands::skills::skills(&cli.global, args),
        Command::Agents(args) => commands::agents::agents(&cli.global, &args),
        Command::Models(args) => commands::models::models(&cli.global, &args),
        Command::Doctor(args) => commands::doctor::doctor(&cli.global, &args),
        Command::Config(args) => commands::config::config(&cli.global, args),
        Command::Approvals(args) => commands::approvals::approvals(&cli.global, args),
        Command::Sessions(args) => commands::sessions::sessions(&cli.global, args),
        Command::Audit(args) => commands::audit::audit(&cli.global, args),
        Command::Mcp(args) => commands::mcp::mcp(&cli.global, &args),
        Command::Cron(args) => commands::bot_tools::cron(cli.global, args),
        Command::Dynamic(args) => commands::dynamic::dynamic(&cli.global, args),
        Command::Memory(args) => commands::bot_tools::memory(cli.global, args),
        Command::Tokens(args) => commands::tokens::tokens(&cli.global, args),
        Command::Store(args) => commands::store::store(&cli.global, args),
        Command::Completions(args) => commands::generated::completions(&args),
        Command::Man(args) => commands::generated::man(&args),
    }
}
