# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
#
# What installer/run and installer/test share: Debian packages, wheels, configuring and building.
# Sourced by bash; expects `set -euo pipefail`. Every step looks first whether its work is already there, so a
# second run starts at once and needs no network.

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
deps="$root/.deps"
versions="$root/installer/versions.txt"
memoryLimit=/sys/fs/cgroup/memory.max
networkPlaces="the network, the proxy if you have one (http_proxy, https_proxy)"
export PIP_DISABLE_PIP_VERSION_CHECK=1

say() { printf '%s\n' "$@"; }

# usage SCRIPT: what its head says, without the licence.
usage() { sed -n '/^#$/,/^[^#]/{/^#$/d; s/^# \{0,1\}//p}' "$1"; }

# stop WHAT WHY REMEDY: ends the set-up with one message that says what to do.
stop() {
    printf '\nHomebooth set-up stopped while %s.\n  %s\n  What to do: %s\n' "$1" "$2" "$3" >&2
    exit 1
}

# cause LOG PATTERN: the last line of a log that matches; where none does, its last one.
cause() { grep -iE "$2" "$1" | tail -n 1 | grep . || tail -n 1 "$1"; }

# callersValue NAME: what it is to whoever called sudo, which hands on little of their environment but was started with
# all of it. Nothing where it is unknown.
callersValue() {
    local process="$PPID" entry
    while [ "${process:-0}" -gt 1 ] && [ "$(cat "/proc/$process/comm" 2>/dev/null)" != sudo ]; do
        process="$(awk '/^PPid:/ { print $2 }' "/proc/$process/status" 2>/dev/null)" || true
    done
    [ "${process:-0}" -gt 1 ] || return 0
    while IFS= read -rd '' entry; do
        [[ "$entry" != "$1="* ]] || printf '%s\n' "${entry#*=}"
    done 2>/dev/null <"/proc/$process/environ" || true
}

# takeFromCaller NAME...: what sudo did not hand on.
takeFromCaller() {
    local name value
    [ "$(id -u)" -eq 0 ] && [ -n "${SUDO_UID:-}" ] || return 0
    for name in "$@"; do
        [ -z "${!name:-}" ] || continue
        value="$(callersValue "$name")"
        [ -z "$value" ] || export "$name=$value"
    done
}

# needOwn: refuses to begin where another user's run left what this one could not write.
needOwn() {
    local folder foreign owner places="'$deps' '$root/build'"
    for folder in "$deps" "$root/build"; do
        mkdir -p "$folder" 2>/dev/null || { folder="$root"; places="'$root'"; }
        foreign="$(find -H "$folder" -maxdepth 2 -type d ! -writable -print -quit 2>/dev/null)" || true
        [ -n "$foreign" ] || continue
        [[ "$(LC_ALL=C touch -c "$foreign" 2>&1)" != *"Read-only file system"* ]] ||
            stop "looking at its own folders" "$foreign is on a disk that can only be read." \
                "copy this checkout to a disk that can be written, then run it there."
        owner="$(stat -c %U "$foreign")"
        stop "looking at its own folders" "$foreign belongs to $owner, and $(id -un) cannot write there." \
            "as root: chown -R $(id -un): $places    or run this as $owner again."
    done
}

# takeTurn FOLDER: one set-up at a time works in it; another one waits. Where the file system knows no locks it
# begins at once. The folder itself is locked: a file for that would belong to whoever came first.
takeTurn() {
    exec 9<"$1"
    flock -n 9 || [ $? -ne 1 ] || { say "Another set-up works here; waiting for it ..." && flock 9; }
}

# endTurn: whoever calls this may start another set-up, or become the window.
endTurn() { exec 9<&-; }

