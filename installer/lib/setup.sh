# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
#
# What installer/run and installer/test share: their messages and turns, wheels, and the order of all that is set up;
# with packages.sh (Debian packages) and build.sh (configuring and building).
# Sourced by bash; expects `set -euo pipefail`. Every step looks first whether its work is already there, so a
# second run starts at once and needs no network.

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
deps="$root/.deps"
versions="$root/installer/versions.txt"
memoryLimits=(/sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes) # of either version
pciDevices=/sys/bus/pci/devices
debianVersion=/etc/debian_version
driverPlaces=(/proc/driver/nvidia /dev/nvidiactl /dev/dxg)
told=""  # a copy of standard error
awake="" # the process that keeps the machine awake
networkPlaces="the network, the proxy if you have one (http_proxy, https_proxy)"
export PIP_DISABLE_PIP_VERSION_CHECK=1
source "$root/installer/lib/packages.sh"
source "$root/installer/lib/build.sh"

say() { printf '%s\n' "$@"; }

# usage SCRIPT: what its head says, without the licence.
usage() { sed -n '/^#$/,/^[^#]/{/^#$/d; s/^# \{0,1\}//p}' "$1"; }

# stop WHAT WHY REMEDY: ends the set-up with one message that says what to do.
stop() {
    printf '\nHomebooth set-up stopped while %s.\n  %s\n  What to do: %s\n' "$1" "$2" "$3" >&2
    exit 1
}

# stopped: of a Ctrl-C while something is fetched or unpacked, also amid what writes into a log.
stopped() {
    printf '\nStopped. The next run goes on with what is missing.\n' >&"${told:-2}"
    exit 130
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
endTurn() {
    exec 9<&-
    [ -z "$awake" ] || kill "$awake" 2>/dev/null || true
    awake=""
}

# keepAwake: until endTurn or the end of this script, where systemd can: a machine that sleeps when nobody touches it
# would do so amid a download or a build. Beside what is done, not around it: it would end at a Ctrl-C before the rest.
keepAwake() {
    [ -z "$awake" ] && command -v systemd-inhibit >/dev/null || return 0
    systemd-inhibit --what=sleep:idle --who=Homebooth --why="Homebooth is set up" \
        tail --pid=$$ -f /dev/null >/dev/null 2>&1 9<&- &
    awake=$!
    disown "$awake" 2>/dev/null || true # it may have ended already
}

# meanwhile LINE COMMAND...: runs it; on a terminal what the function LINE prints stands there meanwhile, so that nobody
# takes a slow network or a slow disk for the end.
meanwhile() {
    local line="$1" watch="" status=0
    shift
    if [ -t 1 ]; then
        showChanges "$line" 9<&- &
        watch=$!
        disown "$watch" 2>/dev/null || true
    fi
    "$@" || status=$?
    [ -z "$watch" ] || { kill "$watch" 2>/dev/null || true; printf '\r\033[K'; }
    return "$status"
}

# showChanges LINE: each second, but only what is new: sudo may ask for a password on the same line.
showChanges() {
    local said last=""
    while sleep 1 && kill -0 "$$" 2>/dev/null; do
        said="$("$1" 2>/dev/null)" || true
        [ "$said" = "$last" ] || printf '\r\033[K%.100s' "$said"
        last="$said"
    done
}

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
    awk -v want="[$1]" '/^\[/ { inside = ($0 == want); next }
        inside && !/^#/ && NF { sub(/ *#.*/, ""); print }' "$versions"
}

# megabytes SECTION [WHEEL]: what versions.txt says of the size of all its wheels, or of one.
megabytes() {
    awk -v want="[$1]" -v wheel="${2:+$2==}" '/^\[/ { inside = ($0 == want) }
        !inside || NF < 4 || $(NF - 2) != "#" || $NF != "MB" { next }
        wheel == "" || index($0, wheel) == 1 { all += $(NF - 1) }
        END { print all + 0 }' "$versions"
}

