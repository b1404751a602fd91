// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/checkpointing.h"

#include "core/base/config/byte_size.h"
#include "core/base/config/train_config_json.h"
#include "core/base/files/atomic_file.h"
#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/run/checkpoints/checkpoints_elsewhere.h"
#include "core/base/run/middle_of_run.h"
#include "core/base/system/disk_facts.h"
#include "core/engine/training/shared_tensor_files.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

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

/// Which checkpoint is written.
struct Saving {
    int64_t step = 0;
    SaveKind kind = SaveKind::Counted;
};

/// What stands beside the tensors: where the run is, and the manifest. @param hashes  of the tensors' files
Result<void> describe(const JobContext& job, Trainee& trainee, const Saving& saving,
                      const std::string& folder, FileHashes hashes) {
    HOMEBOOTH_CHECK(writeFileAtomically(folder + "/" + kStateName, toJson(stateOf(trainee, saving.step))));
    ManifestOptions options;
    options.knownHashes = std::move(hashes);
    options.step = saving.step;
    options.rolling = saving.kind == SaveKind::Rolling;
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

/// What the data of a training are.
std::string dataWords(const TrainConfig& config) {
    return config.mode == TrainMode::Language
               ? "the texts (--text), --context or what is held out of them"
               : "the pictures or captions, or what is made of them (--resolution, --framing, --prompt, "
                 "--validation-share),";
}

/// In the middle of a run other photos would make another result than the one that was begun.
Error changedPhotos(const TrainConfig& config, int64_t step) {
    const std::string number = std::to_string(step);
    return badInput("resuming: " + dataWords(config) + " have changed since the checkpoint of step " +
                    number + "; put them back, or end the run there (--steps " + number +
                    ") and then train it further with them, or start a new run");
}

std::string threadsText(int64_t count) {
    std::string text = std::to_string(count);
    return text.append(count == 1 ? " thread" : " threads");
}

/// Whether the checkpoint holds moving averages.
bool hasAverages(const CheckpointManifest& manifest) {
    return std::any_of(manifest.files.begin(), manifest.files.end(),
                       [](const ManifestFile& file) { return file.path.starts_with(kAveragesPrefix); });
}

} // namespace

void dropSpareCheckpoints(const JobContext& job, int64_t newest) {
    const auto pruned = pruneCheckpoints(job.run.checkpointsDir(), newest, job.config.output.keepCheckpoints,
                                         /*pruneOptimizer=*/false, VerifyDepth::Sizes);
    if (!pruned) job.events.emit(WarningEvent{"left-over", pruned.error().text()});
}

