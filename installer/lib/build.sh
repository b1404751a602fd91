# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
#
# Configures and builds: how long that takes, what it needs of memory and disk, and why it failed. Sourced by setup.sh.

# What a build that was cut short for lack of memory or of disk has in its log. The compilers' own words, which are why
# they speak English here; lines of source that they quote do not count.
outOfMemory='Killed signal terminated|internal compiler error: Killed|terminated with signal 9|died due to signal 9'
outOfMemory+='|virtual memory exhausted|out of memory allocating|Cannot allocate memory|\[code=137\]'
outOfDisk='No space left on device|Disk quota exceeded'

# buildJobs: as many compilers as there are cores, but 1.5 GiB of memory for each, of the machine's or the container's.
buildJobs() {
    local cores memory limit
    cores="$(nproc)"
    memory="$(awk '/MemAvailable/ { print int($2 / 1572864) }' /proc/meminfo)"
    limit="$(cat "${memoryLimits[@]}" 2>/dev/null |
        awk '/^[0-9]/ && $1 < 2 ^ 50 { print int($1 / 1610612736); exit }')" || true
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

# build PRESET [TARGET...]: configures when needed, and builds; without targets all there is.
build() {
    local preset="$1" log="$root/build/$1.log" fresh=() steps
    mkdir -p "$root/build"
    takeTurn "$root/build"
    probeCache
    if wasMoved "$preset"; then
        say "This folder was moved since Homebooth was built in it, so it is built again."
        fresh=(--fresh)
    fi
    (cd "$root" && cmake "${fresh[@]}" --preset "$preset") >"$log" 2>&1 ||
        stop "configuring the build" "$(grep -A 2 'CMake Error' "$log" | tr '\n' ' ')" "see $log"
    steps="$(stepsLeft "$@")"
    if [ "$steps" != none ]; then
        needBuildSpace "$steps" "$@"
        say "Building Homebooth$(timeOf "$steps") ..."
        keepAwake
        buildWithProgress "$log" "$@"
    fi
    giveBack # whoever calls this may become the window, and then nothing is done at the end
    endTurn
}

# stepsLeft PRESET [TARGET...]: of what Ninja has to do: how many at most, or none; 0 where it does not say.
stepsLeft() {
    local steps
    steps="$(NINJA_STATUS='[%f/%t] ' ninja -C "$root/build/$1" -n "${@:2}" 2>/dev/null |
        sed -n 's,^\[[0-9]*/\([0-9]*\)\].*,\1,p; s/.*no work to do.*/none/p' | tail -n 1)" || true
    printf '%s\n' "${steps:-0}"
}

# needBuildSpace STEPS PRESET [TARGET...]: refuses to begin what the disk cannot hold. With what the compiler's cache
# keeps of it, a step takes 5 MiB. What was built before is replaced, so it takes no more than all steps there are less
# what lies there, and some for the cache.
needBuildSpace() {
    local free all there needed size=5
    all="$(ninja -C "$root/build/$2" -t commands "${@:3}" 2>/dev/null | wc -l)" || true
    there="$(du -sm --exclude=scratch "$root/build/$2" 2>/dev/null | cut -f 1)" || true
    [ "$all" -ge "$1" ] || all="$1"
    needed=$((all * size - ${there:-0}))
    [ "$needed" -ge 300 ] || needed=300
    [ "$needed" -le $(($1 * size)) ] || needed=$(($1 * size))
    free="$(freeMib "$root/build")"
    [ "$free" -ge "$needed" ] ||
        stop "looking for disk space" "$root/build has $free MiB free; the build needs $needed MiB." \
            "free some space there, then run this again."
}

# timeOf STEPS: words for how long they take. On a core of a server or a new desktop one of the programs takes 6 seconds,
# since it compiles several sources, one of the tests 1.7; on a laptop up to three times that.
timeOf() {
    local jobs minutes programs=250
    jobs="$(buildJobs)"
    [ "$1" -gt "$programs" ] || programs="$1"
    minutes=$(((programs * 60 + ($1 - programs) * 17) / 600 / jobs))
    [ "$minutes" -gt 2 ] || return 0
    printf ': some %d minutes, on a slow laptop up to %d' "$minutes" $((minutes * 3))
}

# buildWithProgress LOG PRESET [TARGET...]: once more with half the compilers where the memory was too small for all.
buildWithProgress() {
    local log="$1" jobs before=1
    shift
    jobs="$(buildJobs)"
    ! compile "$log" "$jobs" "$@" || return 0
    if [ "$jobs" -gt 1 ] && ended "$log" 1 "$outOfMemory" && ! wasInterrupted "$log"; then
        jobs=$((jobs / 2))
        say "The memory ran out; going on with $jobs at a time ..."
        before=$(($(wc -l <"$log") + 1))
        ! compile "$log" "$jobs" "$@" || return 0
    fi
    buildFailed "$log" "$before"
}

# compile LOG JOBS PRESET [TARGET...]: after all else that wants the processor. LANGUAGE would outweigh LC_ALL.
compile() {
    local log="$1" line ninja
    ninja=(env LANGUAGE= LC_ALL=C.UTF-8 nice -n 10 ninja -C "$root/build/$3" -j "$2" "${@:4}")
    if [ -t 1 ]; then
        NINJA_STATUS='[%f/%t, %es] ' "${ninja[@]}" 2>&1 | tee -ia "$log" |
            { # not awk: Debian's reads in blocks, and progress would stand still for minutes
                trap '' INT # as tee does: what ninja says of a Ctrl-C belongs in the log
                while IFS= read -r line; do [ "${line#[}" = "$line" ] || printf '\r\033[K%.100s' "$line"; done
                echo
            }
    else
        NINJA_STATUS='[%f/%t] ' "${ninja[@]}" >>"$log" 2>&1
    fi
}

wasInterrupted() { tail -n 1 "$1" | grep -q "interrupted by user"; }

# ended LOG LINE PATTERN: whether that is what ended a build, by its log from that line on.
ended() { tail -n "+$2" "$1" | grep -vE '^ *[0-9]* \|' | grep -E "$3" >/dev/null; }

# fullPlaces: where a build writes and little room is left; where there is enough now, all of them.
fullPlaces() {
    local place free all=() full=()
    for place in "$root/build" "${TMPDIR:-/tmp}" "$(ccache -k cache_dir 2>/dev/null)"; do
        [ -d "$place" ] || continue
        free="$(freeMib "$place")"
        all+=("$place has $free MiB free")
        [ "$free" -ge 1024 ] || full+=("$place has $free MiB free")
    done
    [ "${#full[@]}" -gt 0 ] || full=("${all[@]}")
    printf '%s; ' "${full[@]}" | sed 's/; $//'
}

# buildFailed LOG LINE: says why, by its log from that line on.
buildFailed() {
    local again="then run this again: it goes on where it was. Details in $1"
    if wasInterrupted "$1"; then
        printf '\nStopped. The next run goes on with the build where this one was.\n' >&2
        exit 130
    fi
    ! ended "$1" "$2" "$outOfDisk" ||
        stop "building" "The disk is full: $(fullPlaces)." "free some space there, $again"
    ! ended "$1" "$2" "$outOfMemory" ||
        stop "building" "The memory ran out, and the system ended a compiler." \
            "close other programs, a browser first of all, $again"
    tail -n "+$2" "$1" | grep -E 'error|FAILED' | head -n 20 >&2 || true
    stop "building" "the compiler reported the errors above." "see $1"
}
