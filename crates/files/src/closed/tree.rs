//! A tree being scanned, and its results so far.

use super::folder::{Folder, Look, Reading, Stamp, Visibility};
use crate::beneath::Opener;
use rustix::fd::BorrowedFd;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;

/// Folders that one thread looks at sooner than another thread is started.
const RUN: usize = 256;
const MOST_THREADS: usize = 8;

/// A folder that is held open, and its absolute path.
#[derive(Clone, Copy)]
pub(crate) struct Tree<'a> {
    pub(crate) handle: BorrowedFd<'a>,
    pub(crate) path: &'a Path,
    pub(crate) opener: Opener,
    /// What of it is left out, relative to it.
    pub(crate) but: Option<&'a Path>,
}

/// A folder to visit.
struct Job {
    path: PathBuf,
    visibility: Visibility,
    parent: usize,
    /// Where it stands among the folders that are known.
    known: Option<usize>,
}

enum Visited {
    Same,
    Read(Reading),
    Gone,
}

impl Look<'_> {
    /// All folders of the tree, those above before those below, and how many were read: what has not changed is taken over
    /// from `known`.
    ///
    /// # Errors
    /// There are too few handles.
    pub(super) fn through(&self, mut known: Vec<Folder>) -> io::Result<(Vec<Folder>, usize)> {
        let mut read = 0;
        let mut folders: Vec<Folder> = Vec::with_capacity(known.len());
        let top = (!known.is_empty()).then_some(0);
        let mut jobs = vec![Job { path: PathBuf::new(), visibility: Visibility::Open, parent: 0, known: top }];
        while !jobs.is_empty() {
            let visited = in_parallel(&jobs, |job| self.visit(job, &known))?;
            let mut next = Vec::new();
            for (job, visited) in jobs.into_iter().zip(visited) {
                let at = folders.len();
                let old = job.known.and_then(|place| known.get_mut(place)).map(std::mem::take).unwrap_or_default();
                let folder = match visited {
                    Visited::Gone => continue,
                    Visited::Same => {
                        next.extend(old.below.clone().filter_map(|place| {
                            let Folder { path, visibility, .. } = known.get(place)?;
                            Some(Job { path: path.clone(), visibility: *visibility, parent: at, known: Some(place) })
                        }));
                        Folder { below: 0..0, ..old }
                    }
                    Visited::Read(Reading { folder, below }) => {
                        let old: HashMap<&OsStr, usize> = old
                            .below
                            .clone()
                            .filter_map(|place| Some((known.get(place)?.path.file_name()?, place)))
                            .collect();
                        next.extend(below.into_iter().map(|(name, visibility)| Job {
                            path: folder.path.join(&name),
                            visibility,
                            parent: at,
                            known: old.get(&*name).copied(),
                        }));
                        read += 1;
                        folder
                    }
                };
                if let Some(parent) = folders.get_mut(job.parent).filter(|_| at > 0) {
                    let start = if parent.below.is_empty() { at } else { parent.below.start };
                    parent.below = start..at + 1;
                }
                folders.push(folder);
            }
            jobs = next;
        }
        Ok((folders, read))
    }

    fn visit(&self, job: &Job, known: &[Folder]) -> io::Result<Visited> {
        let old = job.known.and_then(|place| known.get(place)).filter(|old| old.visibility == job.visibility);
        if let Some(stamp) = old.and_then(|old| old.stamp)
            && Stamp::at(&self.tree, &job.path) == Some(stamp)
        {
            return Ok(Visited::Same);
        }
        Ok(self.read(&job.path, job.visibility)?.map_or(Visited::Gone, Visited::Read))
    }
}

/// Does all of it, on several threads where it is much.
pub(super) fn in_parallel<J: Sync, R: Send>(
    jobs: &[J],
    each: impl Fn(&J) -> io::Result<R> + Sync,
) -> io::Result<Vec<R>> {
    let most = thread::available_parallelism().map_or(1, |count| count.get().min(MOST_THREADS));
    let threads = most.min(jobs.len() / RUN).max(1);
    if threads == 1 {
        return jobs.iter().map(each).collect();
    }
    let run = jobs.len().div_ceil(threads);
    thread::scope(|scope| {
        let each = &each;
        let running: Vec<_> =
            jobs.chunks(run).map(|jobs| scope.spawn(move || jobs.iter().map(each).collect::<Vec<_>>())).collect();
        let mut all = Vec::with_capacity(jobs.len());
        for thread in running {
            let done = thread.join().map_err(|_| io::Error::other("a thread that looks for closed files failed"))?;
            for result in done {
                all.push(result?);
            }
        }
        Ok(all)
    })
}
