//! Which subcommands start what.

use crate::unwrap::scan::{Order, Syntax};
use std::collections::HashMap;
use std::sync::LazyLock;

/// One subcommand of some programs.
pub(super) struct Row {
    pub(super) programs: &'static [&'static str],
    /// The words of the subcommand, with blanks between them; `|` between words that mean the same.
    pub(super) path: &'static str,
    pub(super) syntax: Syntax,
    pub(super) order: Order,
    /// Operands before the command, when no `--` says where it begins.
    pub(super) before: usize,
    pub(super) tail: Tail,
    /// Options whose value is a text for a shell.
    pub(super) script: &'static str,
    pub(super) directory: &'static str,
    /// Whether it runs on another machine or in a container.
    pub(super) far: bool,
}

/// What becomes of the operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tail {
    Words,
    Text,
    /// Text when there is one, words when there are more.
    Either,
    /// Each one is a text for a shell.
    Texts,
    Nothing,
    /// They follow the first word, which is an option's value.
    AfterScript,
}

const NEAR: Row = Row {
    programs: &[],
    path: "",
    syntax: Syntax { short: "", long: "help version" },
    order: Order::First,
    before: 0,
    tail: Tail::Words,
    script: "",
    directory: "",
    far: false,
};

const FAR: Row = Row { far: true, ..NEAR };

const fn syntax(short: &'static str, long: &'static str) -> Syntax {
    Syntax { short, long }
}

const CONTAINERS: &[&str] = &["docker", "podman", "nerdctl", "docker-compose", "podman-compose", "finch", "buildah"];

const CONTAINER_RUN: Syntax = syntax(
    "itdPqa:c:e:h:l:m:p:u:v:w:",
    "interactive tty detach rm init privileged read-only publish-all quiet no-healthcheck oom-kill-disable sig-proxy? service-ports no-deps \
     name= env= env-file= volume= mount= workdir= user= entrypoint= network= net= publish= expose= hostname= label= memory= cpus= \
     cpu-shares= cap-add= cap-drop= device= dns= add-host= gpus= ipc= pid= uts= userns= platform= pull= restart= runtime= security-opt= \
     shm-size= stop-signal= stop-timeout= sysctl= tmpfs= ulimit= volumes-from= cgroupns= cidfile= group-add= health-cmd= log-driver= \
     log-opt= link= index= detach-keys= volume-driver= storage-opt= pids-limit= help",
);

/// The rows of a program.
pub(super) fn rows(name: &str) -> &'static [&'static Row] {
    BY_NAME.get(name).map_or(&[], Vec::as_slice)
}

static BY_NAME: LazyLock<HashMap<&'static str, Vec<&'static Row>>> = LazyLock::new(|| {
    let mut all: HashMap<&'static str, Vec<&'static Row>> = HashMap::new();
    for row in ROWS {
        for name in row.programs {
            all.entry(*name).or_default().push(row);
        }
    }
    all
});