namespace {

/// What is to count, and is there as a rolling one.
Result<void> countFromNowOn(const JobContext& job, const Saving& saving, const std::string& path) {
    if (saving.kind != SaveKind::Counted || !isRolling(path)) return {};
    HOMEBOOTH_CHECK(makeCounted(path));
    dropSpareCheckpoints(job, saving.step);
    return {};
}

/// Makes room for a checkpoint. @returns  whether it has yet to be written
Result<bool> prepareFolder(const JobContext& job, const Saving& saving, const std::string& path) {
    HOMEBOOTH_CHECK(expectCheckpointsThere(job.run)); // nothing may take the place of a link to them
    std::error_code error;
    fs::create_directory(job.run.checkpointsDir(), error); // never the run's folder
    if (error) return systemError("make the folder of checkpoints", job.run.checkpointsDir(), error.value());
    const bool exists = fs::symlink_status(path, error).type() != fs::file_type::not_found;
    if (exists && verifyCheckpoint(path).ok()) {
        HOMEBOOTH_CHECK(countFromNowOn(job, saving, path));
        return false;
    }
    if (exists) fs::remove_all(path, error);
    if (exists && error) return systemError("remove a damaged checkpoint", path, error.value());
    return true;
}

/// Gives a checkpoint its name, and then drops those that are too many.
/// @param verify  how the new one is looked at before that
Result<void> complete(const JobContext& job, int64_t step, AtomicFolder& folder, VerifyDepth verify) {
    HOMEBOOTH_CHECK(folder.commit());
    HOMEBOOTH_CHECK(verifyCheckpoint(folder.path(), verify));
    dropSpareCheckpoints(job, step);
    return {};
}

/// By this process, while the other ranks contribute.
Result<void> writeCheckpoint(const JobContext& job, Trainee& trainee, const Saving& saving,
                             AtomicFolder& folder) {
    HOMEBOOTH_ASSIGN(FileHashes hashes, trainee.learner().save(folder.partialPath()));
    HOMEBOOTH_CHECK(describe(job, trainee, saving, folder.partialPath(), std::move(hashes)));
    return complete(job, saving.step, folder, VerifyDepth::Hashes);
}

Error ofSaving(int64_t step, const Error& error) {
    return {error.code, "saving the checkpoint of step " + std::to_string(step) + ": " + error.message,
            error.context};
}

/// What went wrong at any rank, at all of them: none waits for one that has given up.
template <class T>
Result<void> agree(const Ranks& ranks, int64_t step, const Result<T>& own) {
    return ranks.agreeOn(own ? Result<void>() : Result<void>(ofSaving(step, own.error())));
}

std::string inLines(const FileHashes& hashes) {
    std::string lines;
    for (const auto& [name, hash] : hashes) lines += hash + " " + name + "\n";
    return lines;
}

void addLines(const std::string& text, FileHashes& hashes) {
    std::istringstream lines(text);
    for (std::string hash, name; lines >> hash >> std::ws && std::getline(lines, name);) hashes[name] = hash;
}

/// All ranks write what they have. @returns  the hashes of all files
Result<FileHashes> writeTogether(const Ranks& ranks, int64_t step, const SharedTensorFiles& files,
                                 const std::string& folder) {
    const auto written = files.writeOwn(folder);
    HOMEBOOTH_CHECK(agree(ranks, step, written));
    const int64_t together = ranks.patientSums({*written}).front();
    if (together != files.dataBytes())
        return ofSaving(step, {ErrorCode::Internal,
                               "expected the ranks to write " + std::to_string(files.dataBytes()) +
                                   " bytes, they wrote " + std::to_string(together),
                               folder});
    const auto own = files.hashOwn(folder);
    HOMEBOOTH_CHECK(agree(ranks, step, own));
    FileHashes all;
    for (const std::string& lines : ranks.texts(inLines(*own))) addLines(lines, all);
    return all;
}

/// Begins a checkpoint that all ranks write. @param folder  made by the first one, and gone again with every
/// failure. @returns  where it is
Result<std::string> beginTogether(const Ranks& ranks, int64_t step, const std::string& path,
                                  const Result<SharedTensorFiles>& files,
                                  std::optional<AtomicFolder>& folder) {
    Result<void> begun;
    if (!files) {
        begun = files.error();
    } else if (ranks.isFirst()) {
        auto made = AtomicFolder::create(path);
        begun = made ? files->layOut(made->partialPath()) : Result<void>(made.error());
        if (made) folder.emplace(std::move(made).value());
    }
    HOMEBOOTH_CHECK(agree(ranks, step, begun));
    return ranks.texts(folder ? fs::absolute(folder->partialPath()).string() : "").front();
}

/// The ranks of one machine, as a rule with one view of its folders. Where one of them does not see the
/// files, e.g. in a container of its own, the first one writes alone.
Result<void> saveTogether(const JobContext& job, Trainee& trainee, const Saving& saving,
                          const std::string& path) {
    const Ranks& ranks = job.ranks();
    const int64_t step = saving.step;
    const auto files = SharedTensorFiles::of(trainee.learner().savedFiles(), ranks.rank(), ranks.count());
    std::optional<AtomicFolder> folder;
    HOMEBOOTH_ASSIGN(const std::string partial, beginTogether(ranks, step, path, files, folder));
    if (ranks.any(!files->areIn(partial))) {
        if (!folder) trainee.learner().contribute();
        const auto alone = folder ? writeCheckpoint(job, trainee, saving, *folder) : Result<void>();
        return agree(ranks, step, alone);
    }
    HOMEBOOTH_ASSIGN(FileHashes hashes, writeTogether(ranks, step, *files, partial));
    Result<void> ended;
    if (folder) ended = describe(job, trainee, saving, partial, std::move(hashes));
    // Ranks have compared what they wrote with what the files give back, and the hashes are of that: to read
    // all once more would say nothing new.
    if (folder && ended) ended = complete(job, step, *folder, VerifyDepth::Sizes);
    return agree(ranks, step, ended);
}

Result<void> makeFolder(const std::string& path, std::optional<AtomicFolder>& folder) {
    HOMEBOOTH_ASSIGN(folder, AtomicFolder::create(path));
    return {};
}

/// The first rank writes, and the others send it what they have: their machines may not share the folder.
Result<void> saveAlone(const JobContext& job, Trainee& trainee, const Saving& saving,
                       const std::string& path) {
    const Ranks& ranks = job.ranks();
    const int64_t step = saving.step;
    std::optional<AtomicFolder> folder;
    HOMEBOOTH_CHECK(agree(ranks, step, ranks.isFirst() ? makeFolder(path, folder) : Result<void>()));
    if (!folder) trainee.learner().contribute();
    return agree(ranks, step, folder ? writeCheckpoint(job, trainee, saving, *folder) : Result<void>());
}

} // namespace

