//! What a program that is spoken to reaches: as much as its profile says, judged like what others do.

use crate::attached::{attach_to, read};
use crate::space::{Space, owner, script, wait};
use palanca_core::call::{CallId, CanonicalPath, Root, SessionId};
use palanca_core::ports::{
    Attach, By, ChangeOrigin, ClosedPlaces, FileError, Found, NameChange, Place, ProcessErrorKind as K, Processes,
    Profile, ProgramWrites, Step, Undoable, WorkspaceAccess, WriteLog,
};
use palanca_core::tool::{Cancel, FileDelta};
use palanca_sandbox::Level;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

#[test]
fn folders_that_no_program_may_have_are_refused() {
    let space = Space::new();
    wait(async {
        let below = space.path("ws/below");
        fs::create_dir_all(&below).unwrap();
        for folder in [space.path(""), space.path("ws"), below, space.path("nowhere"), "/".into(), "relative".into()] {
            let profile = Profile { writable: vec![folder.clone()], ..Profile::default() };
            let refused = attach_to(&space, &script("true"), &profile).await.err().unwrap();
            assert_eq!(refused.kind, K::OutOfReach, "{}: {refused}", folder.display());
        }
        for folder in ["/", "relative"] {
            let profile = Profile { readable: vec![folder.into()], ..Profile::default() };
            assert_eq!(attach_to(&space, &script("true"), &profile).await.err().unwrap().kind, K::OutOfReach);
        }
    });
}

#[test]
fn a_profile_says_what_is_reached() {
    let space = Space::new();
    if space.door().level() == Level::None {
        return;
    }
    fs::write(space.path("ws/file"), "workspace").unwrap();
    for name in ["shown", "free"] {
        fs::create_dir(space.path(name)).unwrap();
        fs::write(space.path(name).join("file"), name).unwrap();
    }
    let place = |name: &str| space.path(name).canonicalize().unwrap();
    let tries = |name: &str| {
        let place = place(name);
        let place = place.display();
        format!("cat {place}/file && echo; echo x > {place}/new && echo wrote; rm -f {place}/new; ")
    };
    let check = |profile: Profile, expected: &str| {
        let script = script(&["ws", "shown", "free"].map(tries).concat());
        wait(async {
            let mut program = attach_to(&space, &script, &profile).await.unwrap();
            assert_eq!(read(&mut program).await, expected, "{profile:?}: {}", program.stderr.text());
        });
    };
    let with = |workspace| Profile {
        workspace,
        readable: vec![place("shown"), space.path("nowhere")],
        writable: vec![place("free")],
        home: None,
    };
    // Twice, because a helper that waits was made for other programs.
    space.sh("true");
    space.sh("true");
    check(Profile::default(), "workspace\nwrote\n");
    check(Profile::alone(), "");
    check(with(WorkspaceAccess::None), "shown\nfree\nwrote\n");
    check(with(WorkspaceAccess::Read), "workspace\nshown\nfree\nwrote\n");
    check(with(WorkspaceAccess::Write), "workspace\nwrote\nshown\nfree\nwrote\n");
    // The workspace stays hidden in what else is shown.
    check(Profile { readable: vec![place("")], ..Profile::alone() }, "shown\nfree\n");
    // Of the others nothing has changed.
    assert_eq!(
        String::from_utf8_lossy(&space.sh(&format!("cat {}/file; exit 0", place("shown").display())).stdout.head),
        ""
    );
    wait(async {
        let mut program = attach_to(&space, &script("pwd"), &Profile::alone()).await.unwrap();
        assert_eq!(read(&mut program).await, "/\n");
    });
}

