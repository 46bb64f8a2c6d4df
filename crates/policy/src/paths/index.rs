//! The tables compiled for speed: a search judges every file it meets, so one path costs a few binary searches over
//! short sorted lists and no allocation. It decides nothing; the rows do.

use super::fold::{components, fold, peel, split_extension};
use super::rule::{Entry, PathRule, Shape};
use palanca_core::ports::ClosedBy;

#[derive(Debug, Default)]
pub(super) struct Index {
    rules: Vec<PathRule>,
    /// Sorted by name; the middle value is the folder that must hold it, if any.
    names: Vec<Named>,
    dirs: Vec<Named>,
    extensions: Vec<Named>,
    data_stems: Vec<Named>,
    words: Vec<Named>,
    affixes: Vec<Affix>,
    families: Vec<(Test, usize)>,
}

/// Whether a name is of a family.
type Test = fn(&[u8]) -> bool;

#[derive(Debug)]
struct Affix {
    start: &'static [u8],
    end: &'static [u8],
    rule: usize,
}

#[derive(Debug)]
struct Named {
    name: &'static [u8],
    inside: Option<&'static [u8]>,
    rule: usize,
}

impl Named {
    fn new(name: &'static str, rule: usize) -> Self {
        let (inside, name) =
            name.split_once('/').map_or((None, name), |(folder, name)| (Some(folder.as_bytes()), name));
        Self { name: name.as_bytes(), inside, rule }
    }
}

/// Extensions of files that hold values rather than source code or prose.
const DATA_EXTENSIONS: &str =
    "json jsonc json5 yml yaml toml ini csv tsv xml txt conf cfg config properties plist db sqlite dat env";

/// Certificates without their keys, by the names under which packages and authorities bring them.
const PUBLIC: [&[u8]; 6] =
    [b"cacert.pem", b"ca-bundle.pem", b"ca-certificates.pem", b"roots.pem", b"chain.pem", b"fullchain.pem"];

impl Index {
    /// Compiles tables, each with whose rules it holds.
    pub(super) fn new(tables: &[(&'static [Entry], ClosedBy)]) -> Self {
        let mut index = Self::default();
        for (entries, by) in tables {
            for entry in *entries {
                entry.shapes.iter().for_each(|shape| index.add(*shape, index.rules.len()));
                index.rules.push(PathRule::from_entry(*by, entry));
            }
        }
        for list in [&mut index.names, &mut index.dirs, &mut index.extensions, &mut index.data_stems, &mut index.words]
        {
            list.sort_by_key(|named| named.name);
        }
        index
    }

    fn add(&mut self, shape: Shape, rule: usize) {
        let each = |names: &'static str| names.split(' ').map(move |name| Named::new(name, rule));
        match shape {
            Shape::Names(names) => {
                let (affixes, names) = names.split(' ').partition::<Vec<_>, _>(|name| name.contains('*'));
                self.names.extend(names.into_iter().map(|name| Named::new(name, rule)));
                let ends = affixes.into_iter().filter_map(|name| name.split_once('*'));
                self.affixes.extend(ends.map(|(start, end)| Affix {
                    start: start.as_bytes(),
                    end: end.as_bytes(),
                    rule,
                }));
            }
            Shape::Exts(names) => self.extensions.extend(each(names)),
            Shape::Dirs(names) => self.dirs.extend(each(names)),
            Shape::Words(names) => self.words.extend(each(names)),
            Shape::DataFiles(names) => self.data_stems.extend(each(names)),
            Shape::Family(test) => self.families.push((test, rule)),
        }
    }

    pub(super) fn rules(&self) -> impl Iterator<Item = &PathRule> {
        self.rules.iter()
    }

    /// The first rule that knows the path, folders before the name.
    pub(super) fn find(&self, path: &[u8]) -> Option<&PathRule> {
        let mut parent: &[u8] = b"";
        let mut last: &[u8] = b"";
        for part in components(path) {
            parent = last;
            last = part;
            if may_be_rule_folder(part, parent) {
                let folded = fold(part);
                if let Some(rule) = lookup(&self.dirs, &folded, parent) {
                    return self.rules.get(rule);
                }
            }
        }
        if last.is_empty() {
            return None;
        }
        let folded = fold(last);
        let (name, undotted) = peel(&folded);
        self.find_name(name, parent)
            .or_else(|| undotted.and_then(|name| self.find_name(name, parent)))
            .and_then(|rule| self.rules.get(rule))
    }

    fn find_name(&self, name: &[u8], parent: &[u8]) -> Option<usize> {
        if PUBLIC.contains(&name) {
            return None;
        }
        if let Some(rule) = lookup(&self.names, name, parent) {
            return Some(rule);
        }
        let (stem, extension) = split_extension(name);
        let by_extension = extension.and_then(|known| lookup(&self.extensions, known, parent));
        let holds_data = |kind: &[u8]| DATA_EXTENSIONS.split(' ').any(|known| known.as_bytes() == kind);
        let by_stem = || lookup(&self.data_stems, stem, parent).filter(|_| extension.is_none_or(holds_data));
        by_extension.or_else(by_stem).or_else(|| self.find_pattern(name))
    }

    fn find_pattern(&self, name: &[u8]) -> Option<usize> {
        let word = self.words.iter().find(|word| {
            // One byte decides for nearly every name; the comparison of slices is a call.
            name.last() == word.name.last()
                && name
                    .strip_suffix(word.name)
                    .is_some_and(|before| matches!(before.last(), None | Some(b'-' | b'_' | b'.')))
        });
        let affix = || self.affixes.iter().find(|affix| affix.matches(name)).map(|affix| affix.rule);
        let family = || self.families.iter().find(|(test, _)| test(name)).map(|(_, rule)| *rule);
        word.map(|word| word.rule).or_else(affix).or_else(family)
    }
}

impl Affix {
    fn matches(&self, name: &[u8]) -> bool {
        (self.start.is_empty() || self.start.first() == name.first())
            && (self.end.is_empty() || self.end.last() == name.last())
            && name.len() >= self.start.len() + self.end.len()
            && name.starts_with(self.start)
            && name.ends_with(self.end)
    }
}

/// Every folder that rules know starts with a dot, lies in one that does, or is the short name of one; anything that is
/// not ASCII may fold into one. A test of the tables holds this.
fn may_be_rule_folder(part: &[u8], parent: &[u8]) -> bool {
    matches!(part.first(), Some(b'.' | 0x80..)) || matches!(parent.first(), Some(b'.' | 0x80..)) || part.contains(&b'~')
}

fn lookup(list: &[Named], name: &[u8], parent: &[u8]) -> Option<usize> {
    let start = list.partition_point(|named| named.name < name);
    list.get(start..)?
        .iter()
        .take_while(|named| named.name == name)
        .find(|named| named.inside.is_none_or(|folder| *fold(parent) == *folder))
        .map(|named| named.rule)
}
