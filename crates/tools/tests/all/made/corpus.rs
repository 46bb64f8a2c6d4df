//! The labelled corpus of made tools: every strict row exactly as labelled, of the others none outside what is accepted. Nothing runs here.
//! What a script does at run time its engine's tests hold.

use palanca_core::Message;
use palanca_dynamic::{Manifest, Parameters, Template, analyse};
use palanca_testkit::corpus;
use serde_json::{Value, json};

/// What becomes of a row before anything runs: refused, or the text that would be judged and run.
fn before_the_run(row: &Value) -> Result<Option<String>, Message> {
    let kind = row["kind"].as_str().unwrap();
    let source = row["input"].as_str().unwrap();
    let name = row["meta"]["name"].as_str().or_else(|| row["name"].as_str()).unwrap_or("made_tool");
    let mut meta = json!({
        "id": name, "name": name, "description": "A tool.", "type": kind, "status": "pending", "createdBy": "default",
        "scope": "all", "createdAt": "", "updatedAt": "", "parameters": row["params"],
    });
    if row["params"].is_null() {
        meta["parameters"] = json!({});
    }
    for key in ["description", "parameters"] {
        if let Some(value) = row["meta"].get(key) {
            meta[key] = value.clone();
        }
    }
    Parameters::read(&meta["parameters"])?;
    let manifest = Manifest::parse(name, &meta.to_string())?;
    if let Some(refused) = analyse(&manifest, source).refused {
        return Err(refused);
    }
    if kind != "command" {
        return Ok(None);
    }
    let arguments = row["args"].as_object().cloned().unwrap_or_default();
    Template::read(source, &manifest.parameters)?.render(&arguments).map(Some)
}

#[test]
fn commands_are_as_labelled() {
    for row in corpus("dyntools").iter().filter(|row| row["kind"] == "command") {
        let told = before_the_run(row);
        let expected = row["expect"].as_str().unwrap();
        let also = row["also_ok"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let mut fitting = also.chain([expected]);
        match &told {
            // What runs is judged then, and kept in by the sandbox.
            Ok(_) => assert!(fitting.any(|label| label != "reject-static"), "{row}"),
            Err(why) => assert!(fitting.any(|label| label == "reject-static"), "{row}: {why:?}"),
        }
        if let (Ok(Some(text)), Some(argv)) = (&told, row["argv"].as_array()) {
            let argv: Vec<&str> = argv.iter().filter_map(Value::as_str).collect();
            assert_eq!(words(text), argv, "{row}");
        }
    }
}

fn words(text: &str) -> Vec<String> {
    let place = palanca_shell::Surroundings {
        workspace: "/w".into(),
        directory: "/w".into(),
        home: None,
        environment: Vec::new(),
        secrets: palanca_shell::SecretNames::none(),
    };
    let judged = palanca_shell::judge(text, &place);
    let command = judged.parts.iter().find_map(|part| part.command.as_ref()).unwrap();
    command.words.iter().map(|word| word.literal().unwrap().to_owned()).collect()
}

#[test]
fn scripts_that_are_good_are_not_refused_and_strict_ones_are() {
    for row in corpus("dyntools").iter().filter(|row| row["kind"] == "typescript") {
        let strict = row["strict"].as_bool().unwrap();
        match row["expect"].as_str().unwrap() {
            "ok" => assert!(before_the_run(row).is_ok(), "{row}: {:?}", before_the_run(row)),
            // Approval rows are about what happens on disk.
            "reject-static" if strict && row["cat"] != "ts-approval" => assert!(before_the_run(row).is_err(), "{row}"),
            _ => {}
        }
    }
}
