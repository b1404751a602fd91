#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# start_time.sh [STARTS]: milliseconds from the start of the program to the first paint of its window, under Xvfb, as
# one line of JSON: {"allowedMs":1500,"cold":[...],"warm":[...]}. A cold start finds neither settings nor, as far as
# no other program holds them, the program's files in memory; a warm one follows upon it with both.
# $HOMEBOOTH_PROGRAM: the program; $HOMEBOOTH_DEMO: a home with what the window is to find, also at cold starts.
# Ends with 1 if a start took longer than allowed, with 2 if a window never came.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
program="${HOMEBOOTH_PROGRAM:-$root/build/release/bin/homebooth}"
allowed=1500
work="$(mktemp -d)"
mkfifo "$work/display" "$work/pipe"
Xvfb -displayfd 4 -screen 0 1920x1080x24 -dpi 96 >/dev/null 2>&1 4>"$work/display" &
server=$!
trap 'kill "$server"; rm -rf "$work"' EXIT
read -r number <"$work/display" # it answers from now on
export DISPLAY=":$number"
unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_CACHE_HOME WAYLAND_DISPLAY
# Qt tells of each piece of a window that it hands to the screen.
export QT_LOGGING_RULES="qt.widgets.painting.info=true" QT_FORCE_STDERR_LOGGING=1

libraries="$({ ldd "$program" || true; } 2>/dev/null | awk '$2 == "=>" && $3 ~ /^\// {print $3}')"
core="$(grep -m 1 libQt6Core <<<"$libraries" || true)"

# forget: what the program is made of is read from the disk next time.
forget() {
    local file
    {
        printf '%s\n' "$program" "$libraries"
        [ -z "$core" ] || find "$(dirname "$core")/qt6/plugins" -name '*.so' 2>/dev/null || true
    } | while read -r file; do
        dd if="$file" iflag=nocache count=0 status=none 2>/dev/null || true
    done
}

# start: prints the milliseconds of one start.
start() {
    local line before window painted=""
    before="$(date +%s%3N)"
    "$program" >/dev/null 2>"$work/pipe" &
    window=$!
    while read -r line; do
        [[ "$line" == *Flushing* ]] && painted=1 && break
    done <"$work/pipe"
    echo $(($(date +%s%3N) - before))
    kill "$window" 2>/dev/null || true
    wait "$window" 2>/dev/null || true
    [ -n "$painted" ]
}

cold=()
warm=()
for number in $(seq "${1:-5}"); do
    export HOME="${HOMEBOOTH_DEMO:-$work/home$number}"
    mkdir -p "$HOME"
    forget
    took="$(start)" || exit 2
    cold+=("$took")
    took="$(start)" || exit 2
    warm+=("$took")
done

# list NUMBERS...: with commas between them.
list() {
    local IFS=,
    echo "$*"
}

echo "{\"allowedMs\":$allowed,\"cold\":[$(list "${cold[@]}")],\"warm\":[$(list "${warm[@]}")]}"
for took in "${cold[@]}" "${warm[@]}"; do
    [ "$took" -le "$allowed" ] || exit 1
done
