//! The shared rows where they are, and rows of our own of the same kinds.
#![allow(clippy::disallowed_methods)]

use super::*;
use serde_json::Value;

const OWN: &str = include_str!("rows.jsonl");

fn expand(input: &str) -> String {
    let wrap = |text: &str| ExternalMarker::new(|| u128::MAX / 7).mark(text, "s");
    let mut input = input.to_owned();
    while let Some(at) = input.rfind("$WRAP(") {
        let Some(end) = input[at..].find(')') else { break };
        input = format!("{}{}{}", &input[..at], wrap(&input[at + 6..at + end]), &input[at + end + 1..]);
    }
    input
}

/// Whether every invariant of a row that a text alone can hold is held; why not otherwise.
fn held(row: &Value) -> Result<(), String> {
    let input = expand(row["input"].as_str().unwrap());
    let marked = marker().mark(&input, row["via"].as_str().unwrap_or("test"));
    let inside = body(&marked);
    let letters = |text: &str| text.chars().filter(|character| character.is_alphanumeric()).collect::<String>();
    for must in row["must_hold"].as_array().unwrap() {
        let held = match must.as_str().unwrap() {
            "text_kept" => {
                input.lines().filter(|line| !imitates_mark(line)).all(|line| inside.contains(&letters_seen(line)))
            }
            "meaning_kept" => letters(inside).replace("quoted", "") == letters(&input),
            "special_tokens_neutralised" => [
                "<|",
                "|>",
                "[INST]",
                "[/INST]",
                "\n\nHuman:",
                "\n\nAssistant:",
                "<start_of_turn>",
                "<function_calls>",
                "<invoke",
                "</function_results>",
                "</tool_output>",
                "</observation>",
                "\"role\":\"system\"",
                "<reserved_special_token",
                "<system-reminder>",
                "<context>",
                "]]>",
                "<![CDATA[",
                "</untrusted>",
                "</external>",
            ]
            .iter()
            .all(|token| !inside.contains(token)),
            _ => true,
        };
        if !held {
            return Err(format!("{}: {must}: {inside:?}", row["id"]));
        }
    }
    Ok(())
}

fn letters_seen(line: &str) -> String {
    visible::only_visible(line).into_owned()
}

fn all_held(rows: &str) -> (usize, Vec<String>) {
    let rows: Vec<Value> = rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let failed = rows.iter().filter_map(|row| held(row).err()).collect();
    (rows.len(), failed)
}

#[test]
fn own_rows() {
    assert_eq!(all_held(OWN).1, Vec::<String>::new());
}

#[test]
fn shared_rows() {
    let rows: String = palanca_testkit::corpus("injection").iter().map(|row| format!("{row}\n")).collect();
    let (all, failed) = all_held(&rows);
    println!("{} of {all} rows of injection.jsonl held", all - failed.len());
    assert_eq!(failed, Vec::<String>::new());
}