static ROWS: &[Row] = &[
    Row { programs: CONTAINERS, path: "exec", syntax: CONTAINER_RUN, before: 1, directory: "w workdir", ..FAR },
    Row { programs: CONTAINERS, path: "run|create", syntax: CONTAINER_RUN, before: 1, directory: "w workdir", ..FAR },
    Row {
        programs: &["kubectl", "oc", "k3s", "microk8s", "minikube", "kubecolor"],
        path: "exec|run|debug|rsh|ssh",
        syntax: syntax(
            "itqn:c:f:",
            "stdin tty quiet rm command namespace= container= filename= context= kubeconfig= image= env= restart= overrides= \
             labels= cluster= user= target= pod-running-timeout= attach help",
        ),
        order: Order::Any,
        before: 1,
        ..FAR
    },
    Row {
        programs: &["lxc", "incus", "lxc.lxc"],
        path: "exec",
        syntax: syntax("tTn", "env= user= group= cwd= mode= force-interactive disable-stdin"),
        before: 1,
        ..FAR
    },
    Row {
        programs: &["lxc-attach", "lxc-execute"],
        syntax: syntax("n:s:e::v:P:u:g:", "name= elevated-privileges? set-var= clear-env keep-env"),
        ..FAR
    },
    Row {
        programs: &["machinectl"],
        path: "shell",
        syntax: syntax("EqMH", "uid= setenv= machine= host= quiet"),
        before: 1,
        ..FAR
    },
    Row {
        programs: &["systemd-nspawn"],
        syntax: syntax(
            "D:i:x:M:u:bqE:nZL:UaS",
            "directory= image= machine= user= bind= bind-ro= setenv= boot quiet as-pid2 private-network chdir= ephemeral tmpfs= capability=",
        ),
        ..FAR
    },
    Row {
        programs: &["distrobox", "toolbox"],
        path: "enter|run",
        syntax: syntax("n:c:r:e", "name= container= root"),
        ..FAR
    },
    Row {
        programs: &["distrobox-enter", "distrobox-host-exec", "flatpak-spawn", "host-spawn"],
        syntax: syntax("n:", "name= host directory= env= clear-env watch-bus"),
        ..NEAR
    },
    Row {
        programs: &["flatpak", "snap"],
        path: "run",
        syntax: syntax("", "command= shell branch= arch= share= filesystem="),
        script: "command",
        before: 1,
        tail: Tail::Nothing,
        ..NEAR
    },
    Row {
        programs: &["adb", "hdc"],
        path: "shell|exec-out|exec-in",
        syntax: syntax("e:nTtx", ""),
        tail: Tail::Text,
        ..FAR
    },
    Row { programs: &["wsl", "wsl.exe"], syntax: syntax("d:u:e", "distribution= user= exec cd= shell-type="), ..FAR },
    Row {
        programs: &["vagrant", "gcloud", "multipass", "limactl", "colima", "heroku", "eb"],
        path: "ssh|exec|shell|run|run:inside",
        syntax: syntax("c:", "command= workdir="),
        script: "c command",
        before: 1,
        ..FAR
    },
    Row { programs: &["ip"], path: "netns exec", before: 1, ..NEAR },
    Row { programs: &["ip"], path: "vrf exec", before: 1, ..NEAR },
    Row {
        programs: &["tmux", "byobu", "tmate"],
        path: "new|new-session|neww|new-window|splitw|split-window|split-pane|respawn-pane|respawnp|respawn-window|respawnw|popup|display-popup|run|run-shell|pipe-pane|pipep",
        syntax: syntax("AdDEPXabfhIvZkCFBNoOc:e:F:n:s:t:x:y:l:w:T:S:", ""),
        directory: "c",
        tail: Tail::Either,
        ..NEAR
    },
    Row {
        programs: &["tmux", "byobu", "tmate"],
        path: "if|if-shell",
        syntax: syntax("bFt:", ""),
        tail: Tail::Texts,
        ..NEAR
    },
    Row {
        programs: &["zellij"],
        path: "run|action",
        syntax: syntax("fin:d:c", "name= cwd= floating in-place direction= close-on-exit"),
        ..NEAR
    },
    Row {
        programs: &["perf"],
        path: "stat|record|trace|mem|c2c|sched|lock|kvm|ftrace|bench",
        syntax: syntax(
            "aAgdvnSbiqRsTNWe:p:t:o:c:F:C:r:x:I:D:k:m:u:G:",
            "event= output= repeat= all-cpus call-graph= pid= tid= cpu= field-separator= detailed null verbose no-inherit freq= count= delay= interval-print=",
        ),
        ..NEAR
    },
    Row {
        programs: &["npm", "pnpm", "yarn", "bun", "deno", "corepack"],
        path: "exec|x|dlx",
        syntax: syntax("yp:c:", "yes no package= call= workspace= workspaces"),
        tail: Tail::Either,
        script: "c call",
        ..NEAR
    },
    Row {
        programs: &[
            "bundle", "bundler", "opam", "stack", "cabal", "rbenv", "pyenv", "nodenv", "goenv", "jenv", "direnv",
            "mise", "rtx", "asdf", "devenv", "spack",
        ],
        path: "exec|x",
        syntax: syntax("", "keep-file-descriptors gemfile= switch= set-switch package= plain"),
        ..NEAR
    },
    Row { programs: &["direnv", "chamber", "aws-vault"], path: "exec", before: 1, ..NEAR },
    Row { programs: &["sops"], path: "exec-env|exec-file", before: 1, tail: Tail::Text, ..NEAR },
    Row {
        programs: &[
            "poetry",
            "pipenv",
            "uv",
            "pdm",
            "hatch",
            "rye",
            "pixi",
            "devbox",
            "doppler",
            "op",
            "infisical",
            "dotenv",
            "dotenvx",
            "teller",
            "envkey",
        ],
        path: "run",
        syntax: syntax(
            "qp:c:m",
            "with= python= package= extra= group= project= config= directory= env-file= isolated no-sync quiet module environment=",
        ),
        ..NEAR
    },
    Row {
        programs: &["conda", "mamba", "micromamba"],
        path: "run",
        syntax: syntax("n:p:v", "name= prefix= cwd= no-capture-output live-stream verbose dev"),
        ..NEAR
    },
    Row {
        programs: &["nix"],
        path: "develop|shell|run",
        syntax: syntax("ic:", "command= impure ignore-environment keep= unset="),
        order: Order::Any,
        script: "c command",
        tail: Tail::AfterScript,
        ..NEAR
    },
    Row {
        programs: &["guix"],
        path: "shell|environment",
        syntax: syntax("CNDp", "container network pure ad-hoc"),
        tail: Tail::Words,
        ..NEAR
    },
    Row { programs: &["dune", "rebar3", "esy"], path: "exec", ..NEAR },
    Row { programs: &["fnm"], path: "exec", syntax: syntax("", "using="), ..NEAR },
    Row { programs: &["volta"], path: "run", syntax: syntax("", "node= npm= pnpm= yarn= no-npm no-yarn"), ..NEAR },
    Row { programs: &["mr", "myrepos"], path: "run", ..NEAR },
    Row { programs: &["launchctl"], path: "submit --", ..NEAR },
    Row { programs: &["i3-msg", "swaymsg", "hyprctl"], path: "exec|exec_always", tail: Tail::Text, ..NEAR },
    Row { programs: &["rustup"], path: "run", syntax: syntax("", "install"), before: 1, ..NEAR },
    Row {
        programs: &["cargo"],
        path: "watch",
        syntax: syntax("cqx:s:w:i:C:d:", "shell= exec= watch= ignore= workdir= delay= clear quiet"),
        script: "s shell",
        ..NEAR
    },
    Row {
        programs: &[
            "cpulimit",
            "schedtool",
            "nocache",
            "trickle",
            "tsp",
            "ts",
            "nq",
            "cgexec",
            "openvt",
            "srun",
            "ssh-agent",
            "pexec",
            "ccache",
            "sccache",
            "distcc",
            "icecc",
            "bear",
            "scan-build",
            "intercept-build",
            "wine",
            "wine64",
            "box64",
            "fab",
        ],
        syntax: syntax(
            "l:zg:u:d:s:w:c:n:N:p:e:fvikaBDt:",
            "limit= sticky np= host= bind-to= nodes= ntasks= partition= time= oversubscribe allow-run-as-root",
        ),
        ..NEAR
    },
    Row { programs: &["mpirun", "mpiexec", "mpiexec.hydra", "prun"], ..NEAR },
];