# fetchRemedy LOG: what to do where something could not be fetched. Certificates and lists have their time.
fetchRemedy() {
    local clock=""
    ! grep -qiE "not yet valid|not valid yet|certificate has expired|file for .* is expired" "$1" ||
        clock="the clock of this machine, which says $(date '+%F %R'), and "
    printf '%s\n' "check $clock$networkPlaces"
}

# freeMib FOLDER
freeMib() { df -Pk "$1" | awk 'NR == 2 { print int($4 / 1024) }'; }

# needSpace GIB LEAST: refuses to begin a download that the disk cannot hold. What an interrupted one has left need not
# come again; LEAST comes in any case, by the build.
needSpace() {
    local free there needed all=$(($1 * 1024)) least=$(($2 * 1024))
    free="$(freeMib "$deps")"
    there="$({ du -sk "$deps/libtorch" "$deps/downloads" 2>/dev/null || true; } |
        awk '{ all += $1 } END { print int(all / 1024) }')"
    needed=$((all - there > least ? all - there : least))
    [ "$free" -ge "$needed" ] ||
        stop "looking for disk space" "$deps has $(inGib "$free") GiB free; the set-up needs $(inGib $((needed + 102))) GiB." \
            "free some space there, then run this again."
}

# inGib MIB: rounded down, with a decimal where there is one.
inGib() { awk -v mib="$1" 'BEGIN { printf "%.4g\n", int(mib / 102.4) / 10 }'; }

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


# stampOf SECTION: the file that says that this very version of a section is complete.
stampOf() { printf '%s/.%s-%s\n' "$deps" "$1" "$(section "$1" | sha256sum | cut -c1-16)"; }

# dropStamps SECTION: ahead of a change, also those of other versions: what they speak of is no longer there. Only
# digits may follow, since another section's name may begin with this one's.
dropStamps() { find -H "$deps" -maxdepth 1 -type f -regex ".*/\.$1-[0-9a-f]*" -delete; }

# withPip ARGS...: the pinned one, in an environment of its own, so that the system's Python stays as it is. What was
# interrupted has a Python before it has pip.
withPip() {
    local python="$deps/pip/bin/python" stamp
    stamp="$(stampOf pip)"
    { [ -e "$stamp" ] && "$python" -m pip --version >/dev/null 2>&1; } || {
        dropStamps pip
        /usr/bin/python3 -m venv --clear "$deps/pip" && section pip >"$deps/pip/requirements.txt" &&
            "$python" -m pip install --quiet --no-cache-dir --no-deps --require-hashes \
                -r "$deps/pip/requirements.txt" && touch "$stamp"
    } || return
    "$python" -m pip "$@"
}

# fetchWheels SECTION FOLDER LOG: what the folder's requirements.txt names, one after another: whoever is interrupted
# keeps those that are whole. What is on its way lies there as well, not in /tmp, which may be small or memory. Without
# pip's cache, which would keep them a second time and, as Debian 12's pip fills it, hold each in memory.
fetchWheels() {
    local folder="$2" wheel name size number=0 count
    count="$(wc -l <"$folder/requirements.txt")"
    rm -rf "$folder"/pip-* # of a killed one
    while IFS= read -r wheel; do
        number=$((number + 1))
        name="[$number/$count] ${wheel%%==*}"
        size="$(megabytes "$1" "${wheel%%==*}")"
        [ "$size" -eq 0 ] || say "  $name, $size MB"
        printf '%s\n' "$wheel" >"$folder/next.txt"
        meanwhile wheelLine fetchWheel "$folder" "$3" || return
    done <"$folder/requirements.txt"
}

# fetchWheel FOLDER LOG: that of its next.txt. Where the connection breaks it goes on with what is still to come.
fetchWheel() {
    TMPDIR="$1" withPip download --quiet --no-cache-dir --no-deps --require-hashes --only-binary=:all: \
        --resume-retries 50 -d "$1" -r "$1/next.txt" >>"$2" 2>&1 </dev/null
}

