#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
#
# steps_test.sh    What tests/gpu/run notes of tests that pass, fail, crash and lack a GPU that was found, with programs
# in place of nvidia-smi and of the tests.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
out="$work/out"
built="$work/built"
gpu=""
testStatus=""
mkdir -p "$out" "$built/tests" "$work/bin"
PATH="$work/bin:$PATH"

fail() {
    printf 'FAILED: %s\n' "$1" >&2
    cat "$out/notes.tsv" >&2
    exit 1
}

# program FILE LINE...: a shell script of these lines.
program() {
    local file="$1"
    shift
    printf '%s\n' '#!/bin/sh' "$@" >"$file"
    chmod +x "$file"
}

# noted WHAT FINDING
noted() { grep -qxF "$1"$'\t'"$2" "$out/notes.tsv" || fail "$1 is not noted as: $2"; }

program "$work/bin/nvidia-smi" 'exit 9'
HOMEBOOTH_GPU_EXPECTED=1
findGpu
[ "$gpu" = none ] || fail "a GPU was found where nvidia-smi finds none"
[ -z "${HOMEBOOTH_GPU_EXPECTED:-}" ] || fail "a GPU is expected where there is none"

passes='echo "[  PASSED  ] 3 tests."'
program "$built/tests/tst_a" "$passes"
runBuiltTests
noted tst_a "[  PASSED  ] 3 tests."
[ "$testStatus" -eq 0 ] || fail "a test that passed counts as one that failed"

program "$work/bin/nvidia-smi" 'echo "A card, 580.1"'
findGpu
noted gpu "A card, 580.1"
program "$built/tests/tst_b" 'kill -SEGV $$'
program "$built/tests/tst_c" '[ -z "$HOMEBOOTH_GPU_EXPECTED" ] || { echo "[  FAILED  ] 1 test."; exit 1; }' "$passes"
runBuiltTests
noted tst_a "[  PASSED  ] 3 tests."
noted tst_b "ended with 139 before its own closing line"
noted tst_c "[  FAILED  ] 1 test."
[ "$testStatus" -eq 1 ] || fail "a test that failed counts as one that passed"
