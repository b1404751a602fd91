#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# screenshots.sh OUTPUT [LOOK ...]: every page of the real window under Xvfb, one PNG each.
# A look is COLOURS-WIDTHxHEIGHT[-SCALE[-LANGUAGE]], e.g. light-1024x700, dark-1920x1080, light-1920x1080-2,
# dark-1024x700-1-de.
# Beside the eight pages: Welcome, About, and the large view of a picture.
# $HOMEBOOTH_DEMO: a home that holds subjects, runs and pictures to be shown; one that is empty, and the temporary
# one that is taken where none is named, is filled with an example first: a short training, pictures, a dataset.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
program="$root/build/release/bin/homebooth"
output="$1"
shift
looks=("$@")
[ "${#looks[@]}" -gt 0 ] || looks=(light-1280x800 dark-1280x800 light-1024x700 dark-1920x1080 light-1920x1080-2
    dark-1024x700-1-de)
pages=(subjects train generate gallery datasets models queue settings)
mkdir -p "$output"

engine="$root/build/release/bin/homebooth-engine"

# fill: makes what the pages show, with the real engine and the default model.
fill() {
    local sketch="$root/resources/models/sketch" photos="$root/resources/drawings/blue_dog" name
    mkdir -p "$HOME/Homebooth/runs" "$HOME/Homebooth/pictures" "$HOME/blue dogs"
    for name in "$photos"/*.png; do
        cp "$name" "$HOME/blue dogs"
        echo "a drawing of a blue dog, cartoon" >"$HOME/blue dogs/$(basename "$name" .png).txt"
    done
    "$engine" train --model "$sketch" --instance "$photos" --prompt "a drawing of ohwx dog" --steps 40 \
        --preview-every 20 --checkpoint-every 20 --output "$HOME/Homebooth/runs/blue dog" \
        >/dev/null
    for name in "a red apple" "a rocket" "a green tree" "a blue fish"; do
        "$engine" sample --model "$sketch" --prompt "$name" --count 4 --seed 7 --steps 20 \
            --output "$HOME/Homebooth/pictures/${name// /-}" >/dev/null
    done
}

# picture NAME: what is on the screen now.
picture() {
    sleep 1.5
    import -window root "$output/$look-$1.png"
}

# menu KEYS...: an entry of the menu Help, by keys that are the same in every language.
menu() {
    xdotool key --window "$id" alt+h
    sleep 0.5
    xdotool key "$@"
}

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
    printf '[look]\ncolours=%s\nlanguage=%s\n[state]\npage=0\nwelcomed=true\npromptsOpen=true\n' "$colours" \
        "${language:-en}" >"$HOME/.config/homebooth/homebooth.ini"
    "$program" "${first[@]}" >"$output/$look.log" 2>&1 &
    local window=$!
    local id
    sleep 3 # what comes first is no window to be measured
    id="$(xdotool search --sync --onlyvisible --name '^Homebooth$' | tail -n 1)"
    xdotool windowmove "$id" 0 0 windowsize "$id" "$width" "$height" windowfocus "$id"
    sleep "${HOMEBOOTH_SETTLE:-3}"
    # A folder of captioned pictures becomes a dataset of the window that is open.
    [ "${#first[@]}" -eq 0 ] || "$program" "$HOME/blue dogs"
    first=()
    sleep 2
    for page in "${pages[@]}"; do
        number=$((number + 1))
        xdotool key --window "$id" "ctrl+$number"
        picture "$number-$page"
    done
    menu Up Up Return # the last but one
    picture 9-welcome
    menu Up Return
    picture 10-about
    xdotool key Escape
    sleep 0.5
    xdotool windowfocus "$id" key ctrl+4
    sleep 1
    # The first picture of the wall: right of the sidebar, below title, filters and heading.
    xdotool mousemove "$(awk -v s="$scale" 'BEGIN { print int(260 * s) }')" \
        "$(awk -v s="$scale" 'BEGIN { print int(250 * s) }')" click 1 key Return
    picture 11-large
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
first=() # what the window is given at its first start
if [ ! -d "$HOME/Homebooth" ]; then
    fill
    first=("$root"/resources/drawings/blue_dog/*.png)
fi
for look in "${looks[@]}"; do shoot "$look"; done
