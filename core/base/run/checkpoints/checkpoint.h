// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Checkpoints: a folder each, whose manifest.json is written last and names every file with its size and
// SHA-256, and has one of all else in itself. A folder without a valid manifest is no checkpoint. Free
// functions; one writer a run.
//
// To write one: AtomicFolder::create(run.checkpointDir(step)); write files into partialPath();
// writeManifest(partialPath(), ...); commit(); then pruneCheckpoints.
#pragma once

#include "core/base/files/sha256.h"
#include "core/base/util/result.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace homebooth::core {

constexpr int kCheckpointFormat = 1;
constexpr const char* kManifestName = "manifest.json";
constexpr const char* kOptimizerPrefix = "optimizer"; ///< of paths that hold optimizer states
constexpr const char* kFavouriteName = "favourite";   ///< an empty file beside the manifest; see setFavourite

struct ManifestFile {
    std::string path; ///< within the checkpoint, "/" between folders
    int64_t bytes = 0;
    std::string sha256;
    bool optimizer = false; ///< states that may be pruned from old checkpoints
};

struct CheckpointManifest {
    int format = kCheckpointFormat;
    int64_t step = 0;
    std::string configHash; ///< trainConfigHash of the run that wrote it
    std::vector<ManifestFile> files;
    bool optimizerPruned = false;
    bool rolling = false; ///< by the clock, or for the battery: it goes with the next one of either kind

    /// Whether optimizer states are in it.
    [[nodiscard]] bool hasOptimizer() const;
};

struct ManifestOptions {
    int64_t step = 0;
    std::string configHash;
    /// Hashes that the writer already knows, by relative path; other files are read again.
    std::map<std::string, std::string> knownHashes;
    bool rolling = false;
};

/// Hashes every file in `folder` and writes the manifest. Errors: BadInput, OutOfResources
[[nodiscard]] Result<CheckpointManifest> writeManifest(const std::string& folder,
                                                       const ManifestOptions& options);

/// Reads the manifest alone. Errors: BadInput: missing, damaged, or of a newer format
[[nodiscard]] Result<CheckpointManifest> readManifest(const std::string& folder);

enum class VerifyDepth { Sizes, Hashes };

/// Checks that every file of the manifest is there, whole and unchanged.
/// Errors: BadInput listing every missing or changed file
[[nodiscard]] Result<CheckpointManifest> verifyCheckpoint(const std::string& folder,
                                                          VerifyDepth depth = VerifyDepth::Hashes,
                                                          const ProgressCallback& progress = {});

/// The same of those files alone that are read: others may be large.
/// @param paths  within the checkpoint. Errors: also BadInput where the manifest does not name one
[[nodiscard]] Result<void> verifyFiles(const std::string& folder, const std::vector<std::string>& paths);

struct CheckpointEntry {
    std::string path;
    int64_t step = 0;
};

/// The folders named like checkpoints, newest first, valid or not. A missing folder has none.
[[nodiscard]] std::vector<CheckpointEntry> listCheckpoints(const std::string& checkpointsDir);

struct ValidCheckpoint {
    std::string path;
    CheckpointManifest manifest;
    std::vector<std::string> rejected; ///< newer ones and why they were passed over, one line each
};

/// The newest checkpoint whose hashes, or sizes alone, hold.
/// Errors: BadInput if there is none; the message lists each with what is wrong with it, and what can be done
[[nodiscard]] Result<ValidCheckpoint> newestValidCheckpoint(const std::string& checkpointsDir,
                                                            VerifyDepth depth = VerifyDepth::Hashes);

/// Whether the disk does not give back what lies in a folder of checkpoints, so that nobody knows which of
/// them are whole.
[[nodiscard]] bool diskFails(const std::string& checkpointsDir);
/// What is said then, where none was found to be whole.
constexpr const char* kCheckpointsUnread = "the checkpoints cannot be read while the disk reports an error; "
                                           "they may be whole: look again when it answers";

/// A run that went on to fewer steps than it has done would lose what it learned since, and be called
/// finished at a step that it never ended on. Errors: BadInput with both counts
[[nodiscard]] Result<void> checkStepsCover(int64_t done, int64_t asked);

/// Drops the oldest checkpoints beyond `keep` (at least 2), after the one of step `written` was verified; and
/// the optimizer states of all but that one when `pruneOptimizer`. Favourites beyond `keep` stay without
/// their optimizer states. Rolling ones do not count: all but the one written go. Those of later steps, which
/// a run that fell back left damaged, and other invalid ones do not count as kept and stay.
/// @param depth  of that check: Sizes where the files were read back and compared just before
/// @returns  paths that were removed. Errors: BadInput if the one written is missing or damaged: then nothing
///           was removed
[[nodiscard]] Result<std::vector<std::string>> pruneCheckpoints(const std::string& checkpointsDir,
                                                                int64_t written, int64_t keep,
                                                                bool pruneOptimizer = false,
                                                                VerifyDepth depth = VerifyDepth::Hashes);

/// Whether somebody wants to keep it.
[[nodiscard]] bool isFavourite(const std::string& folder);

/// Has a checkpoint stay when older ones go, or no longer. It is no part of the manifest, which the run's
/// process may be writing. Errors: BadInput for what is no checkpoint; OutOfResources
[[nodiscard]] Result<void> setFavourite(const std::string& folder, bool favourite);

/// Whether a checkpoint is a rolling one, as far as its manifest can be read.
[[nodiscard]] bool isRolling(const std::string& folder);

/// Drops rolling checkpoints ahead of one that is to be written, which would take their place: only those
/// of other steps, where the newest that counts is whole. @param enough  bytes that have to come of it
/// @returns  whether any went. Errors: BadInput, OutOfResources
[[nodiscard]] Result<bool> dropRolling(const std::string& checkpointsDir, int64_t step, int64_t enough);

/// Makes a rolling checkpoint one that counts. Errors: BadInput, OutOfResources
[[nodiscard]] Result<void> makeCounted(const std::string& folder);

/// Removes the optimizer states of one checkpoint and says so in its manifest; also what an earlier removal
/// that was cut off has left. Errors: BadInput, OutOfResources
[[nodiscard]] Result<void> pruneOptimizerState(const std::string& folder);

} // namespace homebooth::core
