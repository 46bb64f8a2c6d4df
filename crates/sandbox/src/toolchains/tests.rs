#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::table::ROWS;
use super::{LeftOut, Toolchains};
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A home `~` and a workspace `ws` beside it, in a folder that no rule knows.
struct Person(TempDir);

impl Person {
    /// With these files: `path`, `path@` an executable one, `path/` a folder, `path -> target` a link.
    fn with(files: &[&str]) -> Self {
        let person = Self(tempfile::tempdir().unwrap());
        fs::create_dir(person.at("~")).unwrap();
        fs::create_dir(person.at("ws")).unwrap();
        files.iter().for_each(|file| person.make(file));
        person
    }

    fn make(&self, file: &str) {
        let (name, target) = file.split_once(" -> ").unwrap_or((file, ""));
        let path = self.at(name.trim_end_matches('@'));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        match () {
            () if !target.is_empty() => symlink(self.at(target), path).unwrap(),
            () if name.ends_with('/') => fs::create_dir_all(path).unwrap(),
            () => {
                fs::write(&path, "").unwrap();
                let mode = if name.ends_with('@') { 0o755 } else { 0o644 };
                fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
            }
        }
    }

    /// `/…`, or relative to the folder of all.
    fn at(&self, path: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(path)
    }

    fn path(&self, path: &[&str]) -> OsString {
        std::env::join_paths(path.iter().map(|folder| self.at(folder))).unwrap()
    }

    fn find(&self, path: &[&str], variables: &[(&str, &str)]) -> Toolchains {
        let mut all: Vec<(OsString, OsString)> =
            variables.iter().map(|(name, value)| (name.into(), self.at(value).into())).collect();
        all.push(("PATH".into(), self.path(path)));
        all.push(("HOME".into(), self.at("~").into()));
        let is_secret = |path: &Path| path.ends_with(".env") || path.ends_with(".npmrc") || path.starts_with(".ssh");
        Toolchains::find(all, (&self.at("ws"), &[]), &is_secret)
    }

    fn shown<'a>(&self, paths: impl IntoIterator<Item = &'a PathBuf>) -> Vec<String> {
        let top = self.at("");
        let mut shown: Vec<_> = paths
            .into_iter()
            .map(|path| path.strip_prefix(&top).unwrap_or(path).to_str().unwrap().to_owned())
            .collect();
        shown.sort();
        shown
    }
}

#[test]
fn trees_of_known_tools_are_shown_and_nothing_beside_them() {
    let check = |files: &[&str], path: &[&str], readable: &[&str], masked: &[&str]| {
        let person = Person::with(files);
        person.make("~/.npmrc");
        person.make("~/.ssh/id");
        let found = person.find(path, &[]);
        assert_eq!(person.shown(&found.readable), readable, "{path:?}");
        assert_eq!(person.shown(&found.masked), masked, "{path:?}");
        assert_eq!(found.left_out, []);
    };
    let rust = &[
        "~/.cargo/bin/cargo -> ~/.cargo/bin/rustup",
        "~/.cargo/bin/rustup@",
        "~/.cargo/credentials.toml",
        "~/.cargo/registry/src/ring/key.pem",
        "~/.rustup/toolchains/stable/bin/rustc@",
        "~/.rustup/settings.toml",
        "~/.rustup/tmp/x",
    ];
    let shown = ["~/.cargo/bin", "~/.cargo/registry", "~/.rustup/settings.toml", "~/.rustup/toolchains"];
    check(rust, &["~/.cargo/bin"], &shown, &[]);
    check(rust, &["~/.cargo/bin", "/usr/bin", "~/none"], &shown, &[]);
    check(rust, &["/usr/bin"], &[], &[]);
    check(
        &[
            "~/.pyenv/shims/python@",
            "~/.pyenv/versions/3.12/bin/python@",
            "~/.pyenv/versions/3.12/.env",
            "~/.pyenv/.git/config",
        ],
        &["~/.pyenv/shims"],
        &["~/.pyenv/shims", "~/.pyenv/versions"],
        &["~/.pyenv/versions/3.12/.env"],
    );
    check(
        &["~/.nvm/versions/node/v20/bin/node@", "~/.nvm/versions/node/v20/etc/.npmrc", "~/.nvm/.npmrc"],
        &["~/.nvm/versions/node/v20/bin"],
        &["~/.nvm/versions"],
        &["~/.nvm/versions/node/v20/etc/.npmrc"],
    );
    // A folder of a shell's own that is a link, as fnm makes it.
    check(
        &[
            "~/.local/share/fnm/node-versions/v20/installation/bin/node@",
            "~/shells/7 -> ~/.local/share/fnm/node-versions/v20/installation/bin",
        ],
        &["~/shells/7"],
        &["~/.local/share/fnm/node-versions"],
        &[],
    );
    // Links of a folder of programs lead to known trees; nothing is shown for others.
    check(
        &[
            "~/.local/bin/black -> ~/.local/share/pipx/venvs/black/bin/black",
            "~/.local/share/pipx/venvs/black/bin/black@",
            "~/.local/share/pipx/logs/x",
            "~/.local/bin/own -> ~/secret/own",
            "~/.local/bin/all -> ~",
            "~/.local/bin/root -> /",
            "~/secret/own@",
        ],
        &["~/.local/bin"],
        &["~/.local/bin", "~/.local/share/pipx/venvs"],
        &[],
    );
    // An unknown folder: itself, without what is below it.
    check(
        &["~/bin/tool@", "~/bin/.env", "~/bin/project/notes", "~/bin/link -> ~/.ssh"],
        &["~/bin"],
        &["~/bin"],
        &["~/bin/.env", "~/bin/project"],
    );
    check(&["~/x/tool@", "~/x/y/z/tool@", "~/x/y/notes"], &["~/x", "~/x/y/z"], &["~/x"], &["~/x/y/notes"]);
    // A tree that leads elsewhere stays out.
    check(
        &["~/.cargo/bin/cargo@", "~/.cargo/registry -> ~", "~/.rustup -> /"],
        &["~/.cargo/bin"],
        &["~/.cargo/bin"],
        &[],
    );
}

