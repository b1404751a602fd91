# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
#
# What tests of the set-up share: an empty place, with programs that stand for dpkg, apt, nvcc and Python, and without a
# network. Sourced by bash, with INSTALLER; expects `set -euo pipefail`.
installer="$1"
place="$(mktemp -d)"
trap 'rm -rf "$place"' EXIT
chmod 755 "$place" # others go in, too
tree="$place/tree"

fail() { echo "$1"; exit 1; }

# program NAME: one of the place's own, read from standard input.
program() { rm -f "$place/bin/$1"; cat >"$place/bin/$1"; chmod 755 "$place/bin/$1"; }

# begin: a checkout that nothing was done in, all programs of this machine but sudo, 16 GiB of free memory, an old nvcc,
# packages missing, no graphics card, on Debian 12.
begin() {
    rm -rf "$tree" "${place:?}/bin"
    mkdir -p "$tree/installer/lib" "$place/bin"
    cp "$installer"/lib/{setup,packages,build}.sh "$tree/installer/lib"
    sed -i "s,/usr/local/cuda,'$place/cuda',; s,/usr/bin/python3,'$place/bin/python3',; s,/sys/bus/pci,'$place/pci',
        s,^driverPlaces=.*,driverPlaces=('$place/driver'),; s,/etc/debian_version,'$place/debian_version'," \
        "$tree/installer/lib/setup.sh"
    echo 12.11 >"$place/debian_version"
    sed -i "s,/proc/meminfo,'$place/meminfo'," "$tree/installer/lib/build.sh"
    echo "MemAvailable: 16777216 kB" >"$place/meminfo"
    rm -rf "$place/pci"
    mkdir -p "$place/pci/devices"
    printf '[debian]\nsome-package\n[vocabulary]\nwords==1.0\n[libtorch]\nnvidia-cuda-runtime==13.0.96\n' \
        >"$tree/installer/versions.txt"
    ln -s /usr/bin/* "$place/bin"
    rm -f "$place/bin/sudo"
    program dpkg-query <<<'exit 1'
    program apt-get <<<'exit 1'
    program systemd-inhibit <<<'exit 1'
    program nvcc <<<'echo "Cuda compilation tools, release ${RELEASE:-11.8}, V1"'
    program python3 <<'STUB'
#!/bin/bash
case "$*" in
*"-m venv"*) mkdir -p "${!#}/bin"; cp "$0" "${!#}/bin/python"; touch "${!#}/has-pip" ;;
"-m pip "*) [ -e "$(dirname "$0")/../has-pip" ] || { echo "No module named pip"; exit 1; } ;;
esac
[[ "$*" != *"pip download"* ]] || {
    cd "$(dirname "${!#}")"
    version="$(cut -d = -f 3 requirements.txt)"
    echo "$version" >version
    touch "of-$version"
    /usr/bin/python3 -m zipfile -c "words-$version.whl" version "of-$version"
}
STUB
}

# setUp COMMAND: with the set-up's functions; prints all that it says.
setUp() { PATH="$place/bin" bash -c "set -euo pipefail; source '$tree/installer/lib/setup.sh'; $1" 2>&1; }

# asOther COMMAND...: as somebody who has none of root's rights, also where root runs the tests: another user, or where
# that one does not come to this place, root without them.
asOther() {
    local other=()
    if [ "$(id -u)" -eq 0 ]; then
        other=(setpriv --reuid 65534 --regid 65534 --clear-groups)
        "${other[@]}" test -r "$tree/installer/lib/setup.sh" || other=(setpriv --bounding-set -all --inh-caps -all)
    fi
    "${other[@]}" "$@"
}

# expect SAID WORDS...
expect() {
    local said="$1" words
    shift
    for words in "$@"; do [[ "$said" == *"$words"* ]] || fail "expected \"$words\" in: $said"; done
}
