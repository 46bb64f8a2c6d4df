//! Commands behind a subcommand: containers, terminals, package managers.

pub(super) const TABLE: &str = "
@container = far before:1 -itdPq -acehlmpu= -v=mount -w=dir --interactive --tty --detach --rm --init --privileged
    --read-only --publish-all --quiet --no-healthcheck --oom-kill-disable --sig-proxy[=] --service-ports --no-deps
    --name= --env= --env-file= --volume=mount --mount=mount --workdir=dir --user= --entrypoint=program --network=
    --net= --publish= --expose= --hostname= --label= --memory= --cpus= --cpu-shares= --cap-add= --cap-drop= --device=
    --dns= --add-host= --gpus= --ipc= --pid= --uts= --userns= --platform= --pull= --restart= --runtime=
    --security-opt= --shm-size= --stop-signal= --stop-timeout= --sysctl= --tmpfs= --ulimit= --volumes-from=
    --cgroupns= --cidfile= --group-add= --health-cmd= --log-driver= --log-opt= --link= --index= --detach-keys=
    --volume-driver= --storage-opt= --pids-limit= --help
[docker podman nerdctl docker-compose podman-compose finch buildah] exec|run|create = @container
[kubectl oc k3s microk8s minikube kubecolor] exec|run|debug|rsh|ssh = far any-order before:1 -itq -ncf= --stdin --tty
    --quiet --rm --command --namespace= --container= --filename= --context= --kubeconfig= --image= --env= --restart=
    --overrides= --labels= --cluster= --user= --target= --pod-running-timeout= --attach --help
[lxc incus lxc.lxc] exec = far before:1 -tTn --env= --user= --group= --cwd= --mode= --force-interactive
    --disable-stdin
[lxc-attach lxc-execute] = far -nsvPug= -e[=] --name= --elevated-privileges[=] --set-var= --clear-env --keep-env
[machinectl] shell = far before:1 -EqMH --uid= --setenv= --machine= --host= --quiet
[systemd-nspawn] = far -bqnZUaS -DixMuEL= --directory= --image= --machine= --user= --bind=mount --bind-ro=mount
    --setenv= --boot --quiet --as-pid2 --private-network --chdir= --ephemeral --tmpfs= --capability=
[distrobox toolbox] enter|run = far -e -ncr= --name= --container= --root
[distrobox-enter distrobox-host-exec flatpak-spawn host-spawn] = -n= --name= --host --directory= --env= --clear-env
    --watch-bus
[flatpak snap] run = before:1 nothing --command=sh --shell --branch= --arch= --share= --filesystem=
[adb hdc] shell|exec-out|exec-in = far text -nTtx -e=
[wsl wsl.exe] = far -e -du= --distribution= --user= --exec --cd= --shell-type=
[vagrant gcloud multipass limactl colima heroku eb] ssh|exec|shell|run|run:inside = far before:1 -c=sh --command=sh
    --workdir=
[ip] netns exec|vrf exec = before:1
@window = either -AdDEPXabfhIvZkCFBNoO -enstxylwTS= -c=dir
[tmux byobu tmate] new|new-session|neww|new-window|splitw|split-window|split-pane|respawn-pane|respawnp = @window
[tmux byobu tmate] respawn-window|respawnw|popup|display-popup|run|run-shell|pipe-pane|pipep = @window
[tmux byobu tmate] send-keys|send = typed -lRXHMKF -tNc=
[screen] stuff = typed
[screen] exec = text
[tmux byobu tmate] if|if-shell = texts -bF -t=
[zellij] run|action = -fic -nd= --name= --cwd= --floating --in-place --direction= --close-on-exit
[perf] stat|record|trace|mem|c2c|sched|lock|kvm|ftrace|bench = -aAgdvnSbiqRsTNW -eptocFCrxIDkmuG= --event= --output=
    --repeat= --all-cpus --call-graph= --pid= --tid= --cpu= --field-separator= --detailed --null --verbose
    --no-inherit --freq= --count= --delay= --interval-print=
[npm pnpm yarn bun deno corepack] exec|x|dlx = either -y -p= -c=sh --yes --no --package= --call=sh --workspace=
    --workspaces
[bundle bundler opam stack cabal rbenv pyenv nodenv goenv jenv direnv mise rtx asdf devenv spack] exec|x =
    --keep-file-descriptors --gemfile= --switch= --set-switch --package= --plain
[direnv chamber aws-vault] exec = before:1
[sops] exec-env|exec-file = before:1 text
[poetry pipenv uv pdm hatch rye pixi devbox doppler op infisical dotenv dotenvx teller envkey] run = -qm -pc= --with=
    --python= --package= --extra= --group= --project= --config= --directory= --env-file= --isolated --no-sync --quiet
    --module --environment=
[conda mamba micromamba] run = -v -np= --name= --prefix= --cwd= --no-capture-output --live-stream --verbose --dev
[nix] -c|--command =
[guix] -- =
[dune rebar3 esy] exec =
[fnm] exec = --using=
[volta] run = --node= --npm= --pnpm= --yarn= --no-npm --no-yarn
[mr myrepos] run =
[launchctl] submit -- =
[i3-msg swaymsg hyprctl] exec|exec_always = text
[rustup] run = before:1 --install
[cargo] watch = -cq -xwiCd= -s=sh --shell=sh --exec= --watch= --ignore= --workdir= --delay= --clear --quiet
@runner = -zfvikaBD -lgudswcnNpet= --limit= --sticky --np= --host= --bind-to= --nodes= --ntasks= --partition= --time=
    --oversubscribe --allow-run-as-root
[cpulimit schedtool nocache trickle tsp ts nq cgexec openvt srun ssh-agent pexec ccache sccache distcc icecc] =
    @runner
[bear scan-build intercept-build wine wine64 box64 fab] = @runner
[mpirun mpiexec mpiexec.hydra prun] =
[git] submodule foreach = text -q --recursive --quiet
[git] bisect run =
[git] rebase = any-order nothing -ipqvrfk -x=sh -sXCS= --interactive --exec=sh --onto= --autosquash --root
[git] difftool|mergetool = any-order nothing -ydg -x=sh -t= --extcmd=sh --tool= --no-prompt --dir-diff
[git] filter-branch = any-order nothing -f -d= --setup=sh --env-filter=sh --tree-filter=sh --index-filter=sh
    --parent-filter=sh --msg-filter=sh --commit-filter=sh --tag-name-filter=sh --subdirectory-filter= --prune-empty
    --force --all
[git] clone = any-order nothing -lqvns -u=sh -bojc= --upload-pack=sh --branch= --depth= --origin=
[git] fetch|pull|push|ls-remote|archive|fetch-pack|send-pack = any-order nothing --upload-pack=sh --receive-pack=sh
    --exec=sh --all --tags --force --depth=
[git] send-email = any-order nothing --sendmail-cmd=sh --to-cmd=sh --cc-cmd=sh --header-cmd=sh --smtp-server=sh --to=
    --cc= --from=
[git] grep = any-order nothing -O[=]sh --open-files-in-pager[=]sh
";