Result<std::string> saveCheckpoint(const JobContext& job, Trainee& trainee, int64_t step, SaveKind kind) {
    const Saving saving{step, kind};
    const std::string path = job.run.checkpointDir(step);
    const Ranks& ranks = job.ranks();
    const Result<bool> needed = ranks.isFirst() ? prepareFolder(job, saving, path) : Result<bool>(false);
    HOMEBOOTH_CHECK(agree(ranks, step, needed));
    if (!ranks.any(*needed)) return path;
    const bool together = ranks.count() > 1 && ranks.onThisMachine() == ranks.count();
    HOMEBOOTH_CHECK(together ? saveTogether(job, trainee, saving, path)
                             : saveAlone(job, trainee, saving, path));
    ranks.meetAgain();
    return path;
}

bool giveUpRolling(const JobContext& job, int64_t step, int64_t checkpointBytes) {
    const std::string folder = job.run.checkpointsDir();
    const auto disk = diskFacts(folder);
    const auto dropped = dropRolling(folder, step, checkpointBytes - (disk ? disk->freeBytes : 0));
    if (!dropped) job.events.emit(WarningEvent{"left-over", dropped.error().text()});
    return dropped && *dropped;
}

Result<void> expectRoomToRoll(const JobContext& job, int64_t checkpointBytes) {
    const std::string folder = job.run.checkpointsDir();
    const auto disk = diskFacts(folder);
    if (!disk) return {}; // writing says what is wrong
    const std::vector<CheckpointEntry> all = listCheckpoints(folder);
    const bool replaces = std::any_of(all.begin(), all.end(),
                                      [](const CheckpointEntry& entry) { return isRolling(entry.path); });
    const int64_t needed = checkpointBytes * (replaces ? 1 : 2);
    if (disk->freeBytes >= needed) return {};
    return Error{ErrorCode::OutOfResources,
                 "saving between two checkpoints: expected room for this one and the next, " +
                     byteSizeText(needed) + ", found " + byteSizeText(disk->freeBytes) +
                     "; make room on the disk",
                 folder};
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

/// It counts as whole: each resumption would come to the same file again.
Result<void> loadFrom(const std::string& path, Trainee& trainee, const CheckpointParts& parts) {
    const auto loaded = trainee.learner().load(path, parts);
    if (loaded || loaded.error().code != ErrorCode::BadInput) return loaded;
    const Error& error = loaded.error();
    return badInput(error.message + "; or " + kWithoutCheckpoint, error.context);
}

} // namespace

