//! The tables compiled for speed: a search judges every file it meets, so one path costs a few binary searches over
//! short sorted lists and no allocation. It decides nothing; the rows do.

use super::fold::{Folded, components, fold, peel, split_extension};
use super::rule::{Entry, PathRule, Shape};

#[derive(Debug)]
pub(super) struct Index {
    rules: Vec<PathRule>,
    /// Sorted by name; the middle value is the folder that must hold it, if any.
    names: Vec<Named>,
    dirs: Vec<Named>,
    extensions: Vec<Named>,
    data_stems: Vec<Named>,
    words: Vec<Named>,
    affixes: Vec<Affix>,
    families: Vec<Family>,
}

#[derive(Debug)]
struct Affix {
    start: &'static [u8],
    end: &'static [u8],
    rule: usize,
}

#[derive(Debug)]
struct Family {
    test: fn(&[u8]) -> bool,
    rule: usize,
}

#[derive(Debug)]
struct Named {
    name: &'static [u8],
    inside: Option<&'static [u8]>,
    rule: usize,
}

/// Extensions of files that hold values rather than source code or prose.
const DATA_EXTENSIONS: &[&[u8]] = &[
    b"json",
    b"jsonc",
    b"json5",
    b"yml",
    b"yaml",
    b"toml",
    b"ini",
    b"csv",
    b"tsv",
    b"xml",
    b"txt",
    b"conf",
    b"cfg",
    b"config",
    b"properties",
    b"plist",
    b"db",
    b"sqlite",
    b"dat",
    b"env",
];

/// The certificates of public authorities, as Python and many other packages bring them.
const PUBLIC: &[u8] = b"cacert.pem";

impl Index {
    pub(super) fn new(tables: &[&'static [Entry]]) -> Self {
        let entries = || tables.iter().flat_map(|table| table.iter());
        let mut index = Self {
            rules: entries().map(PathRule::from_entry).collect(),
            names: Vec::new(),
            dirs: Vec::new(),
            extensions: Vec::new(),
            data_stems: Vec::new(),
            words: Vec::new(),
            affixes: Vec::new(),
            families: Vec::new(),
        };
        for (rule, entry) in entries().enumerate() {
            for shape in entry.shapes {
                index.add(*shape, rule);
            }
        }
        for list in [&mut index.names, &mut index.dirs, &mut index.extensions, &mut index.data_stems, &mut index.words]
        {
            list.sort_by_key(|named| named.name);
        }
        index
    }

    fn add(&mut self, shape: Shape, rule: usize) {
        let named = |name: &'static str, inside: Option<&'static str>| Named {
            name: name.as_bytes(),
            inside: inside.map(str::as_bytes),
            rule,
        };
        match shape {
            Shape::Name(name) => self.names.push(named(name, None)),
            Shape::In(folder, name) => self.names.push(named(name, Some(folder))),
            Shape::Ext(extension) => self.extensions.push(named(extension, None)),
            Shape::Dir(name) => self.dirs.push(named(name, None)),
            Shape::DirIn(folder, name) => self.dirs.push(named(name, Some(folder))),
            Shape::Affix(start, end) => self.affixes.push(Affix { start: start.as_bytes(), end: end.as_bytes(), rule }),
            Shape::Word(word) => self.words.push(named(word, None)),
            Shape::DataFile(stem) => self.data_stems.push(named(stem, None)),
            Shape::Family(test) => self.families.push(Family { test, rule }),
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
                if let Some(rule) = lookup(&self.dirs, folded.as_bytes(), parent) {
                    return self.rules.get(rule);
                }
            }
        }
        if last.is_empty() {
            return None;
        }
        let folded: Folded = fold(last);
        let (name, undotted) = peel(folded.as_bytes());
        self.find_name(name, parent)
            .or_else(|| undotted.and_then(|name| self.find_name(name, parent)))
            .and_then(|rule| self.rules.get(rule))
    }

    fn find_name(&self, name: &[u8], parent: &[u8]) -> Option<usize> {
        if name == PUBLIC {
            return None;
        }
        if let Some(rule) = lookup(&self.names, name, parent) {
            return Some(rule);
        }
        let (stem, extension) = split_extension(name);
        let by_extension = extension.and_then(|known| lookup(&self.extensions, known, parent));
        by_extension
            .or_else(|| match extension {
                Some(kind) if !DATA_EXTENSIONS.contains(&kind) => None,
                _ => lookup(&self.data_stems, stem, parent),
            })
            .or_else(|| self.find_pattern(name))
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
        let family = || self.families.iter().find(|family| (family.test)(name)).map(|family| family.rule);
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
        .find(|named| named.inside.is_none_or(|folder| fold(parent).as_bytes() == folder))
        .map(|named| named.rule)
}
