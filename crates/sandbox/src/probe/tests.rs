#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;

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
