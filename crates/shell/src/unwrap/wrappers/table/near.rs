//! Wrappers that start the command on this machine.

use super::{JUDGED, PASS, Row, Tail, syntax};
use crate::unwrap::scan::Order;

/// `/lib64/ld-linux-x86-64.so.2 PROGRAM`
pub(super) static LOADER: Row = Row {
    syntax: syntax(
        "",
        "preload= library-path= audit= argv0= inhibit-cache inhibit-rpath= list verify glibc-hwcaps-prepend=",
    ),
    ..JUDGED
};

pub(super) static ROWS: &[Row] = &[
    Row {
        names: &["env", "genv"],
        syntax: syntax(
            "i0u:C:S!v",
            "ignore-environment null unset= chdir= split-string! debug block-signal? default-signal? ignore-signal? \
             list-signal-handling argv0= help version",
        ),
        assigns: true,
        directory: "C chdir",
        resplit: "S split-string",
        ..PASS
    },
    Row { names: &["nice"], syntax: syntax("n:", "adjustment= help version"), ..PASS },
    Row {
        names: &["ionice"],
        syntax: syntax("c:n:p:P:u:t", "class= classdata= pid= pgid= uid= ignore help version"),
        nothing: "p pid P pgid u uid",
        ..PASS
    },
    Row {
        names: &["chrt"],
        syntax: syntax(
            "abdfiopmrvRT:P:D:",
            "all-tasks batch deadline fifo idle other pid max rr reset-on-fork verbose sched-runtime= sched-period= \
             sched-deadline= help version",
        ),
        before: 1,
        loose: true,
        nothing: "p pid m max",
        ..PASS
    },
    Row {
        names: &["taskset"],
        syntax: syntax("acp", "all-tasks cpu-list pid help version"),
        before: 1,
        nothing: "p pid",
        ..PASS
    },
    Row { names: &["nohup", "gnohup"], ..PASS },
    Row { names: &["setsid"], syntax: syntax("cfw", "ctty fork wait help version"), ..PASS },
    Row {
        names: &["timeout", "gtimeout"],
        syntax: syntax("k:s:vfp", "kill-after= signal= verbose foreground preserve-status help version"),
        before: 1,
        ..PASS
    },
    Row {
        names: &["time", "gtime"],
        syntax: syntax("apvqf:o:lh", "append portability verbose quiet format= output= help version"),
        own: "o output a append",
        ..PASS
    },
    Row { names: &["stdbuf", "gstdbuf"], syntax: syntax("i:o:e:", "input= output= error= help version"), ..PASS },
    Row { names: &["unbuffer"], syntax: syntax("p", ""), ..PASS },
    Row { names: &["command"], syntax: syntax("pvV", ""), nothing: "v V", own: "p", ..PASS },
    Row { names: &["jobs"], syntax: syntax("lnprsx", ""), ..JUDGED },
    Row { names: &["builtin", "nocorrect", "noglob", "-"], ..PASS },
    Row { names: &["exec"], syntax: syntax("cla:", ""), ..PASS },
    Row {
        names: &["setarch", "linux32", "linux64", "i386", "x86_64", "uname26", "personality"],
        syntax: syntax(
            "vRFZLXBITS3p",
            "verbose addr-no-randomize fdpic-funcptrs mmap-page-zero addr-compat-layout read-implies-exec 32bit short-inode \
             whole-seconds sticky-timeouts 3gb 4gb uname-2.6 list show? pid= help version",
        ),
        before: 1,
        loose: true,
        again: true,
        ..PASS
    },
    Row {
        names: &["prlimit"],
        syntax: syntax(
            "p:o:c::d::e::f::i::l::m::n::q::r::s::t::u::v::x::y::",
            "pid= output= noheadings raw verbose core? data? nice? fsize? sigpending? memlock? rss? nofile? msgqueue? \
             rtprio? stack? cpu? nproc? as? locks? rttime? help version",
        ),
        nothing: "p pid",
        ..PASS
    },
    Row { names: &["choom"], syntax: syntax("n:p:", "adjust= pid= help version"), nothing: "p pid", ..PASS },
    Row {
        names: &["uclampset"],
        syntax: syntax("am:M:p:sRv", "pid= system all-tasks"),
        nothing: "p pid s system",
        ..PASS
    },
    Row {
        names: &["numactl"],
        syntax: syntax(
            "i:w:N:C:m:P:plaHs",
            "interleave= preferred= membind= cpunodebind= physcpubind= localalloc all show hardware",
        ),
        ..PASS
    },
    Row {
        names: &["fakeroot", "fakeroot-ng", "fakechroot", "pseudo"],
        syntax: syntax("l:s:i:b:uh", "lib= faked= unknown-is-real help version"),
        ..PASS
    },
    Row {
        names: &["systemd-inhibit", "gnome-session-inhibit", "kde-inhibit", "elogind-inhibit"],
        syntax: syntax("", "what= who= why= mode= list no-pager no-legend inhibit= reason= app-id= inhibit-only power"),
        ..JUDGED
    },
    Row {
        names: &["dbus-run-session", "dbus-launch"],
        syntax: syntax("", "config-file= dbus-daemon= exit-with-session sh-syntax csh-syntax auto-syntax autolaunch="),
        ..JUDGED
    },
    Row {
        names: &["strace", "strace64"],
        syntax: syntax(
            "a:A:b:B:cCdDe:E:fFhi:I:kno:O:p:P:qrs:S:tTu:U:vVwX:xyYzZ",
            "attach= columns= env= expr= follow-forks? output-append-mode output-separately summary-only summary summary-sort-by= string-limit= \
             relative-timestamps syscall-times output= user= trace= trace-path= signals= status= quiet seccomp-bpf \
             stack-traces? decode-fds? argv0= interruptible= daemonize? debug no-abbrev kill-on-exit",
        ),
        ..JUDGED
    },
    Row {
        names: &["ltrace", "truss", "dtruss", "ktrace"],
        syntax: syntax(
            "a:A:bcCD:e:F:fhiL l:n:o:p:rs:STtu:Vw:x:X:",
            "align= config= debug= output= library= indent= where= no-signals",
        ),
        ..JUDGED
    },
    Row {
        names: &["valgrind", "heaptrack", "rr", "memray", "bpftrace"],
        syntax: syntax("qvdo:", "tool= log-file= leak-check= xml= quiet verbose"),
        ..JUDGED
    },
    Row {
        names: &["watch"],
        syntax: syntax(
            "bcCd::eghn:pq:rs:tvwx",
            "beep color no-color differences? errexit chgexit interval= precise equexit= no-rerun shotsdir= no-title no-wrap exec follow help version",
        ),
        tail: Tail::Text,
        unjoined: "x exec",
        ..JUDGED
    },
    Row {
        names: &["script", "scriptlive"],
        syntax: syntax(
            "aB:c:E:efFI:kL:m:O:o:qrt::T:d",
            "append command= echo= return flush force log-in= log-out= log-io= logging-format= output-limit= quiet timing? log-timing= help version",
        ),
        order: Order::Any,
        before: 1,
        before_dashes: true,
        script: "c command",
        ..JUDGED
    },
    Row {
        names: &["flock"],
        syntax: syntax(
            "sxeunw:E:oc:Fvz",
            "shared exclusive unlock nonblock nb timeout= wait= conflict-exit-code= close command= no-fork verbose fcntl start= length= help version",
        ),
        before: 1,
        again: true,
        script: "c command",
        ..PASS
    },
    Row { names: &["caffeinate"], syntax: syntax("disumt:w:", ""), ..PASS },
    Row {
        names: &["rlwrap", "rlfe", "ledit"],
        syntax: syntax(
            "a::Ab:cC:D:eE:f:F:g:hH:iIlm::M:nNo:O:p::P:q:rRs:S:t:T:uU:vw:W::X:z:",
            "always-readline? ansi-colour-aware break-chars= complete-filenames command-name= file= history-filename= prompt-colour? remember filter=",
        ),
        ..JUDGED
    },
    Row {
        names: &["busybox", "toybox", "coreutils", "uutils"],
        syntax: syntax("", "list list-full install help coreutils-prog="),
        nothing: "list list-full install",
        ..PASS
    },
    Row {
        names: &["faketime", "datefudge", "libfaketime"],
        syntax: syntax("fmp:s", "exclude-monotonic date-prog disable-fakestat static"),
        before: 1,
        ..PASS
    },
    Row {
        names: &[
            "torsocks",
            "torify",
            "usewithtor",
            "tsocks",
            "proxychains",
            "proxychains4",
            "proxychains-ng",
            "vpnns",
            "graftcp",
        ],
        syntax: syntax("qf:i du:p:P:a:", "isolate shell user= pass= address= port= debug quiet"),
        ..JUDGED
    },
    Row {
        names: &["hyperfine"],
        syntax: syntax(
            "w:m:M:r:s:p:c:P:D:L:S:Niu:n:",
            "warmup= min-runs= max-runs= runs= setup= prepare= conclude= cleanup= parameter-scan= parameter-list= shell= ignore-failure? time-unit= export-json= export-csv= export-markdown= show-output output= input= command-name= style= reference=",
        ),
        order: Order::Any,
        tail: Tail::Texts,
        script: "s setup p prepare c conclude cleanup reference",
        ..JUDGED
    },
    Row {
        names: &["xvfb-run", "cage", "Xephyr", "startx", "xinit", "dumb-init", "tini", "catatonit", "s6-svscan"],
        syntax: syntax(
            "ae:f:hln:p:s:w:c gv",
            "auto-servernum error-file= auth-file= listen-tcp server-num= xauth-protocol= server-args= wait= single-child",
        ),
        ..JUDGED
    },
    Row {
        names: &["daemonize", "daemon", "detach"],
        syntax: syntax(
            "ac:e:o:p:l:u:vE:fn:D:F:",
            "name= user= chdir= pidfile= output= stdout= stderr= foreground respawn",
        ),
        directory: "c D chdir",
        ..JUDGED
    },
    Row {
        names: &[
            "with-contenv",
            "direnv-exec",
            "dotenvx",
            "dotenv",
            "cross-env",
            "cross-env-shell",
            "envsubst-exec",
            "run-one",
            "chronic",
            "ifne",
            "ts-run",
            "nodaemon",
            "pee",
            "sem",
        ],
        syntax: syntax("f:e:i:v:", ""),
        assigns: true,
        tail: Tail::Either,
        ..JUDGED
    },
];
