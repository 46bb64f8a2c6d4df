//! A tool with state of its own: notes that live as long as the program. `cargo run -p palanca --example stateful_tool`
#![allow(clippy::print_stdout, clippy::disallowed_methods, missing_docs)]

use palanca::call::{Claims, Scope};
use palanca::{Args, Gate, Output, Registry, RegistryError, Spec, Tool, ToolCx, ToolError};
use serde_json::json;
use std::sync::Mutex;

#[derive(Default)]
struct Notes(Mutex<Vec<String>>);

#[derive(Args)]
struct NotesArgs {
    /// The note to add; without it all notes are listed.
    #[arg(max_length = 500)]
    note: Option<String>,
}

impl Tool for Notes {
    type Args = NotesArgs;

    fn spec(&self) -> Spec {
        Spec::new("notes", "Adds a note, or lists all notes.")
    }

    // Its own memory is no effect on the world. A tool that reads a file or sends something claims it here.
    fn effects(&self, _args: &NotesArgs, _scope: &Scope) -> Result<Claims, ToolError> {
        Ok(Claims::none())
    }

    async fn run(&self, args: NotesArgs, _cx: ToolCx) -> Result<Output, ToolError> {
        let mut notes = self.0.lock().map_err(|_| ToolError::from("the notes are lost"))?;
        let Some(note) = args.note else { return Ok(Output::text(notes.join("\n"))) };
        notes.push(note);
        Ok(Output::text(format!("note {}", notes.len())))
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), RegistryError> {
    let registry = Registry::new();
    registry.register(Notes::default())?;
    let gate = Gate::builder(registry.into()).build();
    for arguments in [json!({"note": "buy milk"}), json!({"note": "call Ana"}), json!({}), json!({"nota": 1})] {
        let result = gate.execute("notes", arguments).await;
        println!("{}", result.error.as_ref().unwrap_or(&result.output));
    }
    Ok(())
}
