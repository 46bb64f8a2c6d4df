//! Modules of one crate only use those below them, where its manifest gives them an order:
//! `[package.metadata.palanca] modules = ["lowest", …, "highest"]`. Tests may look anywhere.

use std::fs;

use anyhow::{Context, Result};

use crate::report::Report;
use crate::size::{count, is_test_file, source_files};
use crate::workspace::Workspace;

pub fn check(workspace: &Workspace, report: &mut Report) -> Result<()> {
    for package in workspace.packages.iter().filter(|package| !package.modules.is_empty()) {
        let source = package.folder.join("src");
        for file in source_files(&source)? {
            let path = workspace.relative(&file);
            let inside = file.strip_prefix(&source).unwrap_or(&file).with_extension("");
            let module = inside.iter().next().unwrap_or_default().to_string_lossy();
            if is_test_file(&path) || module == "lib" {
                continue;
            }
            let text = fs::read_to_string(&file).with_context(|| format!("cannot read {path}"))?;
            for used in upwards(&package.modules, &module, &text) {
                report.fail(format!(
                    "{path}: `{module}` uses `{used}`, which is not below it; the order of modules is in the crate's Cargo.toml"
                ));
            }
        }
    }
    Ok(())
}

/// What a module's code names of its crate and is not below it.
fn upwards<'t>(order: &[String], module: &str, text: &'t str) -> Vec<&'t str> {
    let place = |name: &str| order.iter().position(|known| known == name);
    let own = place(module);
    let (outside, _) = count(text);
    let code = text.lines().take(outside).map(str::trim_start).filter(|line| !line.starts_with("//"));
    let used = code.flat_map(|line| line.split("crate::").skip(1)).map(|rest| {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        &rest[..end]
    });
    let mut up: Vec<&str> =
        used.filter(|used| own.is_none() || place(used).is_none_or(|used| Some(used) > own)).collect();
    up.dedup();
    up
}

#[cfg(test)]
mod tests {
    use super::upwards;

    #[test]
    fn only_what_lies_below_may_be_used() {
        let order = ["message", "call", "gate"].map(str::to_owned);
        let up = |module, text| upwards(&order, module, text);
        assert!(up("gate", "use crate::call::Call;\nuse crate::message::Text;\n").is_empty());
        assert!(up("call", "use crate::call::Id;\n// crate::gate\n/// See [`Gate`](crate::gate::Gate).\n").is_empty());
        assert_eq!(up("call", "fn f() { crate::gate::f(); }"), ["gate"]);
        assert_eq!(up("call", "use crate::{gate::Gate, message::Text};"), [""], "braces hide what is used");
        assert_eq!(up("newcomer", "use crate::message::Text;"), ["message"], "a module without a place");
        assert!(up("call", "fn f() {}\n#[cfg(test)]\nmod tests {\n    use crate::gate::Gate;\n}\n").is_empty());
    }
}
