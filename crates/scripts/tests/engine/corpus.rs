//! The rows of the corpus that concern the engine: no source may do more than its label says.

use crate::bench::Bench;
use palanca_scripts::{Permissions, ScriptError};
use serde_json::Value;
use std::time::Duration;

pub(crate) fn every_row_is_contained() {
    let bench = Bench::new();
    let mut tried = 0;
    for row in palanca_testkit::corpus("dyntools") {
        let category = row["cat"].as_str().unwrap();
        if row["kind"] != "typescript" || ["ts-meta", "ts-approval"].contains(&category) {
            continue;
        }
        tried += 1;
        let (id, source) = (row["id"].as_str().unwrap(), row["input"].as_str().unwrap());
        let ran = bench.run_as((source, &row["args"]), (&Permissions::default(), &()), Duration::from_secs(3));
        assert!(!matches!(ran, Err(ScriptError::Broken(_) | ScriptError::Process(_))), "{id}: {ran:?}");
        let shown = format!("{ran:?}");
        assert!(!["root:", "uid=", "CANARY"].iter().any(|seen| shown.contains(seen)), "{id}: {shown}");
        match row["expect"].as_str().unwrap() {
            "ok" => {
                let outcome = ran.unwrap_or_else(|error| panic!("{id}: {error}"));
                match row.get("result") {
                    Some(Value::String(text)) => assert_eq!(outcome.content, *text, "{id}"),
                    Some(result) => {
                        assert_eq!(serde_json::from_str::<Value>(&outcome.content).unwrap(), *result, "{id}")
                    }
                    None => assert!(outcome.success, "{id}"),
                }
            }
            "reject-static" if row["strict"] == true => {
                assert!(matches!(ran, Err(ScriptError::Syntax(_) | ScriptError::TooLong(_))), "{id}: {ran:?}");
            }
            _ => {}
        }
    }
    assert!(tried > 60, "{tried}");
}
