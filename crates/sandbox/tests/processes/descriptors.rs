//! How many descriptors may be open: by us, and by programs.

use crate::space::{Space, isolation, text};
use palanca_sandbox::{Descriptors, Isolation, descriptors, raise_descriptors};
use palanca_testkit::again;
use std::process::Command;

const LIMITED: &str = "PALANCA_TEST_LIMITED";

/// This binary again, with the limits of its own that the next test sets.
#[test]
#[ignore = "is started by another test"]
fn a_process_with_few_descriptors() {
    if std::env::var_os(LIMITED).is_none() {
        return;
    }
    assert_eq!(descriptors(), Descriptors { limit: 300, most: 2000 });
    let limits = |space: &Space| text(&space.sh("ulimit -Sn; ulimit -Hn; ulimit -Sn 1999; ulimit -Sn").stdout);
    for isolation in [isolation(), Isolation::Unsandboxed] {
        assert_eq!(limits(&Space::with(|settings| settings.isolation = isolation)), "300\n2000\n1999\n");
    }
    assert_eq!(raise_descriptors(300).limit, 300, "enough");
    assert_eq!(raise_descriptors(301), Descriptors { limit: 2000, most: 2000 });
    assert_eq!(raise_descriptors(9999), Descriptors { limit: 2000, most: 2000 });
    for isolation in [isolation(), Isolation::Unsandboxed] {
        let space = Space::with(|settings| settings.isolation = isolation);
        // The second one runs in a room that was built ahead.
        for _ in 0..2 {
            assert_eq!(limits(&space), "300\n2000\n1999\n", "{isolation:?}");
        }
    }
}

#[test]
fn programs_get_the_limit_that_we_were_started_with() {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -Sn 300 && ulimit -Hn 2000 && exec \"$0\" \"$@\""]);
    command.arg(std::env::current_exe().unwrap()).args(["--ignored", "--exact"]).env(LIMITED, "1");
    again("descriptors", &mut command, &["descriptors::a_process_with_few_descriptors"]);
}
