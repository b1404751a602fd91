#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
#
# first_start.sh INSTALLER: what installer/run starts, and for whom, once all is set up and built.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/set_up_place.sh"
tree="$place/a tree"
unset DISPLAY WAYLAND_DISPLAY SUDO_UID SUDO_GID HOMEBOOTH_HOME

# built: a checkout in which nothing is left to do, whose programs say how they were called.
built() {
    local bin="$tree/build/release/bin"
    rm -rf "${place:?}/home" "$place/called"
    mkdir -p "$bin" "$tree/.deps" "$place/home"
    cp "$installer/run" "$tree/installer"
    printf '%s\n' 'setUp() { say "set up"; }' 'build() { say built; }' >>"$tree/installer/lib/setup.sh"
    cat >"$bin/homebooth" <<'STUB'
#!/bin/bash
[ "${1:-}" != --check-display ] || [ "$DISPLAY" != :77 ] || { echo "could not connect to display :77" >&2; kill -ABRT $$; }
[ "${1:-}" = --check-display ] || echo "window of $(id -u) in $HOME: $*"
STUB
    cat >"$bin/homebooth-engine" <<'STUB'
#!/bin/bash
echo "$*" >>"$CALLED"
[ -n "$HOME" ] || exit 1
[ "$1" = "${STOPS:-}" ] || exit 0
mkdir -p "${!#}"
echo "{\"instanceDir\": \"$5\"}" >"${!#}/run.json"
if [ -z "${EARLY:-}" ]; then
    mkdir -p "${!#}/checkpoints/step-000010"
    echo '{"type":"checkpoint","step":10}' >"${!#}/events.jsonl"
fi
echo '{"type":"outcome","outcome":"cancelled","code":5}' >>"${!#}/events.jsonl"
exit 5
STUB
    chmod 755 "$bin"/*
}

# start [NAME=VALUE...] [FILE...]: prints all that installer/run says.
start() {
    local settings=("HOME=$place/home" "CALLED=$place/called" "PATH=$place/bin")
    while [[ "${1:-}" = *=* ]]; do settings+=("$1") && shift; done
    env "${settings[@]}" "$tree/installer/run" "$@" 2>&1
}

aDisplayThatAnswersGetsTheWindow() {
    expect "$(start DISPLAY=:1 "a photo.jpg")" "window of $(id -u) in $place/home: a photo.jpg"
    [ ! -e "$place/called" ] || fail "there was a demonstration, too"
}

aDisplayThatDoesNotAnswerGivesWayToTheDemonstration() {
    local said
    said="$(start DISPLAY=:77)" || fail "$said"
    expect "$said" "could not connect to display :77" "Done. You find:"
    expect "$(cat "$place/called")" "train " "$place/home/Homebooth/first-run-1/run"
}

whatIsSaidAtTheEndCanBeCopied() {
    local said
    said="$(start)" || fail "$said"
    rm "$place/called"
    CALLED="$place/called" bash -c "$(sed -n 's/^Your own photos: //p' <<<"$said")" || fail "no command: $said"
    [ "$(cat "$place/called")" = "train --help" ] || fail "expected the help of train, found: $(cat "$place/called")"
}

aPlaceThatCannotBeWrittenIsNamedFirst() {
    local said
    ! said="$(start HOME=/proc/none)" || fail "it went on: $said"
    expect "$said" "/proc/none/Homebooth cannot be written" HOMEBOOTH_HOME
    [[ "$said" != *"set up"* ]] || fail "it began to set up: $said"
    expect "$(start HOME=/proc/none HOMEBOOTH_HOME="$place/home/other")" "$place/home/other/first-run-1/run/result"
}

withoutHomeThereIsTheSystems() {
    local said
    said="$(env -u HOME "CALLED=$place/called" "PATH=$place/bin" "HOMEBOOTH_HOME=$place/home" "$tree/installer/run" 2>&1)" ||
        fail "$said"
    expect "$said" "Done. You find:"
}

aTrainingThatWasStoppedGoesOn() {
    local said status=0 home="$place/home/photos [all] * of \\?" early
    local run="$home/first-run-1/run"
    for early in "" yes; do
        rm -rf "$home" "$place/called"
        said="$(start STOPS=train EARLY=$early "HOMEBOOTH_HOME=$home")" || status=$?
        [ "$status" = 5 ] || fail "expected the engine's own status, found $status: $said"
        said="$(start "HOMEBOOTH_HOME=$home")" || fail "$said"
        expect "$(cat "$place/called")" "resume $run" "--model $run/result/model"
        [ ! -e "$home/first-run-2" ] || fail "another one was begun"
        echo '{"type":"outcome","outcome":"done","code":0}' >>"$run/events.jsonl"
        expect "$(start "HOMEBOOTH_HOME=$home")" "$home/first-run-2/run"
    done
}

# Its pictures are not where it would look for them.
aTrainingOfAnotherCheckoutIsLeftAlone() {
    local run="$place/home/Homebooth/first-run-1/run"
    start STOPS=train >/dev/null || true
    sed -i 's|"instanceDir": "|&/moved|' "$run/run.json"
    expect "$(start)" "$place/home/Homebooth/first-run-2/run"
    ! grep -q resume "$place/called" || fail "it was gone on with"
}

# What was saved is gone, so there is nothing to go on with.
aTrainingWithoutItsCheckpointsIsLeftAlone() {
    start STOPS=train >/dev/null || true
    rm -r "$place/home/Homebooth/first-run-1/run/checkpoints"
    expect "$(start)" "$place/home/Homebooth/first-run-2/run"
}

whatSudoBeganGoesOnForWhoeverCalledIt() {
    [ "$(id -u)" -eq 0 ] || return 0
    local sudo=(SUDO_UID=65534 SUDO_GID=65534)
    program getent <<<"echo 'nobody:x:65534:65534:Anna, of the house:$place/home:/bin/sh'"
    expect "$(start DISPLAY=:1 "${sudo[@]}" HOME=/root a.jpg)" "window of 65534 in $place/home: a.jpg"
    chmod 700 "$tree"
    expect "$(start DISPLAY=:1 "${sudo[@]}")" "window of 0 in $place/home"
}

for claim in aDisplayThatAnswersGetsTheWindow aDisplayThatDoesNotAnswerGivesWayToTheDemonstration \
    whatIsSaidAtTheEndCanBeCopied aPlaceThatCannotBeWrittenIsNamedFirst withoutHomeThereIsTheSystems \
    aTrainingThatWasStoppedGoesOn aTrainingOfAnotherCheckoutIsLeftAlone aTrainingWithoutItsCheckpointsIsLeftAlone \
    whatSudoBeganGoesOnForWhoeverCalledIt; do
    begin
    built
    echo "$claim"
    "$claim"
done
