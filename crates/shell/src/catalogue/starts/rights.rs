//! Wrappers that change who runs the command, or what it sees of the machine.

pub(super) const TABLE: &str = "
[chroot] = before:1 --groups= --userspec= --skip-chdir --help --version
[unshare] = -muiUnpCTfrc -RSGl= -w=dir --mount[=] --uts[=] --ipc[=] --user[=] --net[=] --pid[=] --cgroup[=] --time[=]
    --fork --map-root-user --map-current-user --map-auto --map-users= --map-groups= --map-user= --map-group=
    --mount-proc[=] --mount-binfmt[=] --keep-caps --kill-child[=] --propagation= --setgroups= --root= --wd=dir
    --setuid= --setgid= --monotonic= --boottime= --load-interp= --owner= --help --version
[nsenter] = -aFZec -tSGWN= -muinpUCTrw[=] --all --target= --mount[=] --uts[=] --ipc[=] --net[=] --pid[=] --user[=]
    --cgroup[=] --time[=] --setuid= --setgid= --preserve-credentials --root[=] --wd[=] --wdns= --no-fork
    --follow-context --env --join-cgroup --net-socket= --keep-caps --user-parent --help --version
[firejail firetools] = -c --noprofile --private[=] --net= --name= --quiet --seccomp[=] --caps[=] --profile=
    --whitelist= --blacklist= --read-only= --bind= --tmpfs= --appimage --shell=
[proot proot-rs] = -0V -rRbqkiSv= -w=dir --rootfs= --bind= --mount= --cwd=dir --pwd=dir --qemu= --kernel-release=
    --change-id= --root-id --kill-on-exit --link2symlink
[systemd-run] = -rtPqGSi -puHMEd= --unit= --property= --description= --slice= --slice-inherit --remain-after-exit
    --send-sighup --service-type= --uid= --gid= --nice= --working-directory=dir --same-dir --setenv= --pty --pty-late
    --pipe --quiet --on-active= --on-boot= --on-startup= --on-unit-active= --on-unit-inactive= --on-calendar=
    --on-clock-change --on-timezone-change --path-property= --socket-property= --timer-property= --no-block --wait
    --collect --shell --scope --user --system --host= --machine= --expand-environment= --no-ask-password --background=
    --ignore-failure --json= --help --version
[catchsegv eatmydata setlsm aa-exec runcon sg3] = -dic -pnturl= --profile= --namespace= --debug --immediate --type=
    --user= --role= --range= --compute
[chpst softlimit envdir setuidgid envuidgid setlock s6-setuidgid s6-envdir] = before:1 loose -vP012 -uUbe/nlLmdopfcrt=
    -C=dir
[sudo sudo-rs calife super] = assigns -ABbEeFHhiKklnNPSsVv -CcgapRrTtUu= -D=dir --askpass --background --bell
    --close-from= --chdir=dir --preserve-env[=] --edit --group= --set-home --host= --login --remove-timestamp
    --reset-timestamp --list --non-interactive --no-update --preserve-groups --prompt= --chroot= --role= --stdin
    --shell --type= --command-timeout= --other-user= --user= --version --validate --auth-type= --login-class= --help
[doas run0 please dzdo pfexec gosu su-exec] = before:1 loose assigns -Lnsi -aCuEg= -D=dir --user= --group= --nice=
    --chdir=dir --setenv= --background= --unit= --property= --slice= --pty --pipe --shell-prompt-prefix=
[pkexec gksudo gksu kdesudo kdesu lxsudo beesu] = -kdg -um= -c=sh --user= --message= --disable-internal-agent
    --keep-cwd
[su runuser sux] = any-order loose -lmpfPT -gGsuw= -cC=sh --command=sh --session-command=sh --group= --supp-group=
    --login --preserve-environment --shell= --fast --pty --user= --whitelist-environment= --help --version
[sg newgrp] = any-order before:1 text -c=sh
[setpriv] = -d --dump --nnp --no-new-privs --inh-caps= --ambient-caps= --bounding-set= --ruid= --euid= --reuid=
    --rgid= --egid= --regid= --clear-groups --keep-groups --init-groups --groups= --securebits= --pdeathsig=
    --ptracer= --selinux-label= --apparmor-profile= --landlock-access= --landlock-rule= --seccomp-filter= --reset-env
    --list-caps --help --version
[capsh] = shell --drop= --caps= --user= --uid= --gid= --groups= --print
";
