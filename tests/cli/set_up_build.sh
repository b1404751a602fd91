#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
#
# set_up_build.sh INSTALLER: how the set-up builds, and what it says where memory, disk or somebody ends that.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/set_up_place.sh"

aContainersMemoryBoundsTheCompilers() {
    local limit
    program nproc <<<'echo 64'
    echo $((3 << 29)) >"$place/limit"
    for limit in "'$place/limit'" "none '$place/limit'"; do
        [ "$(setUp "memoryLimits=($limit); buildJobs")" = 1 ] || fail "more compilers than its memory holds"
    done
    for limit in max 9223372036854771712; do # as either version says that there is none
        echo "$limit" >"$place/limit"
        [ "$(setUp "memoryLimits=('$place/limit'); buildJobs")" = 10 ] || fail "$limit counts, which is none"
    done
    [ "$(setUp "memoryLimits=(none); buildJobs")" = 10 ] || fail "a limit counts that is not there"
}

# buildFiles: a checkout that CMake configures and Ninja builds at once.
buildFiles() {
    cat >"$tree/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(nothing LANGUAGES NONE)
add_custom_command(OUTPUT made COMMAND ${CMAKE_COMMAND} -E touch made)
add_custom_target(all_of_it ALL DEPENDS made)
CMAKE
    printf '{"version": 6, "configurePresets": [{"name": "release", "generator": "Ninja", "binaryDir": "%s"}]}\n' \
        '${sourceDir}/build/release' >"$tree/CMakePresets.json"
}

aCheckoutThatWasMovedIsBuiltAgain() {
    local tree="$tree" said
    buildFiles
    setUp 'build release' >/dev/null
    rm -rf "$place/elsewhere"
    mv "$tree" "$place/elsewhere"
    tree="$place/elsewhere"
    said="$(setUp 'build release')" || fail "$said"
    expect "$said" "was moved"
    said="$(setUp 'build release')"
    [ -z "$said" ] || fail "it was built already: $said"
}

withoutRoomForItsFilesTheCompilerCacheIsLeftOut() {
    buildFiles
    sed -i 's/-E touch made/-E env ccache/' "$tree/CMakeLists.txt"
    program ccache <<<'[ -n "${CCACHE_DISABLE:-}" ] || { echo "ccache: error: Failed to create directory"; exit 1; }'
    setUp 'build release' >/dev/null || fail "it ended: $(cat "$tree/build/release.log")"
}

anInterruptedBuildSaysThatItGoesOn() {
    local said status=0
    program cmake <<<'exit 0'
    program ninja <<<'#!/bin/bash
[[ "$*" != *" -"[nt]* ]] || exit 0
trap "" INT; [ ! -t 0 ] || kill -INT 0; sleep 0.3; echo "ninja: build stopped: interrupted by user."; exit 2'
    said="$(setUp 'build release')" || status=$?
    expect "status $status: $said" "status 130" "goes on with the build"
    status=0 # on a terminal, whose Ctrl-C reaches whatever writes the log, too
    said="$(PATH="$place/bin" script -qec "bash -c 'set -euo pipefail; source \"$tree/installer/lib/setup.sh\"; build release'" \
        /dev/null)" || status=$?
    expect "status $status: $said" "status 130" "goes on with the build"
}

# ninjaWith STEPS [ALL]: one that has so much to do of all there is, says in $place/ninja how it was called, and does what standard input says.
ninjaWith() {
    program cmake <<<'exit 0'
    rm -f "$place/ninja"
    {
        printf '%s\n' '#!/bin/bash' "[[ \"\$*\" != *' -n'* ]] || { echo '[$1/$1] Linking'; exit 0; }" \
            "[[ \"\$*\" != *' -t'* ]] || { seq ${2:-$1}; exit 0; }" "echo \"\$*\" >>'$place/ninja'"
        cat
    } | program ninja
}

runBuildsTheProgramsAndTestAll() {
    ninjaWith 208 <<<'exit 0'
    printf '%s\n' 'setUp() { :; }' 'buildJobs() { echo 1; }' >>"$tree/installer/lib/setup.sh"
    cp "$installer"/{run,test} "$tree/installer"
    program ctest <<<'exit 0'
    program df <<<'printf "%s\n" Filesystem "disk 9 9 9000000 9% /"'
    unset DISPLAY WAYLAND_DISPLAY SUDO_UID
    expect "$(env "HOME=$place" "PATH=$place/bin" "$tree/installer/run" 2>&1 || true)" \
        "some 20 minutes, on a slow laptop up to 60"
    [[ "$(cat "$place/ninja")" = *" -j 1 programs" ]] || fail "expected the programs alone, found: $(cat "$place/ninja")"
    rm "$place/ninja"
    env "PATH=$place/bin" "$tree/installer/test" >/dev/null || fail "the tests were not run"
    [[ "$(cat "$place/ninja")" = *" -j 1" ]] || fail "expected all, found: $(cat "$place/ninja")"
}

