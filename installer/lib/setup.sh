# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
#
# What installer/run and installer/test share: Debian packages, wheels, configuring and building.
# Sourced by bash; expects `set -euo pipefail`. Every step looks first whether its work is already there, so a
# second run starts at once and needs no network.

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
deps="$root/.deps"
versions="$root/installer/versions.txt"
export PIP_DISABLE_PIP_VERSION_CHECK=1

say() { printf '%s\n' "$@"; }

# usage SCRIPT: what its head says, without the licence.
usage() { sed -n '/^#$/,/^[^#]/{/^#$/d; s/^# \{0,1\}//p}' "$1"; }

# stop WHAT WHY REMEDY: ends the set-up with one message that says what to do.
stop() {
    printf '\nHomebooth set-up stopped while %s.\n  %s\n  What to do: %s\n' "$1" "$2" "$3" >&2
    exit 1
}

# section NAME: the lines of one section of versions.txt, without comments.
section() {
    awk -v want="[$1]" '/^\[/ { inside = ($0 == want); next } inside && !/^#/ && NF' "$versions"
}

# missingPackages SECTION...: Debian packages of these sections that are not installed.
missingPackages() {
    local name
    for name in $(for part in "$@"; do section "$part"; done); do
        [ "$(dpkg-query -W -f '${db:Status-Abbrev}' "$name" 2>/dev/null)" = "ii " ] || printf '%s\n' "$name"
    done
}

# asRoot COMMAND...: as it is for root, through sudo for others.
asRoot() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        stop "installing Debian packages" "This needs root rights, and sudo is not installed." \
            "run the same command as root once, or install sudo."
    fi
}

installPackages() {
    command -v dpkg-query >/dev/null ||
        stop "looking for Debian packages" "dpkg was not found: this is no Debian system." \
            "use Debian 12, in a virtual machine or a container if need be."
    local missing log="$deps/apt.log"
    missing="$(missingPackages "$@")"
    [ -n "$missing" ] || return 0
    say "Installing $(wc -w <<<"$missing") Debian packages (a minute or two) ..."
    asRoot apt-get update >"$log" 2>&1 ||
        stop "updating the package lists" "apt-get update failed: $(tail -n 1 "$log")" \
            "check the network and /etc/apt/sources.list, then run this again; details in $log"
    # shellcheck disable=SC2086 # one word a package
    asRoot env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing >>"$log" 2>&1 ||
        stop "installing Debian packages" "apt-get install failed: $(grep -E '^E:' "$log" | tail -n 1)" \
            "mend what $log says, then run this again."
}

# needSpace GIB: refuses to begin a download that the disk cannot hold.
needSpace() {
    local free
    free="$(df -Pk "$deps" | awk 'NR == 2 { print int($4 / 1048576) }')"
    [ "$free" -ge "$1" ] ||
        stop "looking for disk space" "$deps has $free GiB free; the set-up needs $1 GiB." "free some space there."
}

# withPip ARGS...: pip of a private environment, so that the system's Python stays as it is.
withPip() {
    [ -x "$deps/pip/bin/python" ] || /usr/bin/python3 -m venv "$deps/pip"
    "$deps/pip/bin/python" -m pip "$@"
}

# unpackWheels SECTION FOLDER [MEMBER...]: downloads a section's wheels, checks their hashes, unpacks them into
# .deps/FOLDER (or only the named members). A stamp with the section's hash marks what is complete.
unpackWheels() {
    local part="$1" folder="$2" stamp wheel downloads="$deps/downloads/$1" log="$deps/pip.log"
    shift 2
    stamp="$deps/.$part-$(section "$part" | sha256sum | cut -c1-16)"
    [ ! -e "$stamp" ] || return 0
    mkdir -p "$downloads" "$deps/$folder"
    section "$part" >"$downloads/requirements.txt"
    say "Downloading $(wc -l <"$downloads/requirements.txt") packages for: $part ..."
    withPip download --quiet --no-deps --require-hashes --only-binary=:all: -d "$downloads" \
        -r "$downloads/requirements.txt" >"$log" 2>&1 ||
        stop "downloading the packages for $part" "$(grep -iE 'error' "$log" | tail -n 1)" \
            "check the network, then run this again; details in $log"
    say "Unpacking: $part ..."
    for wheel in "$downloads"/*.whl; do
        unzip -q -o "$wheel" "$@" -d "$deps/$folder" ||
            stop "unpacking $(basename "$wheel")" "unzip failed; the disk may be full." \
                "free some space, then run this again."
    done
    rm -rf "$downloads"
    touch "$stamp"
}

hasNvcc() { command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ]; }

# setUp SECTION...: all that has to be installed before a build; SECTION are further Debian sections.
setUp() {
    mkdir -p "$deps"
    installPackages debian "$@"
    [ -e "$deps/.libtorch-$(section libtorch | sha256sum | cut -c1-16)" ] || needSpace 8
    unpackWheels libtorch libtorch
    unpackWheels vocabulary vocabulary 'open_clip/bpe_simple_vocab_16e6.txt.gz'
    if ! hasNvcc; then
        unpackWheels nvcc libtorch
        ln -sfn lib "$deps/libtorch/nvidia/cu13/lib64" # where nvcc looks for its device runtime
        chmod +x "$deps"/libtorch/nvidia/cu13/bin/* "$deps"/libtorch/nvidia/cu13/nvvm/bin/* 2>/dev/null || true
    fi
}

# buildJobs: as many compilers as there are cores, but 1.5 GiB of memory for each.
buildJobs() {
    local cores memory
    cores="$(nproc)"
    memory="$(awk '/MemAvailable/ { print int($2 / 1572864) }' /proc/meminfo)"
    [ "$memory" -ge 1 ] || memory=1
    echo $((cores < memory ? cores : memory))
}

# build PRESET: configures when needed, and builds.
build() {
    local preset="$1" log="$root/build/$1.log"
    mkdir -p "$root/build"
    (cd "$root" && cmake --preset "$preset") >"$log" 2>&1 ||
        stop "configuring the build" "$(grep -A 2 'CMake Error' "$log" | tr '\n' ' ')" "see $log"
    if ! ninja -C "$root/build/$preset" -n 2>/dev/null | grep -q 'no work to do'; then
        say "Building Homebooth (up to 25 minutes the first time) ..."
        buildWithProgress "$preset" "$log"
    fi
}

buildWithProgress() {
    local preset="$1" log="$2"
    if [ -t 1 ]; then
        NINJA_STATUS='[%f/%t, %es] ' ninja -C "$root/build/$preset" -j "$(buildJobs)" 2>&1 | tee -a "$log" |
            awk '/^\[/ { printf "\r\033[K%.100s", $0; fflush() } END { print "" }' || buildFailed "$log"
    else
        NINJA_STATUS='[%f/%t] ' ninja -C "$root/build/$preset" -j "$(buildJobs)" >>"$log" 2>&1 || buildFailed "$log"
    fi
}

buildFailed() {
    grep -E 'error|FAILED' "$1" | head -n 20 >&2 || true
    stop "building" "the compiler reported the errors above." "see $1"
}
