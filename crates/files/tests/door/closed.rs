//! Which files are closed to programs, by name and by identity, and that the file door knows identities, too.

use palanca_core::call::{Access, CallId, CanonicalPath, SessionId};
use palanca_core::ports::{
    Change, ChangeOrigin, ClosedBy, Expect, FileErrorKind as K, Files, Flow, ProgramWrites, Visit, WalkOptions,
};
use palanca_files::{Disk, Writes};
use palanca_policy::paths::PathRules;
use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

struct Place {
    top: tempfile::TempDir,
    disk: Arc<Disk>,
    writes: Writes,
}

fn place() -> Place {
    denying(&[])
}

fn denying(globs: &[&str]) -> Place {
    let top = tempfile::tempdir().unwrap();
    fs::create_dir_all(top.path().join("ws")).unwrap();
    let deny: Vec<String> = globs.iter().map(|glob| (*glob).to_owned()).collect();
    let rules = Arc::new(PathRules::new(&deny, &[], None).unwrap());
    let disk = Arc::new(Disk::open(&top.path().join("ws"), &[], rules).unwrap());
    let writes = Writes::new(Arc::clone(&disk));
    Place { top, disk, writes }
}

impl Place {
    fn ws(&self, path: impl AsRef<Path>) -> PathBuf {
        self.top.path().canonicalize().unwrap().join("ws").join(path)
    }

    fn file(&self, path: impl AsRef<Path>) -> PathBuf {
        let path = self.ws(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "canary").unwrap();
        path
    }

    fn masked(&self) -> Vec<PathBuf> {
        let mut masked = self.writes.closed(&[]).unwrap().masked;
        masked.sort();
        masked.dedup();
        masked
    }

    fn read(&self, path: &str) -> Result<String, K> {
        let found: CanonicalPath = self.disk.locate(path).map_err(|error| error.kind)?;
        let mut text = String::new();
        let mut opened = self.disk.open(&found).map_err(|error| error.kind)?;
        std::io::Read::read_to_string(&mut opened.content, &mut text).unwrap();
        Ok(text)
    }
}

fn sorted<const N: usize>(mut paths: [PathBuf; N]) -> Vec<PathBuf> {
    paths.sort();
    paths.to_vec()
}

#[test]
fn the_whole_tree_is_looked_through_in_bytes_and_ordinary_files_stay() {
    let place = denying(&["private/", "conf/*"]);
    let odd = Path::new(OsStr::from_bytes(b"caf\xe9"));
    let closed = [
        place.file(".env"),
        place.file("dist/.env"),
        place.file("target/debug/id_rsa"),
        place.file("node_modules/a/b/server.key"),
        place.file("venv/.netrc"),
        place.file("__pycache__/.env"),
        place.file(odd.join(".env")),
        place.file(Path::new("x").join(OsStr::from_bytes(b"caf\xe9.pem"))),
        place.file(".git/.env"),
        place.file("conf/x"),
        place.file(".kube/config"),
        place.file("a\nb/.env"),
        place.ws("deep/.ssh"),
        place.ws("private"),
    ];
    place.file("deep/.ssh/known/config");
    place.file("private/a/b");
    for open in ["src/credentials/mod.rs", "x.key/readme.md", ".env.example", "kube/config", ".git/refs/heads/x.pem"] {
        place.file(open);
    }
    symlink("/etc", place.ws("away")).unwrap();
    symlink(".", place.ws("round")).unwrap();
    assert_eq!(place.masked(), sorted(closed));
    assert_eq!(place.masked(), place.masked());
}

#[test]
fn what_changed_since_is_seen_and_what_is_gone_is_forgotten() {
    let place = place();
    let first = place.file("a/b/.env");
    for folder in 0..700 {
        place.file(format!("many/{folder}/f"));
    }
    assert_eq!(place.masked(), sorted([first.clone()]));
    let late = place.file("many/333/.env");
    let new = place.file("a/new/x.pem");
    assert_eq!(place.masked(), sorted([first.clone(), late.clone(), new]));
    fs::remove_dir_all(place.ws("a/new")).unwrap();
    fs::remove_file(&late).unwrap();
    assert_eq!(place.masked(), sorted([first]));
    fs::rename(place.ws("a"), place.ws("c")).unwrap();
    symlink("c", place.ws("a")).unwrap();
    assert_eq!(place.masked(), sorted([place.ws("c/b/.env")]));
    fs::remove_dir_all(place.ws("c")).unwrap();
    fs::write(place.ws("c"), "a file now").unwrap();
    assert_eq!(place.masked(), sorted([]));
}

