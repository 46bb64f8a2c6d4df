//! The context of text: thoughts, code fences, quotation marks.

/// The tags of thoughts.
pub(crate) const THOUGHTS: [(&str, &str); 9] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<seed:think>", "</seed:think>"),
    ("[THINK]", "[/THINK]"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|inner_prefix|>", "<|inner_suffix|>"),
    ("<|channel|>analysis<|message|>", "<|end|>"),
    ("<|channel>thought", "<channel|>"),
];
/// Shortest run of characters that makes a code fence.
pub(super) const FENCE: usize = 3;

/// How many bytes the run of this ASCII character has.
pub(super) fn run_of(text: &str, mark: char) -> usize {
    text.len() - text.trim_start_matches(mark).len()
}

/// How many bytes at the end of a text may be the beginning of a mark.
pub(crate) fn beginning_of(mark: &str, text: &str) -> usize {
    mark.char_indices()
        .map(|(at, _)| at)
        .rev()
        .find(|at| mark.get(..*at).is_some_and(|part| text.ends_with(part)))
        .unwrap_or(0)
}

/// The relevant facts about the part of a line before a place, in a few bytes for lines of any length.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Line {
    length: usize,
    tab: bool,
    /// The first character that is no white space.
    first: Option<char>,
    last: Option<char>,
    /// Anything but `>` and blanks.
    words: bool,
    /// Number of backticks at its end.
    run: usize,
    /// Runs of backticks too short for a fence, except the last one.
    runs: usize,
}

impl Line {
    /// Scans more text.
    pub(crate) fn push(&mut self, text: &str) {
        let text = text.rsplit_once('\n').map_or(text, |(_, line)| {
            *self = Self::default();
            line
        });
        for c in text.chars() {
            self.length += c.len_utf8();
            self.tab |= c == '\t';
            self.first = self.first.or(Some(c).filter(|c| !c.is_whitespace()));
            self.last = Some(c);
            self.words |= !matches!(c, '>' | ' ' | '\t');
            if c == '`' {
                self.run += 1;
            } else {
                self.runs += usize::from((1..FENCE).contains(&self.run));
                self.run = 0;
            }
        }
    }

    /// Only white space.
    pub(crate) const fn is_blank(&self) -> bool {
        self.first.is_none()
    }

    /// Only blanks and quotation markers.
    pub(super) const fn is_margin(&self) -> bool {
        !self.words
    }

    /// Whether the following text is quoted: by quotation marks, as code, or as a block quote.
    pub(crate) fn is_quoted(&self) -> bool {
        let indented = self.is_blank() && (self.tab || self.length >= 4);
        let runs = self.runs + usize::from((1..FENCE).contains(&self.run));
        let opened = self.last.is_some_and(|c| matches!(c, '"' | '\'' | '“' | '‘' | '„' | '«'));
        indented || runs % 2 == 1 || self.first == Some('>') || opened
    }
}

pub(super) enum Thought {
    Opens(usize, &'static str),
    Closes(usize),
    Perhaps,
}

pub(super) fn thought_at(rest: &str) -> Option<Thought> {
    for (open, close) in THOUGHTS {
        if rest.starts_with(open) {
            return Some(Thought::Opens(open.len(), close));
        }
    }
    if rest.starts_with("</think>") {
        return Some(Thought::Closes("</think>".len()));
    }
    let opens = THOUGHTS.iter().map(|(open, _)| *open);
    opens.chain(["</think>"]).any(|mark| mark.starts_with(rest)).then_some(Thought::Perhaps)
}