aBuildThatTheDiskCannotHoldIsNotBegun() {
    ninjaWith 208 <<<'exit 0'
    program df <<<'printf "%s\n" Filesystem "disk 9 9 $((FREE * 1048576)) 9% /"'
    expect "$(FREE=1 setUp 'build release programs' || true)" "$tree/build has 1024 MiB free; the build needs 1040 MiB"
    [ ! -e "$place/ninja" ] || fail "it was begun"
    FREE=2 setUp 'build release programs' >/dev/null || fail "2 GiB are enough for the programs"
    ninjaWith 1270 <<<'exit 0'
    expect "$(FREE=2 setUp 'build release' || true)" "the build needs 6350 MiB"
    ninjaWith 110 <<<'exit 0'
    FREE=1 setUp 'build core-only' >/dev/null || fail "1 GiB is enough for what has no tests"
}

whatWasBuiltBeforeIsReplaced() {
    program df <<<'printf "%s\n" Filesystem "disk 9 9 $((FREE * 1048576)) 9% /"'
    program du <<<'[ "$2" = --exclude=scratch ] && echo "5000	$3"'
    ninjaWith 1270 <<<'exit 0'
    FREE=2 setUp 'build release' >/dev/null || fail "2 GiB are enough for what changes of it"
    program du <<<'exit 1'
    expect "$(FREE=2 setUp 'build release' || true)" "the build needs 6350 MiB"
    program du <<<'echo "2000	$3"'
    ninjaWith 600 1270 <<<'exit 0'
    expect "$(FREE=2 setUp 'build release' || true)" "the build needs 3000 MiB" # the other half
    ninjaWith 20 1270 <<<'exit 0'
    FREE=1 setUp 'build release' >/dev/null || fail "20 steps take little"
}

aBuildThatTheMemoryEndsGoesOnWithFewerCompilers() {
    local said killed="g++: fatal error: Killed signal terminated program cc1plus"
    ninjaWith 9 <<<"[[ \"\$*\" = *'-j 2'* ]] || { echo '$killed'; echo 'ninja: build stopped'; exit 1; }"
    said="$(setUp 'buildJobs() { echo 4; }; build release')" || fail "$said"
    expect "$said" "The memory ran out; going on with 2 at a time"
    expect "$(setUp 'buildJobs() { echo 8; }; build release' || true)" "going on with 4" "The memory ran out, and" \
        "close other programs" "it goes on where it was"
    [ "$(wc -l <"$place/ninja")" = 4 ] || fail "expected one more attempt each: $(cat "$place/ninja")"
    expect "$(setUp 'buildJobs() { echo 1; }; build release' || true)" "The memory ran out, and"
    ninjaWith 9 <<<"echo '  12 | say(\"$killed\");'; echo 'a.cpp:12: error: say'; exit 1"
    expect "$(setUp 'build release' || true)" "a.cpp:12: error: say" "the compiler reported the errors above"
}

aBuildThatTheDiskEndsNamesThePlace() {
    ninjaWith 9 <<<'echo "/tmp/x.s: fatal error: error writing: No space left on device"; exit 1'
    program df <<STUB
[ "\$2" = "$place/small" ] && free=5 || free=9000
printf "%s\n" Filesystem "disk 9 9 \$((free * 1024)) 9% /"
STUB
    mkdir -p "$place/small"
    expect "$(TMPDIR="$place/small" setUp 'build release' || true)" "The disk is full: $place/small has 5 MiB free." \
        "it goes on where it was"
}

compilersComeAfterAllElseAndSpeakEnglish() {
    ninjaWith 9 <<STUB
echo "at \$(nice), in \$LANGUAGE \$LC_ALL" >"$place/how"
STUB
    local language at=$(($(nice) + 10))
    for language in de_DE.UTF-8 en_US.UTF-8; do
        (unset LC_ALL LC_MESSAGES && LANG=$language LANGUAGE=de_DE:de setUp 'build release' >/dev/null)
        [ "$(cat "$place/how")" = "at $((at < 19 ? at : 19)), in  C.UTF-8" ] || fail "$(cat "$place/how")"
    done
}

for claim in aContainersMemoryBoundsTheCompilers aCheckoutThatWasMovedIsBuiltAgain \
    withoutRoomForItsFilesTheCompilerCacheIsLeftOut anInterruptedBuildSaysThatItGoesOn \
    runBuildsTheProgramsAndTestAll aBuildThatTheDiskCannotHoldIsNotBegun whatWasBuiltBeforeIsReplaced \
    aBuildThatTheMemoryEndsGoesOnWithFewerCompilers aBuildThatTheDiskEndsNamesThePlace \
    compilersComeAfterAllElseAndSpeakEnglish; do
    begin
    echo "$claim"
    "$claim"
done
