#!/bin/sh
# Makes a table of a Raspberry Pi: system packages, the program in /opt/tabletop-companion, a service that starts with
# the Pi. Run it again after an update; what was set up and the matches stay.
#
#   sudo hardware/pi/install.sh                   all of it
#   sudo hardware/pi/install.sh --no-service      started by hand (./run), no service
#   sudo hardware/pi/install.sh --shutdown-button a button between places 5 and 6 shuts down and wakes the Pi
#   hardware/pi/install.sh --dry-run              only says what it would do
#
# For Raspberry Pi OS bookworm or trixie, 64 bit. picamera2 and lgpio come from the system, never from pip.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
# For trying it out: another root than / to read from and write to.
root=${TABLETOP_ROOT:-}
target=/opt/tabletop-companion
dry=
service=yes
button=
for word in "$@"; do
    case $word in
    --dry-run) dry=yes ;;
    --no-service) service= ;;
    --shutdown-button) button=yes ;;
    *)
        echo "install.sh: '$word' is not known; expected --dry-run, --no-service or --shutdown-button" >&2
        exit 2
        ;;
    esac
done

say() { printf '%s\n' "install: $*"; }

fail() {
    printf '%s\n' "install: $*" >&2
    exit 1
}

# run COMMAND...: runs it, or only says so.
run() {
    if [ -n "$dry" ]; then
        printf 'would run: %s\n' "$*"
    else
        "$@"
    fi
}

# put FILE: writes standard input there, or only says so.
put() {
    if [ -n "$dry" ]; then
        printf 'would write: %s\n' "$1"
        cat >/dev/null
    else
        cat >"$root$1.new" && mv "$root$1.new" "$root$1"
    fi
}

check_system() {
    architecture=$(dpkg --print-architecture 2>/dev/null || echo unknown)
    [ "$architecture" = arm64 ] || fail "this system is for $architecture; expected arm64. Write Raspberry Pi OS" \
        "(64-bit) onto the card with Raspberry Pi Imager."
    codename=$(sed -n 's/^VERSION_CODENAME=//p' "$root/etc/os-release")
    case $codename in
    bookworm | trixie) ;;
    *) fail "this system is '$codename'; expected Raspberry Pi OS bookworm or trixie. Write a newer one onto the card." ;;
    esac
    model=$(tr -d '\0' <"$root/proc/device-tree/model" 2>/dev/null || echo 'no Raspberry Pi')
    case $model in
    *"Raspberry Pi"*) ;;
    *) fail "this is $model; expected a Raspberry Pi 4 or 5. On a laptop ./run is all you need." ;;
    esac
    [ -n "$dry" ] || [ "$(id -u)" -eq 0 ] || fail "must be root to install; use sudo (or --dry-run to see what it does)"
    say "$model, $codename, $architecture"
}

install_packages() {
    say "system packages"
    run apt-get -qq update
    run env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install \
        python3 python3-venv python3-picamera2 python3-lgpio espeak-ng alsa-utils
}

install_program() {
    say "the program in $target"
    if [ "$project" != "$target" ]; then
        run mkdir -p "$root$target"
        # All but what was made here: the environment belongs to the folder it lies in.
        if [ -n "$dry" ]; then
            printf 'would copy: %s to %s\n' "$project" "$target"
        else
            (cd "$project" && tar cf - --exclude=.venv --exclude=.git --exclude='*.pyc' --exclude=hardware/solids/stl .) |
                tar xf - -C "$root$target"
        fi
    fi
    # Owned by root, and made now: the service may not write there.
    run chown -R root:root "$root$target"
    run "$root$target/run" --version
}

install_service() {
    say "the service tabletop"
    id -u tabletop >/dev/null 2>&1 ||
        run useradd --system --home-dir /var/lib/tabletop --shell /usr/sbin/nologin --user-group tabletop
    for group in video gpio audio input; do
        if getent group "$group" >/dev/null 2>&1; then
            run usermod -aG "$group" tabletop
        fi
    done
    sed "s|@FOLDER@|$target|g" "$here/systemd/tabletop.service" | put /etc/systemd/system/tabletop.service
    run systemctl daemon-reload
    run systemctl enable --now tabletop.service
}

# The serial console holds pins 14 and 15, which the judge's lamps hang on.
free_serial_pins() {
    if command -v raspi-config >/dev/null 2>&1; then
        say "the serial console is switched off: its pins are the judge's lamps"
        run raspi-config nonint do_serial_cons 1
    fi
}

# gpio-shutdown: pin 3 (place 5) to ground (place 6) shuts down; the same pin wakes a Pi that is shut down.
add_shutdown_button() {
    config=/boot/firmware/config.txt
    [ -e "$root$config" ] || fail "there is no $config; expected that of Raspberry Pi OS"
    if grep -q '^dtoverlay=gpio-shutdown' "$root$config"; then
        say "the shutdown button is there already"
        return 0
    fi
    say "the shutdown button, from the next start on"
    { cat "$root$config" && printf '\n# Tabletop Companion: a button between places 5 and 6 shuts down and wakes.\n[all]\ndtoverlay=gpio-shutdown,gpio_pin=3,active_low=1,gpio_pull=up\n'; } | put $config
}

check_system
install_packages
install_program
free_serial_pins
[ -z "$button" ] || add_shutdown_button
[ -z "$service" ] || install_service
say "done. Set the table up now, by eye or by ear:"
say "  sudo systemctl stop tabletop"
say "  sudo -u tabletop env -C /var/lib/tabletop TABLETOP_DATA=/var/lib/tabletop $target/run setup"
say "  sudo systemctl start tabletop"
