//! The rows of the corpus that concern the engine: no source may do more than its label says.

use crate::bench::each;
use palanca_scripts::{Permissions, ScriptError};
use serde_json::Value;
use std::time::Duration;

pub(crate) fn every_row_is_contained() {
    let is_meant = |row: &Value| {
        row["kind"] == "typescript" && !["ts-meta", "ts-approval"].contains(&row["cat"].as_str().unwrap())
    };
    let rows: Vec<Value> = palanca_testkit::corpus("dyntools").into_iter().filter(is_meant).collect();
    each(&rows, |bench, row| {
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
    });
    assert!(rows.len() > 60, "{}", rows.len());
}
