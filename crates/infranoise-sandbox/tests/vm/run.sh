#!/bin/bash
# Runs test programs of this crate on cgroup v2, in a small virtual machine (qemu without KVM, Debian's cloud kernel).
#
#   tests/vm/run.sh PROGRAM [ARGUMENT...]      e.g. target/debug/deps/it-0123 --test-threads=1
#
# Needs as packages: qemu-system-x86, busybox-static, cpio. The kernel is a Debian package that is unpacked, not installed; its folder is
# given by INFRANOISE_VM_KERNEL, or it is fetched with `apt-get download`. What is missing is said aloud, and nothing is run.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "$1"); shift
for tool in qemu-system-x86_64 busybox cpio; do
    command -v "$tool" >/dev/null || { echo "SKIPPED: the virtual machine needs $tool"; exit 0; }
done
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT

kernel=${INFRANOISE_VM_KERNEL:-}
if [ -z "$kernel" ]; then
    package=$(apt-cache depends linux-image-cloud-amd64 2>/dev/null | awk '/Depends: linux-image/ {print $2; exit}')
    [ -n "$package" ] || { echo "SKIPPED: no kernel package is known; try apt-get update"; exit 0; }
    (cd "$work" && apt-get download "$package" >/dev/null 2>&1 && dpkg -x "$package"*.deb kernel)
    kernel=$work/kernel
fi
vmlinuz=$(ls "$kernel"/boot/vmlinuz-*)
overlay=$(find "$kernel" -name 'overlay.ko*')

# The machine's files: a merged /usr with the tools that the tests use, each with its libraries, and the test program with its launcher.
root=$work/root
mkdir -p "$root"/{proc,sys,dev,tmp,etc,root,run,var/tmp,newroot} "$root"/usr/{bin,sbin,lib,lib64,share/misc}
for name in bin sbin lib lib64; do ln -s "usr/$name" "$root/$name"; done
add() {
    local file; file=$(type -P "$1") || return 0; file=$(realpath "$file")
    mkdir -p "$root$(dirname "$file")"
    cp -n "$file" "$root$file"
    [ -e "$root/usr/bin/$(basename "$1")" ] || ln -s "$file" "$root/usr/bin/$(basename "$1")"
    ldd "$file" 2>/dev/null | grep -oE '/[^ ]+' | while read -r library; do
        mkdir -p "$root/usr$(dirname "${library#/usr}")"
        cp -Ln "$(realpath "$library")" "$root/usr${library#/usr}"
    done
}
for tool in sh bash head tail sleep tr cat ls id stat wc cut grep awk mount umount unshare hostname getent su env chown chmod touch \
    mkdir mkfifo mknod rm ln mv seq sort setsid kill readlink chroot getconf yes test expr basename true false echo tee dd; do
    add "$tool"
done
add "$program"
rm -f "$root/usr/bin/$(basename "$program")"
cp "$program" "$root/program"
launcher=$(dirname "$(dirname "$program")")/infranoise-launcher
if [ -e "$launcher" ]; then mkdir -p "$root$(dirname "$launcher")"; cp "$launcher" "$root$launcher"; fi
cp "$(command -v busybox)" "$root/usr/bin/busybox"
cp "$overlay" "$root/overlay.ko"
cp "$here/init" "$here/stage2" "$root/"
printf 'cd /tmp; exec /program' > "$root/go"; printf ' %q' "$@" >> "$root/go"
echo 'root:x:0:0:root:/root:/bin/sh' > "$root/etc/passwd"
echo 'root:x:0:' > "$root/etc/group"
touch "$root/usr/share/misc/empty"
(cd "$root" && find . | cpio -o -H newc --quiet | gzip -1) > "$work/initrd.gz"

timeout "${INFRANOISE_VM_SECONDS:-600}" qemu-system-x86_64 -M q35 -accel tcg,thread=multi -cpu max -m 2048 -smp 2 \
    -kernel "$vmlinuz" -initrd "$work/initrd.gz" -append "console=ttyS0 quiet panic=-1 psi=1" \
    -nographic -no-reboot -nodefaults -serial stdio </dev/null | tee "$work/log"
grep -q '^VM: the tests ended with 0' "$work/log"
