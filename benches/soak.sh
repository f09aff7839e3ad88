#!/usr/bin/env bash
# soak.sh SECONDS INFRANOISE [FOLDER]: sweeps without a pause for so long, and looks for growth. Needs root.
#
# Every sweep holds trials that pass, run over their memory, fork without end, fill their layer with files, leave a daemon and print
# without end. Every five seconds one line goes to FOLDER/samples.tsv: memory, descriptors and threads of the engine and its launcher,
# and what the host has of the soak's control groups, processes, mounts, loop devices and disk. After every sweep nothing may be left,
# and at the end the last fifth of the samples is held against the first: medians may not have grown.
set -euo pipefail
seconds=$1 program=$(realpath "$2") folder=$(realpath -m "${3:-$(mktemp -d)}")
mkdir -p "$folder"; cd "$folder"
export INFRANOISE_STATE=$folder/state NO_COLOR=1
samples=$folder/samples.tsv
most_growth_percent=10

task() { # NAME STEPS
  mkdir -p "tasks/$1/tests" "tasks/$1/solution" "tasks/$1/environment"
  cat >"tasks/$1/task.toml" <<'TASK'
version = "1.0"
[agent]
timeout_sec = 2.0
[verifier]
timeout_sec = 20.0
[environment]
cpus = 1
memory_mb = 48
network_mode = "no-network"
TASK
  echo "Write 1 to /tmp/answer." >"tasks/$1/instruction.md"
  printf '#!/bin/sh\nif grep -qx 1 /tmp/answer; then echo 1; else echo 0; fi >/logs/verifier/reward.txt\n' >"tasks/$1/tests/test.sh"
  printf '#!/bin/sh\necho 1 >/tmp/answer\n' >"tasks/$1/solution/solve.sh"
  printf 'FROM scratch\nWORKDIR /tmp\n' >"tasks/$1/environment/Dockerfile"
  printf '[strategies.only]\nsteps = [%s]\n' "$2" >"tasks/$1/policy.toml"
}
task passes "'sleep 0.3; echo 1 >/tmp/answer'"
task memory "'sleep 0.1; tail -c 200000000 /dev/zero', 'echo 1 >/tmp/answer'"
task forks "'i=0; while [ \$i -lt 40 ]; do sleep 0.4 & i=\$((i+1)); done; wait; echo 1 >/tmp/answer'"
task files "'mkdir /root/f; cd /root/f; i=0; while [ \$i -lt 500 ]; do echo x >\$i; i=\$((i+1)); done; echo 1 >/tmp/answer'"
task daemon "'setsid sleep 600 >/dev/null 2>&1 & echo 1 >/tmp/answer; sleep 0.2'"
task prints "'yes | head -c 30000000; echo 1 >/tmp/answer'"
task hangs "'sleep 600'"

groups() { find /sys/fs/cgroup -type d -path "*infranoise/soak-$$-*" 2>/dev/null | wc -l; }
of_soak() { # processes whose control group is ours; the dead that the host's own pid 1 has yet to take note of do not count
  local count=0 one
  for one in /proc/[0-9]*; do
    if grep -qs "infranoise/soak-$$-" "$one/cgroup" && grep -qs '^State:[[:space:]]*[RSDTtIWPK]' "$one/status"; then count=$((count + 1)); fi
  done
  echo $count
}
mounts() { grep -c -F "$folder" /proc/self/mountinfo || true; }
loops() { losetup -l 2>/dev/null | grep -c -F "$folder" || true; }
disk_kib() { du -sk state 2>/dev/null | cut -f1; }
field() { sed -n "s/^$2:[[:space:]]*\([0-9]*\).*/\1/p" "/proc/$1/status" 2>/dev/null || true; }
descriptors() { find "/proc/$1/fd" -mindepth 1 2>/dev/null | wc -l; }

