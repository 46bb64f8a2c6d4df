//! A supervisor that cannot judge: it panics, or takes longer than the program has. The program gets errors, or ends at its
//! limit; nothing waits for ever, and the next program is served again.

use crate::space::{Space, limits, living, marker, script, text, with_time};
use palanca_core::Message;
use palanca_core::ports::{
    ChangeOrigin, ClosedPlaces, Exit, FileError, FileErrorKind, Found, NameChange, Place, ProgramWrites, Step,
    Undoable, WriteLog,
};
use palanca_core::tool::FileDelta;
use palanca_sandbox::{Engine, Level};
use palanca_testkit::PATIENCE;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Does by a file's name what no judge should do.
#[derive(Clone)]
struct Odd {
    workspace: PathBuf,
    /// Of programs whose end some names are waited for.
    marker: String,
    finished: Arc<AtomicUsize>,
}

impl ProgramWrites for Odd {
    fn closed(&self, _further: &[PathBuf]) -> io::Result<ClosedPlaces> {
        Ok(ClosedPlaces::default())
    }

    fn undoable(&self) -> Undoable {
        Undoable::No(Message::new("undo-not-kept"))
    }

    fn begin(&self, _origin: Option<&ChangeOrigin>, _granted: &[PathBuf]) -> io::Result<Box<dyn WriteLog>> {
        Ok(Box::new(self.clone()))
    }
}

impl WriteLog for Odd {
    fn before(&mut self, change: &NameChange<'_>) -> Result<Step, FileError> {
        let (NameChange::Create { at, .. } | NameChange::Attributes { at, .. }) = change else { return Ok(Step::Go) };
        match at.name.to_str() {
            Some("panics") => panic!("as the test wants it"),
            Some("lasts") => {
                fs::write(self.workspace.join("asked"), "").unwrap();
                while !living(&self.marker).is_empty() {
                    std::thread::sleep(Duration::from_millis(5));
                }
            }
            Some("fifo") if self.workspace.join("fifo").exists() => {
                fs::write(self.workspace.join("asked"), "").unwrap();
            }
            _ => {}
        }
        Ok(Step::Go)
    }

