//! A guard of one's own: nothing is written while a release is frozen. `cargo run -p palanca --example guard`
#![allow(clippy::print_stdout, clippy::disallowed_methods, missing_docs)]

use palanca::call::Effect;
use palanca::files::Disk;
use palanca::gate::CheckedCall;
use palanca::policy::paths::PathRules;
use palanca::ports::{Decision, Guard, Verdict};
use palanca::tools::{ToolOptions, ToolsetName, registry};
use palanca::{ConfirmMode, Gate, Message};
use serde_json::json;
use std::sync::Arc;

/// A key that is no key of the catalogue is shown as it is.
const FROZEN: &str = "The release is frozen: nothing is written today. Propose the change in words instead.";

struct Frozen;

impl Guard for Frozen {
    // It sees effects on canonical paths, so it holds for every tool, every spelling and every link.
    fn judge(&self, call: &CheckedCall) -> Option<Verdict> {
        let writes =
            |effect: &Effect| matches!(effect, Effect::WriteFile { .. } | Effect::Delete(_) | Effect::Move { .. });
        call.effects().iter().any(writes).then(|| Verdict {
            decision: Decision::Deny,
            rule: "release.frozen".to_owned(),
            to_model: Message::new(FROZEN),
            to_operator: format!("{} while frozen", call.spec().name),
        })
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let workspace = tempfile::tempdir()?;
    std::fs::write(workspace.path().join("VERSION"), "1.0\n")?;
    let rules = Arc::new(PathRules::new(&[], &[], None)?);
    let gate = Gate::builder(registry(ToolsetName::Palanca, &ToolOptions::default())?.into())
        .files(Arc::new(Disk::open(workspace.path(), &[], rules)?))
        .mode(ConfirmMode::Yolo)
        .guard(Arc::new(Frozen))
        .build();
    for (tool, arguments) in [
        ("read_file", json!({"path": "VERSION"})),
        ("write_file", json!({"path": "VERSION", "content": "1.1\n"})),
        ("edit_file", json!({"path": "VERSION", "old_text": "1.0", "new_text": "1.1"})),
    ] {
        let result = gate.execute(tool, arguments).await;
        println!("{tool}: {}", result.error.as_ref().unwrap_or(&result.output));
    }
    assert_eq!(std::fs::read_to_string(workspace.path().join("VERSION"))?, "1.0\n");
    Ok(())
}
