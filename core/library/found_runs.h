// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The index of runs rebuilt from their folders: looked for by any thread, for as long as a drive takes, then
// taken up on the library's thread, which waits for no drive. Free functions.
#pragma once

#include "core/library/run_store.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace homebooth::core {

/// What a run's folder says that the index did not know.
struct FoundRun {
    RunRecord now;
    std::optional<RunRecord> before; ///< as the index had it; nothing: a new one
};

struct FoundRuns {
    std::vector<FoundRun> news;
    std::map<std::string, std::string> moved; ///< from where to where: the same run
};

/// Looks at every run folder directly inside `folder`: those that the index lacks, and what became of known
/// ones while nobody looked (a training that ended after the window was closed). So it does at known ones
/// elsewhere that had not ended, and at those of the queue, which may be of a script. A folder that was moved
/// or renamed is the same run: the only one that says that it began where no run is any more. A copy is a run
/// of its own, and says so from then on. Any thread. @param known  all runs of the index
[[nodiscard]] FoundRuns lookForRuns(const std::vector<RunRecord>& known, const std::string& folder);

/// Writes what was found into the index; what changed there since the look is newer, and stays. Title, key
/// and subjects of a known run stay; those of a new one are what its run.json notes of them. On the library's
/// thread. @returns how many were added or changed
[[nodiscard]] Result<int> takeUpRuns(Library& library, const FoundRuns& found);

/// Has the runs that were moved say that they are where they are. To be called once the index knows it: else
/// each would be another run. One that somebody works on is left as it is. Any thread.
void settleRuns(const FoundRuns& found);

/// Has folders of checkpoints elsewhere say which copies of runs stand on them, directly inside `folder`
/// (checkpoint_places.h). At each look: they may have been out of reach at the one before. For as long as
/// their drives take, so nobody shall wait for it. Any thread.
void noteStandings(const std::string& folder);

/// Has runs that learn on from others say in their run.json where those are. Those that somebody works on are
/// left as they are. Any thread. @param moved  from where to where
void followRuns(const std::vector<RunRecord>& runs, const std::map<std::string, std::string>& moved);

} // namespace homebooth::core
