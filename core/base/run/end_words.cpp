// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/end_words.h"

#include "core/base/files/atomic_file.h"
#include "core/base/files/made_folders.h"
#include "core/base/util/regular_file.h"

#include <filesystem>
#include <nlohmann/json.hpp>

namespace homebooth::core {
namespace {

constexpr int64_t kLargestWords = 4096;

std::string wordsFile(const JobQueue& queue) {
    return queue.folder() + "/words";
}

std::string windowFile(const JobQueue& queue) {
    return queue.folder() + "/window";
}

} // namespace

Result<void> setEndWords(const JobQueue& queue, const EndWords& words) {
    HOMEBOOTH_CHECK(MadeFolders::make(queue.folder()));
    const nlohmann::json json{{"done", words.done}, {"failed", words.failed}};
    const auto lossy = nlohmann::json::error_handler_t::replace;
    return writeFileAtomically(wordsFile(queue), json.dump(-1, ' ', false, lossy) + "\n");
}

EndWords endWords(const JobQueue& queue) {
    const auto text = readRegularFile(wordsFile(queue), kLargestWords);
    const auto json = nlohmann::json::parse(text ? *text : std::string(), nullptr, false);
    const auto word = [&json](const char* key) {
        const bool there = json.is_object() && json.contains(key) && json[key].is_string();
        return there ? json[key].get<std::string>() : std::string();
    };
    return {word("done"), word("failed")};
}

Result<std::optional<RunLock>> beTheWindow(const JobQueue& queue) {
    HOMEBOOTH_CHECK(MadeFolders::make(queue.folder()));
    return RunLock::tryAcquire(windowFile(queue), "the window's place in the queue");
}

bool windowLives(const JobQueue& queue) {
    const auto owner = RunLock::owner(windowFile(queue));
    return owner && owner->alive;
}

std::string wordsOf(const std::string& words, const std::string& runDir) {
    const size_t place = words.find("%1");
    if (place == std::string::npos) return words;
    std::string text = words;
    return text.replace(place, 2, std::filesystem::path(runDir).filename().string());
}

} // namespace homebooth::core
