#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::super::unwrap;
use super::{command, inner, place};

#[test]
fn the_command_behind_a_subcommand_is_found() {
    let rows = [
        "docker exec c {}",
        "docker exec -it -u root -w /x c {}",
        "docker run --rm -v /:/h alpine {}",
        "docker run --rm -it --name x alpine {}",
        "docker run --odd x alpine {}",
        "docker container exec c {}",
        "docker --context x exec c {}",
        "docker compose exec web {}",
        "docker run --rm --entrypoint rm alpine -rf /x",
        "podman run alpine {}",
        "kubectl exec pod -- {}",
        "kubectl -n ns exec -it pod -c web -- {}",
        "kubectl run x --image=y --rm -it -- {}",
        "oc exec pod {}",
        "lxc exec box -- {}",
        "machinectl shell root@x {}",
        "adb shell {}",
        "ip netns exec n {}",
        "tmux new-session -d '{}'",
        "tmux new -d -s x {}",
        "tmux -L s neww '{}'",
        "tmux send-keys -t x '{}' Enter",
        "tmux run-shell '{}'",
        "screen -dm {}",
        "screen -dmS x {}",
        "screen -S x -X stuff '{}\n'",
        "perf stat {}",
        "perf record -g -o x -- {}",
        "npm exec -- {}",
        "pnpm dlx {}",
        "yarn exec {}",
        "bundle exec {}",
        "poetry run {}",
        "uv run {}",
        "uv run --with x {}",
        "conda run -n e {}",
        "direnv exec . {}",
        "nix develop -c {}",
        "nix-shell -p x --run '{}'",
        "rustup run nightly {}",
        "bwrap --ro-bind / / --dev /dev --unshare-all {}",
        "bwrap --bind / / -- {}",
        "start-stop-daemon --start --exec rm -- -rf /x",
        "start-stop-daemon -S -b -x rm -- -rf /x",
        "openvt -- {}",
        "ssh-agent {}",
        "mpirun -np 4 {}",
        "gdb -batch -ex run --args {}",
    ];
    for row in rows {
        let text = row.replace("{}", "rm -rf /x");
        let found = inner(&command(&text));
        let hit = found.iter().any(|one| one.trim_start_matches("sh: ").trim_end() == "rm -rf /x");
        assert!(hit, "{text}: {found:?}");
    }
}

#[test]
fn other_subcommands_are_left_alone() {
    let rows = [
        "docker ps",
        "docker build -t x .",
        "kubectl get pods",
        "tmux ls",
        "npm install",
        "npm run build",
        "cargo test",
        "ip addr",
        "uv sync",
        "nix build",
        "perf report",
    ];
    for text in rows {
        assert_eq!(unwrap(&command(text), &place()), None, "{text}");
    }
}