# wheelLine: how much of what fetchWheels is at has come.
wheelLine() {
    local come
    come="$(du -cm --apparent-size "$folder"/pip-* 2>/dev/null | tail -n 1 | cut -f 1)" || true
    printf '  %s: %s of %s MB' "$name" "$come" "$size"
}

# pipCause LOG: the last error; where pip found nothing, what kept it from looking: what stands last in its own report.
pipCause() {
    local error why=""
    error="$(cause "$1" error)"
    [[ "$error" != *"No matching distribution"* ]] ||
        why="$(sed -E "/connection broken by '/!d; s/.*connection broken by '//; s/[\"']*\)+': .*//; s/.*: //
            s/^\[Errno [-0-9]+\] //" "$1" | tail -n 1)"
    printf '%s\n' "${why:-$error}"
}

# unpackWheels SECTION FOLDER [MEMBER...]: downloads a section's wheels, checks their hashes, unpacks them into
# .deps/FOLDER (or only the named members). A stamp with the section's hash marks what is complete.
unpackWheels() {
    local part="$1" folder="$2" stamp wheel count downloads="$deps/downloads/$1" log="$deps/pip.log"
    shift 2
    stamp="$(stampOf "$part")"
    [ ! -e "$stamp" ] || return 0
    # An unpacking that was cut short has left its wheels: those of other versions are not for this one.
    section "$part" | cmp -s - "$downloads/requirements.txt" || rm -rf "$downloads"
    mkdir -p "$downloads" "$deps/$folder"
    section "$part" >"$downloads/requirements.txt"
    count="$(wc -l <"$downloads/requirements.txt")"
    say "Downloading $count package$([ "$count" = 1 ] || printf s) for: $part ..."
    keepAwake
    : >"$log"
    fetchWheels "$part" "$downloads" "$log" || {
        ! tail -n 1 "$log" | grep "Operation cancelled by user" >/dev/null || {
            stopped
        }
        # A disk that is too full for pip to say so leaves the second words alone.
        ! grep -E "No space left on device|--- Logging error ---" "$log" >/dev/null ||
            stop "downloading the packages for $part" "The disk of $deps is full." "free some space, then run this again."
        stop "downloading the packages for $part" "$(pipCause "$log")" \
            "$(fetchRemedy "$log"), then run this again; details in $log"
    }
    say "Unpacking: $part ..."
    dropStamps "$part"
    for wheel in "$downloads"/*.whl; do
        unzip -q -o "$wheel" "$@" -d "$deps/$folder" </dev/null || # it would ask whether to go on
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

# needSystem: packages and wheels are pinned for one release of Debian. Others would fetch for minutes and then find that
# they do not fit. Systems made of that release have its file.
needSystem() {
    local system
    [[ ! "$(cat "$debianVersion" 2>/dev/null)" =~ ^12(\.|$) ]] || return 0
    system="$(sed -n 's/^PRETTY_NAME=//p' /etc/os-release 2>/dev/null | tr -d '"')" || true
    stop "looking at this machine" "What Homebooth needs is pinned for Debian 12; this is ${system:-another system}." \
        "use Debian 12, in a virtual machine or a container if need be."
}

# mayHaveCard: whether an NVIDIA card that this build can use is in this machine; where none is seen, whether drivers of
# one are, or nobody can look. HOMEBOOTH_GPU says yes of another machine that uses this checkout, or no of a card that
# is not to be used. As core/base/system/bus_cards.cpp judges: Turing or newer, and not given to a virtual machine.
mayHaveCard() {
    local device id place old=""
    [ "${HOMEBOOTH_GPU:-}" != no ] || return 1
    [ "${HOMEBOOTH_GPU:-}" != yes ] && [ -d "$pciDevices" ] || return 0
    for device in "$pciDevices"/*; do
        [ "$(cat "$device/vendor" 2>/dev/null)" = 0x10de ] && [[ "$(cat "$device/class")" = 0x03* ]] || continue
        [[ "$(readlink "$device/driver")" != */@(vfio-pci|pci-stub) ]] || continue
        id="$(cat "$device/device" 2>/dev/null)" && ((id < 0x1e00)) || return 0
        old=yes
    done
    [ -z "$old" ] || return 1
    for place in "${driverPlaces[@]}"; do [ ! -e "$place" ] || return 0; done
    return 1
}

