#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# start_time.sh [STARTS]: milliseconds from the start of the program to the first paint of its window, under Xvfb.
# $HOMEBOOTH_DEMO: a home with what the window is to find; without it each start is a first one.
# Ends with 1 if a start took longer than the 1.5 s that are allowed.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
program="${HOMEBOOTH_PROGRAM:-$root/build/release/bin/homebooth}"
allowed=1500
work="$(mktemp -d)"
display=":$((90 + RANDOM % 400))"
Xvfb "$display" -screen 0 1920x1080x24 -dpi 96 >/dev/null 2>&1 &
server=$!
trap 'kill "$server"; rm -rf "$work"' EXIT
sleep 1
export DISPLAY="$display"
unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_CACHE_HOME WAYLAND_DISPLAY
# Qt tells of each piece of a window that it hands to the screen.
export QT_LOGGING_RULES="qt.widgets.painting.info=true" QT_FORCE_STDERR_LOGGING=1

now() { date +%s%3N; }

# start: prints the milliseconds of one start.
start() {
    local pipe="$work/pipe" line before window
    rm -f "$pipe"
    mkfifo "$pipe"
    before="$(now)"
    "$program" 2>"$pipe" &
    window=$!
    while read -r line; do
        [[ "$line" == *Flushing* ]] && break
    done <"$pipe"
    echo $(($(now) - before))
    kill "$window"
    wait "$window" 2>/dev/null || true
}

status=0
for number in $(seq "${1:-5}"); do
    export HOME="${HOMEBOOTH_DEMO:-$work/home$number}"
    mkdir -p "$HOME"
    took="$(start)"
    echo "start $number: $took ms to the first paint"
    [ "$took" -le "$allowed" ] || status=1
done
exit "$status"