# giveBack: what a run as root has made is for whoever called sudo, else for whose checkout this is. The next run may
# then be without root rights.
giveBack() {
    [ "$(id -u)" -eq 0 ] || return 0
    local owner="${SUDO_UID:+$SUDO_UID:${SUDO_GID:-}}"
    [ -n "$owner" ] || owner="$(stat -c %u:%g "$root")"
    [ "$owner" = 0:0 ] || chown -Rh "$owner" "$deps/." "$root/build/." 2>/dev/null || true
}

# section NAME: the lines of one section of versions.txt, without comments.
section() {
    awk -v want="[$1]" '/^\[/ { inside = ($0 == want); next } inside && !/^#/ && NF' "$versions"
}

# isInstalled PACKAGE: also where it is held, or is there for another architecture as well.
isInstalled() {
    case " $(dpkg-query -W -f '${Architecture}=${db:Status-Status} ' "$1" 2>/dev/null)" in
    *" amd64=installed "* | *" all=installed "*) return 0 ;;
    *) return 1 ;;
    esac
}

# missingPackages SECTION...: Debian packages of these sections that are not installed.
missingPackages() {
    local name
    for name in $(for part in "$@"; do section "$part"; done); do
        isInstalled "$name" || printf '%s\n' "$name"
    done
}

# needRoot: ahead of asRoot, whose output goes into a log: nobody would see there what it stops for.
needRoot() {
    [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null ||
        stop "installing Debian packages" "This needs root rights, and sudo is not installed." \
            "run the same command as root once, or install sudo."
}

# asRoot [NAME=VALUE] COMMAND...: as it is for root, through sudo for others. It is told the proxies that pip takes:
# sudo drops them, and apt knows their small names alone. A package may start what stays: that takes no turn along.
# What packages make is for all users, and what they say is read here.
asRoot() {
    local name large value sudo=() proxies=()
    for name in http_proxy https_proxy no_proxy; do
        large="${name^^}"
        value="${!name:-${!large:-}}"
        [ -z "$value" ] || proxies+=("$name=$value")
    done
    [ "$(id -u)" -eq 0 ] || sudo=(sudo)
    (umask 022 && "${sudo[@]}" env LC_ALL=C.UTF-8 "${proxies[@]}" "$@" 9<&-)
}

# aptGet LOG ARGS...: as root. While somebody else installs packages, as Debian does by itself when a machine has
# started, it waits: of the lists, apt-get's own waiting knows nothing.
aptGet() {
    local log="$1" status tries
    shift
    for tries in {1..90}; do
        status=0
        asRoot DEBIAN_FRONTEND=noninteractive apt-get "$@" >>"$log" 2>&1 || status=$?
        { [ "$status" -eq 100 ] && tail -n 4 "$log" | grep "It is held by process" >/dev/null; } || break
        [ "$tries" -gt 1 ] || say "Another program installs packages; waiting for it, 15 minutes at most ..."
        sleep 10
    done
    return "$status"
}

# fetchRemedy LOG: what to do where something could not be fetched. Certificates and lists have their time.
fetchRemedy() {
    local clock=""
    ! grep -qiE "not yet valid|not valid yet|certificate has expired|file for .* is expired" "$1" ||
        clock="the clock of this machine, which says $(date '+%F %R'), and "
    printf '%s\n' "check $clock$networkPlaces"
}

# staleLists LOG: nothing can be installed, since no list could be fetched that knows it.
staleLists() {
    stop "updating the package lists" "apt-get update failed: $(cause "$1" 'failed to fetch|file for .* is ')" \
        "$(fetchRemedy "$1") and /etc/apt/sources.list, then run this again; details in $1"
}

# installRemedy LOG: what to do where apt-get installed nothing.
installRemedy() {
    local system
    if tail -n 50 "$1" | grep "Unable to locate package" >/dev/null; then
        system="$(sed -n 's/^PRETTY_NAME=//p' /etc/os-release 2>/dev/null | tr -d '"')" || true
        printf '%s\n' "use Debian 12 with its package source main; this is ${system:-another system}. Details in $1"
    else
        printf '%s\n' "mend what $1 says, then run this again."
    fi
}

installPackages() {
    command -v dpkg-query >/dev/null ||
        stop "looking for Debian packages" "dpkg was not found: this is no Debian system." \
            "use Debian 12, in a virtual machine or a container if need be."
    local missing updated=0 log="$deps/apt.log"
    missing="$(missingPackages "$@")"
    [ -n "$missing" ] || return 0
    needRoot
    say "Installing $(wc -w <<<"$missing") Debian packages (a minute or two) ..."
    # That apt reached nobody is no failure to it unless it is told so, and then a single source is one, of which
    # nothing here may be wanted: it counts where packages are then not found.
    : >"$log"
    aptGet "$log" -o APT::Update::Error-Mode=any update || updated=$?
    [ "$updated" -eq 0 ] || [ "$updated" -eq 100 ] || # apt-get's own, or that of sudo
        stop "installing Debian packages" "apt-get did not run: $(tail -n 1 "$log")" \
            "run the same command as root once, or as somebody who may use sudo."
    # shellcheck disable=SC2086 # one word a package
    aptGet "$log" install -y --no-install-recommends $missing || {
        [ "$updated" -eq 0 ] || staleLists "$log"
        stop "installing Debian packages" "apt-get install failed: $(cause "$log" '^E:')" "$(installRemedy "$log")"
    }
}

# needSpace GIB: refuses to begin a download that the disk cannot hold. What an interrupted one has left need not come
# again; the build comes in any case.
needSpace() {
    local free there needed least=3
    free="$(df -Pk "$deps" | awk 'NR == 2 { print int($4 / 1048576) }')"
    there="$({ du -sk "$deps/libtorch" "$deps/downloads" 2>/dev/null || true; } |
        awk '{ all += $1 } END { print int(all / 1048576) }')"
    needed=$(($1 - there > least ? $1 - there : least))
    [ "$free" -ge "$needed" ] ||
        stop "looking for disk space" "$deps has $free GiB free; the set-up needs $needed GiB." \
            "free some space there."
}

