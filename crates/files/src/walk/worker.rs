//! The threads of one walk: each takes a directory or a run of files from the shared queue until nothing is left.

use super::directory::{Directory, Listing, open_child, reopen};
use super::ignored::{Level, Matchers, Present, Say};
use super::opener::Opener;
use super::place::Place;
use super::queue::{Need, Queue};
use super::{Judge, Start};
use crate::atomic;
use crate::errors::{file_error, words};
use palanca_core::ports::{EntryKind, FileError, Flow, Inclusion, PathRules, Visit, WalkEnd, WalkEntry, WalkOptions};
use parking_lot::Mutex;
use rustix::fd::{AsFd, BorrowedFd};
use rustix::fs::{Mode, OFlags, openat};
use rustix::io::Errno;
use std::ffi::{CString, OsStr};
use std::mem::MaybeUninit;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{self, Scope};

/// Directories that wait for their children are kept open up to this number; below that, children are found again by
/// their path. Well under the usual limit of 1,024 for a process, so that several walks may run at once.
const MOST_OPEN: usize = 64;
/// Files of one directory that one thread visits without offering them to others.
const RUN: usize = 16;
/// More threads only wait for the kernel's directory locks.
const MOST_THREADS: usize = 8;
/// Bytes of names asked from the kernel at once.
const NAMES: usize = 32 * 1024;
/// Unreadable directories that are named; the rest would only fill the result.
const MOST_UNREADABLE: usize = 20;

type VisitFn<'a> = &'a (dyn Fn(&WalkEntry<'_>) -> Flow + Sync);

struct Shared<'a> {
    start: BorrowedFd<'a>,
    /// Bytes of the start's path with its slash: what is cut off to find a directory again.
    start_length: usize,
    rules: &'a dyn PathRules,
    judge: Judge<'a>,
    options: WalkOptions,
    visit: VisitFn<'a>,
    open: &'a AtomicUsize,
    threads: AtomicUsize,
    queue: Queue<Job<'a>>,
    matchers: Matchers,
    end: Mutex<WalkEnd>,
}

enum Job<'a> {
    /// Read this directory.
    Enter { place: Arc<Place>, parent: Option<Arc<Directory<'a>>>, level: Option<Arc<Level>> },
    /// Visit these files of a directory that was read.
    Files { read: Arc<Read<'a>>, run: Range<usize> },
}

/// A directory that was read and has more files than one run.
struct Read<'a> {
    place: Arc<Place>,
    directory: Arc<Directory<'a>>,
    level: Option<Arc<Level>>,
    listing: Listing,
}

/// The walk; see [`super::walk`].
pub(super) fn walk(start: &Start<'_>, options: WalkOptions, visit: VisitFn<'_>) -> Result<WalkEnd, FileError> {
    let prefix = start.prefix.as_os_str();
    let shown = || if prefix.is_empty() { ".".to_owned() } else { start.prefix.display().to_string() };
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    // Opened anew: the caller's handle may be one that cannot be read, and keeps its own position.
    let first = openat(&start.directory, c".", flags, Mode::empty()).map_err(|errno| file_error(errno, shown()))?;
    let name = CString::new(prefix.as_bytes()).map_err(|_nul| file_error(Errno::INVAL, shown()))?;
    if options.max_depth == 0 {
        return Ok(WalkEnd::default());
    }
    let matchers = Matchers::default();
    let level = match (options.ignore_files, start.root) {
        (Visit::Hide | Visit::Mention, Some(root)) if !prefix.is_empty() => matchers.levels_above(root, start.prefix),
        _ => None,
    };
    let open = AtomicUsize::new(0);
    let place = Arc::new(Place::start(name));
    let start_length = place.length();
    let first = Job::Enter { place, parent: Some(Arc::new(Directory::new(first, &open))), level };
    let shared = Shared {
        start: start.directory.as_fd(),
        start_length,
        rules: start.rules,
        judge: start.judge,
        options,
        visit,
        open: &open,
        threads: AtomicUsize::new(1),
        queue: Queue::new(first),
        matchers,
        end: Mutex::default(),
    };
    thread::scope(|scope| Worker::new(&shared, scope).work());
    let mut end = shared.end.into_inner();
    end.unreadable.sort();
    Ok(end)
}

/// How many threads are worth starting; asked once, because the answer costs reading several files of `/proc`.
fn most_threads() -> usize {
    static THREADS: OnceLock<usize> = OnceLock::new();
    *THREADS.get_or_init(|| thread::available_parallelism().map_or(1, |count| count.get().min(MOST_THREADS)))
}

struct Worker<'scope, 'env, 'a> {
    shared: &'scope Shared<'a>,
    scope: &'scope Scope<'scope, 'env>,
    /// The path of the directory at hand with a slash at its end, then of the entry.
    path: Vec<u8>,
    listing: Listing,
    names: Box<[MaybeUninit<u8>]>,
    jobs: Vec<Job<'a>>,
    seen: usize,
}

