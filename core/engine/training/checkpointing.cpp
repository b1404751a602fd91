// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/checkpointing.h"

#include "core/base/config/train_config_json.h"
#include "core/base/files/atomic_file.h"
#include "core/base/run/checkpoint.h"
#include "core/engine/training/run_start.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStateName = "state.json";

RunState stateOf(Trainee& trainee, int64_t step) {
    RunState state;
    state.step = step;
    state.cursors = trainee.cursors();
    state.dataHash = trainee.dataHash();
    state.flow = trainee.learner().flowState();
    state.threads = at::get_num_threads();
    return state;
}

Result<void> writeContents(const JobContext& job, Trainee& trainee, int64_t step, const std::string& folder) {
    ManifestOptions options;
    HOMEBOOTH_ASSIGN(options.knownHashes, trainee.learner().save(folder));
    HOMEBOOTH_CHECK(writeFileAtomically(folder + "/" + kStateName, toJson(stateOf(trainee, step))));
    options.step = step;
    options.configHash = trainConfigHash(job.config);
    const auto manifest = writeManifest(folder, options);
    if (!manifest) return manifest.error();
    return {};
}

Result<RunState> readState(const std::string& folder) {
    const std::string path = folder + "/" + kStateName;
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return parseRunState(text.str(), path);
}

/// The gradient flow as it goes on; moments that were pruned begin at this step.
GradientFlowState flowAfter(const RunState& state, bool withOptimizer) {
    GradientFlowState flow = state.flow;
    if (!withOptimizer) flow.statesBegin = state.step - state.flow.skippedSteps;
    return flow;
}

/// The photos' part of a data hash; class pictures are made again when they are gone.
std::string photosOf(const std::string& dataHash) {
    return dataHash.substr(0, dataHash.find('+'));
}

/// In the middle of a run other photos would make another result than the one that was begun.
Error changedPhotos(int64_t step) {
    const std::string number = std::to_string(step);
    return badInput("resuming: the pictures or captions have changed since the checkpoint of step " + number +
                    "; put them back, or end the run there (--steps " + number +
                    ") and then train it further with them, or start a new run");
}

/// What was learned since would go, and the run would be called finished at a step that it never ended on.
Error tooFewSteps(int64_t done, int64_t asked) {
    return badInput("resuming: expected at least the " + std::to_string(done) +
                    " steps that this run has done, found --steps " + std::to_string(asked) +
                    "; ask for that many or more, or start a new run");
}

/// Whether the checkpoint holds moving averages.
bool hasAverages(const CheckpointManifest& manifest) {
    return std::any_of(manifest.files.begin(), manifest.files.end(),
                       [](const ManifestFile& file) { return file.path.starts_with(kAveragesPrefix); });
}

} // namespace

namespace {

/// Makes room for a checkpoint. @returns  whether it has yet to be written
Result<bool> prepareFolder(const JobContext& job, const std::string& path) {
    std::error_code error;
    fs::create_directories(job.run.checkpointsDir(), error);
    if (error) return systemError("make the folder of checkpoints", job.run.checkpointsDir(), error.value());
    const bool exists = fs::symlink_status(path, error).type() != fs::file_type::not_found;
    if (exists && verifyCheckpoint(path).ok()) return false;
    if (exists) fs::remove_all(path, error);
    if (exists && error) return systemError("remove a damaged checkpoint", path, error.value());
    return true;
}

Result<void> writeCheckpoint(const JobContext& job, Trainee& trainee, int64_t step, const std::string& path) {
    {
        HOMEBOOTH_ASSIGN(AtomicFolder folder, AtomicFolder::create(path));
        HOMEBOOTH_CHECK(writeContents(job, trainee, step, folder.partialPath()));
        HOMEBOOTH_CHECK(folder.commit());
    }
    const auto pruned = pruneCheckpoints(job.run.checkpointsDir(), step, job.config.output.keepCheckpoints);
    if (!pruned) return pruned.error();
    return {};
}

} // namespace

