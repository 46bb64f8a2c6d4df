//! What tests share: temporary workspaces behind the real file door, a gate with fakes around it, a clock that only
//! tests move. It panics with the reason if a test's setup fails, and only tests depend on it.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::missing_panics_doc,
    reason = "a test that cannot set itself up should stop there"
)]

pub mod acts;
pub mod artifacts;
pub mod clock;
pub mod corpora;
pub mod embeddings;
pub mod fakes;
pub mod faults;
pub mod foreign;
pub mod gate;
pub mod github;
pub mod machine;
pub mod now;
pub mod processes;
pub mod questions;
pub mod registries;
mod scripted_server;
pub mod sessions;
pub mod subagents;
mod telegram;
pub mod waiting;
pub mod web;
pub mod workspace;

pub use acts::{ActTool, FakeActs};
pub use artifacts::{MemoryArtifacts, artifacts_conform, small_artifacts_conform};
pub use clock::FakeClock;
pub use corpora::corpus;
pub use embeddings::EmbeddingServer;
pub use fakes::{Answers, Deny, FakeChannels, ReadsAs, Recorded, Said, TestHook};
pub use faults::Faults;
pub use foreign::ForeignPage;
pub use gate::{TestGate, TestGateBuilder};
pub use github::{FakeRepository, GitHubServer, Instead, Thing};
pub use machine::{again, alone, compiled, executable, nested, skipped, unreached};
pub use now::{Now, now};
pub use processes::{FakeProcesses, FarEnd};
pub use questions::{KeptQuestions, expired_questions_conform, questions_conform};
pub use registries::{npm_installed, pip_installed};
pub use scripted_server::{Manner, Received, ScriptedServer, Tools, Turn};
pub use sessions::{MemorySessions, sessions_conform};
pub use subagents::FakeSubagents;
pub use telegram::FakeTelegram;
pub use waiting::{PATIENCE, spent, until};
pub use web::FakeWeb;
pub use workspace::{TempWorkspace, in_memory};
