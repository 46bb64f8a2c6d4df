//! The type `domain_map`: domains, their layout, a summary. Its sentences are the document's own words, English in every
//! language: programs compare them.
//!
//! The surprising decision: an empty `domains` counts as missing, because the document's example says so.

use super::validate_output::Findings;
use serde_json::{Map, Value};
use std::collections::HashSet;

const KNOWN: [&str; 3] = ["domains", "layout", "summary"];

pub(super) fn check(data: &Value) -> Findings {
    let mut findings = Findings::default();
    let Some(map) = data.as_object() else {
        findings.errors.push("Expected an object with 'domains', 'layout' and 'summary'".to_owned());
        return findings;
    };
    match map.get("domains").and_then(Value::as_array).filter(|domains| !domains.is_empty()) {
        None => findings.errors.push("Missing 'domains' array".to_owned()),
        Some(domains) => each_domain(domains, &mut findings),
    }
    for name in ["layout", "summary"] {
        if map.get(name).is_none_or(Value::is_null) {
            findings.warnings.push(format!("Missing '{name}' object"));
        } else if !map.get(name).is_some_and(|value| value.is_object()) {
            findings.warnings.push(format!("'{name}' is not an object"));
        }
    }
    unknown(map, &mut findings);
    findings
}

fn each_domain(domains: &[Value], findings: &mut Findings) {
    let mut seen = HashSet::new();
    for (index, domain) in domains.iter().enumerate() {
        let name = match domain {
            Value::Object(domain) => ["name", "id"].iter().find_map(|key| domain.get(*key)).and_then(Value::as_str),
            Value::String(name) => Some(name.as_str()),
            _ => {
                findings.warnings.push(format!("'domains[{index}]' is not an object"));
                continue;
            }
        };
        match name.map(str::trim).filter(|name| !name.is_empty()) {
            None => findings.warnings.push(format!("'domains[{index}]' has no 'name'")),
            Some(name) if !seen.insert(name) => {
                findings.warnings.push(format!("'domains[{index}]' repeats the name '{name}'"));
            }
            Some(_) => {}
        }
    }
}

fn unknown(map: &Map<String, Value>, findings: &mut Findings) {
    for name in map.keys().filter(|name| !KNOWN.contains(&name.as_str())) {
        findings.warnings.push(format!("Unknown field '{name}'"));
    }
}
