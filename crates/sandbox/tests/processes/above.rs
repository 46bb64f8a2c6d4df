//! What leads to the workspace, and to whatever else a program is shown, stays where it is; and the workspace is known by
//! its folder, whatever its path is by now.

use crate::attached::{attach_to, read};
use crate::space::{built, limits, script, text};
use crate::writes::{facts, judged};
use palanca_core::ports::Profile;
use palanca_testkit::{PATIENCE, until};
use std::fs;
use std::path::{Path, PathBuf};

const PROGRAM: &str = include_str!("above.c");

/// Other ways to say the same from a working folder.
fn spellings(path: &Path, working: &Path) -> Vec<String> {
    let up: PathBuf = working.iter().skip(1).map(|_| "..").collect();
    let (path, up) = (path.display().to_string(), up.display().to_string());
    let below = path.trim_start_matches('/');
    vec![
        path.clone(),
        format!("{path}/"),
        format!("{path}/."),
        format!("{up}/{below}"),
        format!("/proc/self/cwd/{up}/{below}"),
        format!("/proc/self/root{path}"),
        format!("{}/up/{below}", working.display()),
    ]
}

#[test]
fn nothing_takes_away_what_leads_to_a_place() {
    let space = judged(|_| ());
    if !space.door().supervises() {
        return;
    }
    let program = built(&space, "above", PROGRAM);
    let place = |name: &str| {
        let path = space.path(name);
        fs::create_dir_all(&path).unwrap();
        path.canonicalize().unwrap()
    };
    let (workspace, shown, free) = (place("ws"), place("a/shown"), place("b/free"));
    std::os::unix::fs::symlink("/", workspace.join("up")).unwrap();
    let protected = workspace.join("m/protected");
    let before = facts(&protected);
    let profile = Profile { readable: vec![shown.clone()], writable: vec![free.clone()], ..Profile::default() };
    let above: Vec<_> = [&workspace, &shown, &free].into_iter().flat_map(|path| path.ancestors()).collect();
    let names = above.iter().filter(|path| path.parent().is_some()).flat_map(|path| spellings(path, &workspace));
    let names: Vec<_> = names.map(|name| format!("'{name}'")).collect();
    // In its own folder, and in the workspace.
    for own in ["${TMPDIR:-/tmp}/own", "own"] {
        let tries = format!("{program} \"{own}\" {}", names.join(" "));
        let stays =
            format!("cd {}; pwd -P; echo x > m/protected/f; echo new > {}/new", workspace.display(), free.display());
        let told = crate::space::wait(async {
            let mut program = attach_to(&space, &script(&format!("{tries}; {stays}")), &profile).await.unwrap();
            read(&mut program).await
        });
        assert_eq!(told, format!("tried\n{}\n", workspace.display()), "{own}");
        assert!(free.join("new").exists() && shown.exists() && workspace.join("own").exists() == (own == "own"));
        assert_eq!(facts(&protected), before);
    }
}

#[test]
fn a_workspace_that_is_moved_outside_is_judged_as_before() {
    let space = judged(|settings| {
        settings.workspace = settings.workspace.parent().unwrap().join("up/ws");
        fs::create_dir_all(&settings.workspace).unwrap();
    });
    if !space.door().supervises() {
        return;
    }
    let wait = "echo > ready; while ! test -e go; do :; done; ";
    let tries =
        "echo x > m/protected/f || echo refused; mkdir m/protected/new || echo refused; echo y > new && echo made";
    let before = facts(&space.path("up/ws/m/protected"));
    let ended = std::thread::scope(|scope| {
        scope.spawn(|| {
            until("the program runs", || space.path("up/ws/ready").exists());
            fs::rename(space.path("up"), space.path("down")).unwrap();
            fs::write(space.path("down/ws/go"), "").unwrap();
        });
        space.run(&script(&format!("{wait}{tries}")), limits(PATIENCE)).unwrap()
    });
    assert_eq!(text(&ended.stdout), "refused\nrefused\nmade\n", "{}", text(&ended.stderr));
    let now = facts(&space.path("down/ws/m/protected"));
    assert_eq!(now.into_values().collect::<Vec<_>>(), before.into_values().collect::<Vec<_>>());
}
