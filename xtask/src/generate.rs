//! Files that are made from code: committed, so that people can read them without building, and compared on every
//! check, so that they cannot lie. To add one, write a producer and add a line to [`FILES`].

use std::fs;

use anyhow::{Context, Result};

use crate::hook_schemas;
use crate::reference;
use crate::report::Report;
use crate::tool_pages;
use crate::workspace::Workspace;

/// A file relative to the root, and the function that makes its whole text.
pub struct Generated {
    pub path: &'static str,
    pub produce: fn(&Workspace) -> Result<String>,
}

const FILES: &[Generated] = &[
    Generated { path: "docs/reference/config.schema.json", produce: reference::config_schema },
    Generated { path: "docs/reference/config.md", produce: reference::config_page },
    Generated { path: "docs/reference/tools.md", produce: tool_pages::page },
    Generated { path: "docs/schemas/events.json", produce: |_| hook_schemas::pretty(&palanca_agent::event_schema()) },
    Generated { path: "docs/schemas/hooks/pre_tool_use.json", produce: |_| hook_schemas::text("pre_tool_use") },
    Generated { path: "docs/schemas/hooks/post_tool_use.json", produce: |_| hook_schemas::text("post_tool_use") },
    Generated { path: "docs/schemas/hooks/post_edit.json", produce: |_| hook_schemas::text("post_edit") },
    Generated { path: "docs/schemas/hooks/pre_llm_call.json", produce: |_| hook_schemas::text("pre_llm_call") },
    Generated { path: "docs/schemas/hooks/post_llm_call.json", produce: |_| hook_schemas::text("post_llm_call") },
    Generated { path: "docs/schemas/hooks/session_start.json", produce: |_| hook_schemas::text("session_start") },
    Generated { path: "docs/schemas/hooks/session_end.json", produce: |_| hook_schemas::text("session_end") },
    Generated { path: "docs/schemas/hooks/on_error.json", produce: |_| hook_schemas::text("on_error") },
    Generated { path: "docs/schemas/hooks/budget_warning.json", produce: |_| hook_schemas::text("budget_warning") },
    Generated { path: "docs/schemas/hooks/context_compress.json", produce: |_| hook_schemas::text("context_compress") },
    Generated { path: "docs/schemas/hooks/agent_complete.json", produce: |_| hook_schemas::text("agent_complete") },
    Generated { path: "docs/schemas/hooks/reply.json", produce: |_| hook_schemas::text("reply") },
];

/// Writes every generated file whose text has changed.
pub fn write(workspace: &Workspace) -> Result<()> {
    for file in FILES {
        let text = (file.produce)(workspace).with_context(|| format!("cannot make {}", file.path))?;
        let path = workspace.root.join(file.path);
        if fs::read_to_string(&path).is_ok_and(|old| old == text) {
            continue;
        }
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&path, text).with_context(|| format!("cannot write {}", file.path))?;
        eprintln!("wrote {}", file.path);
    }
    Ok(())
}

/// Reports every generated file that is missing or differs.
pub fn check(workspace: &Workspace, report: &mut Report) -> Result<()> {
    compare(FILES, workspace, report)
}

fn compare(files: &[Generated], workspace: &Workspace, report: &mut Report) -> Result<()> {
    for file in files {
        let text = (file.produce)(workspace).with_context(|| format!("cannot make {}", file.path))?;
        match fs::read_to_string(workspace.root.join(file.path)) {
            Ok(old) if old == text => {}
            Ok(_) => report.fail(format!("{}: is stale; run `cargo xtask gen`", file.path)),
            Err(_) => report.fail(format!("{}: is missing; run `cargo xtask gen`", file.path)),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stale_and_missing_files_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let workspace = Workspace { root: folder.path().to_path_buf(), packages: vec![] };
        let file = |path| Generated { path, produce: |_| Ok("new\n".to_owned()) };
        fs::write(folder.path().join("same"), "new\n").unwrap();
        fs::write(folder.path().join("stale"), "old\n").unwrap();
        let mut report = Report::default();
        compare(&[file("same"), file("stale"), file("missing")], &workspace, &mut report).unwrap();
        assert_eq!(
            report.failures,
            ["stale: is stale; run `cargo xtask gen`", "missing: is missing; run `cargo xtask gen`"]
        );
    }

    #[test]
    fn every_schema_of_hooks_has_its_file() {
        for (name, _) in palanca_hooks::schemas() {
            let path = format!("docs/schemas/hooks/{name}.json");
            assert!(FILES.iter().any(|file| file.path == path), "{path} is not in the list");
        }
    }

    #[test]
    fn producers_are_repeatable() {
        let workspace = Workspace { root: "/".into(), packages: vec![] };
        for file in FILES {
            let once = (file.produce)(&workspace).unwrap();
            assert!(once.ends_with('\n') && !once.ends_with("\n\n"), "{}", file.path);
            assert_eq!(once, (file.produce)(&workspace).unwrap(), "{}", file.path);
        }
    }
}