printf 'at_s\tsweep\tengine_kib\tengine_fds\tengine_threads\tlauncher_kib\tlauncher_fds\tgroups\tprocesses\tmounts\tloops\tstate_kib\n' >"$samples"
sample() { # PID SWEEP
  local launcher
  launcher=$(pgrep -P "$1" -f __infranoise-launcher | head -n 1 || true)
  [ -n "$launcher" ] || return 0
  local line
  line=$(printf '%s\t' "$SECONDS" "$2" "$(field "$1" VmRSS)" "$(descriptors "$1")" "$(field "$1" Threads)" \
    "$(field "$launcher" VmRSS)" "$(descriptors "$launcher")" "$(groups)" "$(of_soak)" "$(mounts)" "$(loops)" "$(disk_kib)")
  # A process that ended meanwhile leaves holes.
  case $line in *$'\t\t'*) ;; *) echo "${line%$'\t'}" >>"$samples" ;; esac
}

number=0 trials=0
while [ $SECONDS -lt "$seconds" ]; do
  number=$((number + 1))
  "$program" sweep -p tasks -a script --ceilings 1x,2x -k "${SOAK_REPEATS:-60}" -n 3 --name "soak-$$-$number" --seed $number \
    >"sweep.out" 2>"sweep.err" &
  engine=$!
  while kill -0 $engine 2>/dev/null; do
    sample $engine $number
    for _ in 1 2 3 4 5 6 7 8 9 10; do kill -0 $engine 2>/dev/null && sleep 0.5 || break; done
  done
  wait $engine || { echo "FAILED: sweep $number ended with $?"; tail -n 20 sweep.err; exit 1; }
  done_now=$(grep -c '"kind":"trial_ended"' "runs/soak-$$-$number/journal.jsonl")
  trials=$((trials + done_now))
  left="$(groups) groups, $(of_soak) processes, $(mounts) mounts, $(loops) loop devices, $(find state/scratch -mindepth 1 2>/dev/null | wc -l) files of layers, $(find state/engines -mindepth 1 2>/dev/null | wc -l) files of engines"
  echo "$SECONDS s: sweep $number done, $trials trials so far; left: $left"
  case $left in "0 groups, 0 processes, 0 mounts, 0 loop devices, 0 files of layers, 0 files of engines") ;; *) echo "FAILED: something is left"; exit 1 ;; esac
  rm -rf "runs/soak-$$-$number"
done

# Medians of the first and of the last fifth, column by column.
awk -F'\t' -v most=$most_growth_percent '
  NR == 1 { for (i = 3; i <= NF; i++) name[i] = $i; columns = NF; next }
  { rows++; for (i = 3; i <= NF; i++) value[i, rows] = $i }
  function median(column, from, to,   n, i, j, t, list) {
    for (i = from; i <= to; i++) list[++n] = value[column, i]
    for (i = 2; i <= n; i++) for (j = i; j > 1 && list[j] < list[j - 1]; j--) { t = list[j]; list[j] = list[j - 1]; list[j - 1] = t }
    return list[int((n + 1) / 2)]
  }
  END {
    if (rows < 10) { print "FAILED: only " rows " samples"; exit 1 }
    fifth = int(rows / 5); printf "%-16s %12s %12s\n", "median of", "first fifth", "last fifth"
    for (i = 3; i <= columns; i++) {
      first = median(i, 1, fifth); last = median(i, rows - fifth + 1, rows)
      # Small counts go up and down by what happens to run.
      slack = first * most / 100; if (slack < 8) slack = 8; if (name[i] ~ /kib/ && slack < 1024) slack = 1024
      grown = last > first + slack
      printf "%-16s %12d %12d%s\n", name[i], first, last, grown ? "  GROWN" : ""
      bad += grown
    }
    print rows " samples"
    exit bad > 0
  }' "$samples" || { echo "FAILED: something grew"; exit 1; }
echo "soaked $SECONDS s: $number sweeps, $trials trials, nothing grew, nothing is left"
