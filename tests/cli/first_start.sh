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
    touch "$(setUp 'stampOf cuda')"
    cat >"$bin/homebooth" <<'STUB'
#!/bin/bash
[ "${1:-}" != --check-display ] || [ "$DISPLAY" != :77 ] || { echo "could not connect to display :77" >&2; kill -ABRT $$; }
[ "${1:-}" = --check-display ] || echo "window of $(id -u) in $HOME: $*"
[ "${1:-}" = --check-display ] || echo "display $WAYLAND_DISPLAY, sockets $XDG_RUNTIME_DIR, pictures $HOMEBOOTH_HOME"
STUB
    # STOPS=train, before, after: what ends in the middle; EARLY=yes: with nothing saved; END: what the journal says then.
    # STATE: of the graphics card.
    cat >"$bin/homebooth-engine" <<'STUB'
#!/bin/bash
if [ "$1" = doctor ]; then
    [ "${STATE:-}" != silent ] || exit 124 # as timeout has it
    printf '{\n  "gpu": {\n    "state": "%s",\n    "message": "its own words"\n  }\n}\n' "${STATE:-ready}"
    exit 0
fi
echo "$*" >>"$CALLED"
[ -n "$HOME" ] || exit 1
[ "$2" != --help ] || exit 0
folder="${!#}"
mkdir -p "$folder"
if [ "$1" = sample ]; then
    for ((number = 0; number < $7; number++)); do
        [ "$number" != 2 ] || [ "${STOPS:-}" != "${folder##*/}" ] || exit 5
        printf 'a picture' >"$folder/0000$number-$((${11} + number)).png"
    done
    exit 0
fi
[ "$1" = resume ] || echo "{\"instanceDir\": \"$5\"}" >"$folder/run.json"
if [ "${STOPS:-}" != train ]; then
    mkdir -p "$folder/result/model"
    echo '{"type":"outcome","outcome":"done","code":0}' >>"$folder/events.jsonl"
    exit 0
fi
echo '{"type":"state","state":"loading"}' >"$folder/events.jsonl"
if [ -z "${EARLY:-}" ]; then
    mkdir -p "$folder/checkpoints/step-000010"
    echo '{"type":"checkpoint","step":10}' >>"$folder/events.jsonl"
fi
printf "${END-"{\"type\":\"outcome\",\"outcome\":\"cancelled\",\"code\":5}\n"}" >>"$folder/events.jsonl"
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

whatItDoesNotKnowIsRefusedAtOnce() {
    local said status=0
    said="$(start DISPLAY=:1 --nonsense)" || status=$?
    [ "$status" = 2 ] || fail "expected 2 for an unknown option, found: $status"
    [ "$said" = "${said#*window of}" ] || fail "it went on: $said"
    expect "$said" "unknown option --nonsense" "installer/run --help"
    expect "$(start DISPLAY=:1 -- -odd.jpg)" "window of"
}

aDisplayThatDoesNotAnswerGivesWayToTheDemonstration() {
    local said
    said="$(start DISPLAY=:77)" || fail "$said"
    expect "$said" "could not connect to display :77" "Done. You find:"
    expect "$(cat "$place/called")" "train " "$place/home/Homebooth/first-run-1/run"
}

aDriverThatIsOfNoUseLeavesItToTheProcessor() {
    local said state home="$place/home/Homebooth" why="The processor computes, which takes longer: "
    for state in "driver too old" broken silent; do
        rm -rf "$home" "$place/called"
        said="$(start "STATE=$state")" || fail "$said"
        expect "$said" "$why" "Done. You find:"
        [ "$(grep -c -- "--device cpu" "$place/called")" = 3 ] || fail "expected cpu thrice: $(cat "$place/called")"
    done
    expect "$said" "${why}the graphics driver gave no answer."
    rm -rf "$home" "$place/called"
    start HOMEBOOTH_GPU=no >/dev/null || fail "it did not start"
    rm -rf "$home" "$(setUp 'stampOf cuda')"
    expect "$(start)" "${why}what the graphics card needs was not downloaded." "Done. You find:"
    [ "$(grep -c -- "--device cpu" "$place/called")" = 6 ] || fail "expected cpu six times: $(cat "$place/called")"
    rm -rf "$home" "$place/called"
    ! start "STATE=driver too old" STOPS=train >/dev/null || fail "it was not stopped"
    expect "$(start "STATE=driver too old")" "${why}its own words." "Done. You find:"
    expect "$(cat "$place/called")" "resume --device cpu $home/first-run-1/run"
}