/// Ends the walk for the other threads when this one panics: they would wait forever for its job.
struct StopOnPanic<'s, 'a>(&'s Queue<Job<'a>>);

impl Drop for StopOnPanic<'_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

impl<'scope, 'a> Worker<'scope, '_, 'a> {
    fn new<'env>(shared: &'scope Shared<'a>, scope: &'scope Scope<'scope, 'env>) -> Worker<'scope, 'env, 'a> {
        let names = Box::new_uninit_slice(NAMES);
        Worker { shared, scope, path: Vec::new(), listing: Listing::default(), names, jobs: Vec::new(), seen: 0 }
    }

    fn work(mut self) {
        let _guard = StopOnPanic(&self.shared.queue);
        let mut next = self.shared.queue.first();
        while let Some(job) = next {
            match job {
                Job::Enter { place, parent, level } => self.enter(place, parent, level),
                Job::Files { read, run } => self.files(&read, run),
            }
            next = self.shared.queue.next();
        }
        let mut end = self.shared.end.lock();
        end.seen = end.seen.saturating_add(self.seen);
    }

    fn enter(&mut self, place: Arc<Place>, parent: Option<Arc<Directory<'a>>>, above: Option<Arc<Level>>) {
        place.write_to(&mut self.path);
        let opened = match parent {
            // The start was opened before the first job was made.
            Some(directory) if place.depth == 0 => Ok(directory),
            Some(parent) => open_child(parent.as_fd(), place.name()).map(|fd| self.count(fd)),
            None => {
                let relative = self.path.get(self.shared.start_length..).unwrap_or_default();
                let relative = relative.strip_suffix(b"/").unwrap_or(relative);
                reopen(self.shared.start, Path::new(OsStr::from_bytes(relative))).map(|fd| self.count(fd))
            }
        };
        let directory = match opened {
            Ok(directory) => directory,
            // Gone, or something else by now: it is not part of the tree any more.
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => return,
            Err(errno) => return self.unreadable(errno),
        };
        let mut listing = std::mem::take(&mut self.listing);
        listing.clear();
        if let Err(errno) = listing.read(directory.as_fd(), &mut self.names) {
            self.unreadable(errno);
        }
        let level = match self.shared.options.ignore_files {
            Visit::Hide | Visit::Mention => {
                let present = Present::among(&listing);
                self.shared.matchers.level(above, directory.as_fd(), (place.length(), present))
            }
            Visit::Show => None,
        };
        let here = Read { place, directory, level, listing };
        // Too many are open: this one is done with at once, and most of its children find their own way back.
        let crowded = self.shared.open.load(Ordering::Relaxed) > MOST_OPEN;
        self.directories(&here, crowded);
        let total = here.listing.items().len();
        if crowded || total <= RUN {
            self.run(&here, 0..total);
            self.listing = here.listing;
        } else {
            let here = Arc::new(here);
            let starts = (0..total).step_by(RUN);
            self.jobs.extend(
                starts.map(|start| Job::Files {
                    read: Arc::clone(&here),
                    run: start..start.saturating_add(RUN).min(total),
                }),
            );
            self.offer();
        }
    }

    fn count(&self, fd: rustix::fd::OwnedFd) -> Arc<Directory<'a>> {
        Arc::new(Directory::new(fd, self.shared.open))
    }

    /// Visits the directories of a directory and queues those to enter, so that other threads can begin.
    fn directories(&mut self, here: &Read<'a>, crowded: bool) {
        let options = self.shared.options;
        for item in here.listing.items().iter().filter(|item| item.kind == EntryKind::Directory) {
            let name = here.listing.name(item);
            let deeper = here.place.depth.saturating_add(1) < options.max_depth;
            if self.visit(here, name.to_bytes(), item.kind) == Flow::Continue && deeper {
                self.jobs.push(Job::Enter {
                    place: Arc::new(Place::below(&here.place, name)),
                    parent: (!crowded).then(|| Arc::clone(&here.directory)),
                    level: here.level.clone(),
                });
            }
        }
        // The last one is taken next, so it does not keep the directory open for long.
        if let Some(Job::Enter { parent, .. }) = self.jobs.last_mut() {
            parent.get_or_insert_with(|| Arc::clone(&here.directory));
        }
        self.offer();
    }

    fn files(&mut self, read: &Read<'a>, run: Range<usize>) {
        read.place.write_to(&mut self.path);
        self.run(read, run);
    }

    fn run(&mut self, here: &Read<'a>, run: Range<usize>) {
        for item in here.listing.items().get(run).unwrap_or_default() {
            if item.kind != EntryKind::Directory {
                self.visit(here, here.listing.bytes(item), item.kind);
            }
        }
    }

    /// Shows one entry unless it is hidden; `path` holds the directory before and after.
    fn visit(&mut self, here: &Read<'a>, name: &[u8], kind: EntryKind) -> Flow {
        if self.shared.queue.is_stopped() {
            return Flow::Stop;
        }
        if atomic::is_in_flight(&here.directory, OsStr::from_bytes(name)) {
            return Flow::Skip;
        }
        let length = self.path.len();
        self.path.extend_from_slice(name);
        let flow = if let Some(inclusion) = self.inclusion(here, name, kind) {
            self.seen = self.seen.saturating_add(usize::from(inclusion == Inclusion::Included));
            let opener =
                Opener { directory: here.directory.as_fd(), rules: self.shared.rules, judge: self.shared.judge };
            let path = Path::new(OsStr::from_bytes(&self.path));
            let depth = here.place.depth.saturating_add(1);
            match (self.shared.visit)(&WalkEntry { path, kind, depth, inclusion, opener: &opener }) {
                Flow::Continue if inclusion == Inclusion::Ignored => Flow::Skip,
                flow => flow,
            }
        } else {
            Flow::Skip
        };
        self.path.truncate(length);
        if flow == Flow::Stop {
            self.shared.queue.stop();
        }
        flow
    }

    /// Nothing for what the visitor is not told of.
    fn inclusion(&self, here: &Read<'a>, name: &[u8], kind: EntryKind) -> Option<Inclusion> {
        let options = self.shared.options;
        match here.level.as_ref().map_or(Say::Nothing, |level| level.say(&self.path, kind)) {
            Say::Hide => (options.ignore_files == Visit::Mention).then_some(Inclusion::Ignored),
            Say::Show => Some(Inclusion::Included),
            Say::Nothing => (options.hidden == Visit::Show || !name.starts_with(b".")).then_some(Inclusion::Included),
        }
    }

    /// Queues the collected jobs, and starts a thread when there is more to do than threads to do it.
    fn offer(&mut self) {
        let shared = self.shared;
        if shared.queue.push(&mut self.jobs) == Need::Enough {
            return;
        }
        let most = most_threads();
        let claim = |count: usize| (count < most).then_some(count.saturating_add(1));
        if shared.threads.fetch_update(Ordering::Relaxed, Ordering::Relaxed, claim).is_ok() {
            let scope = self.scope;
            let thread = thread::Builder::new().name("walk".to_owned());
            // Without another thread the walk is slower, not wrong.
            let _ = thread.spawn_scoped(scope, move || Worker::new(shared, scope).work());
        }
    }

    fn unreadable(&self, errno: Errno) {
        let mut end = self.shared.end.lock();
        if end.unreadable.len() < MOST_UNREADABLE {
            let path = String::from_utf8_lossy(self.path.strip_suffix(b"/").unwrap_or(&self.path));
            let path = if path.is_empty() { ".".into() } else { path };
            end.unreadable.push(format!("{path}: {}", words(errno)));
        }
    }
}