Result<std::string> saveCheckpoint(const JobContext& job, Trainee& trainee, int64_t step) {
    const std::string path = job.run.checkpointDir(step);
    const Ranks& ranks = job.ranks();
    bool writes = false;
    if (ranks.isFirst()) {
        HOMEBOOTH_ASSIGN(writes, prepareFolder(job, path));
    }
    if (!ranks.any(writes)) return path;
    if (writes)
        HOMEBOOTH_CHECK(writeCheckpoint(job, trainee, step, path));
    else
        trainee.learner().contribute();
    ranks.meetAgain();
    return path;
}

namespace {

/// The newest whole one, which is the same for all ranks: each reads its own part of it. Empty: there is
/// none.
Result<ValidCheckpoint> newestForAll(const JobContext& job) {
    ValidCheckpoint found;
    if (!listCheckpoints(job.run.checkpointsDir()).empty()) {
        HOMEBOOTH_ASSIGN(found, newestValidCheckpoint(job.run.checkpointsDir()));
    }
    const std::string step =
        found.path.empty() ? "none" : "that of step " + std::to_string(found.manifest.step);
    HOMEBOOTH_CHECK(job.ranks().expectSame("checkpoint", step));
    return found;
}

} // namespace

Result<Restored> restoreCheckpoint(const JobContext& job, Trainee& trainee) {
    Restored restored;
    HOMEBOOTH_ASSIGN(const ValidCheckpoint checkpoint, newestForAll(job));
    if (checkpoint.path.empty()) return restored;
    for (const std::string& rejected : checkpoint.rejected)
        restored.warnings.push_back("a newer checkpoint was passed over: " + rejected);
    HOMEBOOTH_ASSIGN(const RunState state, readState(checkpoint.path));
    if (state.step > job.config.steps) return tooFewSteps(state.step, job.config.steps);
    const bool withOptimizer = checkpoint.manifest.hasOptimizer();
    if (!withOptimizer)
        restored.warnings.push_back("the optimizer states of this checkpoint were pruned: they begin anew");
    const bool withAverages = hasAverages(checkpoint.manifest);
    if (!withAverages && job.config.optimizer.emaDecay > 0.0)
        restored.warnings.push_back("this checkpoint has no moving average: it begins with the weights");
    HOMEBOOTH_CHECK(trainee.learner().load(checkpoint.path, {withOptimizer, withAverages}));
    trainee.learner().restoreFlow(flowAfter(state, withOptimizer));
    if (checkpoint.manifest.configHash != trainConfigHash(job.config))
        restored.warnings.push_back(
            "the settings have changed since this checkpoint: the run goes on with the "
            "new ones");
    const bool changed = state.dataHash != trainee.dataHash();
    if (photosOf(state.dataHash) != photosOf(trainee.dataHash()) && state.step < job.config.steps &&
        state.step > finishedSteps(job.run))
        return changedPhotos(state.step);
    if (changed) restored.warnings.push_back("the pictures or captions have changed: a new epoch begins");
    trainee.restoreCursors(state.cursors, changed);
    if (state.threads != at::get_num_threads())
        restored.warnings.push_back("the run was computed with " + std::to_string(state.threads) +
                                    " threads, now there are " + std::to_string(at::get_num_threads()) +
                                    ": the last bits will differ");
    restored.step = state.step;
    restored.path = checkpoint.path;
    return restored;
}

Result<void> pruneOptimizerStates(const JobContext& job) {
    if (job.config.output.keepOptimizerState) return {};
    for (const CheckpointEntry& entry : listCheckpoints(job.run.checkpointsDir()))
        HOMEBOOTH_CHECK(pruneOptimizerState(entry.path));
    return {};
}

std::string keptInWords(const RunFolder& run) {
    const auto newest = newestValidCheckpoint(run.checkpointsDir());
    if (!newest)
        return listCheckpoints(run.checkpointsDir()).empty() ? "no checkpoint was written yet"
                                                             : "no checkpoint is whole any more";
    return "the checkpoint of step " + std::to_string(newest->manifest.step) + " in " + newest->path;
}

} // namespace homebooth::core
