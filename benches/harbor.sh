#!/bin/bash
# 200 trivial oracle trials, ours and Harbor's with Podman, in turns: wall time and CPU seconds of each trial.
# Of Harbor's a handful is enough. Needs root, podman, and harbor and podman-compose on the path; docs/PERFORMANCE.md says how to get
# them, and how to make the image.
#
#   cargo build --release
#   benches/harbor.sh [ROUNDS] [HARBOR'S TRIALS] [HARBOR'S CONCURRENCY]
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
program=${CARGO_TARGET_DIR:-$here/../target}/release/infranoise
if [ "${1:-}" != --inside ]; then exec "$here/apart.sh" "$0" --inside "$@"; fi
rounds=${2:-3} theirs=${3:-8} beside=${4:-4} ours=200
export HARBOR_TELEMETRY=0
work=$(mktemp -d /var/tmp/bench-harbor.XXXXXX)
trap 'rm -rf "$work"' EXIT

# measure NAME TRIALS COMMAND..: prints what one trial costs.
measure() {
  local name=$1 trials=$2 usage start
  shift 2
  usage=$(cat "$BENCH_USAGE") start=$(date +%s%N)
  "$@" > "$work/log" 2>&1 || { cat "$work/log"; exit 1; }
  awk -v name="$name" -v trials="$trials" -v wall=$(($(date +%s%N) - start)) -v cpu=$(($(cat "$BENCH_USAGE") - usage)) 'BEGIN {
    printf "%-26s %4d trials  %9.4f s wall a trial  %8.4f CPU s a trial  %8.2f trials/s\n", name, trials, wall / 1e9 / trials, cpu / 1e9 / trials, trials / (wall / 1e9) }'
}

cat /proc/loadavg
for round in $(seq "$rounds"); do
  measure "infranoise" $ours "$program" run -p "$here/tasks/trivial" -a oracle -k $ours -o "$work/$round"
  measure "harbor, podman, -n $beside" "$theirs" \
    harbor run -p "$here/tasks/trivial" -a oracle -e podman -k "$theirs" -n "$beside" -o "$work/jobs" --job-name "$round" --yes -q
done
cat /proc/loadavg
