//! Writes that wait for a person's answer: what a yes allows and what not, and what ends the wait.

use crate::space::{Space, built, limits, living, marker, owner, script, text, wait};
use palanca_core::Message;
use palanca_core::call::CallId;
use palanca_core::ports::{
    By, ChangeOrigin, ClosedBy, ClosedPlaces, Exit, FileError, FileErrorKind, Finished, Found, NameChange, Place,
    Processes, ProgramWrites, Run, Step, Undoable, WriteAnswer, WriteLog, WriteQuestion, WriteQuestions,
};
use palanca_core::tool::{Cancel, FileDelta};
use palanca_sandbox::Level;
use palanca_testkit::{PATIENCE, until};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::sync::mpsc::UnboundedReceiver;

/// A thread that opens a file for writing while another changes its name in memory, or makes another file.
const THREADS: &str = r#"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static char name[64];
static void *opens(void *unused) {
    int file = open(name, O_WRONLY | O_CREAT, 0644);
    printf("%s\n", file < 0 ? strerror(errno) : "open");
    return NULL;
}
int main(int count, char **words) {
    pthread_t thread;
    strcpy(name, words[1]);
    pthread_create(&thread, NULL, opens, NULL);
    while (access("seen", F_OK)) usleep(1000);
    if (count > 2) strcpy(name, words[2]);
    close(open("meanwhile", O_WRONLY | O_CREAT, 0644));
    pthread_join(thread, NULL);
    return 0;
}
"#;

/// Folders named `protected` are protected, and those named `secret` closed; a yes is to one name.
#[derive(Clone, Debug, Default)]
struct Rules {
    granted: Vec<PathBuf>,
}

impl Rules {
    fn judge(&self, at: &Place<'_>) -> Result<(), FileError> {
        let below = |name: &str| at.path.parent().is_some_and(|above| above.iter().any(|part| part == name));
        let kind = match () {
            () if below("secret") => FileErrorKind::Secret(ClosedBy::Rule),
            () if below("protected") && !self.granted.iter().any(|granted| granted == at.path) => {
                FileErrorKind::Protected(ClosedBy::Rule)
            }
            () => return Ok(()),
        };
        Err(FileError::new(kind, at.path.display().to_string()))
    }
}

impl ProgramWrites for Rules {
    fn closed(&self, _further: &[PathBuf]) -> io::Result<ClosedPlaces> {
        Ok(ClosedPlaces::default())
    }

    fn undoable(&self) -> Undoable {
        Undoable::No(Message::new("undo-not-kept"))
    }

    fn begin(&self, _origin: Option<&ChangeOrigin>, granted: &[PathBuf]) -> io::Result<Box<dyn WriteLog>> {
        Ok(Box::new(Self { granted: granted.to_vec() }))
    }
}

impl WriteLog for Rules {
    fn before(&mut self, change: &NameChange<'_>) -> Result<Step, FileError> {
        self.judge(change.place())?;
        if let NameChange::Move { to, .. } = change {
            self.judge(to)?;
        }
        Ok(Step::Go)
    }

