// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/run/checkpoints/checkpoints_elsewhere.h"
#include "core/base/run/journal/journal.h"
#include "core/base/run/journal/progress.h"
#include "core/base/run/run_folder.h"
#include "core/base/util/terminal_text.h"
#include "core/cli/options.h"
#include "core/cli/worker/working_folder.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <unistd.h>
#include <utility>

namespace homebooth::core {
namespace {

using Json = nlohmann::ordered_json;

struct Finding {
    std::string path;
    int64_t step = -1;
    std::string problem; ///< empty: whole
};

/// @param progress  null: none is shown
Finding check(const CheckpointEntry& entry, Progress* progress) {
    const std::string& checkpoint = entry.path;
    ProgressCallback show;
    if (progress != nullptr)
        show = [&](int64_t done, int64_t total) {
            constexpr int64_t kMebi = int64_t{1} << 20;
            const std::string name = std::filesystem::path(checkpoint).filename().string();
            progress->show(StateEvent{"MiB of " + name, "", done / kMebi, total / kMebi});
        };
    const auto manifest = verifyCheckpoint(checkpoint, VerifyDepth::Hashes, show);
    if (!manifest) return {checkpoint, entry.step, manifest.error().message};
    return {checkpoint, manifest->step, {}};
}

/// A checkpoint that was named: its whole path, and the step that its own name says.
CheckpointEntry entryOf(const std::string& path) {
    const auto whole = absolutePath(path);
    const std::filesystem::path folder = std::filesystem::path((whole ? *whole : path) + "/").parent_path();
    for (const CheckpointEntry& entry : listCheckpoints(folder.parent_path().string()))
        if (std::filesystem::path(entry.path).filename() == folder.filename())
            return {folder.string(), entry.step};
    return {folder.string(), -1};
}

/// Nothing where it is whole; one that is not there yet is, too.
std::optional<Finding> checkJournal(const std::string& path) {
    constexpr size_t kEntriesAtOnce = 4096; // a long journal takes many times its size in memory
    JournalReader journal(path);
    for (bool more = true; more;) {
        const auto entries = journal.poll(kEntriesAtOnce);
        if (!entries) return Finding{path, -1, entries.error().message};
        more = entries->size() >= kEntriesAtOnce;
    }
    const int64_t damaged = journal.damagedLines();
    if (damaged == 0) return std::nullopt;
    std::string problem = std::to_string(damaged);
    problem.append(damaged == 1 ? " line" : " lines").append(" could not be understood");
    return Finding{path, -1, problem};
}

Result<std::vector<Finding>> findings(const std::string& path, Progress* progress) {
    std::error_code code;
    if (std::filesystem::exists(path + "/" + kManifestName, code))
        return std::vector<Finding>{check(entryOf(path), progress)};
    HOMEBOOTH_ASSIGN(const RunFolder run, RunFolder::open(path));
    std::vector<Finding> found;
    const auto config = run.config();
    if (!config) found.push_back({run.runFile(), -1, config.error().message});
    if (auto journal = checkJournal(run.journalFile())) found.push_back(std::move(*journal));
    if (const auto there = expectSavedThere(run); !there)
        found.push_back({run.checkpointsDir(), -1, there.error().text()});
    for (const CheckpointEntry& entry : listCheckpoints(run.checkpointsDir()))
        found.push_back(check(entry, progress));
    return found;
}

void print(const std::vector<Finding>& found, bool json) {
    Json list = Json::array();
    for (const Finding& finding : found) {
        if (json) {
            Json entry{{"path", finding.path}, {"ok", finding.problem.empty()}};
            if (finding.step >= 0) entry["step"] = finding.step;
            if (!finding.problem.empty()) entry["problem"] = finding.problem;
            list.push_back(std::move(entry));
        } else {
            std::printf("%s: %s\n", terminalLine(finding.path).c_str(),
                        finding.problem.empty() ? "whole" : terminalLine(finding.problem).c_str());
        }
    }
    if (json)
        std::printf("%s\n", list.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
    else if (found.empty())
        std::printf("no checkpoint yet\n");
}

} // namespace

int runVerify(const Arguments& arguments) {
    CLI::App app("Checks every checkpoint of a run, or one checkpoint: sizes and SHA-256 of all its files.",
                 "homebooth-engine verify");
    std::string path;
    bool json = false;
    app.add_option("RUN|CHECKPOINT", path, "the folder")->required();
    app.add_flag("--json", json, "print the findings as a JSON array");
    if (const auto done = parseArguments(app, arguments)) return *done;
    // Only on a terminal: elsewhere the findings alone are wanted.
    const bool terminal = ::isatty(STDERR_FILENO) != 0;
    Progress progress(terminal, 0);
    const auto found = findings(path, terminal ? &progress : nullptr);
    progress.finish();
    if (!found) {
        if (json) print({{toldPath(path), -1, found.error().text()}}, json);
        return fail("verify", found.error());
    }
    print(*found, json);
    size_t damaged = 0;
    for (const Finding& finding : *found) damaged += finding.problem.empty() ? 0 : 1;
    if (damaged == 0) return kExitDone;
    const bool wholeOne = std::any_of(found->begin(), found->end(), [](const Finding& finding) {
        return finding.step >= 0 && finding.problem.empty();
    });
    return fail("verify", badInput("checking: expected all to be whole, found " + std::to_string(damaged) +
                                       " of " + std::to_string(found->size()) + " damaged; " +
                                       (wholeOne ? "resume takes the newest whole checkpoint"
                                                 : "take another copy, or begin again with another --output"),
                                   path));
}

} // namespace homebooth::core
