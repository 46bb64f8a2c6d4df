//! What stands around words: thoughts, code fences, quotation marks.

/// What opens and closes thoughts.
pub(super) const THOUGHTS: [(&str, &str); 9] = [
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
pub(super) fn beginning_of(mark: &str, text: &str) -> usize {
    mark.char_indices()
        .map(|(at, _)| at)
        .rev()
        .find(|at| mark.get(..*at).is_some_and(|part| text.ends_with(part)))
        .unwrap_or(0)
}

/// Whether what follows this part of a line is quoted: by quotation marks, as code, or as somebody else's words.
pub(super) fn is_quoted(line: &str) -> bool {
    let indented = line.trim().is_empty() && (line.contains('\t') || line.len() >= 4);
    let runs = line.split(|c| c != '`').filter(|run| (1..FENCE).contains(&run.len())).count();
    indented || runs % 2 == 1 || line.trim_start().starts_with('>') || line.ends_with(['"', '\'', '“', '‘', '„', '«'])
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
