#!/bin/sh
# The whole installation on 64-bit ARM without a Raspberry Pi: a Debian for arm64 in a folder, run by an emulator.
#
#   sudo hardware/pi/try-arm64.sh bookworm NEW_FOLDER      15 to 60 minutes; the folder takes 2 GB and can be deleted after
#   sudo hardware/pi/try-arm64.sh --again FOLDER           the checks once more, with the code as it is now
#
# What is tried: ./run makes its environment there from arm64 wheels; `companion doctor` runs; `companion read` reads the
# dice of a picture; tests of the referee and of vision pass, those that do not take an emulator hours.
# What is not: picamera2 and lgpio (Raspberry Pi OS brings its own), pins, cameras, and how fast a Pi is.
# Needs: root, a Debian-like system, the network; sudo apt install mmdebstrap qemu-user-static binfmt-support arch-test
set -eu
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)

fail() {
    echo "try-arm64.sh: $*" >&2
    exit 1
}

again=
if [ "${1:-}" = --again ]; then
    again=yes
    release=
    root=${2:?"usage: try-arm64.sh --again FOLDER"}
    [ -x "$root/usr/bin/python3" ] || fail "$root holds no system; make one first: try-arm64.sh bookworm $root"
else
    release=${1:?"usage: try-arm64.sh bookworm|trixie NEW_FOLDER"}
    root=${2:?"usage: try-arm64.sh bookworm|trixie NEW_FOLDER"}
    case $release in
    bookworm | trixie) ;;
    *) fail "'$release' is no release of Raspberry Pi OS that this was prepared for; expected bookworm or trixie" ;;
    esac
    [ ! -e "$root" ] || fail "$root is there already; give a new folder, or: try-arm64.sh --again $root"
fi
[ "$(id -u)" -eq 0 ] || fail "must be root to make a system in a folder; use sudo"

if [ "$(uname -m)" != aarch64 ]; then
    formats=/proc/sys/fs/binfmt_misc
    [ -e $formats/register ] || mount -t binfmt_misc binfmt_misc $formats 2>/dev/null ||
        fail "this kernel runs no foreign programs (binfmt_misc); try another machine, or an ARM one"
    [ -e $formats/qemu-aarch64 ] || update-binfmts --enable qemu-aarch64 2>/dev/null || :
    [ -e $formats/qemu-aarch64 ] || fail "the emulator is missing: sudo apt install qemu-user-static binfmt-support"
fi

if [ -z "$again" ]; then
    command -v mmdebstrap >/dev/null || fail "sudo apt install mmdebstrap arch-test"
    # This machine's own mirror of Debian.
    mirror=$(sed -n 's/^URIs: *//p' /etc/apt/sources.list.d/*.sources 2>/dev/null | head -n 1)
    [ -n "$mirror" ] || mirror=$(sed -n 's/^deb  *\(\[[^]]*\] *\)\{0,1\}\([^ ]*\) .*/\2/p' /etc/apt/sources.list | head -n 1)
    echo "== a Debian $release for arm64 in $root =="
    mmdebstrap --quiet --mode=root --variant=minbase --architectures=arm64 \
        --include=python3,python3-venv,espeak-ng "$release" "$root" "deb $mirror $release main"
    # This machine's certificates: putting Debian's own in their places takes an emulator minutes.
    mkdir -p "$root/etc/ssl/certs"
    cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
    cp -L /etc/resolv.conf "$root/etc/resolv.conf"
fi

mkdir -p "$root/opt/tabletop"
(cd "$project" && tar cf - --exclude='*.pyc' --exclude=.venv --exclude=.git .) | tar xf - -C "$root/opt/tabletop"
for name in /etc/pip.conf; do
    [ ! -e $name ] || cp -L $name "$root$name"
done

# A process space of its own, so that /proc can be mounted there and is gone with it.
exec unshare --mount --propagation private sh -euc '
    mount -t proc proc "$0/proc"
    exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 OPENBLAS_NUM_THREADS=1 chroot "$0" sh -euc "
        cd /opt/tabletop
        echo \"== \$(uname -m), \$(. /etc/os-release && echo \$PRETTY_NAME): ./run makes its environment ==\"
        ./run --version
        echo \"== companion doctor ==\"
        ./run doctor --only board,versions,groups,disk,database,speaker || :
        echo \"== companion read ==\"
        ./run read hardware/lighting/good.jpg
        echo \"== tests ==\"
        .venv/bin/python -m pip install -q --disable-pip-version-check \"pytest>=8,<10\" \"pytest-timeout>=2.3,<3\" \"hypothesis>=6.100,<7\"
        .venv/bin/python -m pytest -q -p no:cacheprovider -o timeout=3000 --hypothesis-profile=ci -k \"not every_id\" \
            --ignore tests/rules/lightning_dice/test_random_play.py tests/rules/lightning_dice tests/rules/test_log.py tests/rules/test_match.py \
            tests/vision/test_geometry.py tests/vision/test_lattice.py tests/vision/test_images.py \
            tests/vision/test_confidence.py tests/vision/test_markers.py tests/vision/test_seat_colours.py
    "' "$root"
