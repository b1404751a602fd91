// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The index of runs and the models that the user brought. Runs can be found again from their folders
// (found_runs.h).
// Free functions on the library's thread.
#pragma once

#include "core/library/library.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace homebooth::core {

struct RunRecord {
    int64_t id = 0;
    std::string folder;
    std::string title;  ///< "robot toy"
    std::string prompt; ///< the sentence that it learned
    std::string model;  ///< path of the model that it began with, where it is now
    std::string state;  ///< waiting, running, done, cancelled, failed
    int64_t steps = 0;
    int64_t stepsDone = 0;
    int64_t createdMs = 0;
    int64_t endedMs = 0; ///< 0: not yet
    std::vector<int64_t> subjects;
    friend bool operator==(const RunRecord&, const RunRecord&) = default;
};

/// Newest first.
[[nodiscard]] Result<std::vector<RunRecord>> loadRuns(const Library& library);

/// Writes a run under its folder, new or known (a known one keeps its key, title and subjects).
[[nodiscard]] Result<void> saveRun(Library& library, const RunRecord& run);

/// Gives a run another title.
[[nodiscard]] Result<void> renameRun(Library& library, const std::string& folder, const std::string& title);

/// The model that a run goes on with from now on.
[[nodiscard]] Result<void> setRunModel(Library& library, const std::string& folder, const std::string& model);

/// What the window notes among the facts of a run's run.json, so that the index can be rebuilt from it: its
/// title and the keys of its subjects.
[[nodiscard]] std::map<std::string, std::string> runNotes(const RunRecord& run);
constexpr const char* kRunTitleFact = "title";
constexpr const char* kRunSubjectsFact = "subjects";

[[nodiscard]] Result<void> removeRun(Library& library, const std::string& folder);

/// A run's folder lies elsewhere now. Key, title and subjects stay; so do the models of pictures made with
/// it.
[[nodiscard]] Result<void> moveRun(Library& library, const std::string& from, const std::string& to);

/// A run that another one has the folder of by now lies elsewhere: what was made with it, or began from it,
/// before that other one was there follows. @param untilMs  when that was. The run itself stays as it is.
[[nodiscard]] Result<void> followReturned(Library& library, const std::string& from, const std::string& to,
                                          int64_t untilMs);

struct ModelRecord {
    int64_t id = 0;
    std::string name;
    std::string path;
    std::string kind; ///< model, lora, embedding
    std::string sha256;
    std::string note;
    int64_t addedMs = 0;
    friend bool operator==(const ModelRecord&, const ModelRecord&) = default;
};

[[nodiscard]] Result<std::vector<ModelRecord>> loadModels(const Library& library);
[[nodiscard]] Result<void> saveModel(Library& library, const ModelRecord& model);
/// Writes what a file or folder was found to be. A model that is known by its path keeps its key, its name
/// and what the user noted.
[[nodiscard]] Result<void> takeUpModel(Library& library, const ModelRecord& model);
[[nodiscard]] Result<void> removeModel(Library& library, int64_t id);

} // namespace homebooth::core
