#!/bin/bash
# Runs a command on a machine that others load, nearly as if it were alone: in control groups of its own that outweigh all else, and in
# namespaces in which these groups are the root. So every contender of a benchmark meets the same conditions, and whatever control
# groups a contender makes lie inside; BENCH_USAGE names the file that counts the CPU time of them all. Needs root and control groups
# v1 or hybrid. Keep it short: the others starve meanwhile.
#
#   benches/apart.sh COMMAND [ARGUMENT..]
set -euo pipefail
name=bench-$$
weight=65536

trees=()
for tree in /sys/fs/cgroup/*/; do
  [ -w "$tree/cgroup.procs" ] && [ ! -L "${tree%/}" ] && trees+=("${tree%/}")
done
for tree in "${trees[@]}"; do
  mkdir "$tree/$name"
  if [ -e "$tree/cpuset.cpus" ]; then
    cat "$tree/cpuset.cpus" > "$tree/$name/cpuset.cpus"
    cat "$tree/cpuset.mems" > "$tree/$name/cpuset.mems"
  fi
done
echo $weight > "/sys/fs/cgroup/cpu/$name/cpu.shares"
remove() {
  for tree in "${trees[@]}"; do
    find "$tree/$name" -depth -type d -exec rmdir {} + || true
  done
}
trap remove EXIT

export BENCH_USAGE=/sys/fs/cgroup/cpuacct/cpuacct.usage

inside() {
  for tree in "${trees[@]}"; do echo $BASHPID > "$tree/$name/cgroup.procs"; done
  exec unshare --cgroup --mount --propagation private bash -c '
    while read -r _ place type options _; do
      case $type in
        cgroup) options=$(sed "s/\b\(rw\|ro\|nosuid\|nodev\|noexec\|relatime\),*//g; s/,$//" <<< "$options")
                umount "$place" && mount -t cgroup -o "$options" cgroup "$place" ;;
        cgroup2) umount "$place" && mount -t cgroup2 cgroup2 "$place" ;;
      esac
    done < <(grep cgroup /proc/self/mounts)
    exec "$@"' apart "$@"
}
status=0
(inside "$@") || status=$?
exit $status
