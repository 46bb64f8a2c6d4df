//! Wrappers that change who runs the command, or what it sees of the machine.

use super::{Starts, Tail, starts};

pub(super) const ROWS: &[Starts] = &[
    starts("chroot", "", "groups= userspec= skip-chdir help version").before(1),
    starts(
        "unshare",
        "muiUnpCTfrcR:w:S:G:l:",
        "mount? uts? ipc? user? net? pid? cgroup? time? fork map-root-user map-current-user map-auto map-users= \
         map-groups= map-user= map-group= mount-proc? mount-binfmt? keep-caps kill-child? propagation= setgroups= \
         root= wd= setuid= setgid= monotonic= boottime= load-interp= owner= help version",
    )
    .directory("w wd"),
    starts(
        "nsenter",
        "at:m::u::i::n::p::U::C::T::S:G:r::w::W:FZecN:",
        "all target= mount? uts? ipc? net? pid? user? cgroup? time? setuid= setgid= preserve-credentials root? \
         wd? wdns= no-fork follow-context env join-cgroup net-socket= keep-caps user-parent help version",
    ),
    starts(
        "firejail firetools",
        "c",
        "noprofile private? net= name= quiet seccomp? caps? profile= whitelist= blacklist= read-only= bind= \
         tmpfs= appimage shell=",
    ),
    starts(
        "proot proot-rs",
        "r:R:b:w:q:k:i:S:0v:V",
        "rootfs= bind= mount= cwd= pwd= qemu= kernel-release= change-id= root-id kill-on-exit link2symlink",
    )
    .directory("w cwd pwd"),
    starts(
        "systemd-run",
        "p:u:H:M:E:d:rtPqGSi",
        "unit= property= description= slice= slice-inherit remain-after-exit send-sighup service-type= uid= gid= \
         nice= working-directory= same-dir setenv= pty pty-late pipe quiet on-active= on-boot= on-startup= \
         on-unit-active= on-unit-inactive= on-calendar= on-clock-change on-timezone-change path-property= \
         socket-property= timer-property= no-block wait collect shell scope user system host= machine= \
         expand-environment= no-ask-password background= ignore-failure json= help version",
    )
    .directory("working-directory"),
    starts(
        "catchsegv eatmydata setlsm aa-exec runcon sg3",
        "p:n:di t:u:r:l:c",
        "profile= namespace= debug immediate type= user= role= range= compute",
    ),
    starts(
        "chpst softlimit envdir setuidgid envuidgid setlock s6-setuidgid s6-envdir",
        "u:U:b:e:/:C:n:l:L:m:d:o:p:f:c:r:t:vP012",
        "",
    )
    .before(1)
    .loose()
    .directory("C"),
    starts(
        "sudo sudo-rs calife super",
        "ABbC:c:D:EeFg:HhiK kla:nNPp:R:r:SsT:t:U:u:Vv",
        "askpass background bell close-from= chdir= preserve-env? edit group= set-home host= login \
         remove-timestamp reset-timestamp list non-interactive no-update preserve-groups prompt= chroot= role= \
         stdin shell type= command-timeout= other-user= user= version validate auth-type= login-class= help",
    )
    .assigns()
    .directory("D chdir"),
    starts(
        "doas run0 please dzdo pfexec gosu su-exec",
        "a:C:Lnsu:D:E:g:i",
        "user= group= nice= chdir= setenv= background= unit= property= slice= pty pipe shell-prompt-prefix=",
    )
    .before(1)
    .loose()
    .assigns()
    .directory("chdir D"),
    starts(
        "pkexec gksudo gksu kdesudo kdesu lxsudo beesu",
        "u:m:kdgc:",
        "user= message= disable-internal-agent keep-cwd",
    )
    .script("c"),
    starts(
        "su runuser sux",
        "c:C:g:G:lmps:fPu:w:T",
        "command= session-command= group= supp-group= login preserve-environment shell= fast pty user= \
         whitelist-environment= help version",
    )
    .any_order()
    .loose()
    .before_dashes()
    .script("c command C session-command"),
    starts("sg newgrp", "c:", "").any_order().before(1).tail(Tail::Text).script("c"),
    starts(
        "setpriv",
        "d",
        "dump nnp no-new-privs inh-caps= ambient-caps= bounding-set= ruid= euid= reuid= rgid= egid= regid= \
         clear-groups keep-groups init-groups groups= securebits= pdeathsig= ptracer= selinux-label= \
         apparmor-profile= landlock-access= landlock-rule= seccomp-filter= reset-env list-caps help version",
    ),
    starts("capsh", "", "drop= caps= user= uid= gid= groups= print").tail(Tail::Shell).before_dashes(),
];
