#!/bin/sh
# An agent finds, fixes and tests two bugs in a temporary copy of examples/ledger. The copy is removed at the end, and your
# own configuration and sessions are neither read nor changed. Without --model the model's side is replayed from
# ledger.session.jsonl. Arguments are passed on to `palanca run`:
#
#     examples/tour.sh --model openai:gpt-4.1
#     PALANCA=/usr/local/bin/palanca examples/tour.sh     # uses this binary instead of building one
set -eu

say() { printf '\n%s\n' "$*" >&2; }
fail() { printf 'tour: %s\n' "$*" >&2; exit 1; }

[ "$(uname -s)" = Linux ] || fail "Palanca runs on Linux; on another system build an image: see Containerfile"
[ -x /usr/bin/python3 ] || [ -x /usr/local/bin/python3 ] ||
    fail "the ledger is a Python project: install python3 for the whole system (a sandbox does not see your home)"

here=$(cd "$(dirname "$0")" && pwd)
if [ -n "${PALANCA-}" ]; then
    palanca() { "$PALANCA" "$@"; }
else
    command -v cargo >/dev/null || fail "cargo is not there: install Rust 1.95 or newer, https://rustup.rs"
    command -v "${CC:-cc}" >/dev/null || fail "no C compiler: install gcc or clang"
    manifest=$here/../Cargo.toml
    say "Building Palanca without optimisation: two to three minutes on two cores the first time, 1 GB in target/tour."
    cargo build --manifest-path "$manifest" --profile tour --package palanca-cli
    palanca() { cargo run --quiet --manifest-path "$manifest" --profile tour --package palanca-cli -- "$@"; }
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
ledger=$scratch/ledger
cp -R "$here/ledger" "$ledger"
export PALANCA_HOME="$scratch/state" XDG_CONFIG_HOME="$scratch/config" PALANCA_SESSIONS_AUTO_SAVE=false

case " $* " in
*" --model"*) ;;
*) set -- --model "replay:$here/ledger.session.jsonl" "$@" ;;
esac
palanca run "The total of March 2026 is too high and 19.99 becomes 19.98. Find out why, fix it, and add tests." \
    --workspace "$ledger" --mode yolo "$@"

say "The tests once more, now as a single call without a model:"
palanca call run_command '{"command": "python3 -m unittest discover tests"}' --workspace "$ledger" --mode yolo