#[test]
fn every_row_shows_its_parts_and_no_more() {
    for row in ROWS.iter().filter(|row| !row.folder.starts_with('/')) {
        let root = format!("~/{}", row.folder);
        for part in row.parts().filter(|part| !part.is_empty()) {
            let person = Person::with(&[&format!("{root}/{part}/tool@"), &format!("{root}/login")]);
            let found = person.find(&[&format!("{root}/{part}")], &[]);
            assert!(found.names.contains(row.name), "{row:?}");
            assert_eq!(person.shown(&found.readable), [format!("{root}/{part}")], "{row:?}");
            let variable = found.variables.get(&OsString::from(row.variable));
            assert_eq!(variable.is_some(), !row.variable.is_empty(), "{row:?}");
        }
    }
}

#[test]
fn folders_that_are_no_place_for_programs_are_left_out() {
    let check = |path: &str, expected: Option<LeftOut>| {
        let person = Person::with(&[
            "~/.ssh/tool@",
            "~/.cargo/bin/cargo@",
            "~/open/tool@",
            "~/inner/open/below/tool@",
            "~/link -> ~",
            "~/file@",
            "~/to-root -> /",
        ]);
        for (folder, mode) in [("~/open", 0o757), ("~/inner/open", 0o777)] {
            fs::set_permissions(person.at(folder), fs::Permissions::from_mode(mode)).unwrap();
        }
        let found = person.find(&[path, "/usr/bin"], &[]);
        assert_eq!(found.left_out.first().map(|(_, why)| *why), expected, "{path}");
        assert_eq!(found.path, [PathBuf::from("/usr/bin")], "{path}");
        assert_eq!(found.readable, Vec::<PathBuf>::new(), "{path}");
    };
    for wide in ["", "~", "~/link", "/", "~/to-root", "/proc", "/proc/self", "/dev/shm", "/tmp", "/home", "~/.cargo"] {
        check(wide, Some(LeftOut::TooWide));
    }
    check("~/.ssh", Some(LeftOut::Secret));
    check("~/open", Some(LeftOut::Writable));
    check("~/inner/open/below", Some(LeftOut::Writable));
    check("~/none", None);
    check("~/file", None);
    let found = Toolchains::find([("PATH".into(), "bin::.".into())], (Path::new("/ws"), &[]), &|_| false);
    assert!(found.path.is_empty() && found.left_out.iter().all(|(_, why)| *why == LeftOut::Relative), "{found:?}");
}

