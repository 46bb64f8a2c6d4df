//! The server's data: one commit of one repository.

use data_encoding::HEXLOWER;
use ring::digest::{Context, SHA1_FOR_LEGACY_USE_ONLY};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// One entry.
#[derive(Clone, Debug)]
pub enum Thing {
    /// A file.
    File(Vec<u8>),
    /// A symbolic link.
    Link(String),
    /// Another repository.
    Submodule,
}

/// One commit of one repository. Names are used unchanged, hostile ones included.
#[derive(Clone, Debug)]
pub struct FakeRepository {
    /// `owner/name`.
    pub name: String,
    /// The default branch; every other reference but `commit` is unknown.
    pub branch: String,
    /// The commit.
    pub commit: String,
    /// Entries in the order of the server's answer. The same path may occur twice.
    pub things: Vec<(String, Thing)>,
    /// Names that only the archive has.
    pub only_in_archive: Vec<(String, Thing)>,
    /// The archive's replacement of a file's content, by path; none for a file that it leaves out.
    pub archived: BTreeMap<String, Option<Vec<u8>>>,
    /// The length of a meaningless record before each name of the archive.
    pub padded_names: usize,
    /// Whether the recursive tree is too long for one answer.
    pub truncated: bool,
    /// Whether there is no commit yet.
    pub empty: bool,
    /// Where archives are served: another origin, or this one.
    pub archives_at: Option<String>,
    /// A former name, which redirects.
    pub old_name: Option<String>,
}

/// The name that git gives to a blob.
pub(super) fn object(bytes: &[u8]) -> String {
    let mut context = Context::new(&SHA1_FOR_LEGACY_USE_ONLY);
    context.update(format!("blob {}\0", bytes.len()).as_bytes());
    context.update(bytes);
    HEXLOWER.encode(context.finish().as_ref())
}

impl FakeRepository {
    /// An empty tree on `main`.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            branch: "main".to_owned(),
            commit: object(name.as_bytes()),
            things: Vec::new(),
            only_in_archive: Vec::new(),
            archived: BTreeMap::new(),
            padded_names: 0,
            truncated: false,
            empty: false,
            archives_at: None,
            old_name: None,
        }
    }

    /// With these files.
    #[must_use]
    pub fn with(name: &str, files: &[(&str, &str)]) -> Self {
        files.iter().fold(Self::new(name), |repository, (path, content)| repository.file(path, content.as_bytes()))
    }

    /// With one more file.
    #[must_use]
    pub fn file(self, path: &str, content: impl AsRef<[u8]>) -> Self {
        self.thing(path, Thing::File(content.as_ref().to_vec()))
    }

    /// With `path export-ignore` in its attributes.
    #[must_use]
    pub fn export_ignore(self, path: &str) -> Self {
        self.archived(path, |_| None)
    }

    /// With `path export-subst`.
    #[must_use]
    pub fn export_subst(self, path: &str) -> Self {
        let commit = self.commit.clone();
        self.archived(path, |text| Some(text.replace("$Format:%H$", &commit).into_bytes()))
    }

    /// With `path text eol=crlf`.
    #[must_use]
    pub fn eol_crlf(self, path: &str) -> Self {
        self.archived(path, |text| Some(text.replace('\n', "\r\n").into_bytes()))
    }

    /// With a pointer at this path and the file itself in Git LFS, which archives contain.
    #[must_use]
    pub fn lfs(self, path: &str, content: &[u8]) -> Self {
        let name = object(content);
        let pointer =
            format!("version https://git-lfs.github.com/spec/v1\noid sha256:{name}\nsize {}\n", content.len());
        self.file(path, pointer).archived(path, |_| Some(content.to_vec()))
    }

    fn archived(mut self, path: &str, change: impl FnOnce(&str) -> Option<Vec<u8>>) -> Self {
        let text = self.at(path).map(bytes).unwrap_or_default();
        self.archived.insert(path.to_owned(), change(&String::from_utf8_lossy(&text)));
        self
    }

    /// With one more entry.
    #[must_use]
    pub fn thing(mut self, path: &str, thing: Thing) -> Self {
        self.things.push((path.to_owned(), thing));
        self
    }

    pub(super) fn entries(&self, of: &str, recursive: bool) -> Vec<Value> {
        let prefix = if of.is_empty() { String::new() } else { format!("{of}/") };
        let mut entries = Vec::new();
        let mut directories = BTreeSet::new();
        for (path, thing) in &self.things {
            let Some(below) = path.strip_prefix(&prefix) else { continue };
            if !below.starts_with('/') {
                for (at, _) in below.match_indices('/') {
                    directories.insert(below[..at].to_owned());
                }
            }
            if recursive || !below.contains('/') {
                entries.push(entry(below, thing));
            }
        }
        directories.retain(|directory| recursive || !directory.contains('/'));
        let directories = directories.into_iter().map(|path| {
            let sha = self.directory_object(&format!("{prefix}{path}"));
            json!({"path": path, "mode": "040000", "type": "tree", "sha": sha})
        });
        directories.chain(entries).collect()
    }

    /// The name under which a directory is requested.
    pub(super) fn directory_object(&self, path: &str) -> String {
        if path.is_empty() { object(b"the root") } else { object(format!("tree {path}").as_bytes()) }
    }

    pub(super) fn directories(&self) -> BTreeMap<String, String> {
        let mut known = BTreeMap::from([(self.directory_object(""), String::new())]);
        for (path, _) in &self.things {
            for (at, _) in path.match_indices('/') {
                known.insert(self.directory_object(&path[..at]), path[..at].to_owned());
            }
        }
        known
    }

    pub(super) fn blob(&self, sha: &str) -> Option<Vec<u8>> {
        self.things.iter().map(|(_, thing)| bytes(thing)).find(|bytes| object(bytes) == sha)
    }

    pub(super) fn at(&self, path: &str) -> Option<&Thing> {
        self.things.iter().find(|(known, _)| known == path).map(|(_, thing)| thing)
    }

    /// The archive as the server packs it: below one directory, with the commit's name in a header.
    pub(super) fn archive(&self) -> Vec<u8> {
        let gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        let mut archive = tar::Builder::new(gzip);
        let top = format!("{}-{}", self.name.replace('/', "-"), self.commit.chars().take(7).collect::<String>());
        let comment = format!("52 comment={}\n", self.commit);
        append(&mut archive, "pax_global_header", tar::EntryType::XGlobalHeader, comment.as_bytes());
        append(&mut archive, &format!("{top}/"), tar::EntryType::Directory, b"");
        for (path, thing) in self.things.iter().chain(&self.only_in_archive) {
            let kind = match thing {
                Thing::File(_) => tar::EntryType::Regular,
                Thing::Link(_) => tar::EntryType::Symlink,
                Thing::Submodule => tar::EntryType::Directory,
            };
            let content = if kind == tar::EntryType::Regular { bytes(thing) } else { Vec::new() };
            let content = match self.archived.get(path) {
                Some(None) => continue,
                Some(Some(other)) => other.clone(),
                None => content,
            };
            if self.padded_names > 0 {
                append(&mut archive, "pad", tar::EntryType::XHeader, &pax("comment", &"x".repeat(self.padded_names)));
            }
            append(&mut archive, &format!("{top}/{path}"), kind, &content);
        }
        archive.into_inner().expect("an archive").finish().expect("a compressed archive")
    }
}

