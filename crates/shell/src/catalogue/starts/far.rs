//! Wrappers that start the command on another machine, in a container, in another terminal, later, or inside a tool's
//! own environment.

use super::{Starts, Tail, far, starts};

pub(super) const ROWS: &[Starts] = &[
    far(
        "ssh autossh slogin mosh rsh remsh dbclient",
        "46AaCfGgKkMNnqsTtVvXxYyB:b:c:D:E:e:F:I:i:J:L:l:m:O:o:P:p:Q:R:S:W:w:",
        "ssh= port= predict= server= client=",
    )
    .before(1)
    .tail(Tail::Text)
    .again(),
    starts("sshpass", "f:d:p:ehvVP:", ""),
    far("pssh parallel-ssh pdsh clush dsh", "h:H:w:l:p:o:e:t:O:vAiI", "hosts= host= user= par= timeout=")
        .tail(Tail::Text),
    starts("at batch", "q:f:t:mldbvVrcMu:", "").tail(Tail::Nothing),
    starts("entr", "acdnprsxz", "").tail(Tail::Either),
    starts(
        "watchexec reflex chokidar onchange nodemon fswatch-run modd wach",
        "w:W:e:f:i:d:s:r:n:o:c:x:p:E:",
        "watch= watch-non-recursive= exts= filter= ignore= debounce= signal= stop-signal= shell= on-busy-update= \
         exec= ext= delay= command= restart postpone env= workdir= project-origin= clear? quiet",
    )
    .tail(Tail::Either)
    .directory("workdir")
    .script("x exec c command"),
    starts(
        "concurrently npm-run-all run-p run-s",
        "n:c:k:m:sri",
        "names= prefix= kill-others success= max-processes= raw handle-input",
    )
    .any_order()
    .tail(Tail::Texts),
    starts(
        "xterm rxvt urxvt konsole xfce4-terminal alacritty kitty st foot gnome-terminal mate-terminal terminator \
         wezterm x-terminal-emulator lxterminal",
        "exT:t:",
        "command= execute working-directory= title= hold",
    )
    .tail(Tail::Either)
    .directory("working-directory")
    .script("command"),
    starts("screen", "aAc:dDe:fh:ilLmnOp:qQr:Rs:S:t:T:UvwxX", "").nothing("X"),
    starts("dtach abduco", "A:a:c:n:N:p:e:E:r:z", ""),
    starts("nix-shell guix-shell", "p:A:I:E:i:", "run= command= packages= attr= pure keep=")
        .any_order()
        .tail(Tail::Nothing)
        .script("run command"),
    starts("npx bunx pnpx uvx pipx-run", "yqp:c:", "yes no package= call= quiet from= with= python=").script("c call"),
    starts("bwrap", "", "-").tail(Tail::Nothing),
    starts("logrotate", "dvfs:m:l:", "mail= state= log=").tail(Tail::Nothing).script("m mail"),
];
