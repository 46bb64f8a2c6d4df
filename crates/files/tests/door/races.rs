//! While names are swapped for links to the outside as fast as the kernel can, every operation either works inside or
//! fails. 100,000 tries in all, half of them without `openat2`.

use crate::space::{Open, SECRET, Space, delete, hash, origin, read, write};
use palanca_core::ports::{Change, Expect, FileError, Files, Flow, Visit, WalkOptions};
use palanca_files::Disk;
use rustix::fs::{CWD, RenameFlags, renameat_with};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

const ALL: WalkOptions = WalkOptions { max_depth: 4, ignore_files: Visit::Show, hidden: Visit::Show };

/// Swaps two names until dropped.
struct Swapper {
    over: Arc<AtomicBool>,
    swaps: Arc<AtomicUsize>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Swapper {
    fn start(a: PathBuf, b: PathBuf) -> Self {
        let over = Arc::new(AtomicBool::new(false));
        let swaps = Arc::new(AtomicUsize::new(0));
        let (stop, count) = (Arc::clone(&over), Arc::clone(&swaps));
        let thread = std::thread::spawn(move || {
            while !stop.load(Ordering::Relaxed) {
                if renameat_with(CWD, &a, CWD, &b, RenameFlags::EXCHANGE).is_ok() {
                    count.fetch_add(1, Ordering::Relaxed);
                }
            }
        });
        Self { over, swaps, thread: Some(thread) }
    }
}

impl Drop for Swapper {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        self.thread.take().unwrap().join().unwrap();
    }
}

/// Tries `attempt` while `a` and `b`, below the space's top, change places. Half of the tries do without `openat2`.
fn race(
    tries: usize,
    (a, b): (&str, &str),
    prepare: impl Fn(&Space),
    attempt: impl Fn(&Space, &Disk, usize) -> Result<(), FileError>,
) {
    for stepwise in [false, true] {
        let space = Space::in_memory();
        prepare(&space);
        let disk = Disk::open(&space.ws(), &[], Arc::new(Open)).unwrap();
        let disk = if stepwise { disk.without_openat2() } else { disk };
        let before = space.outside();
        let swapper = Swapper::start(space.path(a), space.path(b));
        let worked = (0..tries / 2).filter(|at| attempt(&space, &disk, *at).is_ok()).count();
        let swaps = swapper.swaps.load(Ordering::Relaxed);
        drop(swapper);
        assert_eq!(before, space.outside(), "the outside changed");
        println!("{a} <-> {b}, stepwise {stepwise}: {worked} of {} worked, {swaps} swaps", tries / 2);
    }
}

fn file_for_link(space: &Space) {
    space.put("x.txt", "inside\n");
    space.link("evil", space.path("outside/secret.txt"));
}

fn directory_for_link(space: &Space) {
    space.link("evil", space.path("outside"));
}

fn no_secret(bytes: &[u8]) {
    assert!(!String::from_utf8_lossy(bytes).contains(SECRET), "content of the outside was shown");
}

/// Each race once with few tries, and in the stress suite with all of them.
macro_rules! races {
    ($($name:ident, $race:ident, $tries:literal;)*) => {
        $(
            #[test]
            fn $name() {
                $race($tries / 40);
            }
        )*

        mod stress {
            $(
                #[test]
                #[ignore = "cargo xtask stress"]
                fn $name() {
                    super::$race($tries);
                }
            )*
        }
    };
}

races! {
    reading_a_file, read_a_file, 20_000;
    reading_below_a_directory, read_below_a_directory, 20_000;
    locating, locate, 12_000;
    writing_a_file, write_a_file, 8_000;
    writing_below_a_directory, write_below_a_directory, 8_000;
    editing_a_file, edit_a_file, 8_000;
    removing_a_directory, remove_a_directory, 6_000;
    moving_into_a_directory, move_into_a_directory, 6_000;
    listing_and_walking, list_and_walk, 6_000;
    the_workspace_itself_replaced, replace_the_workspace, 6_000;
}

const FILE: (&str, &str) = ("ws/x.txt", "ws/evil");
const DIRECTORY: (&str, &str) = ("ws/sub", "ws/evil");

fn read_a_file(tries: usize) {
    race(tries, FILE, file_for_link, |_, disk, _| read(disk, "x.txt").map(|bytes| no_secret(&bytes)));
}

fn read_below_a_directory(tries: usize) {
    race(tries, DIRECTORY, directory_for_link, |_, disk, _| read(disk, "sub/in.txt").map(|bytes| no_secret(&bytes)));
}