withoutACardTheEngineChoosesByItself() {
    local said
    said="$(start "STATE=no driver")" || fail "$said"
    expect "$said" "The processor computes, which takes longer: its own words." "Done. You find:"
    said+="$(start)" || fail "$said"
    [ "$(grep -c "The processor computes" <<<"$said")" = 1 ] || fail "a card that is ready was not noticed: $said"
    ! grep -q -- --device "$place/called" || fail "expected the engine's own choice: $(cat "$place/called")"
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
    local said status=0 home="$place/home/photos [all] * of \\?" early end
    local run="$home/first-run-1/run" stopped='{"type":"outcome","outcome":"cancelled","code":5}\n'
    for end in "$stopped" '' '{"type":"st' '\0\0\0'; do # the power fails as well, amid a line or a block
        for early in "" yes; do
            rm -rf "$home" "$place/called"
            status=0
            said="$(start STOPS=train EARLY=$early "END=$end" "HOMEBOOTH_HOME=$home")" || status=$?
            [ "$status" = 5 ] || fail "expected the engine's own status, found $status: $said"
            said="$(start "HOMEBOOTH_HOME=$home")" || fail "$said"
            expect "$said" "Training goes on in $home/first-run-1"
            expect "$(cat "$place/called")" "resume $run" "--model $run/result/model"
            [ ! -e "$home/first-run-2" ] || fail "another one was begun"
        done
    done
}

# names FOLDER: of its pictures.
names() { (cd "$1" && echo *); }

picturesThatAreMissingAreMade() {
    local said home="$place/home/Homebooth/first-run-1" all="00000-1.png 00001-2.png 00002-3.png 00003-4.png 00004-5.png"
    local folder
    all+=" 00005-6.png"
    for folder in before after; do
        rm -rf "$home" "$place/called"
        ! said="$(start STOPS=$folder)" || fail "it was not stopped: $said"
        [ "$(names "$home/$folder")" = "00000-1.png 00001-2.png" ] || fail "$(names "$home/$folder")"
        ! start STOPS=$folder >/dev/null || fail "it was not stopped again" # what it made has other numbers by itself
        said="$(start)" || fail "$said"
        expect "$said" "2 are missing" "Done. You find:"
        expect "$(cat "$place/called")" "--count 4 --steps 20 --seed 3 --output $home/$folder" "--count 2 --steps 20 --seed 5"
        [ "$(grep -c "^train" "$place/called")" = 1 ] || fail "it was trained again: $(cat "$place/called")"
        ! grep -q "^resume" "$place/called" || fail "a finished training was gone on with"
        [ "$(names "$home/$folder")" = "$all" ] || fail "$(names "$home/$folder")"
        [ ! -e "$place/home/Homebooth/first-run-2" ] || fail "another one was begun"
    done
    rm "$home/after/00001-2.png"
    : >"$home/after/00003-4.png" # as file systems leave it that lost power
    start >/dev/null
    expect "$(tail -n 2 "$place/called")" "--count 1 --steps 20 --seed 2" "--count 1 --steps 20 --seed 4"
    [ "$(names "$home/after")" = "$all" ] || fail "$(names "$home/after")"
}

aFinishedRunIsFollowedByAnother() {
    local home="$place/home/Homebooth"
    expect "$(start)" "Done. You find:" "$home/first-run-1/after" "$home/first-run-1/run/charts"
    expect "$(start)" "Done. You find:" "$home/first-run-2/after"
}

