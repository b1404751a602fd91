// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Checkpoints of a run that lie on another disk: `checkpoints` in the run's folder is then a link to
// "<name of the run> checkpoints" in a folder that the user chose, and `result` one to the folder of that
// name within, so that what the run makes lies there, too, and goes wherever that folder goes. All else
// reads and writes through the links. Where they lead to a drive that is away and the user chooses another
// folder, the old link stays as `checkpoints-before`, further ones with a number: what lies there goes with
// the run, and is gone back to where nothing newer was saved. Free functions; one writer a run.
#pragma once

#include "core/base/run/run_folder.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace homebooth::core {

/// Where the link of the run in a folder leads, whatever is there; nothing where checkpoints lie within it.
[[nodiscard]] std::optional<std::string> checkpointsElsewhere(const std::string& runDir);

/// The same, if that folder goes with the run: it says that it belongs to the run (checkpoint_places.h), its
/// name is one that `moveCheckpoints` gives, and it holds checkpoints, the result and nothing else.
[[nodiscard]] std::optional<std::string> ownCheckpointsElsewhere(const std::string& runDir);

/// Where the run's result lies, or will: `result` may be a link to a folder that is to be made.
[[nodiscard]] std::string resultPlace(const RunFolder& run);

/// Whether it lies with the run's checkpoints, wherever those are.
[[nodiscard]] bool resultLiesWithCheckpoints(const RunFolder& run);

/// Errors: BadInput where a link leads to a folder that is gone, e.g. with its drive: such a run has saved
/// something, and must not begin anew
[[nodiscard]] Result<void> expectCheckpointsThere(const RunFolder& run);

/// The step of the last checkpoint that the run's journal tells of; 0: of none.
[[nodiscard]] int64_t lastSavedStep(const RunFolder& run);

/// The same as expectCheckpointsThere, and also where nothing lies in that folder though something was
/// saved: while a drive is not mounted, the folder where it will be is there, and empty.
/// @param savedStep  of the run; 0: it has saved nothing
[[nodiscard]] Result<void> expectSavedThere(const RunFolder& run, int64_t savedStep);
/// The same by the journal, which is read only where no checkpoint is found.
[[nodiscard]] Result<void> expectSavedThere(const RunFolder& run);

/// A folder of checkpoints outside of the run, as it was when one was saved there.
struct SavedElsewhere {
    std::string folder;
    uint64_t device = 0; ///< the same for all that lies on one file system; 0: unknown
};

/// As it is now; nothing where checkpoints lie within the run.
[[nodiscard]] std::optional<SavedElsewhere> savedElsewhere(const RunFolder& run);

/// The same for whoever has saved the last one. In another folder than that there is none yet, and who
/// has emptied the folder that is still on the same file system wanted the room.
[[nodiscard]] Result<void> expectSavedThere(const RunFolder& run, int64_t savedStep,
                                            const std::optional<SavedElsewhere>& savedIn);

/// That nothing of what the run has saved can be looked at, and why; nothing where some can, or nothing
/// was saved.
[[nodiscard]] std::optional<std::string> lossInWords(const RunFolder& run);

/// As ownCheckpointsElsewhere, of those that were left on drives that were away when their place was
/// moved; without those that still are.
[[nodiscard]] std::vector<std::string> ownCheckpointsBefore(const std::string& runDir);

/// Goes back to the newest of those where nothing newer was saved since, with a result that was made
/// meanwhile, and ends a move that was cut, for whoever holds the run's lock. Does nothing else.
/// Errors: BadInput, OutOfResources
[[nodiscard]] Result<void> returnToCheckpointsBefore(const RunFolder& run);

/// Lets checkpoints lie in `folder` from now on. The newest valid one (of another run's: that this one's
/// journal tells of), and of its own the favourites, are copied there and verified, then the link takes the
/// name `checkpoints` in one step, and what lay there before goes. The result goes along, and one that is
/// still to be made will lie there. Of a drive that is away nothing is copied, and nothing goes; neither does
/// what does not belong to the run, nor what a copy stands on (checkpoint_places.h). What an earlier try left
/// in `folder` that was cut off goes.
/// @param folder       absolute, outside of the run
/// @param emptyIsAway  whether an empty folder is taken for that of a drive that is not mounted, where
///                     the journal tells of a checkpoint; who knows that none was saved in it says no
/// @returns  where they lie now. Errors: BadInput, OutOfResources; then they lie where they did
[[nodiscard]] Result<std::string> moveCheckpoints(const RunFolder& run, const std::string& folder,
                                                  bool emptyIsAway = true);

/// Whether the link leads to what is another run's (mayTake in checkpoint_places.h): this one is a copy of
/// that, whether or not it is in sight.
[[nodiscard]] bool checkpointsAreAnothers(const std::string& runDir);

/// A run that has left what another one saves.
struct OfAnother {
    std::string folder; ///< where the run saves now
    std::string others; ///< where the other one does
    int64_t step = 0;   ///< of the checkpoint that was copied from there; 0: none
};

/// Gives a copy of a run checkpoints of its own, for whoever holds its lock: it would overwrite and remove
/// those of the other one. They begin beside those, with the newest one that this run's journal tells of.
/// What a link leads to and is the run's own under an earlier name belongs to it from here on.
/// @returns  nothing where the run has its own. Errors: BadInput, OutOfResources; then nothing has changed
[[nodiscard]] Result<std::optional<OfAnother>> takeOwnCheckpoints(const RunFolder& run);

} // namespace homebooth::core
