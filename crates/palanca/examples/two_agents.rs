//! Two agents in two workspaces in one process, with one person who answers for both: what is allowed in one folder is not
//! allowed in the other. `cargo run -p palanca --features host --example two_agents`
#![allow(clippy::print_stdout, clippy::disallowed_methods, missing_docs)]

use futures_util::future::BoxFuture;
use palanca::call::RawArguments;
use palanca::config::Config;
use palanca::host::{Agent, Host, Keeping, Places, Session, SessionSettings, Silent};
use palanca::ports::{Answer, Asker, Question};
use palanca::{CallId, ToolResult};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// Says yes to what begins with `docs/`, and always yes to the same again in that session.
struct Editor;

impl Asker for Editor {
    fn can_answer(&self, _question: &Question) -> bool {
        true
    }

    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Option<Answer>> {
        let path = question.arguments.get("path").and_then(Value::as_str).unwrap_or_default();
        println!("{} asks for {} {path}", question.scope.session, question.tool);
        let answer = match question.drafts.first() {
            _ if !path.starts_with("docs/") => Answer::No,
            Some(narrowest) => Answer::Always(Box::new(narrowest.clone())),
            None => Answer::Yes,
        };
        Box::pin(async move { Some(answer) })
    }
}

fn agent(
    host: &Arc<Host>,
    folder: &Path,
    change: impl FnOnce(&mut Config),
) -> Result<Arc<Agent>, palanca::host::Fault> {
    let mut config = Config::default();
    config.workspace.root = folder.display().to_string();
    change(&mut config);
    let config = Arc::new(config);
    Ok(Arc::new(Agent::new(&host.workspace(&config)?, &config)?))
}

async fn call(session: &Session, tool: &str, arguments: Value) -> ToolResult {
    let call = session.call(CallId::new("1"), tool.to_owned(), RawArguments::Json(arguments));
    session.gate().submit(session.toolset(), call).await
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    palanca::host::enter();
    let (home, one, two) = (tempfile::tempdir()?, tempfile::tempdir()?, tempfile::tempdir()?);
    let places = Places { state: Some(home.path().to_owned()), ..Places::default() };
    let host = Host::new(places, Arc::new(Silent));
    let writer = agent(&host, one.path(), |_| ())?;
    let careful = agent(&host, two.path(), |config| config.guardrails.max_files_modified = Some(1))?;
    let editor: Arc<dyn Asker> = Arc::new(Editor);
    let settings =
        || SessionSettings { asker: Arc::clone(&editor), keeping: Keeping::Nothing, ..SessionSettings::default() };
    let sessions = [Session::new(&writer, settings())?, Session::new(&careful, settings())?];
    for path in ["docs/a.md", "docs/b.md", "src/main.rs"] {
        let write = json!({"path": path, "content": "hello\n"});
        let both =
            futures_util::future::join_all(sessions.iter().map(|one| call(one, "write_file", write.clone()))).await;
        let said: Vec<String> = both.into_iter().map(|result| result.error.unwrap_or(result.output)).collect();
        println!("{path}:\n  {}", said.join("\n  "));
    }
    for session in sessions {
        session.end().await;
        session.leave();
    }
    Ok(())
}
