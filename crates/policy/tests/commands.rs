#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)]
//! Shell texts and their classes: own rows, the labelled corpora, and properties of all texts. Nothing is executed: texts are only judged.

#[path = "commands/corpora.rs"]
mod corpora;
#[path = "commands/environment.rs"]
mod environment;
#[path = "commands/own.rs"]
mod own;
#[path = "commands/properties.rs"]
mod properties;

use palanca_policy::commands::{Rules, judge};
use palanca_shell::{Class, Judgement, Surroundings};

fn surroundings() -> Surroundings {
    Surroundings {
        workspace: "/home/user/project".into(),
        directory: "/home/user/project".into(),
        home: Some("/home/user".into()),
        environment: Vec::new(),
        secrets: palanca_policy::commands::secret_names(),
    }
}

fn judged(text: &str) -> Judgement {
    judge(text, &surroundings(), &Rules::default())
}

fn class(text: &str) -> Class {
    judged(text).class
}

const fn name(class: Class) -> &'static str {
    match class {
        Class::Safe => "safe",
        Class::Dev => "dev",
        Class::Dangerous => "dangerous",
        Class::Blocked => "blocked",
    }
}
