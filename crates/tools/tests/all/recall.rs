//! `memory_search`: what a bot finds again, and what it never finds.

use crate::support::{builder, done, failed, options};
use palanca_core::gate::GateBuilder;
use palanca_core::ports::MemoryIndexes;
use palanca_store::MemoryFiles;
use palanca_testkit::{FakeClock, TempWorkspace, TestGate};
use palanca_tools::ToolsetName;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A bot of this folder, with its index in this state directory.
fn bot(workspace: &TempWorkspace, state: &Path, dir: &str) -> TestGate {
    finding(workspace, state, dir, |gate| gate)
}

/// The same with more.
pub(crate) fn finding(
    workspace: &TempWorkspace,
    state: &Path,
    dir: &str,
    more: impl FnOnce(GateBuilder) -> GateBuilder,
) -> TestGate {
    let mut options = options();
    dir.clone_into(&mut options.soul.dir);
    let files = MemoryFiles::new(state, &workspace.root());
    // 28 November 2026.
    let clock = FakeClock::default();
    clock.advance(Duration::from_secs(795_854_005));
    builder(workspace, ToolsetName::Bots, &options)
        .with(|gate| more(gate.door::<dyn MemoryIndexes>(Arc::new(files)).clock(Arc::new(clock))))
        .build()
}

const OWN: &str = "config/soul/default";

struct Bench {
    workspace: TempWorkspace,
    state: tempfile::TempDir,
}

impl Bench {
    fn new(notes: &[(&str, &str)]) -> Self {
        let bench = Self { workspace: TempWorkspace::new(), state: tempfile::tempdir().unwrap() };
        for (path, text) in notes {
            bench.workspace.write(&format!("{OWN}/{path}"), text);
        }
        bench
    }

    async fn results(&self, question: &str) -> Vec<String> {
        self.asked(json!({"query": question})).await.1
    }

    /// What is said, and the paths of what is found.
    async fn asked(&self, arguments: Value) -> (String, Vec<String>) {
        let gate = bot(&self.workspace, self.state.path(), OWN);
        let result = done(&gate, "memory_search", arguments).await;
        let data = result.data.unwrap();
        let paths = data["results"].as_array().unwrap().iter().map(|hit| hit["path"].as_str().unwrap().to_owned());
        (result.output, paths.collect())
    }

    fn changed_long_ago(&self, path: &str, days: u32) {
        let file = std::fs::File::options().write(true).open(self.workspace.root().join(OWN).join(path)).unwrap();
        let day = Duration::from_secs(24 * 3600);
        file.set_modified(std::time::UNIX_EPOCH + day * 20_000 - day * days).unwrap();
    }

    fn indexes(&self) -> Vec<PathBuf> {
        let folder = std::fs::read_dir(self.state.path().join("memory")).unwrap();
        let names = folder.map(|entry| entry.unwrap().path());
        names.filter(|path| path.extension().is_some_and(|kind| kind == "db")).collect()
    }
}

fn notes() -> Bench {
    Bench::new(&[
        ("MEMORY.md", "# People\nAna's mother lives in Bilbao.\n\n# Food\nElla es alérgica a las nueces.\n"),
        ("memory/legacy.md", "The old server was called Hydra.\n"),
        ("memory/2026-11-27.md", "- [09:10] Ana booked two flights to Lisbon\n- [18:00] prefers window seats\n"),
        ("memory/2026-01-05.md", "- [10:00] Reservó vuelos a Lisboa para la reunión\n"),
        ("memory/202610/20261001.md", "- [10:00] las canciones de Mikel Laboa\n"),
        ("SOUL.md", "Bilbao Lisbon nueces\n"),
        ("memory/notes.txt", "Bilbao Lisbon nueces\n"),
    ])
}

#[tokio::test]
async fn a_question_finds_its_note_in_any_form_of_its_words() {
    let bench = notes();
    for (question, first) in [
        ("where does the mother of Ana live?", "MEMORY.md"),
        ("¿a qué es alergica? nuez nueces", "MEMORY.md"),
        ("alérgico", "MEMORY.md"),
        ("flight to Lisbon", "memory/2026-11-27.md"),
        ("¿qué vuelo reservó a Lisboa?", "memory/2026-01-05.md"),
        ("reuniones", "memory/2026-01-05.md"),
        ("cancion", "memory/202610/20261001.md"),
        ("HYDRA servers", "memory/legacy.md"),
        ("hydr", "memory/legacy.md"),
    ] {
        let found = bench.results(question).await;
        assert_eq!(found.first().map(String::as_str), Some(first), "{question}: {found:?}");
    }
    let (none, paths) = bench.asked(json!({"query": "quantum chromodynamics"})).await;
    assert_eq!((none.as_str(), paths.len()), ("No relevant memories found.", 0));
}

#[tokio::test]
async fn a_word_that_only_longer_ones_begin_with_is_no_rarer_than_they_are() {
    let bench = Bench::new(&[]);
    for day in 0..20 {
        let note = if day < 3 { "keep the receipt" } else { "thoughts of a day" };
        bench.workspace.write(&format!("{OWN}/memory/{day}.md"), format!("{note}\n"));
    }
    let found = bench.results("thou keep").await;
    assert!(["0", "1", "2"].iter().all(|day| found[..3].contains(&format!("memory/{day}.md"))), "{found:?}");
}

