# What ./run and ./check share: find a Python, make .venv, install this project into it. Sourced, never run.
# POSIX sh only; needs nothing that a minimal Debian lacks. The caller sets $here to the repository.
# Everything is told on standard error, so that the output of a command stays clean.

venv=$here/.venv
python=$venv/bin/python
half_made=$venv/.half-made # there while something is being installed; left behind only by an interruption

say() { printf '%s\n' "set-up: $*" >&2; }

fail() {
    say "$*"
    exit 1
}

# as_root COMMAND...: as root, or through a sudo that asks for no password; status 126 when neither is to be had.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif sudo -n true 2>/dev/null; then
        sudo -n "$@"
    else
        return 126
    fi
}

# apt_install WHY PACKAGE...: true when installed. Otherwise tells, in one line, what to type.
apt_install() {
    why=$1
    shift
    if ! command -v apt-get >/dev/null 2>&1; then
        say "$why Install $* with this system's package manager."
        return 1
    fi
    if ! as_root true 2>/dev/null; then
        say "$why Install it with: sudo apt-get install $*"
        return 1
    fi
    say "installing $* with apt"
    apt_log=$(mktemp) || return 1
    if as_root apt-get -qq -o Acquire::Retries=2 -o DPkg::Lock::Timeout=120 update >"$apt_log" 2>&1 &&
        apt_get_install "$@"; then
        rm -f "$apt_log"
        return 0
    fi
    # An installation cut off earlier leaves dpkg half way; it says itself that this is the cure.
    if grep -q 'dpkg --configure -a' "$apt_log" && as_root dpkg --configure -a >"$apt_log" 2>&1 </dev/null &&
        apt_get_install "$@"; then
        rm -f "$apt_log"
        return 0
    fi
    sed -n '/^E: /p' "$apt_log" | tail -n 1 >&2
    rm -f "$apt_log"
    say "$why apt could not install it; try: sudo apt-get install $*"
    return 1
}

apt_get_install() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends \
        -o DPkg::Lock::Timeout=120 install "$@" >"$apt_log" 2>&1 </dev/null
}

# Sets $system_python. The system's own Python comes first: only that one sees apt's picamera2 and lgpio.
find_python() {
    too_old=
    for candidate in /usr/bin/python3 python3 python3.13 python3.12 python3.11; do
        command -v "$candidate" >/dev/null 2>&1 || continue
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            system_python=$(command -v "$candidate")
            return 0
        fi
        too_old=$("$candidate" -V 2>&1)
    done
    if [ -n "$too_old" ]; then
        fail "Python 3.11 or newer is needed; this system has $too_old. Debian 12, Ubuntu 24.04 and Raspberry Pi OS" \
            "(bookworm) bring a newer one."
    fi
    apt_install "Python 3.11 or newer is needed." python3 python3-venv || exit 1
    system_python=/usr/bin/python3
    "$system_python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        fail "Python 3.11 or newer is needed; this system offers $("$system_python" -V)."
}

# The stamp of an environment: where it lies, which interpreter it stands on, and all that was asked for.
# Contents are compared, not times: a Raspberry Pi without a network starts with its clock in the past.
stamp_of() {
    printf '%s\n' "$here" "$(readlink -f "$python")"
    cat "$here/pyproject.toml"
}

is_ready() { # is_ready STAMP
    [ -x "$python" ] && [ -f "$1" ] && [ ! -e "$half_made" ] && stamp_of | cmp -s - "$1"
}

make_venv() {
    find_python
    if ! "$system_python" -c 'import ensurepip, venv' 2>/dev/null; then
        package=python3-venv
        case $system_python in
        /usr/bin/python3 | /bin/python3) ;;
        /usr/bin/python3.* | /bin/python3.*) package=${system_python##*/}-venv ;;
        esac
        apt_install "Python's venv module is missing." "$package" || exit 1
    fi
    say "making the environment in $venv ($("$system_python" -V))"
    mkdir -p "$venv" && : >"$half_made" || fail "cannot write to $venv; this needs a directory that you own."
    # picamera2 and lgpio come from the system's packages, hence --system-site-packages.
    "$system_python" -m venv --system-site-packages "$venv" >&2 ||
        fail "the environment could not be made; see the lines above."
}

pip_install() {
    # PIP_USER=0: a personal pip setting of user = true is an error inside an environment.
    PIP_USER=0 PIP_REQUIRE_VIRTUALENV=0 "$python" -m pip install -q --disable-pip-version-check "$@" >&2 </dev/null
}

is_raspberry_pi() { grep -qs 'Raspberry Pi' /proc/device-tree/model; }

# ensure_environment [dev]: afterwards $python can import this project (with the developer's tools, if so asked).
ensure_environment() {
    stamp=$venv/.stamp${1:+-$1}
    is_ready "$stamp" && return 0
    # One set-up at a time: whoever comes second waits here, then finds the work done.
    exec 9<"$here/pyproject.toml"
    command -v flock >/dev/null 2>&1 && flock 9
    if ! is_ready "$stamp"; then
        install_project "$@"
    fi
    exec 9<&-
}

install_project() {
    extras=${1:-}
    is_raspberry_pi && extras=${extras:+$extras,}pi
    target=$here${extras:+[$extras]}
    if [ -e "$half_made" ]; then
        say "an earlier set-up was interrupted; starting afresh"
        rm -rf "$venv"
    elif [ -e "$venv" ] && ! "$python" -c 'import pip' 2>/dev/null; then
        say "the environment is broken (or its Python is gone); starting afresh"
        rm -rf "$venv"
    fi
    fresh=
    if [ ! -e "$venv" ]; then
        fresh=yes
        make_venv
        say "downloading and installing (about 100 MB; a minute or two)"
    else
        say "pyproject.toml has changed, or this is new here: updating the environment"
        # A trial first: without a network, what worked until now is left alone.
        if ! pip_install --dry-run -e "$target"; then
            if [ -f "$stamp" ]; then
                say "could not update (is there a network?); going on with the environment as it was"
                return 0
            fi
            fail "could not install what is needed (is there a network?)"
        fi
    fi
    : >"$half_made"
    if ! pip_install -e "$target"; then
        [ -n "$fresh" ] && rm -rf "$venv"
        fail "installing failed; see the lines above (is there a network?). The next start tries again."
    fi
    for made in "$venv/.stamp" "$stamp"; do
        stamp_of >"$made.new" && mv "$made.new" "$made"
    done
    rm -f "$half_made"
    say "done"
}

ensure_espeak() {
    command -v espeak-ng >/dev/null 2>&1 ||
        apt_install "espeak-ng is missing: the page speaks, this machine stays silent." espeak-ng
}

find_chromium() { # prints the path of a Chromium, or nothing
    for candidate in chromium chromium-browser google-chrome google-chrome-stable; do
        command -v "$candidate" && return 0
    done
    return 1
}
