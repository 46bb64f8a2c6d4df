//! A door whose changes stay in memory: the real files below, the changes on top.
//!
//! A dry run is an ordinary run on such a door, so what it shows is what would happen. The same door rehearses an undo.
//! Limits: ignore files do not hide what is only in memory, and `..` cannot lead through a directory that
//! is only in memory.

mod apply;
mod changes;
mod disk_layer;
mod layer;

pub use changes::Changed;
pub use disk_layer::DiskLayer;

use layer::{Content, Layer, Node, Seen};
use palanca_core::call::{Access, CanonicalPath};
use palanca_core::ports::{
    Change, ChangeOrigin, Committed, Entry, EntryContent, EntryKind, EntryOpener, FileError, FileErrorKind, Files,
    Flow, Inclusion, Metadata, OpenFile, Visit, WalkEnd, WalkEntry, WalkOptions,
};
use parking_lot::{Mutex, RwLock};
use std::collections::BTreeMap;
use std::io::Cursor;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Changes on top of another door, kept in memory: at most 256 MiB of content.
pub struct Overlay {
    real: Arc<dyn Files>,
    layer: RwLock<Arc<Layer>>,
    /// Commits follow one another; readers go on with the layer they have.
    committing: Mutex<()>,
}

impl Overlay {
    /// Starts without changes.
    #[must_use]
    pub fn new(real: Arc<dyn Files>) -> Self {
        Self { real, layer: RwLock::default(), committing: Mutex::new(()) }
    }

    /// Every file that differs from the real one, sorted by path. Directories without files are not told.
    ///
    /// # Errors
    /// When a real file cannot be read to compare.
    pub fn changes(&self) -> Result<Vec<Changed>, FileError> {
        changes::collect(&*self.real, &self.layer())
    }

    /// Makes many changes, each of which may fail, as one.
    fn edit<T>(&self, work: impl FnOnce(&mut Edit<'_>) -> T) -> T {
        let _one = self.committing.lock();
        let mut edit = Edit { real: &*self.real, layer: Layer::clone(&self.layer()) };
        let done = work(&mut edit);
        *self.layer.write() = Arc::new(edit.layer);
        done
    }

    /// Forgets all changes.
    pub fn clear(&self) {
        *self.layer.write() = Arc::default();
    }

    fn layer(&self) -> Arc<Layer> {
        Arc::clone(&self.layer.read())
    }
}

/// A layer that is being changed.
struct Edit<'a> {
    real: &'a dyn Files,
    layer: Layer,
}

impl Edit<'_> {
    fn info(&self, path: &CanonicalPath) -> Result<Metadata, FileError> {
        info(self.real, &self.layer, path)
    }

    fn open(&self, path: &CanonicalPath) -> Result<OpenFile, FileError> {
        open(self.real, &self.layer, path)
    }

    /// What fails leaves at most directories on the way.
    fn commit(&mut self, change: &Change) -> Result<(), FileError> {
        let room = self.layer.has_room_for(change);
        room.and_then(|()| apply::apply(self.real, &mut self.layer, change, &mut Vec::new()))
    }
}

impl Files for Overlay {
    fn root(&self) -> String {
        self.real.root()
    }

    fn locate(&self, path: &str) -> Result<CanonicalPath, FileError> {
        self.real.locate(path)
    }

    fn locate_entry(&self, path: &str) -> Result<CanonicalPath, FileError> {
        self.real.locate_entry(path)
    }

    fn judge(&self, path: &CanonicalPath, access: Access) -> Result<(), FileError> {
        self.real.judge(path, access)
    }

    fn info(&self, path: &CanonicalPath) -> Result<Metadata, FileError> {
        info(&*self.real, &self.layer(), path)
    }

    fn open(&self, path: &CanonicalPath) -> Result<OpenFile, FileError> {
        open(&*self.real, &self.layer(), path)
    }

    fn entries(&self, path: &CanonicalPath) -> Result<Vec<Entry>, FileError> {
        entries(&*self.real, &self.layer(), path)
    }