#[test]
fn an_environment_is_shown_with_the_python_that_it_is_made_from() {
    let python = "~/pythons/3.12/bin/python3@";
    let files = &[
        python,
        "~/pythons/3.12/lib/python3.12/os.py",
        "~/pythons/3.12/notes",
        "~/envs/a/bin/python -> ~/pythons/3.12/bin/python3",
        "~/envs/a/pyvenv.cfg",
        "~/envs/a/project/x",
        "~/java/bin/java@",
    ];
    let person = Person::with(files);
    let found = person.find(&["~/envs/a/bin"], &[("VIRTUAL_ENV", "~/envs/a"), ("JAVA_HOME", "~/java")]);
    let expected = ["~/envs/a/bin", "~/envs/a/pyvenv.cfg", "~/pythons/3.12/bin", "~/pythons/3.12/lib"];
    assert_eq!(person.shown(&found.readable), expected);
    assert_eq!(found.variables.keys().collect::<Vec<_>>(), ["VIRTUAL_ENV"]);
    // One with a copied interpreter says where the other is.
    let person = Person::with(&[python, "~/pythons/3.12/lib/python3.12/os.py", "~/envs/a/bin/python@"]);
    let home = format!("version = 3\nhome = {}\n", person.at("~/pythons/3.12/bin").display());
    fs::write(person.at("~/envs/a/pyvenv.cfg"), home).unwrap();
    assert_eq!(person.shown(&person.find(&["~/envs/a/bin"], &[]).readable), expected);
}

#[test]
fn a_workspace_shows_no_more_than_trees_of_known_tools() {
    let person = Person::with(&[
        "~/pythons/3.12/bin/python3@",
        "~/pythons/3.12/lib/python3.12/os.py",
        "~/.pyenv/versions/3.12/bin/python@",
        "~/.cargo/bin/cargo@",
        "~/private/bin/x@",
        "~/private/pyvenv.cfg",
        "ws/.venv/bin/python -> ~/.pyenv/versions/3.12/bin/python",
        "ws/.venv/bin/a -> ~/pythons/3.12/bin/python3",
        "ws/.venv/bin/b -> ~/private/bin/x",
        "ws/.venv/bin/c -> ~",
        "ws/cargo/bin/cargo@",
    ]);
    let home = format!("home = {}\n", person.at("~/pythons/3.12/bin").display());
    fs::write(person.at("ws/.venv/pyvenv.cfg"), home).unwrap();
    // Also when it is not on the path.
    for path in [&["ws/.venv/bin"][..], &[]] {
        let given = [("VIRTUAL_ENV", "ws/.venv"), ("JAVA_HOME", "ws/.venv"), ("CARGO_HOME", "ws/cargo")];
        let found = person.find(path, &given);
        assert_eq!(person.shown(&found.readable), ["~/.pyenv/versions"]);
        assert_eq!(person.shown(&found.path), path);
        assert_eq!(found.variables.keys().collect::<Vec<_>>(), ["PYENV_ROOT", "VIRTUAL_ENV"]);
    }
}

#[test]
fn a_program_out_of_sight_is_told_with_the_folder_to_show() {
    let person = Person::with(&[
        "~/bin/tool@",
        "~/bin/text",
        "~/bin/far -> ~/far/far",
        "~/bin/inner -> ~/bin/below/inner",
        "~/bin/below/inner@",
        "~/far/far@",
        "~/open/other@",
        "~/open/tool@",
        "ws/mine@",
        "~/bin/mine -> ws/mine",
    ]);
    fs::set_permissions(person.at("~/open"), fs::Permissions::from_mode(0o777)).unwrap();
    let path = ["~/bin", "~/open", "/usr/bin"];
    let found = person.find(&path, &[]);
    let check = |name: &str, expected: Option<(&str, &str)>| {
        let got = found.out_of_sight(name, &person.path(&path), |path| path.starts_with(person.at("ws")));
        let expected = expected.map(|(program, folder)| (person.at(program), person.at(folder)));
        assert_eq!(got, expected, "{name}");
    };
    check("tool", None);
    check("text", None);
    check("ls", None);
    check("nothing", None);
    check("", None);
    check("../open/other", None);
    check("mine", None);
    check("far", Some(("~/bin/far", "~/far")));
    check("inner", Some(("~/bin/inner", "~/bin/below")));
    check("other", Some(("~/open/other", "~/open")));
}

#[test]
fn versions_pass_as_plain_names() {
    let check = |value: &str, passes: bool| {
        let given = [("PYENV_VERSION", value), ("PATH", "/usr/bin"), ("SECRET_VERSION", "x")];
        let given = given.map(|(name, value)| (name.into(), value.into()));
        let found = Toolchains::find(given, (Path::new("/ws"), &[]), &|_| false);
        assert_eq!(found.variables.contains_key(&OsString::from("PYENV_VERSION")), passes, "{value}");
        assert!(found.variables.len() < 2);
    };
    check("3.12.1", true);
    check("3.12.1:2.7-dev", true);
    check("/tmp/x", false);
    check("$(x)", false);
    check("a b", false);
}
