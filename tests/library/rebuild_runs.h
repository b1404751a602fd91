// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What the tests of the index of runs share: all steps of finding runs at once, on one thread. Free function.
#pragma once

#include "core/library/found_runs.h"

namespace homebooth::core {

/// @returns how many runs were added or changed
[[nodiscard]] inline Result<int> rebuildRuns(Library& library, const std::string& folder) {
    HOMEBOOTH_ASSIGN(const std::vector<RunRecord> known, loadRuns(library));
    const FoundRuns found = lookForRuns(known, folder);
    HOMEBOOTH_ASSIGN(const int news, takeUpRuns(library, found));
    settleRuns(found);
    noteStandings(folder);
    return news;
}

} // namespace homebooth::core
