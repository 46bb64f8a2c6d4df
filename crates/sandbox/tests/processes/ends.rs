//! How programs end, and what they leave on their streams.

use crate::space::{Space, limits, owner, script, text};
use palanca_core::call::{CallId, CommandLine};
use palanca_core::ports::{By, Exit, ProcessErrorKind as K, Processes, Run};
use palanca_core::tool::Cancel;
use palanca_testkit::PATIENCE;

#[test]
fn every_end_is_told() {
    let space = Space::new();
    let check = |command: &str, exit: Exit, stdout: &str, stderr: &str| {
        let finished = space.sh(command);
        assert_eq!(
            (finished.exit, text(&finished.stdout), text(&finished.stderr)),
            (exit, stdout.into(), stderr.into())
        );
    };
    check("true", Exit::Code(0), "", "");
    check("exit 3", Exit::Code(3), "", "");
    check("exit 255", Exit::Code(255), "", "");
    check("echo out; echo err >&2", Exit::Code(0), "out\n", "err\n");
    check("kill -SEGV $$", Exit::Signal(11), "", "");
    check("kill -KILL $$", Exit::Signal(9), "", "");
    check("kill -TERM $$", Exit::Signal(15), "", "");
    check("cat; echo stdin is empty", Exit::Code(0), "stdin is empty\n", "");
    check("no-such-program 2>/dev/null", Exit::Code(127), "", "");
    check("pwd", Exit::Code(0), &format!("{}\n", space.path("ws").canonicalize().unwrap().display()), "");
    check("printf x > made && cat made", Exit::Code(0), "x", "");
}

#[test]
fn bytes_stay_bytes() {
    let finished = Space::new().sh(r"printf '\377\376\000abc\303'");
    assert_eq!(finished.stdout.head, b"\xff\xfe\0abc\xc3");
    assert_eq!((finished.stdout.omitted_bytes, finished.stdout.whole), (0, None));
}

#[test]
fn programs_need_no_shell() {
    let space = Space::new();
    let mut launch = script("");
    let mut check = |argv: &[&str], expected: Result<&str, K>| {
        launch.command = CommandLine::Program(argv.iter().map(|part| (*part).to_owned()).collect());
        let ended = space.run(&launch, limits(PATIENCE)).map(|finished| text(&finished.stdout));
        assert_eq!(ended.as_deref().map_err(|error| error.kind), expected, "{argv:?}");
    };
    check(&["echo", "$HOME", "a b"], Ok("$HOME a b\n"));
    check(&["/bin/echo", ""], Ok("\n"));
    check(&["no-such-program"], Err(K::NoProgram));
    check(&["./no-such-program"], Err(K::NoProgram));
    check(&["/etc/passwd"], Err(K::NoProgram));
    check(&[], Err(K::NoProgram));
    check(&[""], Err(K::NoProgram));
    check(&["echo", "a\0b"], Err(K::NoProgram));
    check(&["echo", &"x".repeat(300 << 10)], Err(K::Io));
}

#[test]
fn many_at_once_from_many_threads() {
    let space = Space::new();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build().unwrap();
    let launches: Vec<_> = (0..40).map(|number| script(&format!("echo {number}; exit {number}"))).collect();
    let (owner, call, cancel) = (owner("one"), CallId::new("call"), Cancel::new());
    let by = By { owner: &owner, call: &call, session: None };
    let runs = launches.iter().map(|launch| {
        space.door().run(launch, Run { by, limits: limits(PATIENCE), cancel: &cancel, tail: None, questions: None })
    });
    for (number, finished) in runtime.block_on(futures_util::future::join_all(runs)).into_iter().enumerate() {
        let finished = finished.unwrap();
        let code = i32::try_from(number).unwrap();
        assert_eq!((finished.exit, text(&finished.stdout)), (Exit::Code(code), format!("{number}\n")));
    }
}
