//! The model's text, and which of it is the answer. stdout gets only the final answer, once; text before a tool call is
//! narration.
//!
//! Only a text that nothing follows is the answer. So if a program reads stdout, a text waits until then; on a terminal it is
//! shown as it arrives, and not printed again.

use palanca_policy::marking::ShownPieces;

/// Where stdout goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// A person, at a terminal.
    Person,
    /// A program or a file.
    Program,
}

/// The text of one answer of the model at a time.
pub struct Speech {
    reader: Reader,
    /// What was said in this answer.
    said: String,
    /// Whether it has ended.
    whole: bool,
    shown: ShownPieces,
}

impl Speech {
    pub fn new(reader: Reader) -> Self {
        Self { reader, said: String::new(), whole: false, shown: ShownPieces::default() }
    }

    /// A piece of text: what a terminal shows of it now.
    pub fn piece(&mut self, text: &str) -> String {
        self.said.push_str(text);
        match self.reader {
            Reader::Person => self.shown.push(text),
            Reader::Program => String::new(),
        }
    }

    /// The answer has come to its end; the next piece begins another. Returns what a terminal still has to show of it.
    pub fn end(&mut self) -> String {
        self.whole = true;
        self.shown.finish()
    }

    /// What was said in this answer does not count.
    pub fn void(&mut self) {
        *self = Self::new(self.reader);
    }

    /// The answer has come to its end.
    pub const fn is_whole(&self) -> bool {
        self.whole
    }

    /// The run goes on after what was said, or it does not count: it is narration, which is returned where nobody has seen it.
    pub fn go_on(&mut self) -> Option<String> {
        self.whole = false;
        let said = std::mem::take(&mut self.said);
        (self.reader == Reader::Program && !said.trim().is_empty()).then_some(said)
    }

    /// The run is over: narration that nobody has seen, and what stdout lacks of the answer.
    pub fn close<'a>(&mut self, answer: Option<&'a str>) -> (Option<String>, Option<&'a str>) {
        let said = std::mem::take(&mut self.said);
        let lacking = match (self.reader, answer) {
            (Reader::Person, Some(answer)) => answer
                .strip_prefix(said.trim_end())
                .or(Some(answer))
                .filter(|rest| !rest.trim().is_empty() || said.is_empty()),
            (Reader::Program, answer) => answer,
            (Reader::Person, None) => None,
        };
        let is_narration = self.reader == Reader::Program
            && answer.is_none_or(|answer| !said.contains(answer.trim()) && !answer.contains(said.trim()));
        ((is_narration && !said.trim().is_empty()).then_some(said), lacking)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    /// What is said between tool calls, what is said last, the answer; what a terminal and a program get on stdout.
    #[test]
    fn the_answer_reaches_stdout_once() {
        for (before, last, answer, person, program, narrated) in [
            ("", "Done.", Some("Done."), "Done.", "Done.", ""),
            ("I look.", "Done.", Some("Done."), "I look.Done.", "Done.", "I look."),
            ("I look.", "", None, "I look.", "", "I look."),
            ("", "It is [1].", Some("[1]"), "It is [1].[1]", "[1]", ""),
            ("", "Half", Some("Half"), "Half", "Half", ""),
            ("", "Done.", Some("Done. Really."), "Done. Really.", "Done. Really.", ""),
            ("", "", Some("Kept."), "Kept.", "Kept.", ""),
            ("", "\u{1b}[2J", Some("\u{1b}[2J"), "\\u{1b}[2J", "\u{1b}[2J", ""),
        ] {
            for (reader, expected) in [(Reader::Person, person), (Reader::Program, program)] {
                let mut speech = Speech::new(reader);
                let (mut stdout, mut stderr) = (speech.piece(before), String::new());
                stdout.push_str(&speech.end());
                stderr.extend(speech.go_on());
                last.char_indices()
                    .for_each(|(at, one)| stdout.push_str(&speech.piece(&last[at..at + one.len_utf8()])));
                stdout.push_str(&speech.end());
                let (more, lacking) = speech.close(answer);
                stderr.extend(more);
                stdout.extend(lacking);
                assert_eq!(stdout, expected, "{reader:?}: {before:?} {last:?}");
                if reader == Reader::Program {
                    assert_eq!(stderr, narrated, "{before:?} {last:?}");
                } else {
                    assert_eq!(stderr, "");
                }
            }
        }
    }
}
