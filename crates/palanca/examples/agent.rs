//! An agent that works in a folder on a task, kept in as the binary keeps it, with the model and the rules of the configuration.
//! `cargo run -p palanca --features host --example agent -- FOLDER "the task"`
#![allow(clippy::print_stdout, clippy::print_stderr, missing_docs)]

use palanca::agent::{Agents, ContextLimits, History, Models as _};
use palanca::host::{Agent, Host, Keeping, Notices, Places, Session, SessionSettings, configuration};
use palanca::{ConfirmMode, Message};
use std::path::Path;
use std::sync::Arc;

struct OnStderr;

impl Notices for OnStderr {
    fn warn(&self, message: &Message) {
        eprintln!("{}", palanca::english().render(message));
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    palanca::host::enter();
    let (folder, task) = (std::env::args().nth(1).unwrap_or_default(), std::env::args().nth(2).unwrap_or_default());
    let places = Places::of_the_environment()?;
    let flags = [("FOLDER", "workspace.root", folder.clone())];
    let config = Arc::new(configuration::load(&places, Path::new(&folder), &flags, &OnStderr)?.config);
    let host = Host::new(places, Arc::new(OnStderr));
    let agent = Arc::new(Agent::new(&host.workspace(&config)?, &config)?);
    let settings = SessionSettings { mode: ConfirmMode::Yolo, keeping: Keeping::Nothing, ..SessionSettings::default() };
    let session = Session::new(&agent, settings)?;
    let (model, agents) = (session.model().model().await?, Agents::built_in());
    let ended =
        session.turn(&*model, agents.get("build")?).run(&mut History::new(ContextLimits::default()), &task).await;
    println!("{}", ended.report.output);
    session.end().await;
    Ok(())
}
