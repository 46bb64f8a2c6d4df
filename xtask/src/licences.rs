//! What comes from others: under licences that `deny.toml` allows, from the registry, none of the crates that it refuses,
//! and no version "whatever there is". The file is that of `cargo deny`, which also reads the texts of licences; it takes
//! four minutes to build, so it is for releases.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;
use spdx::{Expression, ParseMode};

use crate::report::Report;
use crate::workspace::metadata;

const RULES: &str = "deny.toml";

pub fn check(root: &Path, report: &mut Report) -> Result<()> {
    let text = fs::read_to_string(root.join(RULES)).with_context(|| format!("cannot read {RULES}"))?;
    let rules: toml::Table = text.parse().with_context(|| format!("{RULES} is not TOML"))?;
    judge(&rules, &metadata(&["--all-features", "--locked"])?, report)
}

fn judge(rules: &toml::Table, metadata: &Value, report: &mut Report) -> Result<()> {
    let allowed: Vec<&str> = list(rules, "licenses", "allow")?.iter().filter_map(toml::Value::as_str).collect();
    let refused = list(rules, "bans", "deny")?.iter().filter_map(|row| Some((row.get("crate")?.as_str()?, row)));
    let refused: BTreeMap<&str, &toml::Value> = refused.collect();
    let packages = metadata.get("packages").and_then(Value::as_array).context("cargo metadata has no packages")?;
    let (mut sources, mut versions) = (BTreeSet::new(), BTreeMap::new());
    for package in packages {
        let word = |key: &str| package.get(key).and_then(Value::as_str);
        let name = word("name").context("a package has a name")?;
        wildcards(name, package, report);
        let Some(source) = word("source") else { continue };
        *versions.entry(name).or_insert(0) += 1;
        if source.starts_with("registry+") {
            sources.insert(source);
        } else {
            report.fail(format!("`{name}` comes from {source}: only the registry is a source"));
        }
        if let Some(row) = refused.get(name) {
            let why = row.get("reason").and_then(toml::Value::as_str).unwrap_or("no reason given");
            report.fail(format!("`{name}` is refused by {RULES}: {why}; `cargo tree -i {name}` tells who brings it"));
        }
        match word("license") {
            None => report.fail(format!("`{name}` names no licence: read its text, and take it only if it is one of {RULES}")),
            Some(licence) if !is_allowed(licence, &allowed) => report.fail(format!(
                "`{name}` is licensed {licence:?}, which {RULES} does not allow: take another crate, or allow it there and say why"
            )),
            Some(_) => {}
        }
    }
    if sources.len() > 1 {
        report.fail(format!("packages come from more than one registry: {sources:?}"));
    }
    let several: Vec<&str> = versions.into_iter().filter(|(_, count)| *count > 1).map(|(name, _)| name).collect();
    if !several.is_empty() {
        report.warn(format!("in more than one version (`cargo tree -d` tells why): {}", several.join(", ")));
    }
    Ok(())
}

/// Of the workspace itself: what others require is theirs, and `Cargo.lock` fixes it.
fn wildcards(name: &str, package: &Value, report: &mut Report) {
    let own = package.get("source").is_none_or(Value::is_null);
    let dependencies = package.get("dependencies").and_then(Value::as_array).into_iter().flatten();
    for dependency in dependencies.filter(|_| own) {
        let word = |key: &str| dependency.get(key).and_then(Value::as_str);
        if word("req") == Some("*") && word("path").is_none() {
            let wanted = word("name").unwrap_or_default();
            report.fail(format!("{name} takes any version of `{wanted}`: say which"));
        }
    }
}

fn is_allowed(licence: &str, allowed: &[&str]) -> bool {
    let expression = Expression::parse_mode(licence, ParseMode::LAX);
    expression.is_ok_and(|expression| expression.evaluate(|one| allowed.contains(&one.to_string().as_str())))
}

fn list<'r>(rules: &'r toml::Table, table: &str, key: &str) -> Result<&'r Vec<toml::Value>> {
    let list = rules.get(table).and_then(|table| table.get(key)).and_then(toml::Value::as_array);
    list.with_context(|| format!("{RULES} has no list {table}.{key}"))
}

#[cfg(test)]
mod tests {
    use super::{is_allowed, judge};
    use crate::report::Report;
    use serde_json::{Value, json};

    const RULES: &str = r#"
        [licenses]
        allow = ["MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception"]
        [bans]
        deny = [{ crate = "native-tls", reason = "one TLS is enough" }]"#;

    fn said(packages: &Value) -> Vec<String> {
        let mut report = Report::default();
        judge(&RULES.parse().unwrap(), &json!({"packages": packages}), &mut report).unwrap();
        report.failures
    }

    #[test]
    fn licences_are_expressions() {
        let allowed = ["MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception"];
        for (licence, fits) in [
            ("MIT", true),
            ("MIT/Apache-2.0", true),
            ("MIT OR GPL-3.0-only", true),
            ("(MIT OR GPL-3.0-only) AND Apache-2.0", true),
            ("Apache-2.0 WITH LLVM-exception", true),
            ("MIT AND GPL-3.0-only", false),
            ("GPL-3.0-only", false),
            ("whatever you like", false),
            ("", false),
        ] {
            assert_eq!(is_allowed(licence, &allowed), fits, "{licence}");
        }
    }

    #[test]
    fn what_is_not_allowed_is_named() {
        let fine = json!({"name": "fine", "source": "registry+one", "license": "MIT", "dependencies": [{"name": "x", "req": "*"}]});
        let ours =
            json!({"name": "ours", "source": null, "dependencies": [{"name": "path", "req": "*", "path": "/x"}]});
        assert_eq!(said(&json!([fine, ours])), Vec::<String>::new());
        for (package, expected) in [
            (json!({"name": "a", "source": "git+https://a", "license": "MIT"}), "only the registry"),
            (json!({"name": "a", "source": "registry+two", "license": "MIT"}), "more than one registry"),
            (json!({"name": "a", "source": "registry+one", "license": "GPL-2.0-only"}), "GPL-2.0-only"),
            (json!({"name": "a", "source": "registry+one", "license": null}), "names no licence"),
            (json!({"name": "native-tls", "source": "registry+one", "license": "MIT"}), "one TLS is enough"),
            (
                json!({"name": "ours2", "source": null, "dependencies": [{"name": "x", "req": "*"}]}),
                "any version of `x`",
            ),
        ] {
            let said = said(&json!([fine, ours, package]));
            assert!(said.len() == 1 && said[0].contains(expected), "{expected}: {said:?}");
        }
    }
}