Result<Restored> restoreCheckpoint(const JobContext& job, Trainee& trainee) {
    Restored restored;
    HOMEBOOTH_ASSIGN(const ValidCheckpoint checkpoint, newestForAll(job));
    if (checkpoint.path.empty()) return restored;
    // What one holds as a rolling one all take for that: where ranks share no folder, the first one alone
    // knows that it counts by now, and each would come to another end of what it saves next.
    const bool rolling = job.ranks().any(checkpoint.manifest.rolling);
    restored.kind = rolling ? SaveKind::Rolling : SaveKind::Counted;
    for (const std::string& rejected : checkpoint.rejected)
        restored.warnings.push_back("a newer checkpoint was passed over: " + rejected);
    HOMEBOOTH_ASSIGN(const RunState state, readState(checkpoint.path));
    HOMEBOOTH_CHECK(checkStepsCover(state.step, job.config.steps));
    const bool withOptimizer = checkpoint.manifest.hasOptimizer();
    if (!withOptimizer)
        restored.warnings.push_back("the optimizer states of this checkpoint were pruned: they begin anew");
    const bool withAverages = hasAverages(checkpoint.manifest);
    if (!withAverages && job.config.optimizer.emaDecay > 0.0)
        restored.warnings.push_back("this checkpoint has no moving average: it begins with the weights");
    HOMEBOOTH_CHECK(loadFrom(checkpoint.path, trainee, {withOptimizer, withAverages}));
    trainee.learner().restoreFlow(flowAfter(state, withOptimizer));
    const bool others = checkpoint.manifest.configHash != trainConfigHash(job.config);
    if (others && !settingsWereChosen(job.run, job.config)) // else whoever chose them knows
        restored.warnings.push_back("this checkpoint was made with other settings than the run goes on with");
    const bool changed = state.dataHash != trainee.dataHash();
    if (photosOf(state.dataHash) != photosOf(trainee.dataHash()) && state.step < job.config.steps &&
        state.step > finishedSteps(job.run))
        return changedPhotos(job.config, state.step);
    if (changed) restored.warnings.push_back(dataWords(job.config) + " have changed: a new epoch begins");
    trainee.restoreCursors(state.cursors, changed);
    if (state.threads != at::get_num_threads())
        restored.warnings.push_back("the run was computed with " + threadsText(state.threads) +
                                    ", now it goes on with " + threadsText(at::get_num_threads()) +
                                    ": the last bits will differ");
    restored.step = state.step;
    restored.path = checkpoint.path;
    return restored;
}

void pruneOptimizerStates(const JobContext& job) {
    if (job.config.output.keepOptimizerState) return;
    for (const CheckpointEntry& entry : listCheckpoints(job.run.checkpointsDir())) {
        if (!readManifest(entry.path)) continue; // damaged, or of another version: not this one's to change
        if (const auto pruned = pruneOptimizerState(entry.path); !pruned)
            job.events.emit(WarningEvent{"left-over", pruned.error().text()});
    }
}

std::string keptInWords(const RunFolder& run) {
    if (!RunFolder::open(run.path())) return {}; // what was saved is wherever that folder is
    const std::string folder = run.checkpointsDir();
    if (const auto newest = newestValidCheckpoint(folder))
        return "the checkpoint of step " + std::to_string(newest->manifest.step) + " in " + newest->path;
    if (diskFails(folder)) return kCheckpointsUnread;
    if (auto loss = lossInWords(run)) return std::move(*loss);
    return listCheckpoints(folder).empty() ? "no checkpoint was written yet"
                                           : "no checkpoint is whole any more";
}

} // namespace homebooth::core
