//! What a program's network was, told where its output says that it failed for want of another.
//!
//! The kernel's answers are those of any machine, so whoever reads them looks for the fault in the wrong place.

use crate::order::Level;
use palanca_core::Message;
use palanca_core::call::Network;
use palanca_core::ports::{Captured, Exit};

/// Nobody answers at an address, or it has none.
const UNREACHED: [&str; 13] = [
    "network is unreachable",
    "enetunreach",
    "no route to host",
    "ehostunreach",
    "connection refused",
    "econnrefused",
    // curl
    "couldn't connect to server",
    "name resolution",
    "name or service not known",
    "could not resolve",
    "enotfound",
    "eai_again",
    "no such host",
];
/// The kernel may refuse many things in these words.
const REFUSED: [&str; 3] = ["operation not permitted", "permissionerror", "eperm"];
/// So one of these must be there, too.
const OF_SOCKETS: [&str; 4] = ["socket", "listen", "bind", "connect"];

/// For the model, about a program that has ended.
pub(crate) fn note((level, network): (Level, Network), exit: Option<Exit>, streams: &[&Captured]) -> Option<Message> {
    if level == Level::None || matches!(exit, None | Some(Exit::Code(0))) {
        return None;
    }
    let text: String = streams.iter().map(|stream| said(stream)).collect();
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let key = match (network, level) {
        (Network::None, Level::Full) if says(&UNREACHED) => "network-alone",
        (Network::None, Level::Filters) if says(&UNREACHED) || (says(&REFUSED) && says(&OF_SOCKETS)) => {
            "network-no-sockets"
        }
        (Network::Open, _) if says(&REFUSED) && says(&["listen"]) => "network-no-listening",
        _ => return None,
    };
    Some(Message::new(key))
}

/// In small letters.
fn said(stream: &Captured) -> String {
    let [head, tail] = [&stream.head, &stream.tail].map(|part| String::from_utf8_lossy(part).to_lowercase());
    head + "\n" + &tail
}

#[cfg(test)]
mod tests {
    #![allow(missing_docs)]
    use super::*;

    #[test]
    fn what_the_sandbox_caused_is_told_and_nothing_else() {
        use Level::{Filters, Full, None as Unsandboxed};
        let (alone, open) = (Network::None, Network::Open);
        let python = "    self.socket.listen(5)\nPermissionError: [Errno 1] Operation not permitted";
        for (level, network, exit, text, expected) in [
            (Full, alone, 1, "curl: (6) Could not resolve host: a.example", Some("network-alone")),
            (Full, alone, 7, "connect to 127.0.0.1 port 8000: Connection refused", Some("network-alone")),
            (
                Full,
                alone,
                7,
                "curl: (7) Failed to connect to ::1 port 80: Couldn't connect to server",
                Some("network-alone"),
            ),
            (Full, alone, 1, "dial tcp 10.0.0.1:5432: connect: network is unreachable", Some("network-alone")),
            (Full, alone, 1, "chown: changing ownership of 'a': Operation not permitted", None),
            (Full, alone, 0, "Connection refused, as the test expects", None),
            (Full, open, 7, "connect to 127.0.0.1 port 8000: Connection refused", None),
            (Full, open, 1, python, Some("network-no-listening")),
            (Full, open, 1, "chown: changing ownership of 'a': Operation not permitted", None),
            (Filters, alone, 1, python, Some("network-no-sockets")),
            (Filters, alone, 1, "Error: listen EPERM: operation not permitted 127.0.0.1", Some("network-no-sockets")),
            (Filters, alone, 1, "Temporary failure in name resolution", Some("network-no-sockets")),
            (Filters, alone, 1, "chown: changing ownership of 'a': Operation not permitted", None),
            (Unsandboxed, alone, 1, python, None),
        ] {
            let output = Captured { head: text.as_bytes().to_vec(), ..Captured::default() };
            let told = note((level, network), Some(Exit::Code(exit)), &[&Captured::default(), &output]);
            assert_eq!(told.as_ref().map(Message::key), expected, "{level:?} {network:?} {text}");
        }
    }
}
