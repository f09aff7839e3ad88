#!/bin/bash
# `infranoise --help` beside a hello-world program of the same compiler: wall and CPU time of 200 starts each, in turns of 20.
# Needs Debian's hyperfine.
#
#   cargo build --release
#   benches/help.sh
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
program=${CARGO_TARGET_DIR:-$here/../target}/release/infranoise
if [ "${1:-}" != --inside ]; then exec "$here/apart.sh" "$0" --inside; fi
work=$(mktemp -d /var/tmp/bench-help.XXXXXX)
trap 'rm -rf "$work"' EXIT
echo 'fn main() { println!("hello"); }' > "$work/hello.rs"
rustc -O -o "$work/hello" "$work/hello.rs"
for turn in $(seq 10); do
  hyperfine -N --style none --warmup 5 --runs 20 --export-csv "$work/$turn.csv" "$work/hello" "$program --help" > "$work/log" 2>&1
done
# Columns: command, mean, stddev, median, user, system, min, max.
median() { sort -g | awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'; }
column() { grep -h "^$1" "$work"/*.csv | awk -F, "{ print 1e3 * ($2) }" | median; }
for name in "$work/hello" "$program"; do
  echo "$(basename "$name"): $(column "$name" '$4') ms wall, $(column "$name" '$5 + $6') ms CPU"
done
