//! Wrappers that start the command on another machine, in a container, in another terminal, later, or inside a tool's
//! own environment.

pub(super) const TABLE: &str = "
[ssh autossh slogin mosh rsh remsh dbclient] = far before:1 text again -46AaCfGgKkMNnqsTtVvXxYy
    -BbcDEeFIiJLlmOoPpQRSWw= --ssh= --port= --predict= --server= --client=
[sshpass] = -ehvV -fdpP=
[pssh parallel-ssh pdsh clush dsh] = far text -vAiI -hHwlpoetO= --hosts= --host= --user= --par= --timeout=
[at batch] = nothing -mldbvVrcM -qftu=
[entr] = either -acdnprsxz
[watchexec reflex chokidar onchange nodemon fswatch-run modd wach] = either -wWefidsrnopE= -cx=sh --watch=
    --watch-non-recursive= --exts= --filter= --ignore= --debounce= --signal= --stop-signal= --shell= --on-busy-update=
    --exec=sh --ext= --delay= --command=sh --restart --postpone --env= --workdir=dir --project-origin= --clear[=]
    --quiet
[concurrently npm-run-all run-p run-s] = any-order texts -sri -nckm= --names= --prefix= --kill-others --success=
    --max-processes= --raw --handle-input
@terminal = either -ex -Tt= --command=sh --execute --working-directory=dir --title= --hold
[xterm rxvt urxvt konsole xfce4-terminal alacritty kitty st foot] = @terminal
[gnome-terminal mate-terminal terminator wezterm x-terminal-emulator lxterminal] = @terminal
[screen] = nothing:-X -aAdDfilLmnOqQRUvwxX -cehprsStT=
[dtach abduco] = -z -AacnNpeEr=
[nix-shell guix-shell] = any-order nothing -pAIEi= --run=sh --command=sh --packages= --attr= --pure --keep=
[npx bunx pnpx uvx pipx-run] = -yq -p= -c=sh --yes --no --package= --call=sh --quiet --from= --with= --python=
[bwrap] = --bind=2mount --dev-bind=2mount --ro-bind=2mount --bind-try=2mount --dev-bind-try=2mount
    --ro-bind-try=2mount --bind-fd=2 --ro-bind-fd=2 --file=2 --bind-data=2 --ro-bind-data=2 --setenv=2 --symlink=2
    --chmod=2 --unshare-* --share-net --clearenv --new-session --die-with-parent --as-pid-1 --disable-userns
    --assert-userns-disabled --help --version --level-prefix --args= --argv0= --userns= --userns2= --pidns= --uid=
    --gid= --hostname= --chdir= --unsetenv= --lock-file= --sync-fd= --remount-ro= --overlay-src= --tmp-overlay=
    --ro-overlay= --exec-label= --file-label= --proc= --dev= --tmpfs= --mqueue= --dir= --seccomp= --add-seccomp-fd=
    --block-fd= --userns-block-fd= --info-fd= --json-status-fd= --cap-add= --cap-drop= --perms= --size=
[logrotate] = nothing -dvf -sl= -m=sh --mail=sh --state= --log=
";