#[test]
fn a_secret_stays_one_under_another_name() {
    let place = place();
    let (config, env) = (place.file(".kube/config"), place.file("sub/.env"));
    let plain = place.file("plain.txt");
    assert_eq!(place.masked(), sorted([config, env]));
    fs::rename(place.ws(".kube"), place.ws("k")).unwrap();
    fs::rename(place.ws("sub/.env"), place.ws("sub/notes.txt")).unwrap();
    let moved = sorted([place.ws("k/config"), place.ws("sub/notes.txt")]);
    assert_eq!(place.masked(), moved);
    for path in ["k/config", "sub/notes.txt"] {
        assert_eq!(place.read(path), Err(K::Secret(ClosedBy::Rule)), "{path}");
    }
    assert_eq!(place.read("plain.txt").unwrap(), "canary");
    // A new file is nothing of the old one, also when it gets its number.
    fs::remove_file(place.ws("k/config")).unwrap();
    fs::remove_file(&plain).unwrap();
    for number in 0..20 {
        place.file(format!("k/new{number}"));
    }
    assert_eq!(place.masked(), sorted([place.ws("sub/notes.txt")]));
}

#[test]
fn a_hard_link_to_a_secret_is_secret_and_one_to_a_protected_file_is_protected() {
    let place = place();
    place.file("a/first");
    let (env, agents) = (place.file("b/.env"), place.file(".git/config"));
    place.file(".ssh/deploy");
    fs::hard_link(&env, place.ws("a/notes.txt")).unwrap();
    fs::hard_link(place.ws(".ssh/deploy"), place.ws("a/other.txt")).unwrap();
    fs::hard_link(&agents, place.ws("settings.txt")).unwrap();
    fs::hard_link(place.ws("a/first"), place.ws("a/second")).unwrap();
    // The door alone, before any program was started.
    for path in ["a/notes.txt", "a/other.txt"] {
        assert_eq!(place.read(path), Err(K::Secret(ClosedBy::Rule)), "{path}");
    }
    assert_eq!(place.read("settings.txt").unwrap(), "canary");
    assert_eq!(place.read("a/second").unwrap(), "canary");
    let links = [env.clone(), place.ws(".ssh"), place.ws("a/notes.txt"), place.ws("a/other.txt")];
    assert_eq!(place.masked(), sorted(links.clone()));
    let origin = ChangeOrigin { session: SessionId::new("s"), call: CallId::new("c") };
    for (path, wanted) in [
        ("a/notes.txt", Some(K::Secret(ClosedBy::Rule))),
        ("settings.txt", Some(K::Protected(ClosedBy::Rule))),
        ("a/second", None),
    ] {
        let path = place.disk.locate(path).unwrap();
        assert_eq!(place.disk.judge(&path, Access::Write), Ok(()));
        let write = Change::Write { path: path.clone(), content: b"x".to_vec(), expect: Expect::Anything, mode: None };
        for change in [write, Change::Delete { path: path.clone(), expect: Expect::Anything }] {
            let done = place.disk.commit(&[change], &origin);
            assert_eq!(done.err().map(|error| error.kind), wanted, "{path}");
        }
    }
    // A link made later, in a folder that was looked at before.
    fs::hard_link(&env, place.ws("a/later.txt")).unwrap();
    let [one, two, three, four] = links;
    assert_eq!(place.masked(), sorted([one, two, three, four, place.ws("a/later.txt")]));
    // And a secret name for a file that was there before.
    fs::hard_link(place.ws("a/first"), place.ws("b/x.pem")).unwrap();
    assert!(place.masked().contains(&place.ws("a/first")));
}

#[test]
fn a_hard_link_in_a_readable_folder_opens_nothing_either() {
    let mut place = place();
    let other = place.top.path().join("other");
    fs::create_dir_all(other.join("deep")).unwrap();
    fs::write(other.join("deep/.env"), "canary").unwrap();
    fs::hard_link(other.join("deep/.env"), other.join("notes.txt")).unwrap();
    fs::write(other.join("plain"), "canary").unwrap();
    fs::hard_link(other.join("plain"), other.join("plain2")).unwrap();
    let rules = Arc::new(PathRules::new(&[], &[], None).unwrap());
    place.disk = Arc::new(Disk::open(&place.ws(""), std::slice::from_ref(&other), rules).unwrap());
    let read = |name: &str| place.read(other.join(name).to_str().unwrap());
    assert_eq!(read("notes.txt"), Err(K::Secret(ClosedBy::Rule)));
    assert_eq!(read("plain2").unwrap(), "canary");
}

#[test]
fn a_search_opens_no_hard_link_to_a_secret() {
    let place = place();
    fs::hard_link(place.file("b/.env"), place.ws("notes.txt")).unwrap();
    place.file("plain.txt");
    let opened = Mutex::new(Vec::new());
    let top = place.disk.locate(".").unwrap();
    let options = WalkOptions { max_depth: 9, ignore_files: Visit::Show, hidden: Visit::Show };
    let seen = place.disk.walk(&top, options, &|entry| {
        if entry.opener.open(entry).is_ok() {
            opened.lock().unwrap().push(entry.path.to_owned());
        }
        Flow::Continue
    });
    seen.unwrap();
    assert_eq!(opened.into_inner().unwrap(), [Path::new("plain.txt")]);
}

