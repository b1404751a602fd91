#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
#
# installed.sh BUILD: installs into an empty place and asks the installed engine what it finds there.
set -euo pipefail
build="$1"
place="$(mktemp -d)"
trap 'rm -rf "$place"' EXIT
cmake --install "$build" --prefix "$place/usr" >"$place/log" || { cat "$place/log"; exit 1; }

fail() { echo "$1"; exit 1; }
for file in share/homebooth/models/sketch/model_index.json share/homebooth/drawings/blue_dog; do
    [ -e "$place/usr/$file" ] || fail "$file was not installed"
done
unset HOMEBOOTH_VOCABULARY HOMEBOOTH_RESOURCES
vocabulary="$("$place/usr/bin/homebooth-engine" doctor --json | grep -A2 '"vocabulary"')"
grep -q "\"path\": \"$place/usr/share/homebooth/vocabulary/" <<<"$vocabulary" ||
    fail "the engine looks for the vocabulary elsewhere: $vocabulary"
grep -q '"found": true' <<<"$vocabulary" || fail "the vocabulary was not installed: $vocabulary"
if [ -x "$place/usr/bin/homebooth" ]; then
    desktop-file-validate "$place/usr/share/applications/homebooth.desktop" || [ $? -eq 127 ]
    window="$place/usr/bin/homebooth"
    unset DISPLAY WAYLAND_DISPLAY QT_QPA_PLATFORM
    "$window" --version | grep Homebooth >/dev/null || fail "it needs a display to say its version"
    "$window" --help | grep "files..." >/dev/null || fail "it needs a display to say what it takes"
    QT_QPA_PLATFORM=offscreen "$window" --check-display || fail "no window"
    mkdir -p "$place/config/homebooth"
    printf '[look]\n\001 no value\n' >"$place/config/homebooth/homebooth.ini"
    for word in --version --check-display; do
        XDG_CONFIG_HOME="$place/config" QT_QPA_PLATFORM=offscreen "$window" "$word" >"$place/log"
    done
    [ "$(ls "$place/config/homebooth")" = homebooth.ini ] ||
        fail "damaged settings were put aside by what tells nobody"
    ! (ulimit -c 0 && DISPLAY=:7777 QT_QPA_PLATFORM=xcb "$window" --check-display 2>/dev/null) ||
        fail "a window on a display that is none"
fi
