#!/bin/bash
# Peak memory of a sweep of 1,000 trials: of the largest of its processes, which is the one that runs it. Needs Debian's `time`.
#
#   cargo build --release
#   benches/memory.sh
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
program=${CARGO_TARGET_DIR:-$here/../target}/release/infranoise
if [ "${1:-}" != --inside ]; then exec "$here/apart.sh" "$0" --inside; fi
work=$(mktemp -d /var/tmp/bench-memory.XXXXXX)
trap 'rm -rf "$work"' EXIT
/usr/bin/time -f '%M KiB at most, %e s wall, %U + %S s CPU of waited-for processes' \
  "$program" sweep -p "$here/tasks/trivial" -a oracle --ceilings 1x,1.5x,2x,3x,5x -k 200 -o "$work" 2>&1 |
  grep -E 'planned, |KiB at most'