#[tokio::test]
async fn a_result_is_written_as_documented() {
    let bench = notes();
    let (text, _) = bench.asked(json!({"query": "Bilbao Lisbon", "maxResults": 2, "minScore": 0})).await;
    let (first, second) = text.split_once("\n\n---\n\n").unwrap();
    let (heading, content) = first.split_once('\n').unwrap();
    let (named, score) = heading.split_once("score: ").unwrap();
    assert_eq!((named, content), ("[1] MEMORY.md (memory, lines 1-3, ", "# People\nAna's mother lives in Bilbao."));
    let (score, via) = score.split_once(", ").unwrap();
    assert!(via == "via: keyword)" && (0.1..=1.0).contains(&score.parse::<f64>().unwrap()), "{heading}");
    assert!(second.starts_with("[2] memory/2026-11-27.md (memory, lines 1-2, "), "{second}");
    assert_eq!(bench.asked(json!({"query": "Bilbao Lisbon", "maxResults": 1})).await.1.len(), 1);
    assert!(bench.asked(json!({"query": "Bilbao Lisbon", "minScore": 0.99})).await.1.is_empty());
    let gate = bot(&bench.workspace, bench.state.path(), OWN);
    for (query, words) in
        [("x ".repeat(500_000), "too long (the limit in characters: 1000)"), ("¿?".to_owned(), "no word")]
    {
        let (code, said) = failed(&gate, "memory_search", json!({"query": query})).await;
        assert!(code == "invalid_arguments" && said.contains(words) && said.len() < 500, "{}", said.len());
    }
}

#[tokio::test]
async fn what_people_change_is_found_at_once() {
    let bench = notes();
    bench.changed_long_ago("memory/2026-11-27.md", 2);
    assert_eq!(bench.results("window seats").await, ["memory/2026-11-27.md"]);
    assert_eq!(bench.results("Burgos").await, [""; 0]);
    for (path, text) in [("memory/2026-11-27.md", "Ana is in Burgos.\n"), ("memory/2026-11-28.md", "Burgos\n")] {
        bench.workspace.write(&format!("{OWN}/{path}"), text);
    }
    bench.changed_long_ago("memory/2026-11-27.md", 1);
    let mut found = bench.results("Burgos").await;
    found.sort();
    assert_eq!(found, ["memory/2026-11-27.md", "memory/2026-11-28.md"]);
    assert!(bench.results("window seats").await.is_empty(), "what was there before is not");
    std::fs::remove_file(bench.workspace.root().join(OWN).join("memory/2026-11-28.md")).unwrap();
    assert_eq!(bench.results("Burgos").await, ["memory/2026-11-27.md"]);
    std::fs::remove_dir_all(bench.workspace.root().join(OWN).join("memory")).unwrap();
    assert!(bench.results("Burgos").await.is_empty() && bench.results("Bilbao").await == ["MEMORY.md"]);
    std::fs::remove_dir_all(bench.state.path().join("memory")).unwrap();
    assert_eq!(bench.results("Bilbao").await, ["MEMORY.md"], "an index can be deleted");
}

#[tokio::test]
async fn what_cannot_be_read_is_named_and_the_rest_is_found() {
    let bench = notes();
    bench.workspace.write(&format!("{OWN}/memory/binary.md"), [b'B', 0, 1, 2]);
    bench.workspace.write("outside.md", "Bilbao, outside\n");
    bench.workspace.link("../../../../outside.md", &format!("{OWN}/memory/link.md"));
    let (text, found) = bench.asked(json!({"query": "Bilbao"})).await;
    assert!(found == ["MEMORY.md"] && text.ends_with("closed: memory/binary.md"), "{text}");
    std::fs::remove_file(bench.workspace.root().join(OWN).join("MEMORY.md")).unwrap();
    bench.workspace.link("../../../outside.md", &format!("{OWN}/MEMORY.md"));
    assert!(bench.results("Bilbao").await.is_empty(), "through a link nothing is read");
}

#[tokio::test]
async fn a_damaged_index_is_put_aside_and_made_again() {
    for damage in [&b"this is no database, however long it may be, and it is long enough to be read"[..], &[0xff; 8192]]
    {
        let bench = notes();
        bench.results("Bilbao").await;
        let [index] = &bench.indexes()[..] else { panic!("one index") };
        let mut content = std::fs::read(index).unwrap();
        // A file that begins well and goes on badly is noticed only when it is searched.
        let keep = if damage.len() > 100 { 4096.min(content.len()) } else { 0 };
        content.truncate(keep);
        content.extend(damage.repeat(8));
        std::fs::write(index, content).unwrap();
        let _ = std::fs::remove_file(format!("{}-wal", index.display()));
        let (text, found) = bench.asked(json!({"query": "Bilbao"})).await;
        assert!(found == ["MEMORY.md"] && text.contains("index of this memory was damaged"), "{text}");
        let (_, named) = text.rsplit_once("It is now ").unwrap();
        assert!(Path::new(named.split_once(", and").unwrap().0).exists(), "{text}");
        assert_eq!(bench.asked(json!({"query": "Bilbao"})).await.0.matches("damaged").count(), 0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn a_bot_finds_nothing_of_another(ids in proptest::collection::btree_set("[ab][ab_%-]{0,3}", 2..6)) {
        let (workspace, state) = (TempWorkspace::new(), tempfile::tempdir().unwrap());
        for id in &ids {
            workspace.write(&format!("config/soul/{id}/memory/legacy.md"), format!("Bilbao is told to <{id}>\n"));
        }
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        runtime.block_on(async {
            for _ in 0..2 {
                for id in &ids {
                    let gate = bot(&workspace, state.path(), &format!("config/soul/{id}"));
                    let arguments = json!({"query": format!("Bilbao {id} a b % _"), "maxResults": 100, "minScore": 0});
                    let said = done(&gate, "memory_search", arguments).await.output;
                    let told: BTreeSet<&String> = ids.iter().filter(|id| said.contains(&format!("<{id}>"))).collect();
                    assert_eq!(told, BTreeSet::from([id]), "{said}");
                }
            }
        });
    }
}
