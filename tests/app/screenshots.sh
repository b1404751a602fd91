#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# screenshots.sh OUTPUT [LOOK ...]: every page of the real window under Xvfb, one PNG each.
# A look is COLOURS-WIDTHxHEIGHT[-SCALE[-LANGUAGE]], e.g. light-1024x700, dark-1920x1080, light-1920x1080-2,
# dark-1024x700-1-de.
# $HOMEBOOTH_DEMO: a home that holds subjects, runs and pictures to be shown; else an empty one with an example.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
program="$root/build/release/bin/homebooth"
output="$1"
shift
looks=("$@")
[ "${#looks[@]}" -gt 0 ] || looks=(light-1280x800 dark-1280x800 light-1024x700 dark-1920x1080 light-1920x1080-2)
pages=(subjects train generate gallery datasets models queue settings)
mkdir -p "$output"

# shoot LOOK: starts the window and goes through its pages.
shoot() {
    local look="$1" colours size scale language width height display number=0 page
    IFS=- read -r colours size scale language <<<"$look"
    scale="${scale:-1}"
    width="${size%x*}"
    height="${size#*x}"
    display=":$((90 + RANDOM % 400))"
    Xvfb "$display" -screen 0 "${width}x${height}x24" -dpi 96 >/dev/null 2>&1 &
    local server=$!
    export DISPLAY="$display" QT_SCALE_FACTOR="$scale"
    sleep 1
    mkdir -p "$HOME/.config/homebooth"
    printf '[look]\ncolours=%s\nlanguage=%s\n[state]\npage=0\nwelcomed=true\n' "$colours" "${language:-en}" \
        >"$HOME/.config/homebooth/homebooth.ini"
    "$program" >"$output/$look.log" 2>&1 &
    local window=$!
    local id
    sleep 3 # what comes first is no window to be measured
    id="$(xdotool search --sync --onlyvisible --name '^Homebooth$' | tail -n 1)"
    xdotool windowmove "$id" 0 0 windowsize "$id" "$width" "$height" windowfocus "$id"
    sleep "${HOMEBOOTH_SETTLE:-3}"
    for page in "${pages[@]}"; do
        number=$((number + 1))
        xdotool key --window "$id" "ctrl+$number"
        sleep 1.5
        import -window root "$output/$look-$number-$page.png"
    done
    kill "$window"
    wait "$window" 2>/dev/null || true
    kill "$server"
    wait "$server" 2>/dev/null || true
}

if [ -z "${HOMEBOOTH_DEMO:-}" ]; then
    HOMEBOOTH_DEMO="$(mktemp -d)"
    trap 'rm -rf "$HOMEBOOTH_DEMO"' EXIT
fi
export HOME="$HOMEBOOTH_DEMO"
unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_CACHE_HOME
for look in "${looks[@]}"; do shoot "$look"; done
