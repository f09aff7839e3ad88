#!/bin/bash
# How long a sandbox and a command in it take: ours, a bare loop, crun, docker, in turns.
# Needs root and cgroup v1 or hybrid; crun and docker.io + busybox-static (Debian's) are measured where they are installed.
#
#   cargo build --release -p infranoise-sandbox --example spawn_bench
#   benches/spawn.sh [ROUNDS] [SIDE BY SIDE]
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
bench=${CARGO_TARGET_DIR:-$here/../target}/release/examples/spawn_bench
if [ "${1:-}" != --inside ]; then exec "$here/apart.sh" "$0" --inside "$@"; fi
shift

# dockerd by hand, without a network.
dockerd() {
  mkdir -p "$work/data"
  exec unshare --net /usr/sbin/dockerd --data-root "$work/data" --exec-root "$work/exec" -H "$DOCKER_HOST" -p "$work/pid" \
    --iptables=false --ip6tables=false --bridge=none --storage-driver overlay2 --userland-proxy=false > "$work/log" 2>&1
}
if [ -x /usr/sbin/dockerd ] && [ -x /bin/busybox ]; then
  work=$(mktemp -d /var/tmp/bench-docker.XXXXXX)
  export DOCKER_HOST=unix://$work/socket PATH=/usr/bin:$PATH
  dockerd &
  daemon=$!
  trap 'kill $daemon; wait $daemon || true; rm -rf "$work"' EXIT
  until docker info > /dev/null 2>&1; do kill -0 $daemon && sleep 0.5; done
  mkdir -p "$work/root/bin"
  cp /bin/busybox "$work/root/bin/"
  ln -s busybox "$work/root/bin/true"
  ln -s busybox "$work/root/bin/sleep"
  tar -C "$work/root" -c . | docker import - bench-min > /dev/null
fi
"$bench" "$@"