# startsPrograms FOLDER: whether it can be written and programs start from there.
startsPrograms() {
    local probe status=0
    probe="$(mktemp "$1/probe-XXXXXX" 2>/dev/null)" || return 1
    { chmod 755 "$probe" && "$probe"; } 2>/dev/null || status=1 # an empty file is a program of the shell's
    rm -f "$probe"
    return "$status"
}

# needFileSystem: refuses to begin a download on a file system that cannot hold what is unpacked and built: FAT, exFAT
# and some NTFS know no links, and others are mounted so that no program starts from there.
needFileSystem() {
    local probe="$deps/probe-$$" lacks=""
    startsPrograms "$deps" || lacks="starts no programs (noexec)"
    ln -s "$deps" "$probe" 2>/dev/null || lacks="knows no symbolic links"
    rm -f "$probe"
    [ -z "$lacks" ] ||
        stop "looking at the file system" "That of $deps $lacks." \
            "copy this checkout to a Linux file system, for example into your home, then run it there."
}

# withPip ARGS...: pip of a private environment, so that the system's Python stays as it is. An environment that was
# interrupted has a Python before it has pip.
withPip() {
    "$deps/pip/bin/python" -m pip --version >/dev/null 2>&1 || /usr/bin/python3 -m venv --clear "$deps/pip" || return
    "$deps/pip/bin/python" -m pip "$@"
}

# stampOf SECTION: the file that says that this very version of a section is complete.
stampOf() { printf '%s/.%s-%s\n' "$deps" "$1" "$(section "$1" | sha256sum | cut -c1-16)"; }

# dropStamps SECTION: ahead of a change, also those of other versions: what they speak of is no longer there. Only
# digits may follow, since another section's name may begin with this one's.
dropStamps() { find -H "$deps" -maxdepth 1 -type f -regex ".*/\.$1-[0-9a-f]*" -delete; }

