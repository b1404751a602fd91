#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
#
# steps_test.sh    What tests/gpu/run notes of tests that pass, fail, crash and lack a GPU that was found, with programs
# in place of nvidia-smi and of the tests; which tests want a GPU, and where those that were built elsewhere find what
# they read.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
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

wanting="$(gpuTests)"
for name in tst_adamw_gpu tst_gpu_streaming tst_nccl_collective tst_packed_homes; do
    grep -qxF "$name" <<<"$wanting" || fail "$name is not among the tests that want a GPU"
done
! grep -qxF tst_executor <<<"$wanting" || fail "a test without a GPU is among those that want one"

torchDir="$work/torch"
mkdir -p "$built/bin"
program "$built/bin/homebooth-bench" 'exit 0'
echo 0123abc >"$built/commit"
takeBuilt
noted build "none: programs of 0123abc"
for model in "${HOMEBOOTH_FIXTURES:-}/tiny-sd1" "${HOMEBOOTH_RESOURCES:-}/models/sketch"; do
    [ -f "$model/model_index.json" ] || fail "expected a model in $model, found none"
done
