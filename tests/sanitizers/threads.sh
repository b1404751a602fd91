#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
#
# threads.sh BUILD TEST...: builds these tests of kernels or engine, and what they need, with the thread sanitizer in a
# folder of their own, and runs them. A report of the sanitizer fails a test, in whichever of its processes it comes.
# Beside them a program with a race in it is run, which the sanitizer has to find: else nothing was tested.
# $HOMEBOOTH_TORCH_DIR and $HOMEBOOTH_DEPS_DIR stand for the settings of the same names.
set -euo pipefail
source="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
mkdir -p "$1"
build="$(cd "$1" && pwd)"
shift
cd "$source" # where the presets are

# The sanitizer of older compilers does not start where addresses are drawn from a wide range.
fixed=()
if setarch "$(uname -m)" -R true 2>/dev/null; then fixed=(setarch "$(uname -m)" -R); fi

cat >"$build/race.cpp" <<'CODE'
#include <thread>
int shared = 0;
int main() {
    std::thread other([] { ++shared; });
    ++shared;
    other.join();
}
CODE
"${CXX:-c++}" -std=c++20 -O1 -g1 -fsanitize=thread -o "$build/race" "$build/race.cpp" -pthread
if "${fixed[@]}" "$build/race" 2>"$build/race.log"; then
    echo "the thread sanitizer does not find a race here"
    exit 1
fi
grep -q "WARNING: ThreadSanitizer: data race" "$build/race.log" || { cat "$build/race.log"; exit 1; }

settings=(-DHOMEBOOTH_APP=OFF -DHOMEBOOTH_PROGRAMS=OFF)
for name in HOMEBOOTH_TORCH_DIR HOMEBOOTH_DEPS_DIR; do
    if [ -n "${!name:-}" ]; then settings+=("-D$name=${!name}"); fi
done
cmake --preset tsan -B "$build" "${settings[@]}" >"$build/configure.log" ||
    { cat "$build/configure.log"; exit 1; }
cmake --build "$build" --target "$@" >"$build/build.log" || { tail -n 60 "$build/build.log"; exit 1; }

export OMP_NUM_THREADS=1
export TSAN_OPTIONS="halt_on_error=0:second_deadlock_stack=1:history_size=5:suppressions='$source/tests/sanitizers/threads.supp'"
expression="$(IFS='|' && echo "^($*)\$")"
"${fixed[@]}" ctest --test-dir "$build" --output-on-failure --no-tests=error -R "$expression"
