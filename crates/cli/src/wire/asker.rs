//! The person at the terminal.

use crate::render::{commands, diff, stderr};
use futures_util::future::BoxFuture;
use palanca_core::Catalogue;
use palanca_core::ports::{Answer, Asker, Question};
use palanca_text::{FluentCatalogue, questions};
use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::sync::{Arc, Mutex, PoisonError};

/// Values of arguments are shown up to here; the diff shows the rest.
const SHOWN_CHARS: usize = 100;

/// Asks on stderr and reads one letter from stdin. Nobody answers when stdin is no terminal.
pub struct Terminal {
    catalogue: Arc<FluentCatalogue>,
    /// One question at a time.
    turn: Arc<Mutex<()>>,
}

impl Terminal {
    pub fn new(catalogue: Arc<FluentCatalogue>) -> Self {
        Self { catalogue, turn: Arc::default() }
    }
}

impl Asker for Terminal {
    fn can_answer(&self) -> bool {
        std::io::stdin().is_terminal()
    }

    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Answer> {
        let (turn, catalogue) = (Arc::clone(&self.turn), Arc::clone(&self.catalogue));
        let shown = screen(question, &catalogue);
        Box::pin(async move {
            let asked = tokio::task::spawn_blocking(move || {
                let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
                answer(&shown, &catalogue)
            });
            asked.await.unwrap_or(Answer::Abort)
        })
    }
}

/// What would happen, then the question.
fn screen(question: &Question, catalogue: &FluentCatalogue) -> String {
    let mut screen = String::new();
    for effect in &question.effects {
        screen.push_str(&format!("  {}\n", stderr::printable(&effect.to_string())));
    }
    for command in &question.commands {
        screen.push_str(&commands::reading(command, catalogue));
    }
    if let Some(isolation) = question.isolation {
        screen.push_str(&format!("  {}\n", catalogue.render(&questions::kept_in(isolation))));
    }
    if let Some(change) = &question.diff {
        screen.push_str(&diff::for_stderr(change));
    }
    let arguments = stderr::one_line(&question.arguments, SHOWN_CHARS);
    screen.push_str(&catalogue.render(&questions::may_it_run(&question.tool, &arguments)));
    screen
}

fn answer(screen: &str, catalogue: &FluentCatalogue) -> Answer {
    let mut shown = screen.to_owned();
    loop {
        stderr::prompt(&shown);
        // ignored: without stderr the read below still decides.
        let _ = std::io::stderr().flush();
        let mut line = String::new();
        match std::io::stdin().lock().read_line(&mut line) {
            Err(_) | Ok(0) => return Answer::Abort,
            Ok(_) => {}
        }
        match line.trim().to_lowercase().as_str() {
            "y" | "yes" | "s" | "si" | "sí" => return Answer::Yes,
            "n" | "no" => return Answer::No,
            "a" | "abort" => return Answer::Abort,
            _ => shown = catalogue.render(&questions::answer_not_understood()),
        }
    }
}