twoAtTheSameTimeTakeTwoFolders() {
    local said home="$place/home/Homebooth"
    mkdir -p "$home/first-run-1"
    said="$(flock "$home/first-run-1" "$(command -v env)" "HOME=$place/home" "CALLED=$place/called" "PATH=$place/bin" \
        "$tree/installer/run" 2>&1)" || fail "$said"
    expect "$said" "Another first run works in $home/first-run-1" "$home/first-run-2/after"
    expect "$(start)" "$home/first-run-1/after"
}

whatIsNoFirstRunOrFailedIsLeftAlone() {
    local home="$place/home/Homebooth"
    mkdir -p "$home/first-run-1"
    touch "$home/first-run-1/thesis.txt" "$home/first-run-2"
    ! start STOPS=train END='{"type":"outcome","outcome":"failed","code":4}\n' >/dev/null || fail "it did not fail"
    expect "$(start)" "$home/first-run-4/after"
    ! grep -q resume "$place/called" || fail "what failed was gone on with"
}

aPlaceThatCannotBeMadeIsNamed() {
    program mkdir <<<'for last; do :; done; [[ "$last" != */first-run-* ]] || exit 1; exec /bin/mkdir "$@"'
    expect "$(start || true)" "first-run-1 could not be made" HOMEBOOTH_HOME
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

# Sudo takes it out of the environment, but was itself started with it.
aWaylandDisplayIsFoundThroughSudo() {
    [ "$(id -u)" -eq 0 ] || return 0
    local runtime="$place/run user" said caller=(WAYLAND_DISPLAY=wayland-1 "XDG_RUNTIME_DIR=$place/run user" "CALLED=x")
    mkdir -p "$runtime"
    chown 65534 "$runtime"
    program getent <<<"echo 'nobody:x:65534:65534:Anna:$place/home:/bin/sh'"
    program sudo <<'STUB'
#!/bin/bash
/usr/bin/env -i "PATH=$PATH" HOME=/root SUDO_UID=65534 SUDO_GID=65534 "$@"
exit $?
STUB
    said="$(env "${caller[@]}" "HOMEBOOTH_HOME=$place/home/own" "PATH=$place/bin" "$place/bin/sudo" "$tree/installer/run" 2>&1)" ||
        fail "$said"
    expect "$said" "window of 65534 in $place/home" \
        "display $runtime/wayland-1, sockets $runtime, pictures $place/home/own"
    said="$(env "${caller[@]}" "PATH=$place/bin" "$place/bin/sudo" /bin/sh -c "'$tree/installer/run' a.jpg; exit \$?" 2>&1)" ||
        fail "$said"
    expect "$said" "window of 65534 in $place/home: a.jpg"
    chmod 700 "$tree"
    expect "$(env "${caller[@]}" "PATH=$place/bin" "$place/bin/sudo" "$tree/installer/run" 2>&1)" "window of 0" \
        "display $runtime/wayland-1"
}

for claim in whatItDoesNotKnowIsRefusedAtOnce aDisplayThatAnswersGetsTheWindow aDisplayThatDoesNotAnswerGivesWayToTheDemonstration \
    aDriverThatIsOfNoUseLeavesItToTheProcessor withoutACardTheEngineChoosesByItself \
    whatIsSaidAtTheEndCanBeCopied aPlaceThatCannotBeWrittenIsNamedFirst withoutHomeThereIsTheSystems \
    aTrainingThatWasStoppedGoesOn picturesThatAreMissingAreMade aFinishedRunIsFollowedByAnother twoAtTheSameTimeTakeTwoFolders \
    whatIsNoFirstRunOrFailedIsLeftAlone aPlaceThatCannotBeMadeIsNamed aTrainingOfAnotherCheckoutIsLeftAlone \
    aTrainingWithoutItsCheckpointsIsLeftAlone whatSudoBeganGoesOnForWhoeverCalledIt aWaylandDisplayIsFoundThroughSudo; do
    begin
    built
    echo "$claim"
    "$claim"
done
