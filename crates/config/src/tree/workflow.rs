//! Features around a run: `memory`, `skills`, `ralph`, `parallel`, `health`, `indexer`, `telemetry`, `llm_cache`,
//! `checkpoints`, `auto_review`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::section::section;

section! {
    /// What the agent learns from corrections.
    MemorySettings {
        /// Whether corrections are remembered between runs.
        enabled: bool = false,
        /// Whether corrections are noticed in what people write.
        auto_detect_corrections: bool = true,
    }
}

section! {
    /// Notes for agents: `AGENTS.md` and similar files.
    NoteSettings {
        /// Whether project notes enter the prompt.
        enabled: bool = true,
    }
}

section! {
    /// Instruction packages.
    SkillSettings {
        /// Whether skills are searched for in the usual folders and listed in the prompt.
        auto_discover: bool = true,
        /// Whether the instructions of a skill enter the prompt if a file of the workspace matches its `globs`.
        inject_by_glob: bool = true,
    }
}

section! {
    /// The iterate-until-checks-pass loop.
    RalphSettings {
        /// Maximum number of iterations.
        #[schemars(range(min = 1, max = 100))]
        max_iterations: u32 = 25,
        /// Maximum US dollars.
        #[schemars(range(min = 0.0))]
        max_cost: Option<f64> = None,
        /// Maximum seconds.
        max_time: Option<u64> = None,
        /// The word by which the agent reports that it is done.
        completion_tag: String = "COMPLETE".to_owned(),
        /// The agent to use.
        agent: String = "build".to_owned(),
    }
}

section! {
    /// Several workers on one task.
    ParallelSettings {
        /// How many.
        #[schemars(range(min = 1, max = 10))]
        workers: u32 = 3,
        /// The agent to use.
        agent: String = "build".to_owned(),
        /// Maximum turns of each.
        #[schemars(range(min = 1, max = 1000))]
        max_steps: u32 = 50,
        /// Maximum US dollars of each.
        #[schemars(range(min = 0.0))]
        budget_per_worker: Option<f64> = None,
        /// Maximum seconds of each. Unset: 600.
        timeout_per_worker: Option<u64> = None,
    }
}

section! {
    /// Code health before and after.
    HealthSettings {
        /// Whether it is measured.
        enabled: bool = false,
        /// Globs of the files that count.
        include_patterns: Vec<String> = vec!["**/*.py".to_owned()],
        /// Folders that do not count.
        exclude_dirs: Vec<String> = Vec::new(),
    }
}

section! {
    /// The map of the repository in the prompt.
    IndexerSettings {
        /// Whether the prompt includes a map.
        enabled: bool = true,
        /// Maximum file size, in bytes; larger files are left out.
        max_file_size: u64 = 1_000_000,
        /// Folders that are left out.
        exclude_dirs: Vec<String> = Vec::new(),
        /// Globs of files that are left out.
        exclude_patterns: Vec<String> = Vec::new(),
        /// Whether the map is kept for five minutes.
        use_cache: bool = true,
    }
}

/// Where traces go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TelemetryExporter {
    /// To an OpenTelemetry collector at `telemetry.endpoint`, in a program that was built with the feature `otel`.
    Otlp,
    /// To stderr.
    Console,
    /// As JSON lines to `telemetry.trace_file`.
    JsonFile,
}

section! {
    /// Traces for an observability system.
    TelemetrySettings {
        /// Whether traces are made.
        enabled: bool = false,
        /// Where they go.
        exporter: TelemetryExporter = TelemetryExporter::Console,
        /// Address of the collector; spans are sent to `/v1/traces` below it. Unset: `http://localhost:4318`.
        endpoint: Option<String> = None,
        /// File for `json-file`.
        trace_file: Option<String> = None,
    }
}

section! {
    /// Answers of the model kept on disk.
    LlmCacheSettings {
        /// Whether answers are kept.
        enabled: bool = false,
        /// The folder. Unset: below the program's home.
        dir: Option<String> = None,
        /// Hours for which an answer is kept.
        #[schemars(range(min = 1, max = 8760))]
        ttl_hours: u32 = 24,
    }
}

section! {
    /// Restore points during a run.
    CheckpointSettings {
        /// Whether they are created.
        enabled: bool = false,
        /// Number of turns between two.
        #[schemars(range(min = 1, max = 50))]
        every_n_steps: u32 = 5,
    }
}

section! {
    /// A second look at finished changes.
    AutoReviewSettings {
        /// Whether changes are reviewed.
        enabled: bool = false,
        /// The model that reviews. Unset: the one that worked.
        review_model: Option<String> = None,
        /// Maximum rounds that fix the review's findings.
        #[schemars(range(max = 3))]
        max_fix_passes: u32 = 1,
    }
}
