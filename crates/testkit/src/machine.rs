//! What a test needs of the machine: to say that it lacks something, to have it alone, to run as somebody else, programs
//! in C and programs that can be run at once.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Set in a run of a test binary that another test started; what it lacks is told by that test.
const NESTED: &str = "PALANCA_TEST_NESTED";

/// Says that something was not tried because the machine cannot do it; also when the test passes, which hides what the
/// macros print. `.ci/run` prints it again at its end, and with `PALANCA_TEST_STRICT=1` it is a failure.
#[track_caller]
pub fn skipped(what: &str, why: &str) {
    unreached(what, why);
    let strict = std::env::var_os("PALANCA_TEST_STRICT").is_some_and(|strict| strict == "1");
    assert!(!strict || nested(), "PALANCA_TEST_STRICT is set, and {what} was not tried: {why}");
}

/// Says that something was not tried because it is not of this machine, like a registry that does not answer.
pub fn unreached(what: &str, why: &str) {
    let line = format!("SKIPPED: {what}: {}\n", why.trim().replace('\n', " "));
    let _ = std::io::stderr().write_all(line.as_bytes());
    if let Some(list) = std::env::var_os("PALANCA_TEST_SKIPPED").filter(|_| !nested()) {
        let list = OpenOptions::new().append(true).create(true).open(&list).expect("the list of what is skipped");
        (&list).write_all(line.as_bytes()).expect("the list of what is skipped");
    }
}

/// Whether another test started this run.
#[must_use]
pub fn nested() -> bool {
    std::env::var_os(NESTED).is_some()
}

/// Runs tests of a test binary again, one at a time, as the command says; what they skip is told with this name.
#[track_caller]
pub fn again(what: &str, command: &mut Command, tests: &[&str]) -> Output {
    let output = command.args(tests).args(["--test-threads", "1"]).env(NESTED, "1").output().expect("the test binary");
    let (out, told) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{what}: {:?}\n{out}\n{told}", output.status);
    for line in told.lines().filter_map(|line| line.strip_prefix("SKIPPED: ")) {
        unreached(what, line);
    }
    output
}

/// Held by what needs the machine for itself, like storms of processes; among all test binaries and all users.
#[must_use]
pub fn alone() -> File {
    let path = std::env::temp_dir().join("palanca-tests.lock");
    let open = || OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o666).open(&path);
    // Where a folder is sticky, the kernel refuses to create what somebody else's file is there for.
    let file = open().or_else(|_| File::open(&path)).expect("the lock of the tests");
    let _ = file.set_permissions(fs::Permissions::from_mode(0o666));
    file.lock().expect("the lock of the tests");
    file
}

/// A program in C, compiled once for a folder of cargo's (`env!("CARGO_TARGET_TMPDIR")`) and a source, also by tests that
/// run at once.
#[must_use]
#[track_caller]
pub fn compiled(folder: impl AsRef<Path>, name: &str, source: &str, libraries: &[&str]) -> PathBuf {
    let digest = ring::digest::digest(&ring::digest::SHA256, source.as_bytes());
    let digest = data_encoding::HEXLOWER.encode(digest.as_ref());
    let program = folder.as_ref().join(format!("{name}-{}", digest.get(..16).unwrap_or_default()));
    if program.exists() {
        return program;
    }
    fs::create_dir_all(&folder).expect("cargo's folder for tests");
    let own = tempfile::tempdir_in(&folder).expect("a folder beside the program");
    let (code, built) = (own.path().join("program.c"), own.path().join("program"));
    fs::write(&code, source).expect("the program's source");
    let done = Command::new("cc").args(["-w", "-O1", "-o"]).args([&built, &code]).args(libraries).status();
    assert!(done.expect("cc").success(), "{name} does not compile");
    // Whoever comes second replaces it with the same; who runs the first one keeps it.
    fs::rename(&built, &program).expect("the program in its place");
    program
}

/// A file that can be run at once. Another program writes it: what this one has open for writing, a child that another
/// test forks meanwhile still holds, and then it cannot be run ("text file busy").
#[track_caller]
pub fn executable(path: impl AsRef<Path>, content: impl AsRef<[u8]>) {
    let mut command = Command::new("sh");
    command.args(["-c", "cat > \"$0\" && chmod 755 \"$0\""]).arg(path.as_ref());
    let mut child = command.stdin(Stdio::piped()).spawn().expect("sh");
    child.stdin.take().expect("its stdin").write_all(content.as_ref()).expect("sh takes it");
    assert!(child.wait().expect("sh ends").success(), "{} cannot be written", path.as_ref().display());
}