    fn made(&mut self, _at: &Place<'_>, _found: Found) {}

    fn failed(&mut self, _change: &NameChange<'_>) {}

    fn finish(self: Box<Self>) -> Vec<FileDelta> {
        self.finished.fetch_add(1, Ordering::Relaxed);
        Vec::new()
    }
}

/// With its word for programs, and how many were written down.
fn space() -> Option<(Space, String, Arc<AtomicUsize>)> {
    let (word, finished) = (marker("odd"), Arc::<AtomicUsize>::default());
    let space = Space::on(&Engine::new(), |settings| {
        let (workspace, marker) = (settings.workspace.clone(), word.clone());
        settings.writes = Arc::new(Odd { workspace, marker, finished: Arc::clone(&finished) });
    });
    (space.door().level() > Level::None).then_some((space, word, finished))
}

#[test]
fn after_a_panic_every_write_fails_and_the_next_program_is_served() {
    let Some((space, _, finished)) = space() else { return };
    let ended = space.sh("echo 1 > before && echo made
         mkfifo fifo; (echo x > fifo || echo refused) & while ! test -e asked; do :; done
         echo 2 > panics || echo refused
         wait
         echo 3 > after || echo refused
         cat before");
    assert_eq!(text(&ended.stdout), "made\nrefused\nrefused\nrefused\n1\n", "{}", text(&ended.stderr));
    assert_eq!(ended.exit, Exit::Code(0));
    let told = ended.written.refused.iter().filter(|refused| refused.error.to_string().contains("supervisor"));
    assert_eq!(told.count(), 1, "{:?}", ended.written);
    assert!(!space.path("ws/panics").exists() && !space.path("ws/after").exists());
    assert_eq!(text(&space.sh("echo 4 > again && cat again").stdout), "4\n");
    assert_eq!(finished.load(Ordering::Relaxed), 2);
}

/// Who else changes the workspace does not come to an end once there is a file `busy`.
struct Turns {
    workspace: PathBuf,
    holds: bool,
    /// Whether it held the workspace when it was asked.
    asked: Arc<Mutex<Vec<bool>>>,
}

impl ProgramWrites for Turns {
    fn closed(&self, _further: &[PathBuf]) -> io::Result<ClosedPlaces> {
        Ok(ClosedPlaces::default())
    }

    fn undoable(&self) -> Undoable {
        Undoable::No(Message::new("undo-not-kept"))
    }

    fn begin(&self, _origin: Option<&ChangeOrigin>, _granted: &[PathBuf]) -> io::Result<Box<dyn WriteLog>> {
        let (workspace, asked) = (self.workspace.clone(), Arc::clone(&self.asked));
        Ok(Box::new(Self { workspace, holds: false, asked }))
    }
}

impl WriteLog for Turns {
    fn hold(&mut self) -> Result<(), FileError> {
        assert!(!self.holds, "a turn in a turn");
        if self.workspace.join("busy").exists() {
            return Err(FileError::new(FileErrorKind::Io, "ws").detail("someone else"));
        }
        self.holds = true;
        Ok(())
    }

    fn release(&mut self) {
        self.holds = false;
    }

    fn before(&mut self, _change: &NameChange<'_>) -> Result<Step, FileError> {
        self.asked.lock().unwrap().push(self.holds);
        Ok(Step::Go)
    }

    fn made(&mut self, _at: &Place<'_>, _found: Found) {
        self.asked.lock().unwrap().push(self.holds);
    }

    fn failed(&mut self, _change: &NameChange<'_>) {}

    fn finish(self: Box<Self>) -> Vec<FileDelta> {
        self.asked.lock().unwrap().push(!self.holds);
        Vec::new()
    }
}

#[test]
fn each_change_is_judged_and_made_in_one_turn_and_none_without() {
    let asked = Arc::<Mutex<Vec<bool>>>::default();
    let space = Space::on(&Engine::new(), |settings| {
        let workspace = settings.workspace.clone();
        settings.writes = Arc::new(Turns { workspace, holds: false, asked: Arc::clone(&asked) });
    });
    if !space.door().supervises() {
        return;
    }
    let ended = space.sh("mkdir d && echo 1 > d/a && mv d e && ln e/a e/b && rm e/b && echo made; echo > busy
         echo 2 > late || echo refused; rm e/a || echo refused; cat e/a");
    assert_eq!(text(&ended.stdout), "made\nrefused\nrefused\n1\n", "{}", text(&ended.stderr));
    let told = ended.written.refused.iter().filter(|refused| refused.error.to_string().contains("someone else"));
    assert_eq!(told.count(), 1, "{:?}", ended.written);
    let asked = asked.lock().unwrap();
    assert!(asked.len() > 8 && asked.iter().all(|held| *held), "{asked:?}");
}

#[test]
fn a_program_ends_at_its_limit_while_its_supervisor_is_busy_and_nothing_is_made_for_it_any_more() {
    let Some((space, word, finished)) = space() else { return };
    let mut runs = 0;
    with_time("its supervisor is asked", |limit| {
        let text_of = format!(": {word}; echo 1 > before; echo 2 > lasts; echo never");
        let ended = space.run(&script(&text_of), limits(limit)).unwrap();
        runs += 1;
        assert_eq!((ended.exit, text(&ended.stdout).as_str()), (Exit::TimedOut, ""));
        assert_eq!(finished.load(Ordering::Relaxed), runs);
        space.path("ws/asked").exists().then_some(())
    });
    assert!(space.path("ws/before").exists() && !space.path("ws/lasts").exists());
    let next = space.run(&script("echo 3 > again && cat again"), limits(PATIENCE)).unwrap();
    assert_eq!(text(&next.stdout), "3\n");
}

/// As teams have them. Only the supervisor can tell a folder from a file.
#[test]
fn folders_that_pass_their_group_on_are_made_and_copied_as_outside() {
    const SCRIPT: &str = "mkdir team && chmod 2775 team && cd team && mkdir -p one/two && echo x > one/two/file
        cp -a one copy && tar cf all.tar one && mkdir out && tar xpf all.tar -C out && mkdir -m 2770 closed && chmod g-s out
        git init -q --shared repository && cd repository/.git
        find ../.. . -maxdepth 2 -type d -not -name hooks -not -name info -not -name branches -printf '%p %m\n' | sort";
    let space = Space::new();
    if !space.door().supervises() {
        return;
    }
    let outside = tempfile::tempdir().unwrap();
    let plain = std::process::Command::new("sh").args(["-c", SCRIPT]).current_dir(&outside).output().unwrap();
    let (plain, inside) = (String::from_utf8_lossy(&plain.stdout).into_owned(), space.sh(SCRIPT));
    assert!(plain.contains("../../copy/two 2755"), "{plain}");
    assert_eq!(text(&inside.stdout), plain, "{}", text(&inside.stderr));
    let files = space
        .sh("for bits in g+s u+s; do chmod $bits team/one/two/file || echo refused; done; chmod u+s team || echo too");
    assert_eq!(text(&files.stdout), "refused\nrefused\ntoo\n", "{}", text(&files.stderr));
}
