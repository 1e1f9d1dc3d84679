#!/bin/sh
# The real picamera2 over the real libcamera on a PC: its virtual pipeline plays pictures that we rendered, and dice are
# read from them through our own camera class. No Raspberry Pi and no camera needed.
#
#   sudo hardware/pi/virtual-camera.sh NEW_FOLDER        about 3 minutes; the folder takes 1 GB and can be deleted after
#   sudo hardware/pi/virtual-camera.sh --again FOLDER    once more with the code as it is now; about 40 s
#
# Needs: root, a Debian-like system, mmdebstrap, the network. Nothing of this system is mounted into the folder.
# What is real: picamera2, libcamera and its requests, buffers and metadata. What is not: a sensor, its exposure, its
# focus, an image processor. The kernel's memory for camera buffers is stood in for where it is missing.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
again=
if [ "${1:-}" = --again ]; then
    again=yes
    shift
fi
root=${1:?"usage: virtual-camera.sh [--again] FOLDER"}
[ "$(id -u)" -eq 0 ] || { echo "virtual-camera.sh: must be root to make a system in a folder; use sudo" >&2; exit 1; }

if [ -z "$again" ]; then
    [ ! -e "$root" ] || { echo "virtual-camera.sh: $root is there already; give a new folder, or --again" >&2; exit 1; }
    command -v mmdebstrap >/dev/null || { echo "virtual-camera.sh: sudo apt install mmdebstrap" >&2; exit 1; }
    # This machine's own mirror of Debian.
    mirror=$(sed -n 's/^URIs: *//p' /etc/apt/sources.list.d/*.sources 2>/dev/null | head -n 1)
    [ -n "$mirror" ] || mirror=$(sed -n 's/^deb  *\(\[[^]]*\] *\)\{0,1\}\([^ ]*\) .*/\2/p' /etc/apt/sources.list | head -n 1)
    mmdebstrap --quiet --mode=root --variant=minbase \
        --include=ca-certificates,python3,python3-venv,python3-numpy,gcc,libc6-dev,python3-dev,libcap-dev \
        --include=python3-libcamera/trixie-backports,libcamera-ipa/trixie-backports,libcamera0.7/trixie-backports \
        trixie "$root" "deb $mirror trixie main" "deb $mirror trixie-backports main"
    # A network that is watched has certificates of its own.
    cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
fi
mkdir -p "$root/usr/share/libcamera/pipeline/virtual" "$root/root/project" "$root/root/frames"
cp "$here/virtual-camera/virtual.yaml" "$root/usr/share/libcamera/pipeline/virtual/"
cp "$here/virtual-camera/dma_heap.c" "$here/virtual-camera/try_reading.py" "$root/root/"
rm -rf --one-file-system "$root/root/project"
mkdir "$root/root/project"
(cd "$project" && tar cf - --exclude='*.pyc' pyproject.toml README.md LICENSE rules vision device companion tests/device tests/__init__.py) |
    tar xf - -C "$root/root/project"

# A process space of its own, so that /proc can be mounted there and is gone with it.
exec unshare --mount --propagation private sh -euc '
    mount -t proc proc "$0/proc"
    exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 chroot "$0" sh -euc "
        cd /root
        [ -e venv ] || python3 -m venv --system-site-packages venv
        venv/bin/pip install -q --disable-pip-version-check picamera2==0.3.38 ./project
        gcc -Wall -Wextra -shared -fPIC -O2 -o dma_heap.so dma_heap.c
        cd project
        PYTHONPATH=. LD_PRELOAD=/root/dma_heap.so LIBCAMERA_LOG_LEVELS=ERROR ../venv/bin/python /root/try_reading.py /root/frames
    "' "$root"
