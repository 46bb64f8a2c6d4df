//! Indentation of added lines, for a hunk that matched a file whose lines are indented differently.
//!
//! It learns only from the lines that matched; when they contradict each other, added lines stay as the patch has them.

use std::borrow::Cow;

/// How the file's indentation follows from the patch's.
#[derive(Debug, Default)]
pub(super) struct Indentation<'a> {
    /// Pairs of (in the patch, in the file), each left side once.
    learned: Vec<(&'a str, &'a str)>,
}

impl<'a> Indentation<'a> {
    /// Learns from matched lines, `(patch, file)`; `None` when there is nothing to change or no rule.
    pub(super) fn learn(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> Option<Self> {
        let mut learned: Vec<(&str, &str)> = Vec::new();
        for (patch, file) in pairs {
            if patch.trim_ascii().is_empty() {
                continue;
            }
            let pair = (indentation(patch), indentation(file));
            match learned.iter().find(|(known, _)| *known == pair.0) {
                None => learned.push(pair),
                Some((_, known)) if *known == pair.1 => {}
                Some(_) => return None,
            }
        }
        learned.iter().any(|(patch, file)| patch != file).then_some(Self { learned })
    }

    /// An added line as the file would indent it.
    pub(super) fn apply<'t>(&self, line: &'t str) -> Cow<'t, str> {
        let own = indentation(line);
        if own.len() == line.len() {
            return Cow::Borrowed(line);
        }
        let longest =
            self.learned.iter().filter(|(patch, _)| own.starts_with(patch)).max_by_key(|(patch, _)| patch.len());
        if let Some((patch, file)) = longest {
            return Cow::Owned(format!("{file}{}", line.get(patch.len()..).unwrap_or(line)));
        }
        // Shallower than every matched line: what all of them have in front is in front of this one, too.
        let shifts: Option<Vec<&str>> = self.learned.iter().map(|(patch, file)| file.strip_suffix(patch)).collect();
        match shifts.as_deref() {
            Some([first, rest @ ..]) if rest.iter().all(|shift| shift == first) => Cow::Owned(format!("{first}{line}")),
            _ => Cow::Borrowed(line),
        }
    }
}

fn indentation(line: &str) -> &str {
    line.get(..line.len() - line.trim_ascii_start().len()).unwrap_or("")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    #[test]
    fn added_lines_follow_their_neighbours() {
        for (pairs, line, expected) in [
            (vec![("    a", "\ta"), ("        b", "\t\tb")], "        c", "\t\tc"),
            (vec![("    a", "\ta")], "      c", "\t  c"),
            (vec![("a", "    a")], "  c", "      c"),
            (vec![("    a", "      a")], "  c", "    c"),
            (vec![("a", "    a")], "", ""),
        ] {
            let learned = Indentation::learn(pairs.iter().copied()).unwrap();
            assert_eq!(learned.apply(line), expected, "{pairs:?}");
        }
    }

    #[test]
    fn nothing_to_learn() {
        for pairs in [vec![], vec![("  a", "  a")], vec![("  a", "\ta"), ("  b", "    b")], vec![("  ", "\t")]] {
            assert!(Indentation::learn(pairs.into_iter()).is_none());
        }
    }
}
