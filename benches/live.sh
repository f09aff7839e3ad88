#!/usr/bin/env bash
# What looking on costs: the server of `infranoise serve` beside a sweep with RUNNING trials at once: benches/live.sh SECONDS RUNNING VIEWERS
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60} running=${2:-500} viewers=${3:-1}
target=${CARGO_TARGET_DIR:-target}
cargo build --release -q -p infranoise-live --examples
folder=$(mktemp -d)
pids=()
trap 'kill "${pids[@]}" 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$folder"' EXIT
"$target/release/examples/crowd" "$folder" $((seconds + 20)) "$running" & pids+=($!)
until [ -s "$folder/crowd/journal.jsonl" ]; do sleep 0.2; done
"$target/release/examples/site" "$folder/crowd" 127.0.0.1:4699 & serve=$!
pids+=("$serve")
until curl -sf -o /dev/null http://127.0.0.1:4699/r/crowd/; do sleep 0.2; done
for ((i = 0; i < viewers; i++)); do
  curl -sN -o "$folder/events-$i" http://127.0.0.1:4699/r/crowd/events & pids+=($!)
done
sleep 8
ticks() { awk '{ print $14 + $15 }' "/proc/$serve/stat"; }
before=$(ticks)
sleep "$seconds"
after=$(ticks)
awk -v used=$((after - before)) -v hz="$(getconf CLK_TCK)" -v span="$seconds" -v running="$running" -v viewers="$viewers" \
  'BEGIN { printf "%d running trials, %d viewers: %.2f %% of a core\n", running, viewers, used / hz / span * 100 }'
grep -E 'VmHWM|Threads' "/proc/$serve/status"
ls -l "$folder/events-0" | awk '{ printf "one viewer got %.0f kB/s\n", $5 / 1000 / '"$((seconds + 8))"' }'
