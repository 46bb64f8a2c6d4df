//! Tables as text: paragraphs of a head, ` =` and words. Lines without ` =` continue the one before, `//` begins a remark, and
//! `@name = …` are words that stand wherever the same table says `@name`.
//!
//! Only the heads are found at first: a command names a few programs, and only their paragraphs are read.

use memchr::memmem;

pub(crate) type Words = Vec<&'static str>;

/// One paragraph, its words not read yet.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Paragraph {
    pub(crate) head: &'static str,
    /// The table from behind the ` =` on.
    rest: &'static str,
    table: &'static str,
}

/// Every paragraph but those of shared words.
pub(super) fn paragraphs(table: &'static str) -> impl Iterator<Item = Paragraph> {
    all(table).filter(|paragraph| !paragraph.head.starts_with('@'))
}

fn all(table: &'static str) -> impl Iterator<Item = Paragraph> {
    memmem::find_iter(table.as_bytes(), " =").filter_map(move |at| {
        let head = table.get(..at)?.rsplit('\n').next().filter(|head| begins(head))?;
        Some(Paragraph { head, rest: table.get(at + 2..)?, table })
    })
}

/// Whether a paragraph begins with this: no remark, and no ` =` stands before it in its line.
fn begins(head: &str) -> bool {
    !head.starts_with("//") && !head.contains(" =")
}

impl Paragraph {
    pub(crate) fn words(&self) -> Words {
        let (first, more) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        let more = more.lines().filter(|line| !line.starts_with("//")).take_while(|line| !line.contains(" ="));
        let words = std::iter::once(first).chain(more).flat_map(str::split_ascii_whitespace);
        words.flat_map(|word| self.shared(word).unwrap_or_else(|| vec![word])).collect()
    }

    fn shared(&self, word: &str) -> Option<Words> {
        let named = word.starts_with('@').then(|| all(self.table).find(|paragraph| paragraph.head == word))??;
        Some(named.words())
    }
}
