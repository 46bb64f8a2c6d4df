//! Wrappers that start the command on this machine.

pub(super) const TABLE: &str = "
[env genv] = passes assigns -i0v -u= -C=dir -S! --ignore-environment --null --unset= --chdir=dir --split-string!
    --debug --block-signal[=] --default-signal[=] --ignore-signal[=] --list-signal-handling --argv0= --help --version
[nice] = passes -# -n= --adjustment= --help --version
[ionice] = passes nothing:-p,--pid,-P,--pgid,-u,--uid -t -cnpPu= --class= --classdata= --pid= --pgid= --uid= --ignore
    --help --version
[chrt] = passes before:1 loose nothing:-p,--pid,-m,--max -abdfiopmrvR -TPD= --all-tasks --batch --deadline --fifo
    --idle --other --pid --max --rr --reset-on-fork --verbose --sched-runtime= --sched-period= --sched-deadline=
    --help --version
[taskset] = passes before:1 nothing:-p,--pid -acp --all-tasks --cpu-list --pid --help --version
[nohup gnohup] = passes --help --version
[setsid] = passes -cfw --ctty --fork --wait --help --version
[timeout gtimeout] = passes before:1 -vfp -ks= --kill-after= --signal= --verbose --foreground --preserve-status --help
    --version
[time gtime] = passes own:-o,--output,-a,--append -apvqlh -fo= --append --portability --verbose --quiet --format=
    --output= --help --version
[stdbuf gstdbuf] = passes -ioe= --input= --output= --error= --help --version
[unbuffer] = passes -p
[command] = passes nothing:-v,-V own:-p -pvV
[jobs] = -lnprsx
[builtin nocorrect noglob -] = passes --help --version
[exec] = passes -cl -a=
[setarch linux32 linux64 i386 x86_64 uname26 personality] = passes before:1 loose again -vRFZLXBITS3p --verbose
    --addr-no-randomize --fdpic-funcptrs --mmap-page-zero --addr-compat-layout --read-implies-exec --32bit
    --short-inode --whole-seconds --sticky-timeouts --3gb --4gb --uname-2.6 --list --show[=] --pid= --help --version
[prlimit] = passes nothing:-p,--pid -po= -cdefilmnqrstuvxy[=] --pid= --output= --noheadings --raw --verbose --core[=]
    --data[=] --nice[=] --fsize[=] --sigpending[=] --memlock[=] --rss[=] --nofile[=] --msgqueue[=] --rtprio[=]
    --stack[=] --cpu[=] --nproc[=] --as[=] --locks[=] --rttime[=] --help --version
[choom] = passes nothing:-p,--pid -np= --adjust= --pid= --help --version
[uclampset] = passes nothing:-p,--pid,-s,--system -asRv -mMp= --pid= --system --all-tasks
[numactl] = passes -plaHs -iwNCmP= --interleave= --preferred= --membind= --cpunodebind= --physcpubind= --localalloc
    --all --show --hardware
[fakeroot fakeroot-ng fakechroot pseudo] = passes -uh -lsib= --lib= --faked= --unknown-is-real --help --version
[systemd-inhibit gnome-session-inhibit kde-inhibit elogind-inhibit] = --what= --who= --why= --mode= --list --no-pager
    --no-legend --inhibit= --reason= --app-id= --inhibit-only --power
[dbus-run-session dbus-launch] = --config-file= --dbus-daemon= --exit-with-session --sh-syntax --csh-syntax
    --auto-syntax --autolaunch=
[strace strace64] = -cCdDfFhknqrtTvVwxyYzZ -aAbBeEiIoOpPsSuUX= --attach= --columns= --env= --expr= --follow-forks[=]
    --output-append-mode --output-separately --summary-only --summary --summary-sort-by= --string-limit=
    --relative-timestamps --syscall-times --output= --user= --trace= --trace-path= --signals= --status= --quiet
    --seccomp-bpf --stack-traces[=] --decode-fds[=] --argv0= --interruptible= --daemonize[=] --debug --no-abbrev
    --kill-on-exit
