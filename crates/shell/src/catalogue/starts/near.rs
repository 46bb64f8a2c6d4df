//! Wrappers that start the command on this machine.

use super::{Starts, Tail, passes, starts};

pub(super) const ROWS: &[Starts] = &[
    passes(
        "env genv",
        "i0u:C:S!v",
        "ignore-environment null unset= chdir= split-string! debug block-signal? default-signal? ignore-signal? \
         list-signal-handling argv0= help version",
    )
    .assigns()
    .directory("C chdir")
    .resplit("S split-string"),
    passes("nice", "n:", "adjustment= help version"),
    passes("ionice", "c:n:p:P:u:t", "class= classdata= pid= pgid= uid= ignore help version")
        .nothing("p pid P pgid u uid"),
    passes(
        "chrt",
        "abdfiopmrvRT:P:D:",
        "all-tasks batch deadline fifo idle other pid max rr reset-on-fork verbose sched-runtime= sched-period= \
         sched-deadline= help version",
    )
    .before(1)
    .loose()
    .nothing("p pid m max"),
    passes("taskset", "acp", "all-tasks cpu-list pid help version").before(1).nothing("p pid"),
    passes("nohup gnohup", "", "help version"),
    passes("setsid", "cfw", "ctty fork wait help version"),
    passes("timeout gtimeout", "k:s:vfp", "kill-after= signal= verbose foreground preserve-status help version")
        .before(1),
    passes("time gtime", "apvqf:o:lh", "append portability verbose quiet format= output= help version")
        .own("o output a append"),
    passes("stdbuf gstdbuf", "i:o:e:", "input= output= error= help version"),
    passes("unbuffer", "p", ""),
    passes("command", "pvV", "").nothing("v V").own("p"),
    starts("jobs", "lnprsx", ""),
    passes("builtin nocorrect noglob -", "", "help version"),
    passes("exec", "cla:", ""),
    passes(
        "setarch linux32 linux64 i386 x86_64 uname26 personality",
        "vRFZLXBITS3p",
        "verbose addr-no-randomize fdpic-funcptrs mmap-page-zero addr-compat-layout read-implies-exec 32bit \
         short-inode whole-seconds sticky-timeouts 3gb 4gb uname-2.6 list show? pid= help version",
    )
    .before(1)
    .loose()
    .again(),
    passes(
        "prlimit",
        "p:o:c::d::e::f::i::l::m::n::q::r::s::t::u::v::x::y::",
        "pid= output= noheadings raw verbose core? data? nice? fsize? sigpending? memlock? rss? nofile? msgqueue? \
         rtprio? stack? cpu? nproc? as? locks? rttime? help version",
    )
    .nothing("p pid"),
    passes("choom", "n:p:", "adjust= pid= help version").nothing("p pid"),
    passes("uclampset", "am:M:p:sRv", "pid= system all-tasks").nothing("p pid s system"),
    passes(
        "numactl",
        "i:w:N:C:m:P:plaHs",
        "interleave= preferred= membind= cpunodebind= physcpubind= localalloc all show hardware",
    ),
    passes("fakeroot fakeroot-ng fakechroot pseudo", "l:s:i:b:uh", "lib= faked= unknown-is-real help version"),
    starts(
        "systemd-inhibit gnome-session-inhibit kde-inhibit elogind-inhibit",
        "",
        "what= who= why= mode= list no-pager no-legend inhibit= reason= app-id= inhibit-only power",
    ),
    starts(
        "dbus-run-session dbus-launch",
        "",
        "config-file= dbus-daemon= exit-with-session sh-syntax csh-syntax auto-syntax autolaunch=",
    ),
    starts(
        "strace strace64",
        "a:A:b:B:cCdDe:E:fFhi:I:kno:O:p:P:qrs:S:tTu:U:vVwX:xyYzZ",
        "attach= columns= env= expr= follow-forks? output-append-mode output-separately summary-only summary \
         summary-sort-by= string-limit= relative-timestamps syscall-times output= user= trace= trace-path= \
         signals= status= quiet seccomp-bpf stack-traces? decode-fds? argv0= interruptible= daemonize? debug \
         no-abbrev kill-on-exit",
    ),
    starts(
        "ltrace truss dtruss ktrace",
        "a:A:bcCD:e:F:fhiL l:n:o:p:rs:STtu:Vw:x:X:",
        "align= config= debug= output= library= indent= where= no-signals",
    ),
    starts("valgrind heaptrack rr memray bpftrace", "qvdo:", "tool= log-file= leak-check= xml= quiet verbose"),
    starts(
        "watch",
        "bcCd::eghn:pq:rs:tvwx",
        "beep color no-color differences? errexit chgexit interval= precise equexit= no-rerun shotsdir= no-title \
         no-wrap exec follow help version",
    )
    .tail(Tail::Text)
    .unjoined("x exec"),
    starts(
        "script scriptlive",
        "aB:c:E:efFI:kL:m:O:o:qrt::T:d",
        "append command= echo= return flush force log-in= log-out= log-io= logging-format= output-limit= quiet \
         timing? log-timing= help version",
    )
    .any_order()
    .before(1)
    .before_dashes()
    .script("c command"),
    passes(
        "flock",
        "sxeunw:E:oc:Fvz",
        "shared exclusive unlock nonblock nb timeout= wait= conflict-exit-code= close command= no-fork verbose \
         fcntl start= length= help version",
    )
    .before(1)
    .again()
    .script("c command"),
    passes("caffeinate", "disumt:w:", ""),
    starts(
        "rlwrap rlfe ledit",
        "a::Ab:cC:D:eE:f:F:g:hH:iIlm::M:nNo:O:p::P:q:rRs:S:t:T:uU:vw:W::X:z:",
        "always-readline? ansi-colour-aware break-chars= complete-filenames command-name= file= history-filename= \
         prompt-colour? remember filter=",
    ),
    passes("busybox toybox coreutils uutils", "", "list list-full install help coreutils-prog=")
        .nothing("list list-full install"),
    passes("faketime datefudge libfaketime", "fmp:s", "exclude-monotonic date-prog disable-fakestat static").before(1),
    starts(
        "torsocks torify usewithtor tsocks proxychains proxychains4 proxychains-ng vpnns graftcp",
        "qf:i du:p:P:a:",
        "isolate shell user= pass= address= port= debug quiet",
    ),
    starts(
        "hyperfine",
        "w:m:M:r:s:p:c:P:D:L:S:Niu:n:",
        "warmup= min-runs= max-runs= runs= setup= prepare= conclude= cleanup= parameter-scan= parameter-list= \
         shell= ignore-failure? time-unit= export-json= export-csv= export-markdown= show-output output= input= \
         command-name= style= reference=",
    )
    .any_order()
    .tail(Tail::Texts)
    .script("s setup p prepare c conclude cleanup reference"),
    starts(
        "xvfb-run cage Xephyr startx xinit dumb-init tini catatonit s6-svscan",
        "ae:f:hln:p:s:w:c gv",
        "auto-servernum error-file= auth-file= listen-tcp server-num= xauth-protocol= server-args= wait= single-child",
    ),
    starts(
        "daemonize daemon detach",
        "ac:e:o:p:l:u:vE:fn:D:F:",
        "name= user= chdir= pidfile= output= stdout= stderr= foreground respawn",
    )
    .directory("c D chdir"),
    starts(
        "with-contenv direnv-exec dotenvx dotenv cross-env cross-env-shell envsubst-exec run-one chronic ifne \
         ts-run nodaemon pee sem",
        "f:e:i:v:",
        "",
    )
    .tail(Tail::Either)
    .assigns(),
];
