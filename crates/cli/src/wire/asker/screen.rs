//! What a question shows: what would happen, why it is asked, who asks, what can be answered.

use crate::render::commands;
use crate::render::diff::{self, Extent};
use crate::render::stderr::{self, CYAN, DIM};
use palanca_core::ports::{Question, Undoable};
use palanca_core::{Catalogue as _, Message};
use palanca_text::{FluentCatalogue, questions};

/// Values of arguments are shown up to here; the diff shows the rest.
const SHOWN_CHARS: usize = 100;
/// Lines of the diff before `d` is needed for the rest, when the terminal does not say how high it is.
const SHOWN_LINES: usize = 40;

pub struct Screen<'a> {
    question: &'a Question,
    catalogue: &'a FluentCatalogue,
}

impl<'a> Screen<'a> {
    pub const fn new(question: &'a Question, catalogue: &'a FluentCatalogue) -> Self {
        Self { question, catalogue }
    }

    fn say(&self, message: &Message) -> String {
        self.catalogue.render(message)
    }

    /// Everything above the prompt.
    pub fn whole(&self) -> String {
        let question = self.question;
        let mut screen = String::new();
        for effect in &question.effects {
            screen.push_str(&format!("  {}\n", stderr::shown_line(&self.say(&effect.message()))));
        }
        for command in &question.commands {
            screen.push_str(&commands::reading(command, self.catalogue));
        }
        for (label, text) in self.facts() {
            screen.push_str(&format!("  {} {}\n", stderr::painted(DIM, &self.say(&label)), stderr::shown_line(&text)));
        }
        if let Some(change) = &question.diff {
            let (shown, left) = diff::shown(change, Extent::Lines(self.room()));
            screen.push_str(&shown);
            if left > 0 {
                screen.push_str(&stderr::painted(DIM, &self.say(&questions::more_of_the_diff(left))));
                screen.push('\n');
            }
        }
        screen.push_str(&self.rules());
        screen
    }

    /// Why, by whom, kept in by what, whether it can be undone.
    fn facts(&self) -> Vec<(Message, String)> {
        let question = self.question;
        let mut facts: Vec<_> = question
            .reasons
            .iter()
            .map(|reason| (questions::why(), format!("{} [{}]", self.say(&reason.words), reason.rule)))
            .collect();
        facts.push((questions::by(), self.say(&questions::asks(&question.origin))));
        if let Some(isolation) = question.isolation {
            facts.push((questions::isolation(), self.say(&questions::kept_in(isolation))));
        }
        match &question.undo {
            Undoable::Yes => {}
            Undoable::Partly(words) => facts.push((questions::undo_partly(), self.say(words))),
            Undoable::No(words) => facts.push((questions::undo_not(), self.say(words))),
        }
        facts
    }

    /// The rules that could be made by answering, each with its number.
    fn rules(&self) -> String {
        let line = |(number, draft): (usize, &palanca_core::ports::RuleDraft)| {
            let key = stderr::painted(CYAN, &format!("[{}]", number + 1));
            format!(
                "  {key} {}\n",
                stderr::shown_line(&self.say(&questions::always(draft.words.render(self.catalogue))))
            )
        };
        self.question.drafts.iter().enumerate().map(line).collect()
    }

    /// The line that waits for an answer.
    pub fn prompt(&self) -> String {
        let arguments = stderr::one_line(&self.question.arguments, SHOWN_CHARS);
        self.say(&questions::may_it_run(&self.question.tool, &arguments, self.question.drafts.len()))
    }

    /// The diff from its beginning to its end, or the arguments where there is none.
    pub fn diff(&self) -> String {
        match &self.question.diff {
            Some(change) => diff::shown(change, Extent::Whole).0,
            None => {
                let arguments = serde_json::to_string_pretty(&self.question.arguments).unwrap_or_default();
                stderr::shown_line(&arguments)
            }
        }
    }

    pub fn help(&self) -> String {
        let mut help = self.say(&questions::help());
        help.push('\n');
        help.push_str(&self.rules());
        help
    }

    /// Half of the terminal as it is now: it may have been resized since the last question.
    fn room(&self) -> usize {
        let rows = rustix::termios::tcgetwinsize(std::io::stderr()).ok().map(|size| usize::from(size.ws_row));
        rows.filter(|rows| *rows > 0).map_or(SHOWN_LINES, |rows| (rows / 2).max(10))
    }
}