# isBuilt: whether an earlier run left what starts without the libraries that only a graphics card needs.
isBuilt() { [ -e "$(stampOf libtorch)" ] && [ -e "$root/build/release/bin/homebooth-engine" ]; }

# needDownloads run|test SECTION...: says how much is to come before any of it does, and looks whether the disk holds it
# with what is built of it: 4 GiB, 5 more for the tests, and 3 more for what a graphics card needs. Where that alone is
# missing, nothing is built, and it takes 5, with the 1 that LibTorch has taken already.
needDownloads() {
    local part all=0 there room=4 least=2
    [ "$1" = run ] || { room=9 && least=6; }
    [[ " $* " != *" cuda "* ]] || room=$((room + 3))
    ! isBuilt || { [ "$1" != run ] && [ ! -d "$root/build/release/Testing" ]; } || { room=6 && least=0; }
    shift
    for part in "$@"; do
        [ -e "$(stampOf "$part")" ] || all=$((all + $(megabytes "$part")))
    done
    there="$(du -sm --exclude='pip-*' "$deps/downloads" 2>/dev/null | cut -f 1)" || true # those are of a killed one
    all=$((all - ${there:-0}))
    for part in libtorch cuda; do
        [[ " $* " = *" $part "* ]] && [ ! -e "$(stampOf "$part")" ] || continue
        needFileSystem
        needSpace "$room" "$least"
        break
    done
    [ "$all" -lt 20 ] || say "Some $all MB are to be downloaded. Ctrl-C stops that; the next run goes on with it."
}

# setUp SECTION...: all that has to be installed before a build; SECTION are further Debian sections, for tests.
setUp() {
    local part parts=(libtorch) purpose=run later=""
    needProcessor
    needSystem
    takeFromCaller http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY HOMEBOOTH_GPU
    needOwn
    trap giveBack EXIT
    takeTurn "$deps"
    [ $# -eq 0 ] || purpose="test"
    if [ "$purpose" = test ] || mayHaveCard; then
        [ "$purpose" = run ] && isBuilt && later=yes || parts+=(cuda)
    elif [ ! -e "$(stampOf libtorch)" ]; then
        say "Without an NVIDIA card of GTX 16, RTX 20 or newer:" \
            "  what only one needs, $(megabytes cuda) MB, is left out till there is one."
    fi
    parts+=(vocabulary)
    hasNvcc || parts+=(nvcc)
    needDownloads "$purpose" "${parts[@]}" # ahead of all that takes long
    exec {told}>&2
    trap stopped INT
    installPackages debian "$@"
    for part in "${parts[@]}"; do unpackPart "$part"; done
    [ -z "$later" ] || [ -e "$(stampOf cuda)" ] || addCuda
    trap - INT
    exec {told}>&-
    endTurn
}

# addCuda: on a later run, what was built starts without it as well.
addCuda() {
    local status=0
    keepAwake # here: endTurn would not know of it
    (needDownloads run cuda && unpackPart cuda) || status=$?
    [ "$status" -ne 130 ] || exit 130
    [ "$status" -eq 0 ] ||
        say "" "Homebooth starts without what a graphics card needs; HOMEBOOTH_GPU=no leaves it out."
}

# unpackPart SECTION: each to its place.
unpackPart() {
    local cuda="$deps/libtorch/nvidia/cu13"
    case "$1" in
    vocabulary) unpackWheels vocabulary vocabulary 'open_clip/bpe_simple_vocab_16e6.txt.gz' ;;
    nvcc)
        unpackWheels nvcc libtorch
        ln -sfn lib "$cuda/lib64" # where nvcc looks for its device runtime
        chmod +x "$cuda"/bin/* "$cuda"/nvvm/bin/* 2>/dev/null || true
        ;;
    *) unpackWheels "$1" libtorch ;;
    esac
}