# fetchWheels FOLDER: what its requirements.txt names, one after another: whoever is interrupted keeps those that are
# whole. What is on its way lies there as well, not in /tmp, which may be small or memory.
fetchWheels() {
    local wheel
    rm -rf "$1"/pip-* # of a killed one
    while IFS= read -r wheel; do
        printf '%s\n' "$wheel" >"$1/next.txt"
        TMPDIR="$1" withPip download --quiet --no-deps --require-hashes --only-binary=:all: -d "$1" \
            -r "$1/next.txt" </dev/null || return
    done <"$1/requirements.txt"
}

# pipCause LOG: the last error; where pip found nothing, what kept it from looking.
pipCause() {
    local error why=""
    error="$(cause "$1" error)"
    [[ "$error" != *"No matching distribution"* ]] ||
        why="$(sed -n "s/.*connection broken by '//p" "$1" | tail -n 1)"
    printf '%s\n' "${why:-$error}"
}

# unpackWheels SECTION FOLDER [MEMBER...]: downloads a section's wheels, checks their hashes, unpacks them into
# .deps/FOLDER (or only the named members). A stamp with the section's hash marks what is complete.
unpackWheels() {
    local part="$1" folder="$2" stamp wheel downloads="$deps/downloads/$1" log="$deps/pip.log"
    shift 2
    stamp="$(stampOf "$part")"
    [ ! -e "$stamp" ] || return 0
    # An unpacking that was cut short has left its wheels: those of other versions are not for this one.
    section "$part" | cmp -s - "$downloads/requirements.txt" || rm -rf "$downloads"
    mkdir -p "$downloads" "$deps/$folder"
    section "$part" >"$downloads/requirements.txt"
    say "Downloading $(wc -l <"$downloads/requirements.txt") packages for: $part ..."
    fetchWheels "$downloads" >"$log" 2>&1 ||
        stop "downloading the packages for $part" "$(pipCause "$log")" \
            "$(fetchRemedy "$log"), then run this again; details in $log"
    say "Unpacking: $part ..."
    dropStamps "$part"
    for wheel in "$downloads"/*.whl; do
        unzip -q -o "$wheel" "$@" -d "$deps/$folder" ||
            stop "unpacking $(basename "$wheel")" "unzip failed; the disk may be full." \
                "free some space, then run this again."
    done
    rm -rf "$downloads"
    touch "$stamp"
}

# hasNvcc: whether an installed nvcc is of the CUDA release that LibTorch brings. Older ones do not know all GPUs that
# are built for.
hasNvcc() {
    local nvcc release
    release="$(section libtorch | sed -n 's/^nvidia-cuda-runtime==\([0-9]*\.[0-9]*\)\..*/\1/p')"
    for nvcc in nvcc /usr/local/cuda/bin/nvcc; do
        [[ "$("$nvcc" --version 2>/dev/null)" != *"release $release,"* ]] || return 0
    done
    return 1
}

# needProcessor: the wheels are pinned for one kind; of those for another pip says that somebody tampered with them.
needProcessor() {
    [ "$(uname -m)" = x86_64 ] ||
        stop "looking at this machine" "Its processor is $(uname -m); what Homebooth needs is fetched for x86-64." \
            "use a machine with a 64-bit processor of Intel or AMD."
}

