//! Commands behind a subcommand: containers, terminals, package managers.

use super::{Starts, Tail, far, starts};

const CONTAINER_SHORT: &str = "itdPqa:c:e:h:l:m:p:u:v:w:";
const CONTAINER_LONG: &str = "interactive tty detach rm init privileged read-only publish-all quiet no-healthcheck oom-kill-disable \
     sig-proxy? service-ports no-deps name= env= env-file= volume= mount= workdir= user= entrypoint= network= \
     net= publish= expose= hostname= label= memory= cpus= cpu-shares= cap-add= cap-drop= device= dns= add-host= \
     gpus= ipc= pid= uts= userns= platform= pull= restart= runtime= security-opt= shm-size= stop-signal= \
     stop-timeout= sysctl= tmpfs= ulimit= volumes-from= cgroupns= cidfile= group-add= health-cmd= log-driver= \
     log-opt= link= index= detach-keys= volume-driver= storage-opt= pids-limit= help";

pub(super) const ROWS: &[Starts] = &[
    far("docker podman nerdctl docker-compose podman-compose finch buildah", CONTAINER_SHORT, CONTAINER_LONG).after("exec").before(1).directory("w workdir"),
    far("docker podman nerdctl docker-compose podman-compose finch buildah", CONTAINER_SHORT, CONTAINER_LONG).after("run|create").before(1).directory("w workdir"),
    far("kubectl oc k3s microk8s minikube kubecolor", "itqn:c:f:", "stdin tty quiet rm command namespace= container= filename= context= kubeconfig= image= env= restart= \
         overrides= labels= cluster= user= target= pod-running-timeout= attach help").after("exec|run|debug|rsh|ssh").any_order().before(1),
    far("lxc incus lxc.lxc", "tTn", "env= user= group= cwd= mode= force-interactive disable-stdin").after("exec").before(1),
    far("lxc-attach lxc-execute", "n:s:e::v:P:u:g:", "name= elevated-privileges? set-var= clear-env keep-env").after(""),
    far("machinectl", "EqMH", "uid= setenv= machine= host= quiet").after("shell").before(1),
    far("systemd-nspawn", "D:i:x:M:u:bqE:nZL:UaS", "directory= image= machine= user= bind= bind-ro= setenv= boot quiet as-pid2 private-network chdir= \
         ephemeral tmpfs= capability=").after(""),
    far("distrobox toolbox", "n:c:r:e", "name= container= root").after("enter|run"),
    starts("distrobox-enter distrobox-host-exec flatpak-spawn host-spawn", "n:", "name= host directory= env= clear-env watch-bus").after(""),
    starts("flatpak snap", "", "command= shell branch= arch= share= filesystem=").after("run").before(1).tail(Tail::Nothing).script("command"),
    far("adb hdc", "e:nTtx", "").after("shell|exec-out|exec-in").tail(Tail::Text),
    far("wsl wsl.exe", "d:u:e", "distribution= user= exec cd= shell-type=").after(""),
    far("vagrant gcloud multipass limactl colima heroku eb", "c:", "command= workdir=").after("ssh|exec|shell|run|run:inside").before(1).script("c command"),
    starts("ip", "", "help version").after("netns exec").before(1),
    starts("ip", "", "help version").after("vrf exec").before(1),
    starts("tmux byobu tmate", "AdDEPXabfhIvZkCFBNoOc:e:F:n:s:t:x:y:l:w:T:S:", "").after("new|new-session|neww|new-window|splitw|split-window|split-pane|respawn-pane|respawnp|respawn-window|respawnw|popup|display-popup|run|run-shell|pipe-pane|pipep").tail(Tail::Either).directory("c"),
    starts("tmux byobu tmate", "bFt:", "").after("if|if-shell").tail(Tail::Texts),
    starts("zellij", "fin:d:c", "name= cwd= floating in-place direction= close-on-exit").after("run|action"),
    starts("perf", "aAgdvnSbiqRsTNWe:p:t:o:c:F:C:r:x:I:D:k:m:u:G:", "event= output= repeat= all-cpus call-graph= pid= tid= cpu= field-separator= detailed null verbose \
         no-inherit freq= count= delay= interval-print=").after("stat|record|trace|mem|c2c|sched|lock|kvm|ftrace|bench"),
    starts("npm pnpm yarn bun deno corepack", "yp:c:", "yes no package= call= workspace= workspaces").after("exec|x|dlx").tail(Tail::Either).script("c call"),
    starts("bundle bundler opam stack cabal rbenv pyenv nodenv goenv jenv direnv mise rtx asdf devenv spack", "", "keep-file-descriptors gemfile= switch= set-switch package= plain").after("exec|x"),
    starts("direnv chamber aws-vault", "", "help version").after("exec").before(1),
    starts("sops", "", "help version").after("exec-env|exec-file").before(1).tail(Tail::Text),
    starts("poetry pipenv uv pdm hatch rye pixi devbox doppler op infisical dotenv dotenvx teller envkey", "qp:c:m", "with= python= package= extra= group= project= config= directory= env-file= isolated no-sync quiet module \
         environment=").after("run"),
    starts("conda mamba micromamba", "n:p:v", "name= prefix= cwd= no-capture-output live-stream verbose dev").after("run"),
    starts("nix", "ic:", "command= impure ignore-environment keep= unset=").after("develop|shell|run").any_order().tail(Tail::AfterScript).script("c command"),
    starts("guix", "CNDp", "container network pure ad-hoc").after("shell|environment"),
    starts("dune rebar3 esy", "", "help version").after("exec"),
    starts("fnm", "", "using=").after("exec"),
    starts("volta", "", "node= npm= pnpm= yarn= no-npm no-yarn").after("run"),
    starts("mr myrepos", "", "help version").after("run"),
    starts("launchctl", "", "help version").after("submit --"),
    starts("i3-msg swaymsg hyprctl", "", "help version").after("exec|exec_always").tail(Tail::Text),
    starts("rustup", "", "install").after("run").before(1),
    starts("cargo", "cqx:s:w:i:C:d:", "shell= exec= watch= ignore= workdir= delay= clear quiet").after("watch").script("s shell"),
    starts("cpulimit schedtool nocache trickle tsp ts nq cgexec openvt srun ssh-agent pexec ccache sccache distcc \
         icecc bear scan-build intercept-build wine wine64 box64 fab", "l:zg:u:d:s:w:c:n:N:p:e:fvikaBDt:", "limit= sticky np= host= bind-to= nodes= ntasks= partition= time= oversubscribe allow-run-as-root").after(""),
    starts("mpirun mpiexec mpiexec.hydra prun", "", "help version").after(""),
];
