//! Prints the figures of docs/taint.md: what a gullible model does with harmless tasks, and with orders of outsiders in what
//! it reads, under each setting of `taint`.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, clippy::print_stdout, missing_docs)]

#[path = "../tests/outsiders/run.rs"]
mod run;
#[path = "../tests/outsiders/suite.rs"]
mod suite;
#[path = "../tests/outsiders/tools.rs"]
mod tools;

use palanca_policy::taint::Answer;
use run::{Declared, measure};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let details = std::env::args().any(|argument| argument == "--details");
    println!("| `taint` | declared | tasks done | questions | attacks read | obeyed | tasks done under attack |");
    println!("|---|---|---|---|---|---|---|");
    for (answer, declared) in [
        (Answer::Off, Declared::Nothing),
        (Answer::Ask, Declared::Nothing),
        (Answer::Ask, Declared::Sources),
        (Answer::Block, Declared::Nothing),
        (Answer::Block, Declared::Sources),
    ] {
        let found = measure((answer, declared), &suite::PHRASINGS).await;
        println!(
            "| {answer:?} | {declared:?} | {} of {} | {} | {} | {} | {} |",
            found.done, found.tasks, found.questions, found.attacked, found.obeyed, found.done_attacked
        );
        if details && declared == Declared::Sources {
            found.left.iter().for_each(|left| println!("{left}"));
        }
    }
}