# setUp SECTION...: all that has to be installed before a build; SECTION are further Debian sections.
setUp() {
    needProcessor
    takeFromCaller http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY
    needOwn
    trap giveBack EXIT
    takeTurn "$deps"
    installPackages debian "$@"
    [ -e "$(stampOf libtorch)" ] || { needFileSystem && needSpace 8; }
    unpackWheels libtorch libtorch
    unpackWheels vocabulary vocabulary 'open_clip/bpe_simple_vocab_16e6.txt.gz'
    if ! hasNvcc; then
        unpackWheels nvcc libtorch
        ln -sfn lib "$deps/libtorch/nvidia/cu13/lib64" # where nvcc looks for its device runtime
        chmod +x "$deps"/libtorch/nvidia/cu13/bin/* "$deps"/libtorch/nvidia/cu13/nvvm/bin/* 2>/dev/null || true
    fi
    endTurn
}

# buildJobs: as many compilers as there are cores, but 1.5 GiB of memory for each, of the machine's or the container's.
buildJobs() {
    local cores memory limit
    cores="$(nproc)"
    memory="$(awk '/MemAvailable/ { print int($2 / 1572864) }' /proc/meminfo)"
    limit="$(awk '/^[0-9]/ { print int($1 / 1610612736) }' "$memoryLimit" 2>/dev/null)" || true
    [ -z "$limit" ] || [ "$limit" -ge "$memory" ] || memory="$limit"
    [ "$memory" -ge 1 ] || memory=1
    echo $((cores < memory ? cores : memory))
}

# probeCache: where ccache cannot make its folders, as in a home that cannot be written, it ends each compilation.
probeCache() {
    local probe="$root/build/probe"
    command -v ccache >/dev/null || return 0
    echo "int probe;" >"$probe.c"
    ccache cc -c "$probe.c" -o "$probe.o" >/dev/null 2>&1 || export CCACHE_DISABLE=1
    rm -f "$probe.c" "$probe.o"
}

# wasMoved PRESET: whether this checkout, or its folder for builds, was elsewhere when CMake was last here, which then
# refuses to go on.
wasMoved() {
    local folder="$root/build/$1" place
    [ -e "$folder/CMakeCache.txt" ] || return 1
    place="$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$folder/CMakeCache.txt")"
    [ -z "$place" ] || [ "$place" -ef "$root" ] || return 0
    place="$(sed -n 's/^CMAKE_CACHEFILE_DIR:INTERNAL=//p' "$folder/CMakeCache.txt")"
    [ -n "$place" ] && ! [ "$place" -ef "$folder" ]
}

# build PRESET: configures when needed, and builds.
build() {
    local preset="$1" log="$root/build/$1.log" fresh=()
    mkdir -p "$root/build"
    takeTurn "$root/build"
    probeCache
    if wasMoved "$preset"; then
        say "This folder was moved since Homebooth was built in it, so it is built again."
        fresh=(--fresh)
    fi
    (cd "$root" && cmake "${fresh[@]}" --preset "$preset") >"$log" 2>&1 ||
        stop "configuring the build" "$(grep -A 2 'CMake Error' "$log" | tr '\n' ' ')" "see $log"
    if ! ninja -C "$root/build/$preset" -n 2>/dev/null | grep -q 'no work to do'; then
        say "Building Homebooth (some 25 minutes the first time) ..."
        buildWithProgress "$preset" "$log"
    fi
    giveBack # whoever calls this may become the window, and then nothing is done at the end
    endTurn
}

buildWithProgress() {
    local preset="$1" log="$2" line
    if [ -t 1 ]; then
        NINJA_STATUS='[%f/%t, %es] ' ninja -C "$root/build/$preset" -j "$(buildJobs)" 2>&1 | tee -ia "$log" |
            { # not awk: Debian's reads in blocks, and progress would stand still for minutes
                trap '' INT # as tee does: what ninja says of a Ctrl-C belongs in the log
                while IFS= read -r line; do [ "${line#[}" = "$line" ] || printf '\r\033[K%.100s' "$line"; done
                echo
            } || buildFailed "$log"
    else
        NINJA_STATUS='[%f/%t] ' ninja -C "$root/build/$preset" -j "$(buildJobs)" >>"$log" 2>&1 || buildFailed "$log"
    fi
}

buildFailed() {
    if tail -n 1 "$1" | grep -q "interrupted by user"; then
        printf '\nStopped. The next run goes on with the build where this one was.\n' >&2
        exit 130
    fi
    grep -E 'error|FAILED' "$1" | head -n 20 >&2 || true
    stop "building" "the compiler reported the errors above." "see $1"
}
