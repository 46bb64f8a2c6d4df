//! What a program that runs without a question cannot do: change anything, or start or load what the workspace brought.

use crate::driver::{Place, users};
use std::fs;
use std::path::{Path, PathBuf};

/// Ways to run what lies in the workspace or in a further directory; each prints `ran` if it does.
const RUNS: [&str; 8] = [
    "./tool ran",
    "./script",
    "/proc/self/cwd/tool ran",
    "env ./tool ran",
    "exec ./link ran",
    "PATH=.:$PATH tool ran",
    "find . -name tool -exec '{}' ran ';'",
    "$FURTHER/tool ran",
];
/// The same where a program has private folders, and where libraries are kept out as well.
const RUNS_AT_FULL: [&str; 3] = [
    "cp tool /tmp/tool && /tmp/tool ran",
    "cp tool $HOME/tool && $HOME/tool ran",
    "/usr/bin/python3 -c 'import ctypes; ctypes.CDLL(\"./library.so\"); print(\"ran\")'",
];
/// Ways to change the workspace.
const WRITES: [&str; 9] = [
    "echo x > new",
    "echo x >> file",
    ": > file",
    "mkdir folder",
    "rm file",
    "mv file other",
    "ln file hard",
    "ln -s file soft",
    "cp -p tool copy",
];

/// A library of this machine that a program can load under another name.
fn library() -> PathBuf {
    let maps = fs::read_to_string("/proc/self/maps").unwrap();
    let own = maps.lines().filter_map(|line| Some(Path::new(&line[line.find('/')?..])));
    let folder = own.filter(|path| path.to_string_lossy().contains("/libc.so")).find_map(Path::parent).unwrap();
    folder.join("libm.so.6").canonicalize().unwrap()
}

#[test]
fn a_program_that_only_reads_runs_nothing_of_the_workspace_and_changes_nothing() {
    for (user, level) in users().into_iter().flat_map(|user| ["full", "filters"].map(|level| (user, level))) {
        let mut place = Place::new(user, level);
        let further = Place::new(user, level);
        place.environment.push(("FURTHER".to_owned(), further.workspace().display().to_string()));
        place.readable.push(further.workspace().to_owned());
        for place in [&place, &further] {
            place.install(Path::new("/bin/echo"), "tool");
        }
        place.install(Path::new("/bin/echo"), "script");
        fs::write(place.path("script"), "#!/bin/echo ran\n").unwrap();
        place.install(&library(), "library.so");
        place.file("file", "kept\n");
        std::os::unix::fs::symlink("tool", place.path("link")).unwrap();
        let runs = RUNS.into_iter().chain(RUNS_AT_FULL.into_iter().filter(|_| level == "full"));
        let listing = place.listing();
        for script in runs {
            let ran = |place: &Place| place.sh(script).output.contains("ran");
            place.unexecuted.clear();
            assert!(ran(&place), "{user:?} {level}: {script} proves nothing: {:?}", place.sh(script));
            place.unexecuted = vec![place.workspace().to_owned(), further.workspace().to_owned()];
            assert!(!ran(&place), "{user:?} {level}: {script}");
        }
        // Modes below the full level are the supervisor's to keep.
        let modes = ["chmod 600 file", "touch -d yesterday file"].into_iter().filter(|_| level == "full");
        for script in WRITES.into_iter().chain(modes) {
            place.sh(script);
            assert_eq!(place.listing(), listing, "{user:?} {level}: {script}");
        }
        // What it is there for.
        let seen = place.sh("cat file; git --version > /dev/null && sh -c 'env echo works'; python3 -c 'print(1)'");
        assert_eq!(seen.output, "kept\nworks\n1\n", "{user:?} {level}");
    }
}
