//! A text in passages: at headings, else after some four hundred tokens, each with the end of the one before.
//!
//! Passages are whole lines, so that a person finds them; only a line that is longer than a passage is cut.

/// Words of a passage: about 400 tokens.
const WORDS: usize = 300;
/// Words that are repeated of the passage before: about 80 tokens.
const OVERLAP: usize = 60;
/// Bytes of a piece of a line, for texts without spaces.
const LONGEST_PIECE: usize = 4_000;

/// Some lines of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// The number of its first line, from 1.
    pub first: u64,
    /// The number of its last line.
    pub last: u64,
    /// The lines, without the last one's end.
    pub text: String,
}

struct Line<'t> {
    number: u64,
    text: &'t str,
    words: usize,
}

/// The passages of a text, in order. Blank ones are left out.
#[must_use]
pub fn passages(text: &str) -> Vec<Passage> {
    let mut found = Vec::new();
    let mut open: Vec<Line<'_>> = Vec::new();
    let mut words = 0;
    // How many lines at the beginning stand in the passage before, too.
    let mut repeated = 0;
    for line in lines(text) {
        let begins = is_heading(line.text);
        if begins || words + line.words > WORDS {
            if open.len() > repeated {
                close(&mut found, &open);
            }
            let kept = if begins { open.len() } else { end(&open) };
            open.drain(..kept);
            repeated = open.len();
            words = open.iter().map(|line| line.words).sum();
        }
        words += line.words;
        open.push(line);
    }
    if open.len() > repeated {
        close(&mut found, &open);
    }
    found
}

/// Where the lines begin that the next passage repeats.
fn end(open: &[Line<'_>]) -> usize {
    let mut words = 0;
    let repeated = open.iter().rev().take_while(|line| {
        words += line.words;
        words <= OVERLAP
    });
    open.len() - repeated.count()
}

fn close(found: &mut Vec<Passage>, open: &[Line<'_>]) {
    let mut text = String::new();
    let mut before = None;
    for line in open {
        match before {
            Some(number) if number == line.number => text.push(' '),
            Some(_) => text.push('\n'),
            None => {}
        }
        before = Some(line.number);
        text.push_str(line.text);
    }
    let text = text.trim_end().to_owned();
    if let (Some(first), Some(last), false) = (open.first(), open.last(), text.trim().is_empty()) {
        found.push(Passage { first: first.number, last: last.number, text });
    }
}

fn is_heading(line: &str) -> bool {
    let rest = line.trim_start_matches('#');
    (1..=6).contains(&(line.len() - rest.len())) && rest.starts_with([' ', '\t'])
}

/// Lines with their numbers; long ones in pieces.
fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    (1..)
        .zip(text.lines())
        .flat_map(|(number, line)| pieces(line).into_iter().map(move |text| Line { number, text, words: words(text) }))
}

/// Its words, or as many as usually fill its bytes: data has no spaces.
fn words(line: &str) -> usize {
    line.split_whitespace().count().max(line.len() * WORDS / LONGEST_PIECE)
}

fn pieces(line: &str) -> Vec<&str> {
    if line.len() <= LONGEST_PIECE {
        return vec![line];
    }
    let mut pieces = Vec::new();
    let mut rest = line;
    while rest.len() > LONGEST_PIECE {
        let most = rest.floor_char_boundary(LONGEST_PIECE);
        let (head, _) = rest.split_at(most);
        let at = head.rfind(char::is_whitespace).filter(|at| *at > LONGEST_PIECE / 2).unwrap_or(most);
        let (piece, after) = rest.split_at(at);
        pieces.push(piece);
        rest = after.trim_start();
    }
    pieces.push(rest);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn headings_begin_passages() {
        let text = "intro\n\n# Ana\n- tea\n\n## Bilbao\n- rain\n#no heading\n";
        let found: Vec<(u64, u64, String)> =
            passages(text).into_iter().map(|one| (one.first, one.last, one.text)).collect();
        assert_eq!(
            found,
            [
                (1, 2, "intro".to_owned()),
                (3, 5, "# Ana\n- tea".to_owned()),
                (6, 8, "## Bilbao\n- rain\n#no heading".to_owned())
            ]
        );
        assert!(passages("").is_empty() && passages("\n \n").is_empty());
    }

    #[test]
    fn long_texts_overlap_and_long_lines_are_cut() {
        let text: String = (1..=200).map(|line| format!("- note {line} of several words\n")).collect();
        let found = passages(&text);
        assert!(found.len() > 2);
        for pair in found.windows(2) {
            assert!(pair[1].first <= pair[0].last && pair[1].last > pair[0].last, "{pair:?}");
        }
        let line = passages(&"é".repeat(10_000));
        assert!(line.len() > 2 && line.iter().all(|one| (one.first, one.last) == (1, 1)), "{}", line.len());
    }

    proptest! {
        #[test]
        fn every_word_is_in_a_passage(text in "([a-c#]{1,3}[ \n]{1,2}){0,900}") {
            let found = passages(&text);
            let lines: Vec<&str> = text.lines().collect();
            for (number, line) in (1_u64..).zip(&lines) {
                if !line.trim().is_empty() {
                    prop_assert!(
                        found.iter().any(|one| one.first <= number && number <= one.last && one.text.contains(line.trim_end())),
                        "{number}: {line}"
                    );
                }
            }
            prop_assert!(found.windows(2).all(|pair| pair[0].last < pair[1].last));
            prop_assert!(found.iter().all(|one| one.text.split_whitespace().count() <= 2 * WORDS));
        }
    }
}