    fn made(&mut self, _at: &Place<'_>, _found: Found) {}

    fn failed(&mut self, _change: &NameChange<'_>) {}

    fn lacks_only(&mut self, change: &NameChange<'_>, path: &Path) -> bool {
        let mut granting = self.clone();
        granting.grant(path);
        granting.before(change).is_ok()
    }

    fn grant(&mut self, path: &Path) {
        self.granted.push(path.to_owned());
    }

    fn finish(self: Box<Self>) -> Vec<FileDelta> {
        Vec::new()
    }
}

/// With the folders `protected` and `secret`, a file in each; none where writes are not asked for.
fn space() -> Option<Space> {
    let space = Space::with(|settings| {
        settings.writes = Arc::new(Rules::default());
        for folder in ["protected", "secret"] {
            let folder = settings.workspace.join(folder);
            fs::create_dir(&folder).unwrap();
            fs::write(folder.join("file"), "kept\n").unwrap();
            for path in [&folder, &folder.join("file")] {
                let all = std::process::Command::new("chmod").arg("a+rwX").arg(path).status().unwrap();
                assert!(all.success());
            }
        }
    });
    assert!(
        space.door().supervises()
            || space.door().level() < Level::Full
            || std::env::var_os("PALANCA_TEST_UNASKED").is_some()
    );
    space.door().supervises().then_some(space)
}

type Asked = UnboundedReceiver<WriteQuestion>;

/// Runs a text while somebody hears its questions, which end with it.
fn run<T>(space: &Space, text: &str, cancel: &Cancel, person: impl AsyncFnOnce(Asked) -> T) -> (Finished, T) {
    let (owner, call, launch) = (owner("one"), CallId::new("call"), script(text));
    let by = By { owner: &owner, call: &call, session: None };
    let (questions, asked) = WriteQuestions::of(launch.clone());
    let running = async {
        let questions = questions;
        let run = Run { by, limits: limits(PATIENCE), cancel, tail: None, questions: Some(&questions) };
        space.door().run(&launch, run).await.unwrap()
    };
    wait(async { tokio::join!(running, person(asked)) })
}

fn name(question: &WriteQuestion) -> String {
    question.path.relative().display().to_string()
}

/// Answers each question at once, as long as there are some; returns what was asked for.
async fn answering(mut asked: Asked, answer: impl Fn(&str) -> WriteAnswer) -> Vec<String> {
    let mut names = Vec::new();
    while let Some(question) = asked.recv().await {
        let name = name(&question);
        question.answer(answer(&name));
        names.push(name);
    }
    names
}

/// Runs a text whose questions are answered at once.
fn asks(space: &Space, lines: &str, answer: impl Fn(&str) -> WriteAnswer) -> (String, Finished, Vec<String>) {
    let (finished, names) = run(space, lines, &Cancel::new(), async |asked| answering(asked, answer).await);
    (text(&finished.stdout), finished, names)
}

fn no() -> WriteAnswer {
    WriteAnswer::No("not now".into())
}

#[test]
fn a_yes_is_to_one_file_and_a_no_is_told() {
    let Some(space) = space() else { return };
    let lines = "echo 1 > protected/a && echo one; echo 2 > protected/b || echo refused
        echo 3 >> protected/a && cat protected/a; echo 4 > protected/b || echo still";
    let (said, finished, asked) =
        asks(&space, lines, |name| if name == "protected/a" { WriteAnswer::Yes } else { no() });
    assert_eq!(
        (said.as_str(), asked),
        ("one\nrefused\n1\n3\nstill\n", vec!["protected/a".into(), "protected/b".into()])
    );
    let told: Vec<_> =
        finished.written.refused.iter().map(|refused| (&*refused.error.path, &refused.declined)).collect();
    assert_eq!(told, [("protected/b", &Some("not now".into()))]);
    assert!(!space.path("ws/protected/b").exists());
    let (said, ..) = asks(&space, "echo 5 > protected/a || echo refused", |_| WriteAnswer::Unanswered);
    assert_eq!(said, "refused\n", "the yes was to one command");
}

#[test]
fn every_change_of_a_name_may_be_asked_for() {
    let Some(space) = space() else { return };
    let lines = "echo x > own; mv own protected/moved && rm protected/file && mkdir protected/folder && chmod 700 protected/moved &&
        echo all; ls protected";
    let (said, finished, asked) = asks(&space, lines, |_| WriteAnswer::Yes);
    assert_eq!(said, "all\nfolder\nmoved\n", "{}", text(&finished.stderr));
    assert_eq!(asked, ["protected/moved", "protected/file", "protected/folder"]);
}

#[test]
fn nobody_is_asked_about_what_no_yes_would_allow() {
    let Some(space) = space() else { return };
    let (said, finished, asked) = asks(
        &space,
        "echo x > secret/file || echo refused; mv protected/file secret/new || echo refused; cat secret/file",
        |_| WriteAnswer::Yes,
    );
    assert_eq!((said.as_str(), asked.len()), ("refused\nrefused\nkept\n", 0), "{}", text(&finished.stderr));
}

#[test]
fn where_nobody_answers_it_is_as_if_nobody_could_be_asked() {
    let Some(space) = space() else { return };
    let lines = "echo 1 > protected/a || echo refused; echo 2 > protected/a || echo refused; echo 3 > own && cat own";
    let plain = space.sh(lines);
    let (said, unanswered, asked) = asks(&space, lines, |_| WriteAnswer::Unanswered);
    assert_eq!((said.as_str(), asked.len()), ("refused\nrefused\n3\n", 1));
    let (deaf, ()) = run(&space, lines, &Cancel::new(), async |asked| drop(asked));
    for finished in [unanswered, deaf] {
        let same = (text(&finished.stdout), text(&finished.stderr), finished.written);
        assert_eq!(same, (text(&plain.stdout), text(&plain.stderr), plain.written.clone()));
    }
}

#[test]
fn a_program_asks_four_times_at_most() {
    let Some(space) = space() else { return };
    let lines = "for file in 1 2 3 4 5 6; do echo x > protected/$file || echo refused $file; done";
    let (said, finished, asked) = asks(&space, lines, |_| WriteAnswer::Yes);
    assert_eq!((said.as_str(), asked.len()), ("refused 5\nrefused 6\n", WriteQuestions::MOST));
    assert_eq!(finished.written.refused.len(), 2);
}

#[test]
fn two_programs_that_want_one_file_are_one_question() {
    let Some(space) = space() else { return };
    let lines =
        "for one in 1 2; do (touch at$one; echo $one >> protected/a || echo refused) & done; wait; wc -l < protected/a";
    let (finished, ()) = run(&space, lines, &Cancel::new(), async |mut asked| {
        let question = asked.recv().await.unwrap();
        until("both have begun", || space.path("ws/at1").exists() && space.path("ws/at2").exists());
        question.answer(WriteAnswer::Yes);
    });
    assert_eq!(text(&finished.stdout).trim(), "2");
}

#[test]
fn everything_else_goes_on_meanwhile() {
    let Some(space) = space() else { return };
    let program = built(&space, "threads", THREADS);
    let (finished, ()) = run(&space, &format!("{program} protected/a"), &Cancel::new(), async |mut asked| {
        let question = asked.recv().await.unwrap();
        let other = std::thread::scope(|scope| scope.spawn(|| space.sh("echo x > other && cat other")).join().unwrap());
        assert_eq!(text(&other.stdout), "x\n", "another program");
        fs::write(space.path("ws/seen"), "").unwrap();
        until("another thread", || space.path("ws/meanwhile").exists());
        question.answer(WriteAnswer::Yes);
    });
    assert_eq!(text(&finished.stdout), "open\n");
    assert!(space.path("ws/protected/a").exists());
}

#[test]
fn a_name_that_is_rewritten_meanwhile_is_judged_anew() {
    let Some(space) = space() else { return };
    let program = built(&space, "threads", THREADS);
    for (other, says) in
        [("protected/b", "Permission denied\n"), ("secret/file", "Permission denied\n"), ("own", "open\n")]
    {
        let text_of = format!("rm -f seen meanwhile; {program} protected/a {other}");
        let (finished, asked) = run(&space, &text_of, &Cancel::new(), async |mut asked| {
            let question = asked.recv().await.unwrap();
            fs::write(space.path("ws/seen"), "").unwrap();
            until("it is rewritten", || space.path("ws/meanwhile").exists());
            question.answer(WriteAnswer::Yes);
            if other != "protected/b" {
                return vec!["protected/a".to_owned()];
            }
            let next = asked.recv().await.unwrap();
            let names = vec!["protected/a".to_owned(), name(&next)];
            next.answer(no());
            names
        });
        assert_eq!(text(&finished.stdout), says, "{other}");
        assert!(asked.len() == 1 || asked[1] == "protected/b");
        assert!(!space.path("ws/protected/a").exists() && !space.path("ws/protected/b").exists(), "{other}");
        assert_eq!(fs::read_to_string(space.path("ws/secret/file")).unwrap(), "kept\n");
    }
}

#[test]
fn a_link_that_is_exchanged_meanwhile_leads_to_what_is_judged_by_its_own_name() {
    let Some(space) = space() else { return };
    let lines = "ln -s protected via; (echo x > via/file || echo refused) & until test -e seen; do :; done
        rm via; ln -s secret via; touch meanwhile; wait; cat protected/file secret/file";
    let (finished, asked) = run(&space, lines, &Cancel::new(), async |mut asked| {
        let question = asked.recv().await.unwrap();
        let asked = name(&question);
        fs::write(space.path("ws/seen"), "").unwrap();
        until("it is exchanged", || space.path("ws/meanwhile").exists());
        question.answer(WriteAnswer::Yes);
        asked
    });
    assert_eq!((asked.as_str(), text(&finished.stdout).as_str()), ("protected/file", "refused\nkept\nkept\n"));
}

#[test]
fn what_is_renamed_meanwhile_is_found_anew() {
    let Some(space) = space() else { return };
    let lines = "mkdir out && mv protected out; (echo new > out/protected/file || echo refused) &
        until test -e seen; do :; done
        mv out gone; mkdir out; touch meanwhile; wait; cat gone/protected/file";
    let (finished, asked) = run(&space, lines, &Cancel::new(), async |mut asked| {
        let question = asked.recv().await.unwrap();
        let asked = name(&question);
        fs::write(space.path("ws/seen"), "").unwrap();
        until("it is renamed", || space.path("ws/meanwhile").exists());
        question.answer(WriteAnswer::Yes);
        asked
    });
    let said = (asked.as_str(), text(&finished.stdout));
    assert_eq!(said, ("out/protected/file", "refused\nkept\n".to_owned()), "{}", text(&finished.stderr));
}

#[test]
fn a_program_that_is_killed_withdraws_its_question() {
    let Some(space) = space() else { return };
    let lines =
        "sh -c 'echo x > protected/a; echo never' & until test -e seen; do :; done; kill -9 $!; wait; echo over";
    let (finished, ()) = run(&space, lines, &Cancel::new(), async |mut asked| {
        let mut question = asked.recv().await.unwrap();
        fs::write(space.path("ws/seen"), "").unwrap();
        question.withdrawn().await;
    });
    assert_eq!(text(&finished.stdout), "over\n");
    assert!(!space.path("ws/protected/a").exists());
}

#[test]
fn a_command_that_is_ended_withdraws_its_question_and_leaves_nothing() {
    let Some(space) = space() else { return };
    let (word, cancel) = (marker("asking"), Cancel::new());
    let lines = format!(": {word}; (echo x > protected/a; echo never) & wait");
    let (finished, ()) = run(&space, &lines, &cancel, async |mut asked| {
        let mut question = asked.recv().await.unwrap();
        cancel.cancel();
        question.withdrawn().await;
    });
    assert_eq!((finished.exit, text(&finished.stdout).as_str()), (Exit::Killed, ""));
    assert_eq!(living(&word), [0; 0]);
    assert!(!space.path("ws/protected/a").exists());
}
