//! Wrappers that start the command on another machine, in a container, in another terminal, later, or inside a tool's
//! own environment.

use super::{FAR, JUDGED, Row, Tail, syntax};
use crate::unwrap::scan::Order;

pub(super) static ROWS: &[Row] = &[
    Row {
        names: &["ssh", "autossh", "slogin", "mosh", "rsh", "remsh", "dbclient"],
        syntax: syntax(
            "46AaCfGgKkMNnqsTtVvXxYyB:b:c:D:E:e:F:I:i:J:L:l:m:O:o:P:p:Q:R:S:W:w:",
            "ssh= port= predict= server= client=",
        ),
        before: 1,
        again: true,
        tail: Tail::Text,
        ..FAR
    },
    Row { names: &["sshpass"], syntax: syntax("f:d:p:ehvVP:", ""), ..JUDGED },
    Row {
        names: &["pssh", "parallel-ssh", "pdsh", "clush", "dsh"],
        syntax: syntax("h:H:w:l:p:o:e:t:O:vAiI", "hosts= host= user= par= timeout="),
        tail: Tail::Text,
        ..FAR
    },
    Row { names: &["at", "batch"], syntax: syntax("q:f:t:mldbvVrcMu:", ""), tail: Tail::Nothing, ..JUDGED },
    Row { names: &["entr"], syntax: syntax("acdnprsxz", ""), script: "", tail: Tail::Either, ..JUDGED },
    Row {
        names: &["watchexec", "reflex", "chokidar", "onchange", "nodemon", "fswatch-run", "modd", "wach"],
        syntax: syntax(
            "w:W:e:f:i:d:s:r:n:o:c:x:p:E:",
            "watch= watch-non-recursive= exts= filter= ignore= debounce= signal= stop-signal= shell= on-busy-update= exec= ext= \
             delay= command= restart postpone env= workdir= project-origin= clear? quiet",
        ),
        script: "x exec c command",
        directory: "workdir",
        tail: Tail::Either,
        ..JUDGED
    },
    Row {
        names: &["concurrently", "npm-run-all", "run-p", "run-s"],
        syntax: syntax("n:c:k:m:sri", "names= prefix= kill-others success= max-processes= raw handle-input"),
        order: Order::Any,
        tail: Tail::Texts,
        ..JUDGED
    },
    Row {
        names: &[
            "xterm",
            "rxvt",
            "urxvt",
            "konsole",
            "xfce4-terminal",
            "alacritty",
            "kitty",
            "st",
            "foot",
            "gnome-terminal",
            "mate-terminal",
            "terminator",
            "wezterm",
            "x-terminal-emulator",
            "lxterminal",
        ],
        syntax: syntax("exT:t:", "command= execute working-directory= title= hold"),
        script: "command",
        tail: Tail::Either,
        directory: "working-directory",
        ..JUDGED
    },
    Row {
        names: &["screen"],
        syntax: syntax("aAc:dDe:fh:ilLmnOp:qQr:Rs:S:t:T:UvwxX", ""),
        nothing: "X",
        tail: Tail::Words,
        ..JUDGED
    },
    Row { names: &["dtach", "abduco"], syntax: syntax("A:a:c:n:N:p:e:E:r:z", ""), before: 0, ..JUDGED },
    Row {
        names: &["nix-shell", "guix-shell"],
        syntax: syntax("p:A:I:E:i:", "run= command= packages= attr= pure keep="),
        order: Order::Any,
        script: "run command",
        tail: Tail::Nothing,
        ..JUDGED
    },
    Row {
        names: &["npx", "bunx", "pnpx", "uvx", "pipx-run"],
        syntax: syntax("yqp:c:", "yes no package= call= quiet from= with= python="),
        script: "c call",
        ..JUDGED
    },
    Row { names: &["bwrap"], syntax: syntax("", "-"), tail: Tail::Nothing, ..JUDGED },
    Row {
        names: &["logrotate"],
        syntax: syntax("dvfs:m:l:", "mail= state= log="),
        script: "m mail",
        tail: Tail::Nothing,
        ..JUDGED
    },
];