#[test]
fn secrets_stay_hidden_in_what_a_profile_shows() {
    // Without the workspace's rules a door hides nothing; those of the host are tried there.
    let space = Space::with(|settings| {
        let own = settings.workspace.parent().unwrap().join("shown/own");
        fs::create_dir_all(&own).unwrap();
        fs::write(own.join("secret"), "secret").unwrap();
        settings.masked = vec![own];
    });
    if space.door().level() == Level::None {
        return;
    }
    let shown = space.path("shown").canonicalize().unwrap();
    let launch = script(&format!("cat {0}/own/secret; ls {0}", shown.display()));
    wait(async {
        let profile = Profile { readable: vec![shown.clone()], ..Profile::alone() };
        let mut program = attach_to(&space, &launch, &profile).await.unwrap();
        assert_eq!(read(&mut program).await, "own\n");
        let profile = Profile { writable: vec![shown.clone()], ..Profile::alone() };
        assert_eq!(attach_to(&space, &launch, &profile).await.err().unwrap().kind, K::OutOfReach);
    });
}

#[test]
fn a_home_of_its_own_is_kept_and_hidden_from_others() {
    for masks_workspace in [false, true] {
        let space = Space::with(|settings| {
            let beside = settings.workspace.parent().unwrap();
            let state = if masks_workspace { settings.workspace.join("state") } else { beside.join("state") };
            for name in ["one", "two"] {
                fs::create_dir_all(state.join("mcp").join(name)).unwrap();
                fs::write(state.join("mcp").join(name).join("said"), name).unwrap();
            }
            fs::write(state.join("secret"), "secret").unwrap();
            settings.masked = vec![state];
        });
        let state = if masks_workspace { space.path("ws/state") } else { space.path("state") }.canonicalize().unwrap();
        let home = state.join("mcp/one");
        let check = |profile: &Profile, text: &str, expected: &str| {
            wait(async {
                let mut program = attach_to(&space, &script(text), profile).await.unwrap();
                assert_eq!(read(&mut program).await, expected, "{profile:?}: {}", program.stderr.text());
            });
        };
        let shows = [WorkspaceAccess::None, WorkspaceAccess::Read, WorkspaceAccess::Write].map(|workspace| Profile {
            workspace,
            readable: vec![space.path("")],
            home: Some(home.clone()),
            ..Profile::default()
        });
        let unseen = Profile { home: Some(home.clone()), ..Profile::alone() };
        let (all, at) = (state.display(), home.display());
        let lives = "cd && cat said && echo && pwd && echo $XDG_CACHE_HOME $TMPDIR && f=$(mktemp) && rm $f && mkdir -p .cache/a \
            && echo x >> kept && mv kept moved && mv moved kept && wc -l < kept";
        let others = format!(
            "cat {all}/secret {all}/mcp/two/said; for f in {all}/new {all}/mcp/new {all}/mcp/two/new {all}/secret; do \
             echo x > $f && echo wrote $f; done; mv {at} {all}/mcp/three && echo moved; rmdir {all}/mcp/two; \
             ls -A {all} {all}/mcp; exit 0"
        );
        for (times, profile) in [unseen].iter().chain(&shows).enumerate() {
            let lines = times + 1;
            check(profile, lives, &format!("one\n{at}\n{at}/.cache {at}/tmp\n{lines}\n"));
            if space.door().level() == Level::Full {
                check(profile, &others, &format!("{all}:\nmcp\n\n{all}/mcp:\none\n"));
            } else if space.door().level() == Level::Filters {
                check(profile, &format!("cat {all}/secret {all}/mcp/two/said; exit 0"), "");
                // In the workspace, what is made is judged by its own rules.
                if !masks_workspace {
                    check(profile, &format!("for d in {all} {all}/mcp/two; do echo x > $d/new; done; exit 0"), "");
                }
            }
        }
        if space.door().level() > Level::None {
            check(
                &Profile { readable: vec![space.path("")], ..Profile::default() },
                &format!("cat {at}/said; exit 0"),
                "",
            );
            check(
                &Profile { home: Some(state.join("mcp/two")), ..Profile::alone() },
                &format!("cat {at}/said; exit 0"),
                "",
            );
        }
        assert_eq!(fs::read_to_string(home.join("kept")).unwrap().lines().count(), 4);
        for name in ["mcp/new", "new", "mcp/two/new", "mcp/three"] {
            assert!(!state.join(name).exists(), "{name}");
        }
        for home in [space.path("nowhere"), space.path(""), state.join("secret")] {
            let profile = Profile { home: Some(home.clone()), ..Profile::alone() };
            let refused = wait(attach_to(&space, &script("true"), &profile)).err().unwrap();
            assert_eq!(refused.kind, K::OutOfReach, "{}", home.display());
        }
    }
}

