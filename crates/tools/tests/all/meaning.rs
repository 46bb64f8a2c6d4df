//! `memory_search` with a model that makes vectors: what it finds beyond words, what is sent, and what a model that fails costs.

use crate::recall::finding;
use crate::support::done;
use futures_util::future::BoxFuture;
use palanca_core::Message;
use palanca_core::ports::{Clock, Embedder, NoVectors};
use palanca_testkit::embeddings::meaning;
use palanca_testkit::{FakeClock, TempWorkspace, TestGate};
use parking_lot::Mutex;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// What the model does with some texts.
type Answers = fn(&[&str]) -> Result<Vec<Vec<f32>>, NoVectors>;

struct Model {
    name: &'static str,
    answers: Answers,
    sent: Arc<Mutex<Vec<String>>>,
    /// Advances with every request.
    clock: Arc<FakeClock>,
}

fn vectors(texts: &[&str]) -> Result<Vec<Vec<f32>>, NoVectors> {
    Ok(texts.iter().map(|text| meaning(text)).collect())
}

impl Embedder for Model {
    fn name(&self) -> &str {
        self.name
    }

    fn embed<'a>(&'a self, texts: &'a [&'a str]) -> BoxFuture<'a, Result<Vec<Vec<f32>>, NoVectors>> {
        self.sent.lock().extend(texts.iter().map(|text| (*text).to_owned()));
        self.clock.advance(Duration::from_secs(3));
        Box::pin(std::future::ready((self.answers)(texts)))
    }
}

struct Bench {
    workspace: TempWorkspace,
    state: tempfile::TempDir,
    sent: Arc<Mutex<Vec<String>>>,
}

impl Bench {
    fn new() -> Self {
        Self { workspace: TempWorkspace::new(), state: tempfile::tempdir().unwrap(), sent: Arc::default() }
    }

    fn note(&self, path: &str, text: &str) {
        self.workspace.write(&format!("config/soul/ana/{path}"), text);
    }

    fn gate(&self, bot: &str, name: &'static str, answers: Answers) -> TestGate {
        let clock = Arc::new(FakeClock::default());
        let model = Model { name, answers, sent: Arc::clone(&self.sent), clock: Arc::clone(&clock) };
        finding(&self.workspace, self.state.path(), &format!("config/soul/{bot}"), |gate| {
            gate.door::<dyn Embedder>(Arc::new(model)).clock(clock as Arc<dyn Clock>)
        })
    }

    /// What is said, and path and way of each hit.
    async fn asked(&self, name: &'static str, answers: Answers, arguments: Value) -> (String, Vec<String>) {
        let result = done(&self.gate("ana", name, answers), "memory_search", arguments).await;
        let data = result.data.unwrap();
        let hits = data["results"].as_array().unwrap().iter();
        let hits = hits.map(|hit| format!("{} {}", hit["path"].as_str().unwrap(), hit["via"].as_str().unwrap()));
        (result.output, hits.collect())
    }

    async fn hits(&self, query: &str) -> Vec<String> {
        self.asked("m", vectors, json!({"query": query})).await.1
    }

    fn sent(&self) -> Vec<String> {
        std::mem::take(&mut self.sent.lock())
    }
}

fn notes() -> Bench {
    let bench = Bench::new();
    bench.note("memory/legacy.md", "# Garage\nThe automobile is red.\n# Health\nHer physician is called Gómez.\n");
    bench.note("memory/2026-11-27.md", "- [09:10] Ana likes tea\n");
    bench
}

#[tokio::test]
async fn what_means_the_same_is_found_and_both_ways_are_one_order() {
    let bench = notes();
    assert_eq!(bench.hits("coche").await, ["memory/legacy.md vector"]);
    let (text, hits) = bench.asked("m", vectors, json!({"query": "the doctor called Gómez"})).await;
    assert_eq!(hits[0], "memory/legacy.md both", "{hits:?}");
    assert!(
        text.starts_with("[1] memory/legacy.md (memory, lines 3-4, score: ") && text.contains(", via: both)"),
        "{text}"
    );
    assert_eq!(bench.hits("tea").await[0], "memory/2026-11-27.md both");
    assert!(bench.asked("m", vectors, json!({"query": "coche", "minScore": 1})).await.1.is_empty());
}

