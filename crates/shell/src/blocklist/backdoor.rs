//! A shell whose input and output belong to a remote party: reverse and bind shells.

use super::view::{Program, View};
use crate::catalogue::{calls, given, mentions};
use crate::command::{Command, Redirect, Surroundings, Word};
use crate::read::Reading;
use crate::unwrap::{Source, option_values};

const NETCATS: &str = "nc ncat netcat nc.traditional nc.openbsd rustcat";

pub(super) fn breaks(view: &View<'_>) -> Option<String> {
    let does = if view.program.is_any(NETCATS) {
        netcat(view.command.operands())
    } else if view.program.is("socat") {
        socat(view)
    } else {
        by_shell(view.command, view.program) || by_code(view)
    };
    does.then(|| view.shown())
}

fn netcat(words: &[Word]) -> bool {
    // `-c` is TLS to one netcat and a command to another: a command has a path or a blank in it.
    let is_command = |word: &Word| {
        let text = word.prefix();
        text.is_empty() || text.contains(['/', ' ']) || text.ends_with("sh")
    };
    words.iter().any(|word| given(word.prefix(), "-e --exec --sh-exec --lua-exec"))
        || option_values(words, "-c").iter().any(is_command)
}

fn socat(view: &View<'_>) -> bool {
    let starts = |names: &'static [&'static str]| {
        view.command
            .operands()
            .iter()
            .map(|word| word.prefix().to_ascii_lowercase())
            .any(|text| names.iter().any(|name| text.starts_with(name)))
    };
    starts(&["exec:", "system:", "shell:"])
        && starts(&[
            "tcp", "udp", "openssl", "ssl", "sctp", "vsock", "proxy", "socks", "dccp", "ip:", "ip4", "ip6", "quic",
        ])
}

fn is_wire(redirect: &Redirect) -> bool {
    let prefix = redirect.target.prefix();
    prefix.starts_with("/dev/tcp/") || prefix.starts_with("/dev/udp/")
}

fn waits_for_orders(command: &Command, program: &Program) -> bool {
    let runs = program.runs(command.operands());
    matches!(runs, Some((_, Source::Stdin))) && command.input.text.is_none()
}

fn by_shell(command: &Command, program: &Program) -> bool {
    command.redirects.iter().any(is_wire) && waits_for_orders(command, program)
}

fn by_code(view: &View<'_>) -> bool {
    if view.program.is_any("awk gawk") {
        return view.texts().any(|text| text.contains("/inet/") && text.contains("|&"));
    }
    view.code().is_some_and(|text| mentions(&text, calls::CONNECTS) && mentions(&text, calls::SHELLS_OUT))
}

/// A shell and a wire that only the whole text puts together: through a descriptor, through a named pipe.
pub(super) fn wired(reading: &Reading, surroundings: &Surroundings) -> Option<String> {
    let programs: Vec<(&Command, Program)> =
        reading.commands.iter().map(|command| (command, Program::of(command, surroundings))).collect();
    let waiting = || programs.iter().find(|(command, program)| waits_for_orders(command, program));
    let wire = programs.iter().any(|(command, program)| {
        let stays = command.words.is_empty() || program.is("exec");
        stays && command.redirects.iter().any(is_wire)
    });
    if wire {
        let follows = programs.iter().find(|(command, _)| {
            command.words.first().is_some_and(|word| word.literal().is_none() && word.prefix().is_empty())
        });
        let follows = waiting().or(follows).or_else(|| programs.iter().find(|(_, program)| program.is("eval")));
        return follows.map(|(command, _)| command.source.to_string());
    }
    let pipe = programs.iter().any(|(command, program)| {
        program.is("mkfifo")
            || (program.is("mknod") && command.operands().iter().any(|word| word.literal() == Some("p")))
    });
    let client = programs.iter().any(|(command, program)| {
        program.is_any(NETCATS)
            || program.is_any("telnet socat")
            || (program.is("openssl") && command.operands().iter().any(|word| word.literal() == Some("s_client")))
    });
    if pipe && client {
        return waiting().map(|(command, _)| command.source.to_string());
    }
    None
}