/// Tells for whom a program changes the workspace, and which folders it was asked about.
#[derive(Clone, Default)]
pub(crate) struct Telling(Arc<Mutex<Vec<ChangeOrigin>>>, Arc<Mutex<Vec<PathBuf>>>);

impl ProgramWrites for Telling {
    fn closed(&self, further: &[PathBuf]) -> io::Result<ClosedPlaces> {
        self.1.lock().unwrap().extend_from_slice(further);
        Ok(ClosedPlaces::default())
    }

    fn undoable(&self) -> Undoable {
        Undoable::Yes
    }

    fn begin(&self, origin: Option<&ChangeOrigin>, _granted: &[PathBuf]) -> io::Result<Box<dyn WriteLog>> {
        self.0.lock().unwrap().extend(origin.cloned());
        Ok(Box::new(Log(Vec::new())))
    }
}

struct Log(Vec<FileDelta>);

impl WriteLog for Log {
    fn before(&mut self, change: &NameChange<'_>) -> Result<Step, FileError> {
        if let NameChange::Create { at, .. } = change {
            let path = CanonicalPath::new(Root::Workspace, at.path.to_owned());
            self.0.push(FileDelta { path, from: None, added: 0, removed: 0, before: None, after: None });
        }
        Ok(Step::Go)
    }

    fn made(&mut self, _at: &Place<'_>, _found: Found) {}

    fn failed(&mut self, _change: &NameChange<'_>) {}

    fn finish(self: Box<Self>) -> Vec<FileDelta> {
        self.0
    }
}

#[test]
fn its_changes_are_judged_and_its_sessions() {
    let telling = Telling::default();
    let space = Space::with(|settings| settings.writes = Arc::new(telling.clone()));
    if !space.door().supervises() {
        return;
    }
    let free = space.path("free");
    fs::create_dir(&free).unwrap();
    let (owner, call, session) = (owner("one"), CallId::new("call"), SessionId::new("session"));
    let by = By { owner: &owner, call: &call, session: Some(&session) };
    let launch = script(&format!("echo x > new; echo x > {}/new; exit 0", free.display()));
    let changed = |workspace| {
        let profile = Profile { workspace, writable: vec![free.clone()], ..Profile::default() };
        wait(async {
            let attach = Attach { by, profile: &profile, cancel: &Cancel::new() };
            let mut program = space.door().attach(&launch, attach).await.unwrap();
            let ended = program.wait().await;
            ended.written.changed.iter().map(|delta| delta.path.relative().display().to_string()).collect::<Vec<_>>()
        })
    };
    assert_eq!(changed(WorkspaceAccess::Write), ["new"]);
    assert!(space.path("ws/new").exists() && free.join("new").exists());
    fs::remove_file(space.path("ws/new")).unwrap();
    fs::remove_file(free.join("new")).unwrap();
    assert_eq!(changed(WorkspaceAccess::Read), [""; 0]);
    assert!(!space.path("ws/new").exists() && free.join("new").exists());
    let origin = ChangeOrigin { session, call };
    assert_eq!(*telling.0.lock().unwrap(), [origin.clone(), origin]);
    let free = free.canonicalize().unwrap();
    assert_eq!(*telling.1.lock().unwrap(), [free.clone(), free]);
}
