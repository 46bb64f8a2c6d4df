#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;
use crate::{Isolation, Sandbox, SandboxSettings};
use palanca_core::call::{CallId, CanonicalPath, Launch, Root, Scope, SessionId, Shell};
use palanca_core::ports::{By, Keep, Owner, ProcessErrorKind, Processes as _, Run, RunLimits};
use palanca_core::tool::Cancel;

fn machine() -> Probe {
    use Mechanism::*;
    let all = [
        UserNamespace,
        ProcessNamespace,
        NetworkNamespace,
        OtherNamespaces,
        Full,
        Landlock,
        Seccomp,
        Openat2,
        Filters,
        Groups,
        Supervisor,
    ];
    let findings = all.map(|mechanism| Finding { mechanism, outcome: Ok(String::new()) });
    Probe { findings: findings.into(), trouble: None }
}

#[test]
fn each_mechanism_missing_in_turn() {
    use Mechanism::*;
    assert_eq!(machine().level(), Level::Full);
    let check = |missing: &[Mechanism], expected| {
        let probe = missing.iter().fold(machine(), |probe, mechanism| probe.without(*mechanism));
        assert_eq!(probe.level(), expected, "{missing:?}");
        assert!(missing.iter().all(|mechanism| !probe.has(*mechanism)));
        let said = probe.findings();
        assert!(said.iter().any(|(_, text)| text.starts_with("missing (taken away): ")), "{said:?}");
    };
    for one in [UserNamespace, ProcessNamespace, NetworkNamespace, OtherNamespaces, Full, Openat2] {
        check(&[one], Level::Filters);
        check(&[one, Landlock], Level::None);
    }
    check(&[Landlock], Level::Full);
    check(&[Seccomp], Level::None);
    check(&[Filters], Level::Full);
    check(&[Groups], Level::Full);
    check(&[Filters, Full], Level::None);
}

#[test]
fn a_program_that_is_no_helper_is_told_and_nothing_is_there() {
    for program in ["/bin/true", "/nonexistent"] {
        let probe = Probe::by(Path::new(program));
        assert_eq!(probe.level(), Level::None);
        assert!(probe.findings()[0].1.starts_with("not tried: "), "{probe:?}");
    }
}

#[test]
fn only_the_best_answer_is_remembered_until_a_program_does_not_start() {
    let state = tempfile::tempdir().unwrap();
    let helper = Path::new("/bin/true");
    let best = Best { level: Level::Full, supervised: true };
    let remembered = || Remembered::kept_in(state.path(), helper).unwrap();
    for less in [Best { level: Level::Filters, ..best }, Best { supervised: false, ..best }] {
        remembered().learn(less);
        assert_eq!(remembered().best(), None);
    }
    remembered().learn(best);
    assert_eq!(remembered().best(), Some(best));
    assert_eq!(Remembered::kept_in(state.path(), Path::new("/bin/false/..")).map(|other| other.best()), None);
    assert_eq!(Remembered::kept_in(state.path(), Path::new("/bin")).unwrap().best(), None);

    let workspace = tempfile::tempdir().unwrap();
    let mut settings = SandboxSettings::new(workspace.path().canonicalize().unwrap(), Isolation::Best);
    settings.helper = helper.to_owned();
    settings.state_file = Some(state.path().join("processes.jsonl"));
    let door = Sandbox::new(settings).unwrap();
    assert_eq!(door.level(), Level::Full);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let launch = Launch::script(Shell::Sh, "true", CanonicalPath::new(Root::Workspace, "".into()));
    let (owner, call) = (Owner::of(&Scope::session(SessionId::new("s"))), CallId::new("1"));
    let limits = RunLimits { time: palanca_testkit::PATIENCE, keep: Keep::default() };
    let run = Run {
        by: By { owner: &owner, call: &call, session: None },
        limits,
        cancel: &Cancel::new(),
        tail: None,
        questions: None,
    };
    let failed = runtime.block_on(door.run(&launch, run)).unwrap_err();
    assert_eq!(failed.kind, ProcessErrorKind::Isolation);
    assert_eq!(remembered().best(), None);
}
