#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# translations.sh LUPDATE ROOT: every sentence of the window has its German, and every plural its English.
set -euo pipefail
lupdate="$1"
cd "$2"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cp translations/homebooth_de.ts translations/homebooth_en.ts "$work"
status=0
for language in de en; do
    file="$work/homebooth_$language.ts"
    only=()
    [ "$language" = de ] || only=(-pluralonly)
    "$lupdate" -silent -locations none -no-obsolete "${only[@]}" -I . app -ts "$file"
    if grep -q 'type="unfinished"' "$file"; then
        echo "homebooth_$language.ts lacks these; run lupdate and translate them:"
        grep -B2 'type="unfinished"' "$file" | grep '<source>' | sed 's/ *<source>/  /; s/<.source>//'
        status=1
    fi
done
exit "$status"
