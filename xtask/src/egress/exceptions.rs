//! The network libraries that may be used, by whom and why, and the test in whose packet capture they opened no connection
//! but those that the door had judged.

use std::fs;

use super::DOOR;
use crate::report::Report;
use crate::workspace::Workspace;

pub struct Exception {
    /// The room, or the library that brings it.
    pub user: &'static str,
    pub library: &'static str,
    reason: &'static str,
    /// File and function.
    test: (&'static str, &'static str),
}

const TOGETHER: (&str, &str) = ("crates/net/tests/door/together.rs", "every_connection_is_one_that_was_judged");

const fn door(library: &'static str, reason: &'static str) -> Exception {
    Exception { user: DOOR, library, reason, test: TOGETHER }
}

pub const EXCEPTIONS: &[Exception] = &[
    door("hyper", "speaks HTTP/1.1 on connections that the door has opened or a listener has accepted"),
    door("hyper-util", "adapts streams, without its client"),
    door("rustls", "encrypts connections of the door and of listeners"),
    door("rustls-platform-verifier", "reads the machine's certificates; asks nobody whether one was revoked"),
    door("tokio-rustls", "adapts streams"),
    door("tokio-tungstenite", "frames of WebSockets on connections that exist, without its `connect`"),
    Exception {
        user: "tokio",
        library: "mio",
        reason: "waits for sockets; the door's code connects them",
        test: TOGETHER,
    },
    Exception { user: "tokio", library: "socket2", reason: "options of sockets", test: TOGETHER },
];

pub fn allows(user: &str, library: &str) -> bool {
    EXCEPTIONS.iter().any(|row| row.user == user && row.library == library)
}

/// Each has its test, and somebody who still needs it. `used`: users with their libraries.
pub fn check(workspace: &Workspace, used: &[(String, String)], report: &mut Report) {
    for Exception { user, library, reason, test: (file, function) } in EXCEPTIONS {
        let text = fs::read_to_string(workspace.root.join(file)).unwrap_or_default();
        if !text.contains(&format!("\nfn {function}()")) {
            report.fail(format!(
                "{file}: no test `{function}`, whose packet capture shows that `{library}` ({reason}) opens no connection"
            ));
        }
        if !used.iter().any(|(by, of)| by == user && of == library) {
            report.fail(format!("xtask/src/egress/exceptions.rs: `{user}` does not use `{library}` any more"));
        }
    }
}