    fn walk(
        &self,
        path: &CanonicalPath,
        options: WalkOptions,
        visit: &(dyn Fn(&WalkEntry<'_>) -> Flow + Sync),
    ) -> Result<WalkEnd, FileError> {
        let layer = self.layer();
        if layer.is_empty() {
            return self.real.walk(path, options, visit);
        }
        let real = &*self.real;
        Walk { real, layer: &layer, start: path, options, visit, seen: AtomicUsize::new(0), skipped: Mutex::default() }
            .run()
    }

    fn commit(&self, changes: &[Change], _origin: &ChangeOrigin) -> Result<Vec<Committed>, FileError> {
        let _one = self.committing.lock();
        let mut next = Layer::clone(&self.layer());
        let mut committed = Vec::new();
        for change in changes {
            apply::apply(&*self.real, &mut next, change, &mut committed)?;
        }
        next.within_limit(changes.first())?;
        *self.layer.write() = Arc::new(next);
        Ok(committed)
    }
}

fn info(real: &dyn Files, layer: &Layer, path: &CanonicalPath) -> Result<Metadata, FileError> {
    match layer.seen(path)? {
        Seen::Real => real.info(path),
        Seen::Node(node) => node.info(real),
    }
}

fn open(real: &dyn Files, layer: &Layer, path: &CanonicalPath) -> Result<OpenFile, FileError> {
    let Seen::Node(node) = layer.seen(path)? else { return real.open(path) };
    real.judge(path, Access::Read)?;
    match node {
        Node::File { content: Content::Memory(bytes), .. } => Ok(OpenFile {
            path: path.clone(),
            info: node.info(real)?,
            content: Box::new(Cursor::new(Arc::clone(bytes))),
        }),
        Node::File { content: Content::Real(there), .. } => Ok(OpenFile { path: path.clone(), ..real.open(there)? }),
        Node::Directory => Err(FileError::new(FileErrorKind::IsDirectory, path.to_string())),
        Node::Other(_) => Err(FileError::new(FileErrorKind::Special, path.to_string())),
        Node::Gone => Err(FileError::new(FileErrorKind::NotFound, path.to_string())),
    }
}

/// The names in a directory as the layer shows it, sorted.
fn entries(real: &dyn Files, layer: &Layer, path: &CanonicalPath) -> Result<Vec<Entry>, FileError> {
    let mut names: BTreeMap<String, EntryKind> = BTreeMap::new();
    match layer.seen(path)? {
        Seen::Real => names.extend(real.entries(path)?.into_iter().map(|entry| (entry.name, entry.kind))),
        Seen::Node(Node::Directory) => {}
        Seen::Node(Node::Gone) => return Err(FileError::new(FileErrorKind::NotFound, path.to_string())),
        Seen::Node(_) => return Err(FileError::new(FileErrorKind::NotADirectory, path.to_string())),
    }
    for (child, node) in layer.below(path).filter(|(child, _)| child.relative().parent() == Some(path.relative())) {
        let Some(name) = child.relative().file_name() else { continue };
        let name = name.to_string_lossy().into_owned();
        match node.kind() {
            Some(kind) => names.insert(name, kind),
            None => names.remove(&name),
        };
    }
    Ok(names.into_iter().map(|(name, kind)| Entry { name, kind }).collect())
}

/// Opens a file that is only in the layer.
struct InMemory<'a> {
    real: &'a dyn Files,
    layer: &'a Layer,
    path: &'a CanonicalPath,
}

impl EntryOpener for InMemory<'_> {
    fn open(&self, _entry: &WalkEntry<'_>) -> Result<EntryContent, FileError> {
        let OpenFile { info, content, .. } = open(self.real, self.layer, self.path)?;
        Ok(EntryContent { info, content })
    }
}

struct Walk<'a> {
    real: &'a dyn Files,
    layer: &'a Layer,
    start: &'a CanonicalPath,
    options: WalkOptions,
    visit: &'a (dyn Fn(&WalkEntry<'_>) -> Flow + Sync),
    seen: AtomicUsize,
    /// Real directories that the visitor did not want to enter.
    skipped: Mutex<Vec<PathBuf>>,
}

impl Walk<'_> {
    fn run(&self) -> Result<WalkEnd, FileError> {
        let stopped = AtomicBool::new(false);
        let mut end = match self.layer.seen(self.start)? {
            Seen::Real => self.real.walk(self.start, self.options, &|entry| {
                let path = CanonicalPath::new(self.start.root(), entry.path.to_owned());
                if self.layer.get(&path).is_some() {
                    return Flow::Skip;
                }
                let flow = self.show(entry);
                match flow {
                    Flow::Stop => stopped.store(true, Ordering::Relaxed),
                    Flow::Skip if entry.kind == EntryKind::Directory => self.skip(entry.path),
                    Flow::Skip => {}
                    Flow::Continue => {}
                }
                flow
            })?,
            Seen::Node(Node::Directory) => WalkEnd::default(),
            Seen::Node(Node::Gone) => return Err(FileError::new(FileErrorKind::NotFound, self.start.to_string())),
            Seen::Node(_) => return Err(FileError::new(FileErrorKind::NotADirectory, self.start.to_string())),
        };
        if !stopped.load(Ordering::Relaxed) {
            self.additions();
        }
        end.seen = self.seen.load(Ordering::Relaxed);
        Ok(end)
    }

    fn additions(&self) {
        for (path, node) in self.layer.below(self.start) {
            let Some(kind) = node.kind() else { continue };
            let Ok(inside) = path.relative().strip_prefix(self.start.relative()) else { continue };
            let depth = inside.components().count();
            if depth > self.options.max_depth || self.is_hidden(inside) || self.is_skipped(path.relative()) {
                continue;
            }
            let opener = InMemory { real: self.real, layer: self.layer, path };
            match self.show(&WalkEntry {
                path: path.relative(),
                kind,
                depth,
                inclusion: Inclusion::Included,
                opener: &opener,
            }) {
                Flow::Stop => return,
                Flow::Skip => self.skip(path.relative()),
                Flow::Continue => {}
            }
        }
    }

    fn show(&self, entry: &WalkEntry<'_>) -> Flow {
        self.seen.fetch_add(usize::from(entry.inclusion == Inclusion::Included), Ordering::Relaxed);
        (self.visit)(entry)
    }

    fn is_hidden(&self, inside: &Path) -> bool {
        self.options.hidden == Visit::Hide && inside.iter().any(|name| name.as_bytes().starts_with(b"."))
    }

    fn skip(&self, path: &Path) {
        self.skipped.lock().push(path.to_owned());
    }

    fn is_skipped(&self, path: &Path) -> bool {
        let skipped = self.skipped.lock();
        skipped.iter().any(|directory| path.starts_with(directory))
    }
}
