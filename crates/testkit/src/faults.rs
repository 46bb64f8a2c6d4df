//! A file system where looking for a name fails as the name says: `error-5` with that number. Beside those it has one empty
//! file, `kept`, which is not listed. Nothing else works on it; what would change it is noted.

use crate::{skipped, until};
use parking_lot::Mutex;
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

/// `FUSE_*` of the kernel's `fuse.h`.
const LOOKUP: u32 = 1;
const FORGET: u32 = 2;
const GETATTR: u32 = 3;
const INIT: u32 = 26;
const OPEN_FOLDER: u32 = 27;
const READ_FOLDER: u32 = 28;
const CLOSE_FOLDER: u32 = 29;
const BATCH_FORGET: u32 = 42;
/// Symlink, mknod, mkdir, unlink, rmdir, rename, link, write, create, rename2.
const CHANGES: [u32; 10] = [6, 8, 9, 10, 11, 12, 13, 16, 35, 45];
const ROOT: u64 = 1;
const KEPT: u64 = 2;

/// Mounted until it is dropped.
#[derive(Debug)]
pub struct Faults {
    folder: PathBuf,
    changes: Arc<Mutex<Vec<u32>>>,
}

impl Faults {
    /// Over a folder; none where nothing can be mounted.
    #[must_use]
    pub fn over(folder: &Path) -> Option<Self> {
        let device = OpenOptions::new().read(true).write(true).open("/dev/fuse");
        let mounted = device.as_ref().ok().and_then(|device| {
            let options = "fd=0,rootmode=40000,user_id=0,group_id=0,allow_other";
            let mut mount = Command::new("mount");
            mount.args(["-i", "-t", "fuse", "-o", options, "faults"]).arg(folder);
            let done = mount.stdin(device.try_clone().ok()?).stderr(Stdio::null()).status();
            done.is_ok_and(|status| status.success()).then_some(())
        });
        let (Ok(device), Some(())) = (device, mounted) else {
            skipped("a file system that fails", "nothing can be mounted here");
            return None;
        };
        let changes = Arc::<Mutex<Vec<u32>>>::default();
        let noted = Arc::clone(&changes);
        std::thread::spawn(move || serve(device, &noted));
        Some(Self { folder: folder.to_owned(), changes })
    }

    /// What it was asked to change, by the numbers of `fuse.h`.
    #[must_use]
    pub fn changes(&self) -> Vec<u32> {
        self.changes.lock().clone()
    }
}

impl Drop for Faults {
    fn drop(&mut self) {
        // Other tests' programs may hold it until they are other programs.
        until("it is no longer mounted", || {
            let done = Command::new("umount").arg(&self.folder).stderr(Stdio::null()).status();
            done.is_ok_and(|status| status.success())
        });
    }
}

/// Until it is no longer mounted.
fn serve(mut device: File, changes: &Mutex<Vec<u32>>) {
    let mut request = vec![0; 1 << 17];
    while let Ok(length) = device.read(&mut request) {
        let number =
            |at: usize| request.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map(u32::from_ne_bytes);
        let (Some(kind), Some(unique), Some(node)) = (number(4), request.get(8..16), number(16)) else { return };
        let answer = match kind {
            FORGET | BATCH_FORGET => continue,
            INIT => Ok(init()),
            GETATTR => Ok([vec![0; 16], attributes(u64::from(node))].concat()),
            OPEN_FOLDER => Ok(vec![0; 16]),
            READ_FOLDER | CLOSE_FOLDER => Ok(Vec::new()),
            LOOKUP => looked_up(request.get(40..length).unwrap_or_default()),
            kind => {
                changes.lock().extend(CHANGES.contains(&kind).then_some(kind));
                Err(38)
            }
        };
        let (error, content) = answer.map_or_else(|error| (-error, Vec::new()), |content| (0, content));
        let length = u32::try_from(16 + content.len()).unwrap_or_default();
        let answer = [&length.to_ne_bytes()[..], &i32::to_ne_bytes(error), unique, &content].concat();
        // ignored: who asked was interrupted.
        let _ = device.write_all(&answer);
    }
}

/// Version 7.31, nothing special.
fn init() -> Vec<u8> {
    let words: [u32; 16] = [7, 31, 0, 0, 0, 4096, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    words.iter().flat_map(|word| word.to_ne_bytes()).collect()
}

fn looked_up(name: &[u8]) -> Result<Vec<u8>, i32> {
    let name = String::from_utf8_lossy(name);
    let name = name.trim_end_matches('\0');
    match name.strip_prefix("error-").and_then(|number| number.parse().ok()) {
        Some(number) => Err(number),
        None if name == "kept" => {
            let head: [u64; 5] = [KEPT, 0, 0, 0, 0];
            Ok(head.iter().flat_map(|word| word.to_ne_bytes()).chain(attributes(KEPT)).collect())
        }
        None => Err(2),
    }
}

/// Everybody's.
fn attributes(node: u64) -> Vec<u8> {
    let mode: u32 = if node == ROOT { 0o040_777 } else { 0o100_666 };
    let times: [u64; 6] = [node, 0, 0, 0, 0, 0];
    let rest: [u32; 10] = [0, 0, 0, mode, 1, 0, 0, 0, 4096, 0];
    times.iter().flat_map(|word| word.to_ne_bytes()).chain(rest.iter().flat_map(|word| word.to_ne_bytes())).collect()
}
