//! What a search in memory costs, beside plain FTS5 over the same passages: `cargo bench -p palanca-store -- searching`.

use crate::row;
use futures_util::future::BoxFuture;
use palanca_core::ConfirmMode;
use palanca_core::ports::{Embedder, MemoryIndexes, NoVectors};
use palanca_store::MemoryFiles;
use palanca_testkit::{TempWorkspace, TestGate};
use palanca_tools::{ToolOptions, ToolsetName, registry};
use rusqlite::Connection;
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

const NOTES: usize = 20_000;
/// Notes of one log.
const A_DAY: usize = 20;
const QUESTIONS: usize = 100;
/// Numbers of a vector.
const DIMENSIONS: usize = 384;

/// Numbers that look random.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below
    }

    /// Of 5,000, few of them often.
    fn word(&mut self) -> String {
        let rank = self.roll(5_000) * self.roll(5_000) / 5_000;
        let syllable = |at: usize| ["ba", "ne", "li", "to", "ru", "sa", "me", "ki", "do", "vu"][at % 10];
        [rank, rank / 10, rank / 100, rank / 1_000].map(syllable).concat()
    }

    fn words(&mut self, count: usize) -> String {
        (0..count).map(|_| self.word()).collect::<Vec<_>>().join(" ")
    }
}

/// A model that takes no time.
struct Model;

impl Embedder for Model {
    fn name(&self) -> &str {
        "model"
    }

    fn embed<'a>(&'a self, texts: &'a [&'a str]) -> BoxFuture<'a, Result<Vec<Vec<f32>>, NoVectors>> {
        let vector = |text: &&str| {
            let mut dice = Dice(text.bytes().fold(7, |sum, byte| sum * 31 + u64::from(byte)));
            (0..DIMENSIONS).map(|_| dice.roll(2_000) as f32 / 1_000.0 - 1.0).collect()
        };
        Box::pin(std::future::ready(Ok(texts.iter().map(vector).collect())))
    }
}

fn gate(workspace: &TempWorkspace, state: &Path, bot: usize, model: Option<Model>) -> TestGate {
    let mut options = ToolOptions::default();
    options.soul.dir = format!("config/soul/{bot}");
    let indexes: Arc<dyn MemoryIndexes> = Arc::new(MemoryFiles::new(state, &workspace.root()));
    TestGate::builder(workspace, registry(ToolsetName::Bots, &options).unwrap())
        .mode(ConfirmMode::Yolo)
        .with(|gate| {
            let gate = gate.door(indexes);
            model.into_iter().fold(gate, |gate, model| gate.door::<dyn Embedder>(Arc::new(model)))
        })
        .build()
}

/// Searches, and how long each takes.
async fn searches(gates: &[TestGate], dice: &mut Dice) -> Vec<Duration> {
    let mut times = Vec::new();
    for question in 0..QUESTIONS {
        let asked = json!({"query": dice.words(4)});
        let begun = Instant::now();
        let result = gates[question % gates.len()].call("memory_search", asked).await;
        times.push(begun.elapsed());
        assert!(result.success, "{}", result.output);
    }
    times
}

/// The same in a table without anything of ours.
fn plain(notes: &[String], folder: &Path, dice: &mut Dice) -> (Duration, Vec<Duration>) {
    let mut base = Connection::open(folder.join("plain.db")).unwrap();
    base.execute_batch("PRAGMA journal_mode = WAL; CREATE VIRTUAL TABLE note USING fts5(text);").unwrap();
    let begun = Instant::now();
    let filling = base.transaction().unwrap();
    for note in notes {
        filling.execute("INSERT INTO note (text) VALUES (?1)", [note]).unwrap();
    }
    filling.commit().unwrap();
    let filled = begun.elapsed();
    let mut times = Vec::new();
    for _ in 0..QUESTIONS {
        let words = dice.words(4).replace(' ', " OR ");
        let begun = Instant::now();
        let mut found = base.prepare("SELECT text FROM note WHERE note MATCH ?1 ORDER BY rank LIMIT 5").unwrap();
        let found: Vec<String> = found.query_map([words], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        times.push(begun.elapsed());
        assert!(found.len() <= 5);
    }
    (filled, times)
}

pub fn bench(folder: &Path) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    for (what, bots) in [("20 bots", 20), ("one bot", 1)] {
        let (workspace, mut dice, mut notes) = (TempWorkspace::new(), Dice(1), Vec::new());
        let state = folder.join(format!("memory-{bots}"));
        for log in 0..NOTES / A_DAY {
            let day: Vec<String> = (0..A_DAY).map(|_| dice.words(25)).collect();
            let text: String = day.iter().map(|note| format!("## Note\n{note}\n")).collect();
            workspace.write(&format!("config/soul/{}/memory/log-{log}.md", log % bots), text);
            notes.extend(day);
        }
        // What was written within two seconds is read again by each search.
        std::thread::sleep(Duration::from_millis(2_500));
        runtime.block_on(async {
            let gates: Vec<_> = (0..bots).map(|bot| gate(&workspace, &state, bot, None)).collect();
            let begun = Instant::now();
            for gate in &gates {
                assert!(gate.call("memory_search", json!({"query": "begin"})).await.success);
            }
            let filled = begun.elapsed();
            row(&format!("search in {NOTES} notes of {what}"), &mut searches(&gates, &mut dice).await);
            let (plainly, mut times) = plain(&notes, &tempfile::tempdir().unwrap().keep(), &mut dice);
            row("  plain FTS5, all notes, held open", &mut times);
            let rate = |time: Duration| NOTES as f64 / time.as_secs_f64();
            println!("  taken up: {:.0} notes/s, by plain FTS5 {:.0}", rate(filled), rate(plainly));
            let gates: Vec<_> = (0..bots).map(|bot| gate(&workspace, &state, bot, Some(Model))).collect();
            for gate in &gates {
                let again = || gate.call("memory_search", json!({"query": "begin"}));
                while again().await.output.contains("Each search makes more") {}
            }
            row("  with vectors, without the model's time", &mut searches(&gates, &mut dice).await);
        });
    }
}
