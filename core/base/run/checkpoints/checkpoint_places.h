// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The links of a run to folders of checkpoints outside of it, and which run such a folder belongs to:
// its file "belongs-to.txt" names that run's folder, and what tells it from copies (run_identity.h).
//   1. Only whom it belongs to removes anything in a folder.
//   2. A run that was renamed takes its folders along. A copy of it has the same links, and never gets
//      what they lead to, also while the original is out of sight or has another name.
//   3. A run that was moved to another file system looks like a copy, and is taken for one.
//   4. A folder that does not say whose it is goes to the run that is where it began (isWhereItBegan),
//      if nothing newer lies there than that run knows of. One that names a run's folder alone, as
//      somebody wrote it by hand, goes to the run there.
//   5. A folder also names the runs that stand on what lies in it though it is another one's, as soon as
//      a window sees them or they go on. It stays while it names one that was not seen with checkpoints
//      of its own since, wherever that is. A copy that nobody has seen while the folder was in reach is
//      found beside the run alone; so is one that was taken out of the trash, until it is seen again.
//   6. What a deleted run leaves for such copies stays until somebody removes it by hand. That the last
//      copy does so was considered, but the run may be in the trash still, or have another place by now.
// To ask whether the named folder still is there was considered, but it may be renamed, or its drive
// away. Free functions; any thread.
#pragma once

#include "core/base/util/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace homebooth::core {

/// Of the file in a folder of checkpoints that names the run.
constexpr const char* kOwnerName = "belongs-to.txt";

/// Of a link to checkpoints in a run's folder until it takes the place of the one before; if the power
/// goes right then, that one has the name, and its folder still is known.
constexpr const char* kLinkInTheMaking = ".checkpoints.partial-linked";

/// What names of links begin with that lead to where checkpoints were before.
constexpr const char* kNameBefore = "checkpoints-before";

/// Whether the path itself is a link.
[[nodiscard]] bool isLink(const std::string& path);

/// Where a link leads, whatever is there; nothing of what is none.
[[nodiscard]] std::optional<std::string> linkTarget(const std::string& link);

/// Where the link `checkpoints` of a run leads; nothing where they lie within it.
[[nodiscard]] std::optional<std::string> checkpointsLink(const std::string& runDir);

/// A link to a folder that was moved from while its drive was away.
struct PlaceBefore {
    std::string link;
    std::string folder; ///< where it leads, whatever is there
};

/// By their names.
[[nodiscard]] std::vector<PlaceBefore> placesBefore(const std::string& runDir);

/// All that links of a run lead to.
[[nodiscard]] std::vector<std::string> linkedFolders(const std::string& runDir);

/// The folder of the run that a folder of checkpoints belongs to; nothing where it does not say.
[[nodiscard]] std::optional<std::string> ownerOf(const std::string& folder);

/// Which other runs stand on it stays known.
/// Errors: BadInput, OutOfResources
[[nodiscard]] Result<void> setOwner(const std::string& folder, const std::string& runDir);

/// Whether a folder belongs to the run in `runDir`, which has that name.
[[nodiscard]] bool isOwner(const std::string& runDir, const std::string& folder);

/// The step of the last checkpoint that the journal of the run tells of; 0: of none.
[[nodiscard]] int64_t lastSavedStepOf(const std::string& runDir);

/// Whether what lies in a folder to which a link of the run leads is the run's own: it belongs to it,
/// also under an earlier name, or to nobody else that could have saved there.
[[nodiscard]] bool mayTake(const std::string& runDir, const std::string& folder);

/// Has the folders that are the run's own (mayTake) belong to it under the name that it has now, and the
/// others that its links lead to say that it stands on them. What cannot be written to stays as it is.
void bringCheckpointsAlong(const std::string& runDir);

/// Has folders that are another run's, and that links of this one lead to, say that it stands on them.
/// The run stays as it is; nobody needs its lock for this.
void noteStanding(const std::string& runDir);

/// Has a folder say no more that a run stands on it, unless a link of that still leads there.
/// @param identity  of the run (run_identity.h), which may be gone
void forgetStanding(const std::string& folder, const std::string& runDir, const std::string& identity);

/// Other runs that need a folder: a link of theirs leads to it, or the folder names them and they were
/// not seen with their own since. Looks at those beside the run.
/// @param further  folders of runs elsewhere that are looked at, too
[[nodiscard]] std::vector<std::string> othersThatNeed(const std::string& folder, const std::string& runDir,
                                                      const std::vector<std::string>& further = {});

/// Leaves a folder that a run has moved from to the others that need it: to a single one that knows of
/// all that lies there, it belongs from here on. Else it stays as it is, and they begin with a copy.
void leaveTo(const std::vector<std::string>& others, const std::string& folder);

/// Whether checkpoints lie in a folder, and no run that it names leads there from where that was.
[[nodiscard]] bool lacksItsRun(const std::string& folder);

} // namespace homebooth::core
