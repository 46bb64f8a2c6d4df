//! The screen of a question: its effects, its reasons, its origin, the possible answers.
//!
//! It fits the terminal, so that nothing scrolls it away. The effects are directly above the prompt; omitted parts are counted,
//! and `d` shows them.

use crate::render::stderr::{self, CYAN, DIM};
use crate::render::{commands, diff, layout, terminal};
use palanca_core::ports::{Question, RuleDraft, Undoable};
use palanca_core::{Catalogue as _, Message};
use palanca_text::{FluentCatalogue, questions};

/// Where the terminal does not say how large it is.
const USUAL: (usize, usize) = (80, 40);
/// Begins the further rows of a line.
const MORE: &str = "  ┆ ";
/// Begins what can be answered.
const KEYS: &str = " [y/n/a]";
/// Characters of a value that the change above the prompt shows in full.
const BRIEF: usize = 40;

pub struct Screen<'a> {
    question: &'a Question,
    catalogue: &'a FluentCatalogue,
}

/// The parts of a question from top to bottom, in rows.
struct Parts {
    diff: Vec<String>,
    /// Why, by whom, kept in by what, whether it can be undone; the rules that an answer could make.
    facts: Vec<String>,
    effects: Vec<String>,
    readings: Vec<String>,
}

impl<'a> Screen<'a> {
    pub const fn new(question: &'a Question, catalogue: &'a FluentCatalogue) -> Self {
        Self { question, catalogue }
    }

    fn say(&self, message: &Message) -> String {
        self.catalogue.render(message)
    }

    /// Everything above the prompt, in as many rows as the terminal has left: it may have been resized since the last question.
    pub fn fitting(&self) -> String {
        let (columns, rows) = size();
        let mut free = rows.saturating_sub(self.prompt().lines().count() + 1);
        let mut parts = self.parts(columns);
        for (part, share) in
            [(&mut parts.readings, 2), (&mut parts.effects, 1), (&mut parts.facts, 1), (&mut parts.diff, 1)]
        {
            self.fit(part, free / share);
            free = free.saturating_sub(part.len());
        }
        parts.text()
    }

    /// The same from beginning to end, and the arguments as they are.
    pub fn whole(&self) -> String {
        let columns = size().0;
        let mut parts = self.parts(columns);
        if self.question.diff.is_none() {
            let arguments = serde_json::to_string_pretty(&self.question.arguments).unwrap_or_default();
            let escaped: Vec<String> = arguments.lines().map(stderr::shown_line).collect();
            parts.diff = layout::rows(&escaped.join("\n"), columns, ("  │ ", "  │ ┆ "));
        }
        parts.text()
    }

    fn parts(&self, columns: usize) -> Parts {
        let question = self.question;
        let line = |text: &str| layout::rows(&stderr::shown_line(text), columns, ("  ", MORE));
        let mut facts: Vec<String> = Vec::new();
        for (label, text) in self.facts() {
            let label = self.say(&label);
            let mut rows = line(&format!("{label} {text}"));
            if let Some(first) = rows.first_mut()
                && let Some(rest) = first.strip_prefix(&format!("  {label}"))
            {
                *first = format!("  {}{rest}", stderr::painted(DIM, &label));
            }
            facts.extend(rows);
        }
        facts.extend(self.rules(columns));
        let read = question.commands.iter().map(|command| commands::reading(command, self.catalogue));
        Parts {
            diff: question.diff.as_deref().map(|change| diff::rows(change, columns)).unwrap_or_default(),
            facts,
            effects: question.effects.iter().flat_map(|effect| line(&self.say(&effect.message()))).collect(),
            readings: layout::rows(&read.collect::<String>(), columns, ("", MORE)),
        }
    }

    /// Cuts a part to so many rows, the last of which counts what is missing.
    fn fit(&self, part: &mut Vec<String>, rows: usize) {
        if part.len() <= rows || part.len() == 1 {
            return;
        }
        let missing = part.len() - rows.saturating_sub(1);
        part.truncate(part.len() - missing);
        part.push(stderr::painted(DIM, &self.say(&questions::more_of_the_question(missing))));
    }

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
        facts.extend(question.changed.iter().map(|changed| (questions::changed(), self.say(changed))));
        facts
    }

    /// The rules that could be made by answering, each with its number.
    fn rules(&self, columns: usize) -> Vec<String> {
        let line = |(number, draft): (usize, &RuleDraft)| {
            let key = format!("[{}]", number + 1);
            let text = stderr::shown_line(&self.say(&questions::always(draft.words.render(self.catalogue))));
            let mut rows = layout::rows(&format!("{key} {text}"), columns, ("  ", MORE));
            if let Some(first) = rows.first_mut() {
                *first = first.replacen(&key, &stderr::painted(CYAN, &key), 1);
            }
            rows
        };
        self.question.drafts.iter().enumerate().flat_map(line).collect()
    }

    /// The line that waits for an answer. What stands above it in full is shortened here, and says so.
    pub fn prompt(&self) -> String {
        let (columns, rows) = size();
        let room = (columns * (rows / 8).clamp(1, 4)).max(BRIEF);
        // With a diff above it, a value of several lines is the content that the diff shows.
        let has_diff = self.question.diff.is_some();
        let arguments = stderr::one_line(&self.question.arguments, |value| match has_diff {
            true if value.contains("\\n") => 0,
            true => BRIEF,
            false => room,
        });
        let tool = stderr::shown_line(&self.question.tool);
        let prompt = self.say(&questions::may_it_run(&tool, &arguments, self.question.drafts.len()));
        // The keys stay in one piece: they are what a person, or a script, looks for.
        let prompt = stderr::shown_line(&prompt);
        let (question, keys) = prompt.rsplit_once(KEYS).unwrap_or((&prompt, ""));
        let mut rows = layout::rows(question, columns, ("", MORE));
        let keys = if keys.is_empty() { String::new() } else { format!("{KEYS}{keys}") };
        match rows.last_mut() {
            Some(last) if layout::wide(last) + layout::wide(&keys) < columns => last.push_str(&keys),
            _ => rows.push(format!("{MORE}{}", keys.trim_start())),
        }
        rows.join("\n")
    }

    pub fn help(&self) -> String {
        let rules = self.rules(size().0);
        format!("{}\n{}", self.say(&questions::help()), rules.iter().map(|row| format!("{row}\n")).collect::<String>())
    }
}

impl Parts {
    fn text(&self) -> String {
        let rows = [&self.diff, &self.facts, &self.effects, &self.readings];
        rows.into_iter().flatten().map(|row| format!("{row}\n")).collect()
    }
}

fn size() -> (usize, usize) {
    terminal::size().unwrap_or(USUAL)
}