[ltrace truss dtruss ktrace] = -bcCfhiLrSTtV -aADeFlnopsuwxX= --align= --config= --debug= --output= --library=
    --indent= --where= --no-signals
[valgrind heaptrack rr memray bpftrace] = -qvd -o= --tool= --log-file= --leak-check= --xml= --quiet --verbose
[watch] = text unjoined:-x,--exec -bcCeghprtvwx -nqs= -d[=] --beep --color --no-color --differences[=] --errexit
    --chgexit --interval= --precise --equexit= --no-rerun --shotsdir= --no-title --no-wrap --exec --follow --help
    --version
[script scriptlive] = any-order before:1 -aefFkqrd -BEILmOoT= -c=sh -t[=] --append --command=sh --echo= --return
    --flush --force --log-in= --log-out= --log-io= --logging-format= --output-limit= --quiet --timing[=] --log-timing=
    --help --version
[flock] = passes before:1 again -sxeunoFvz -wE= -c=sh --shared --exclusive --unlock --nonblock --nb --timeout= --wait=
    --conflict-exit-code= --close --command=sh --no-fork --verbose --fcntl --start= --length= --help --version
[caffeinate] = passes -disum -tw=
[rlwrap rlfe ledit] = -AcehiIlnNrRuv -bCDEfFgHMoOPqsStTUwXz= -ampW[=] --always-readline[=] --ansi-colour-aware
    --break-chars= --complete-filenames --command-name= --file= --history-filename= --prompt-colour[=] --remember
    --filter=
[busybox toybox coreutils uutils] = passes nothing:--list,--list-full,--install --list --list-full --install --help
    --coreutils-prog=
[faketime datefudge libfaketime] = passes before:1 -fms -p= --exclude-monotonic --date-prog --disable-fakestat
    --static
[torsocks torify usewithtor tsocks proxychains proxychains4 proxychains-ng vpnns graftcp] = -qid -fupPa= --isolate
    --shell --user= --pass= --address= --port= --debug --quiet
[hyperfine] = any-order texts -Ni -wmMrPDLSun= -spc=sh --warmup= --min-runs= --max-runs= --runs= --setup=sh
    --prepare=sh --conclude=sh --cleanup=sh --parameter-scan= --parameter-list= --shell= --ignore-failure[=]
    --time-unit= --export-json= --export-csv= --export-markdown= --show-output --output= --input= --command-name=
    --style= --reference=sh
[xvfb-run cage Xephyr startx xinit dumb-init tini catatonit s6-svscan] = -ahlcgv -efnpsw= --auto-servernum
    --error-file= --auth-file= --listen-tcp --server-num= --xauth-protocol= --server-args= --wait= --single-child
[daemonize daemon detach] = -avf -eopluEnF= -cD=dir --name= --user= --chdir=dir --pidfile= --output= --stdout=
    --stderr= --foreground --respawn
[with-contenv direnv-exec dotenvx dotenv cross-env cross-env-shell envsubst-exec] = either assigns -feiv=
[run-one chronic ifne ts-run nodaemon pee sem] = either assigns -feiv=
[sandbox-exec] = -fpnD=
[arch] = -ed=
[qemu-] = -LgEsdDBR=
[ld-linux ld-musl ld.so] = --preload= --library-path= --audit= --argv0= --inhibit-cache --inhibit-rpath= --list
    --verify --glibc-hwcaps-prepend=
[cmake] -E =
[gdb cgdb rust-gdb gdb-multiarch lldb rust-lldb] --args|-args|-- =
[start-stop-daemon] = -ax=program --exec=program --startas=program -SKTHVbmqtvoC -npugscrdNkPIRO= --start --stop
    --status --name= --pidfile= --user= --group= --signal= --chuid= --chroot= --chdir=dir --nicelevel= --umask=
    --procsched= --iosched= --retry= --background --make-pidfile --quiet --test --verbose --oknodo --output=
    --no-close --remove-pidfile --ppid= --notify-await --notify-timeout=
";
