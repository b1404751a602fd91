#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
#
# layers.sh SOURCES    The layers of the sources, and that the check that says so sees what it forbids.
set -euo pipefail
sources="$1"
"$sources/.ci/check-layers"

tree="$(mktemp -d)"
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/.ci"
cp "$sources/.ci/check-layers" "$tree/.ci"
(cd "$sources" && find kernels core app -type d -exec mkdir -p "$tree/{}" \;)

fail() {
    printf 'FAILED: %s\n' "$1" >&2
    exit 1
}

# forbidden FILE INCLUDED...: a file that includes any of these is told.
forbidden() {
    local file="$1" included
    shift
    for included in "$@"; do
        printf '#include %s\n' "$included" >"$tree/$file"
        ! "$tree/.ci/check-layers" >"$tree/said" || fail "$file may include $included"
        grep -qF "$included" "$tree/said" || fail "$included in $file is not told: $(cat "$tree/said")"
    done
    rm "$tree/$file"
}

"$tree/.ci/check-layers" || fail "sources without a file break the layers"
qt=('<QString>' '<QtCore/QString>' '<QtGlobal>' '<QtCore/qglobal.h>' '<qstring.h>' '"QtCore/QFile"')
forbidden core/base/one.cpp "${qt[@]}" '<torch/torch.h>' '"core/engine/one.h"' '<opencv2/core.hpp>'
forbidden kernels/one.cuh "${qt[@]}" '<ATen/ATen.h>' '"core/base/one.h"'
forbidden core/engine/one.h "${qt[@]}" '"app/one.h"' '<SQLiteCpp/Database.h>'
forbidden app/one.h '<ATen/ATen.h>' '"core/worker/one.h"'
