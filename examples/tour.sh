#!/bin/sh
# An agent reads, searches, edits and patches a copy of examples/ledger. Without --model the model's side is replayed from
# ledger.session.jsonl, and the tools really run. Arguments are passed on:  examples/tour.sh --model openai:gpt-4.1
set -eu
here=$(cd "$(dirname "$0")" && pwd)
copy=$(mktemp -d)
cp -R "$here/ledger/." "$copy"

case " $* " in
*" --model"*) ;;
*)
    echo "No --model given: the model's side of this session is replayed from examples/ledger.session.jsonl." >&2
    echo "Everything that the tools do is real." >&2
    set -- --model "replay:$here/ledger.session.jsonl" "$@"
    ;;
esac
cargo run --quiet --release --manifest-path "$here/../Cargo.toml" --package palanca-cli -- \
    run "The total of March 2026 is too high and 19.99 becomes 19.98. Find out why, fix it, and add tests." \
    --workspace "$copy" --mode yolo "$@"

echo >&2
echo "The changed project: $copy" >&2
diff -ru "$here/ledger" "$copy" || true