/// One pax record; its length counts itself.
fn pax(key: &str, value: &str) -> Vec<u8> {
    let rest = format!(" {key}={value}\n");
    let mut length = rest.len();
    while length != rest.len() + length.to_string().len() {
        length = rest.len() + length.to_string().len();
    }
    format!("{length}{rest}").into_bytes()
}

/// Writes the name unchanged: the library would refuse hostile names.
fn append<W: std::io::Write>(archive: &mut tar::Builder<W>, name: &str, kind: tar::EntryType, content: &[u8]) {
    let mut header = tar::Header::new_ustar();
    let room = header.as_old().name.len();
    if name.len() > room {
        let mut long = tar::Header::new_gnu();
        long.as_old_mut().name[..13].copy_from_slice(b"././@LongLink");
        long.set_entry_type(tar::EntryType::GNULongName);
        long.set_size(name.len() as u64 + 1);
        long.set_cksum();
        archive.append(&long, [name.as_bytes(), b"\0"].concat().as_slice()).expect("a long name");
    }
    let short = name.len().min(room);
    header.as_old_mut().name[..short].copy_from_slice(&name.as_bytes()[..short]);
    header.set_entry_type(kind);
    header.set_mode(0o644);
    header.set_size(content.len() as u64);
    header.set_cksum();
    archive.append(&header, content).expect("an entry");
}

pub(super) fn bytes(thing: &Thing) -> Vec<u8> {
    match thing {
        Thing::File(content) => content.clone(),
        Thing::Link(target) => target.clone().into_bytes(),
        Thing::Submodule => b"a commit elsewhere".to_vec(),
    }
}

fn entry(path: &str, thing: &Thing) -> Value {
    let content = bytes(thing);
    let (mode, kind) = match thing {
        Thing::File(_) => ("100644", "blob"),
        Thing::Link(_) => ("120000", "blob"),
        Thing::Submodule => ("160000", "commit"),
    };
    let mut entry = json!({"path": path, "mode": mode, "type": kind, "sha": object(&content)});
    if kind == "blob" {
        entry["size"] = content.len().into();
    }
    entry
}