fn locate(tries: usize) {
    race(tries, DIRECTORY, directory_for_link, |space, disk, at| {
        let absolute = space.ws().join("sub/in.txt").display().to_string();
        let given = ["sub/in.txt", "sub/../sub/in.txt", &absolute, "sub/new/deep.txt"][at % 4];
        let path = disk.locate(given)?;
        assert!(path.relative().starts_with("sub"), "{path}");
        Ok(())
    });
}

fn write_a_file(tries: usize) {
    race(tries, FILE, file_for_link, |_, disk, at| {
        let content = format!("inside {at}\n");
        disk.commit(&[write(&disk.locate("x.txt")?, content, Expect::Anything)], &origin()).map(drop)
    });
}

fn write_below_a_directory(tries: usize) {
    race(tries, DIRECTORY, directory_for_link, |_, disk, at| {
        let path = disk.locate(["sub/new.txt", "sub/a/b/new.txt"][at % 2])?;
        disk.commit(&[write(&path, "inside\n", Expect::Anything)], &origin()).map(drop)
    });
}

fn edit_a_file(tries: usize) {
    race(tries, FILE, file_for_link, |_, disk, at| {
        let path = disk.locate("x.txt")?;
        let mut old = Vec::new();
        disk.open(&path)?.content.read_to_end(&mut old).unwrap();
        no_secret(&old);
        let new = format!("inside {at}\n");
        disk.commit(&[write(&path, new, Expect::Content(hash(&old)))], &origin()).map(drop)
    });
}

fn remove_a_directory(tries: usize) {
    race(tries, DIRECTORY, directory_for_link, |space, disk, _| {
        let removed = disk.locate_entry("sub").and_then(|path| disk.commit(&[delete(&path)], &origin()));
        // Either name may be gone now: a directory or the link itself.
        for name in ["sub", "evil"] {
            if !space.exists(name) && std::fs::create_dir(space.ws().join(name)).is_ok() {
                // ignored: the other name may stand here by now, and be a link; then nothing must be written through it.
                let here = Disk::open(&space.ws(), &[], Arc::new(Open)).unwrap();
                let path = palanca_core::CanonicalPath::new(
                    palanca_core::call::Root::Workspace,
                    Path::new(name).join("in.txt"),
                );
                let _ = here.commit(&[write(&path, "inside\n", Expect::Anything)], &origin());
            }
        }
        removed.map(drop)
    });
}

fn move_into_a_directory(tries: usize) {
    race(tries, DIRECTORY, directory_for_link, |space, disk, at| {
        let name = format!("m{at}.txt");
        std::fs::write(space.ws().join(&name), "inside\n").unwrap();
        let from = disk.locate(&name)?;
        let to = disk.locate(&format!("sub/{name}"))?;
        disk.commit(&[Change::Move { from, to }], &origin()).map(drop)
    });
}

fn list_and_walk(tries: usize) {
    race(tries, DIRECTORY, directory_for_link, |_, disk, at| {
        let path = disk.locate("sub")?;
        let show = |name: &str| assert!(!name.contains("secret") && !name.contains("plain"), "{name} was shown");
        if at % 2 == 0 {
            disk.entries(&path)?.iter().for_each(|entry| show(&entry.name));
        } else {
            disk.walk(&disk.locate(".")?, ALL, &|entry| {
                show(&entry.path.display().to_string());
                if let Ok(mut file) = entry.open() {
                    let mut content = Vec::new();
                    file.content.read_to_end(&mut content).unwrap();
                    no_secret(&content);
                }
                Flow::Continue
            })?;
        }
        Ok(())
    });
}

fn replace_the_workspace(tries: usize) {
    let prepare = |space: &Space| {
        std::os::unix::fs::symlink(space.path("outside"), space.path("link")).unwrap();
    };
    // The link and the workspace are both outside the workspace, so they are compared by what lies in `outside`.
    for stepwise in [false, true] {
        let space = Space::in_memory();
        prepare(&space);
        let disk = Disk::open(&space.ws(), &[], Arc::new(Open)).unwrap();
        let disk = if stepwise { disk.without_openat2() } else { disk };
        let contents = || {
            let mut names: Vec<_> =
                std::fs::read_dir(space.path("outside")).unwrap().map(|name| name.unwrap().file_name()).collect();
            names.sort();
            (names, std::fs::read(space.path("outside/README.md")).unwrap())
        };
        let before = contents();
        let swapper = Swapper::start(space.ws(), space.path("link"));
        for at in 0..tries / 2 {
            no_secret(&read(&disk, "README.md").unwrap());
            let path = disk.locate("README.md").unwrap();
            disk.commit(&[write(&path, format!("inside {at}\n"), Expect::Anything)], &origin()).unwrap();
        }
        drop(swapper);
        assert_eq!(before, contents());
    }
}
