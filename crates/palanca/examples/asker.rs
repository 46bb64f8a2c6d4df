//! An asker of one's own: questions on the terminal, answered with a word. `cargo run -p palanca --example asker`
#![allow(clippy::print_stdout, clippy::disallowed_methods, missing_docs)]

use futures_util::future::BoxFuture;
use palanca::Gate;
use palanca::files::Disk;
use palanca::policy::paths::PathRules;
use palanca::ports::{Answer, Asker, Question};
use palanca::tools::{ToolOptions, ToolsetName, registry};
use serde_json::json;
use std::io::{IsTerminal as _, stdin};
use std::sync::Arc;

struct Terminal;

impl Asker for Terminal {
    // Where nobody can answer, the call is refused at once instead of waiting.
    fn can_answer(&self, _question: &Question) -> bool {
        stdin().is_terminal()
    }

    // Dropped when the question was answered elsewhere or has expired.
    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Option<Answer>> {
        Box::pin(async move {
            for effect in question.effects.iter() {
                println!("{} wants to {effect}", question.tool);
            }
            for reason in &question.reasons {
                println!("because {}", palanca::english().render(&reason.words));
            }
            println!("{}\nType yes to allow it.", question.diff.as_deref().unwrap_or("no diff"));
            let typed = tokio::task::spawn_blocking(|| stdin().lines().next()).await;
            Some(match typed {
                Ok(Some(Ok(line))) if line.trim() == "yes" => Answer::Yes,
                _ => Answer::No,
            })
        })
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let workspace = tempfile::tempdir()?;
    let rules = Arc::new(PathRules::new(&[], &[], None)?);
    let gate = Gate::builder(registry(ToolsetName::Palanca, &ToolOptions::default())?.into())
        .files(Arc::new(Disk::open(workspace.path(), &[], rules)?))
        .asker(Arc::new(Terminal))
        .build();
    let result = gate.execute("write_file", json!({"path": "hello.txt", "content": "hello\n"})).await;
    println!("{}", result.error.unwrap_or(result.output));
    Ok(())
}