#[tokio::test]
async fn nothing_is_sent_twice_unless_another_model_wants_it() {
    let bench = notes();
    bench.hits("coche").await;
    assert_eq!(bench.sent().len(), 4, "a question and three passages");
    bench.hits("coche").await;
    assert_eq!(bench.sent(), ["coche"]);
    bench.note(
        "memory/legacy.md",
        "# Cellar\nwine\n# Garage\nThe automobile is red.\n# Health\nHer physician is called Gómez.\n",
    );
    bench.note("memory/2026-11-28.md", "# Garage\nThe automobile is red.\n");
    assert_eq!(bench.hits("coche").await.len(), 2);
    assert_eq!(bench.sent(), ["coche", "# Cellar\nwine"], "what only moved, or stands twice, is known");
    bench.note("memory/legacy.md", "nothing\n");
    assert_eq!(bench.hits("coche").await, ["memory/2026-11-28.md vector"]);
    bench.sent();
    assert_eq!(bench.asked("other", vectors, json!({"query": "coche"})).await.1, ["memory/2026-11-28.md vector"]);
    assert_eq!(bench.sent().len(), 4, "everything anew");
    let shorter: Answers = |texts| Ok(texts.iter().map(|text| meaning(text)[..32].to_vec()).collect());
    bench.asked("other", shorter, json!({"query": "coche"})).await;
    assert_eq!(bench.sent().len(), 4, "other dimensions are another model");
    std::fs::remove_dir_all(bench.state.path().join("memory")).unwrap();
    assert_eq!(bench.hits("coche").await, ["memory/2026-11-28.md vector"], "an index can be deleted");
}

#[tokio::test]
async fn a_model_that_fails_leaves_the_words() {
    let away: Answers = |_| Err(NoVectors::Failed(Message::new("it-is-away")));
    let rests: Answers = |_| Err(NoVectors::Resting);
    let mixed: Answers =
        |texts| Ok(texts.iter().map(|text| vec![1.0; if texts.len() > 1 { text.len() } else { 9 }]).collect());
    let nothing: Answers = |texts| Ok(texts.iter().map(|_| vec![0.0; 8]).collect());
    let infinite: Answers = |texts| Ok(texts.iter().map(|_| vec![f32::INFINITY; 8]).collect());
    for (answers, words) in [
        (away, "Only words were searched, not meaning: "),
        (rests, ""),
        (mixed, "vectors of different dimensions: 9 for the question"),
        (nothing, ""),
        (infinite, ""),
    ] {
        let bench = notes();
        let (text, hits) = bench.asked("m", answers, json!({"query": "physicians"})).await;
        assert_eq!(hits, ["memory/legacy.md keyword"], "{text}");
        let rest = text.rsplit('\n').next().unwrap();
        assert!(
            if words.is_empty() { rest == "Her physician is called Gómez." } else { rest.contains(words) },
            "{text}"
        );
    }
}

#[tokio::test]
async fn what_is_refused_alone_is_sent_once_and_hinders_nothing() {
    let bench = notes();
    let refuses: Answers = |texts| {
        let is_refused = texts.iter().any(|text| text.contains("tea"));
        if is_refused { Err(NoVectors::Refused(Message::new("no-tea"))) } else { vectors(texts) }
    };
    let (text, hits) = bench.asked("m", refuses, json!({"query": "coche"})).await;
    assert!(hits == ["memory/legacy.md vector"] && !text.contains("Not"), "{text}");
    bench.sent();
    bench.asked("m", refuses, json!({"query": "coche"})).await;
    assert_eq!(bench.sent(), ["coche"]);
}

#[tokio::test]
async fn a_first_search_ends_in_time_and_the_next_goes_on() {
    let bench = Bench::new();
    for day in 0..100 {
        bench.note(&format!("memory/{day}.md"), &format!("note {day} about the automobile\n"));
    }
    let (text, _) = bench.asked("m", vectors, json!({"query": "coche"})).await;
    assert!(text.ends_with("passages: 36. Each search makes more of them."), "{text}");
    let (text, _) = bench.asked("m", vectors, json!({"query": "coche"})).await;
    assert!(!text.contains("passages:"), "{text}");
    assert_eq!(bench.sent().len(), 102);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn a_bots_vectors_answer_nobody_else(ids in proptest::collection::btree_set("[ab][ab_%-]{0,3}", 2..6)) {
        let bench = Bench::new();
        for id in &ids {
            bench.workspace.write(&format!("config/soul/{id}/memory/legacy.md"), format!("The automobile of <{id}>\n"));
        }
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        runtime.block_on(async {
            for _ in 0..2 {
                for id in &ids {
                    let arguments = json!({"query": "coche", "maxResults": 100, "minScore": 0});
                    let said = done(&bench.gate(id, "m", vectors), "memory_search", arguments).await.output;
                    let told: BTreeSet<&String> = ids.iter().filter(|id| said.contains(&format!("<{id}>"))).collect();
                    assert!(told == BTreeSet::from([id]) && said.contains("via: vector"), "{said}");
                }
            }
        });
    }
}
