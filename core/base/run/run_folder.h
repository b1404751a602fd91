// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The folder of one run: where its files lie, how it is made, and who works on it.
// RunFolder is a value; RunLock is owned by the process that works on the run.
//
//   run.json       {"v":1,"config":{...},"facts":{...},"versions":{...},"created":"..."}; .run-copy.json: the
//                  same, in case a disk loses that; .run-damaged.json: what a disk had left of one
//   events.jsonl   the journal           control   path of the local socket       lock   who works on it
//   checkpoints/   step-000400/          samples/  previews                        result/
//                  may be a link (checkpoints_elsewhere.h)
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/util/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace homebooth::core {

/// The fact that tells how many pictures were held out of training; absent where none were asked for.
constexpr const char* kHeldOutFact = "heldOutPictures";

class RunFolder {
public:
    /// Makes the folder and writes run.json; what was made is removed again when that fails.
    /// Errors: BadInput if the folder already holds a run or other files, or cannot be written;
    ///         OutOfResources
    [[nodiscard]] static Result<RunFolder> create(const std::string& path, const TrainConfig& config);

    /// A run.json that a disk has emptied, zeroed or cut off is put back from its copy; where the folder
    /// cannot be written, what reads it takes the copy.
    /// Errors: BadInput if there is no run in the folder
    [[nodiscard]] static Result<RunFolder> open(const std::string& path);

    [[nodiscard]] const std::string& path() const { return m_path; } ///< absolute
    [[nodiscard]] std::string runFile() const { return m_path + "/run.json"; }
    /// Of run.json, in case a disk loses that.
    [[nodiscard]] std::string copyFile() const { return m_path + "/.run-copy.json"; }
    [[nodiscard]] std::string journalFile() const { return m_path + "/events.jsonl"; }
    [[nodiscard]] std::string controlFile() const { return m_path + "/control"; }
    [[nodiscard]] std::string lockFile() const { return m_path + "/lock"; }
    [[nodiscard]] std::string checkpointsDir() const { return m_path + "/checkpoints"; }
    [[nodiscard]] std::string checkpointDir(int64_t step) const; ///< ".../checkpoints/step-000400"
    [[nodiscard]] std::string samplesDir() const { return m_path + "/samples"; }
    [[nodiscard]] std::string resultDir() const { return m_path + "/result"; }

    /// The configuration in run.json. Errors: BadInput, as readJson
    [[nodiscard]] Result<TrainConfig> config() const;
    /// Replaces the configuration, e.g. for more steps.
    [[nodiscard]] Result<void> setConfig(const TrainConfig& config) const;

    /// Hashes and the like that were found out while working: "modelSha256", "datasetSha256". As texts;
    /// numbers of them are such in the file, where earlier versions had texts.
    [[nodiscard]] Result<std::map<std::string, std::string>> facts() const;
    [[nodiscard]] Result<void> addFacts(const std::map<std::string, std::string>& facts) const;

    /// Of what has worked on the run last, by names such as "homebooth" and "libtorch". Runs that earlier
    /// versions began name fewer of them until they go on.
    [[nodiscard]] Result<std::map<std::string, std::string>> versions() const;
    /// Replaces them all.
    [[nodiscard]] Result<void> setVersions(const std::map<std::string, std::string>& versions) const;

private:
    explicit RunFolder(std::string path)
        : m_path(std::move(path)) {}
    [[nodiscard]] Result<void> fill(const TrainConfig& config) const;

    std::string m_path;
};

/// Who holds a lock.
struct LockOwner {
    int64_t pid = 0;
    int64_t startTicks = 0; ///< since boot; tells a process from a later one with the same number
    bool alive = false;
    int64_t stranger = 0; ///< the process that holds it where that is another program's, else 0
};

/// Says who works on a run, or on something else of which that is one at a time. The kernel drops it with the
/// last process that holds it, however that ends; the file's content names the owner for readers.
class RunLock {
public:
    /// @param what  is locked, for messages
    /// Errors: BadInput naming the living owner
    [[nodiscard]] static Result<RunLock> acquire(const std::string& lockFile,
                                                 const std::string& what = "the run");

    /// Nothing while somebody else holds it.
    /// Errors: BadInput or OutOfResources, when the file cannot be opened, locked or written
    [[nodiscard]] static Result<std::optional<RunLock>> tryAcquire(const std::string& lockFile,
                                                                   const std::string& what = "the run");
    RunLock(RunLock&& other) noexcept;
    RunLock& operator=(RunLock&& other) noexcept;
    ~RunLock();

    /// A child that inherits this descriptor holds the lock, too: a worker that is still saving keeps a new
    /// supervisor out after its own one died.
    [[nodiscard]] int descriptor() const { return m_descriptor; }

    /// The owner that the file names, and whether somebody holds the lock; nothing if nobody ever did.
    [[nodiscard]] static std::optional<LockOwner> owner(const std::string& lockFile);

private:
    explicit RunLock(int descriptor)
        : m_descriptor(descriptor) {}
    int m_descriptor = -1;
};

} // namespace homebooth::core