#[test]
#[ignore = "started by system::folders_that_cannot_be_looked_into_as_an_ordinary_user"]
fn a_folder_that_cannot_be_looked_into_is_closed_whole() {
    if rustix::process::geteuid().is_root() {
        // For root no folder is shut.
        return;
    }
    let place = place();
    place.file("sub/.env");
    place.file("listed/.env");
    let old = place.file("old/.env");
    for (folder, mode) in [("sub", 0o300), ("listed", 0o400)] {
        fs::set_permissions(place.ws(folder), Permissions::from_mode(mode)).unwrap();
    }
    assert_eq!(place.masked(), sorted([place.ws("sub"), place.ws("listed"), old.clone()]));
    fs::set_permissions(place.ws("sub"), Permissions::from_mode(0o700)).unwrap();
    fs::set_permissions(place.ws("old"), Permissions::from_mode(0o000)).unwrap();
    assert_eq!(place.masked(), sorted([place.ws("sub/.env"), place.ws("listed"), place.ws("old")]));
    for folder in ["listed", "old"] {
        fs::set_permissions(place.ws(folder), Permissions::from_mode(0o700)).unwrap();
    }
    fs::set_permissions(place.ws(""), Permissions::from_mode(0o300)).unwrap();
    assert!(place.writes.closed(&[]).is_err());
    fs::set_permissions(place.ws(""), Permissions::from_mode(0o700)).unwrap();
    assert_eq!(place.masked(), sorted([place.ws("sub/.env"), place.ws("listed/.env"), old]));
}

#[test]
fn a_tree_too_deep_for_a_path_is_closed_where_paths_end() {
    let place = place();
    let name = "d".repeat(200);
    let mut at = rustix::fs::open(place.ws(""), rustix::fs::OFlags::DIRECTORY, rustix::fs::Mode::empty()).unwrap();
    for _ in 0..40 {
        rustix::fs::mkdirat(&at, &*name, rustix::fs::Mode::RWXU).unwrap();
        at = rustix::fs::openat(&at, &*name, rustix::fs::OFlags::DIRECTORY, rustix::fs::Mode::empty()).unwrap();
    }
    let masked = place.masked();
    assert!(masked.len() == 1 && masked[0].as_os_str().len() < 4096 && masked[0].starts_with(place.ws(&name)));
}

#[test]
fn folders_beside_the_workspace_have_the_same_rules() {
    let place = place();
    let outside = |path: &str| {
        let path = place.top.path().canonicalize().unwrap().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "canary").unwrap();
        path
    };
    let inside = place.file("sub/.env");
    let cargo = outside("home/.cargo/credentials.toml");
    let (docker, env) = (outside("home/.docker/config.json"), outside("home/dist/.env"));
    outside("home/.cargo/bin/cargo");
    let ssh = outside("home/.ssh/id_rsa");
    outside("home/.ssh/known_hosts");
    let top = place.top.path().to_owned();
    let beside = |folder: &str| {
        let writes = Writes::new(Arc::clone(&place.disk)).beside([top.join(folder)]).unwrap();
        let mut masked = writes.closed(&[]).unwrap().masked;
        masked.sort();
        // The same where it is one program's.
        let mut further = place.writes.closed(&[top.join(folder)]).unwrap().masked;
        further.sort();
        assert_eq!(further, masked, "{folder}");
        assert_eq!(masked.iter().filter(|path| **path == inside).count(), 1, "{folder}");
        masked.retain(|path| *path != inside);
        masked
    };
    assert_eq!(beside("home/.cargo"), sorted([cargo.clone()]));
    assert_eq!(beside("home/.docker"), sorted([docker.clone()]));
    // Named by the operator: only what is secret by its own name.
    assert_eq!(beside("home/.ssh"), sorted([ssh.clone()]));
    let crossing = top.canonicalize().unwrap().join("home/.cargo/bin/linked");
    let all = sorted([cargo.clone(), docker.clone(), env, ssh.parent().unwrap().to_owned()]);
    assert_eq!(beside("home"), all);
    // The workspace in it is looked through once.
    assert_eq!(beside(""), all);
    assert_eq!(beside("not/there"), sorted([]));
    assert_eq!(beside("home/.ssh/id_rsa"), sorted([]));
    // Links from one to the other.
    fs::hard_link(&inside, top.join("home/.cargo/bin/linked")).unwrap();
    assert_eq!(beside("home/.cargo"), sorted([cargo.clone(), crossing]));
    fs::hard_link(&docker, place.ws("sub/plain")).unwrap();
    assert_eq!(beside("home/.docker"), sorted([docker.clone(), place.ws("sub/plain")]));
}
