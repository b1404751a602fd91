// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/run_folder.h"

#include "core/base/config/train_config_json.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/plain_path.h"
#include "core/base/run/journal/event_json.h"
#include "core/base/util/log.h"
#include "core/base/util/regular_file.h"
#include "core/base/util/shallow_json.h"
#include "core/base/util/version.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
constexpr int64_t kLargestRunFile = int64_t{256} << 10;
constexpr std::chrono::seconds kWritten(10); // an editor may empty a file before it writes it

Result<Json> readRunFile(const std::string& path) {
    HOMEBOOTH_ASSIGN(const std::string text, readRegularFile(path, kLargestRunFile));
    Json json = parseShallow(text);
    if (!json.is_object() || !json.contains("config") || !json["config"].is_object())
        return badInput("cannot read the run: expected a JSON object with \"config\"; the file is damaged",
                        path);
    return json;
}

/// What lies beside run.json in case a disk loses that.
std::string copyBeside(const std::string& path) {
    return (fs::path(path).parent_path() / ".run-copy.json").string();
}

/// What is as it was is left alone: a full disk would refuse it.
Result<void> writeChanged(const std::string& path, const std::string& text) {
    const auto now = readRegularFile(path, kLargestRunFile);
    return now && *now == text ? Result<void>() : writeFileAtomically(path, text);
}

Result<void> writeRunFile(const std::string& path, const Json& json) {
    const std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    HOMEBOOTH_CHECK(writeChanged(path, text));
    (void)writeChanged(copyBeside(path), text); // one of before is as good for most of it
    return {};
}

/// Whether a file that cannot be read is empty, lacks its last line or has zeros in it.
bool isCutOff(const std::string& text) {
    if (parseShallow(text).is_object()) return false; // in one line, say
    const size_t last = text.find_last_not_of(" \t\r\n");
    return last == std::string::npos || last == 0 || text.compare(last - 1, 2, "\n}") != 0 ||
           text.find('\0') != std::string::npos;
}

struct LostFile {
    std::string text; ///< what is left of it
    std::string copy; ///< whole
};

/// A run.json that is empty, has zeros in it or breaks off, as disks leave one behind, and has a whole copy.
/// What somebody has changed by hand is none of it, whatever the mistake.
std::optional<LostFile> lostFile(const std::string& path) {
    const auto text = readRegularFile(path, kLargestRunFile);
    if (!text || !isCutOff(*text) || readRunFile(path)) return std::nullopt;
    const auto copy = readRegularFile(copyBeside(path), kLargestRunFile);
    if (!copy || !readRunFile(copyBeside(path))) return std::nullopt;
    const bool lost = copy->starts_with(*text) || text->find('\0') != std::string::npos;
    return lost ? std::optional(LostFile{*text, *copy}) : std::nullopt;
}

/// Puts a run.json that was lost back from its copy, once nobody can be writing it; what was left of it and
/// is not in that is kept beside it.
void putBack(const std::string& path) {
    const auto lost = lostFile(path);
    std::error_code code;
    const fs::file_time_type written = fs::last_write_time(path, code);
    const auto now = fs::file_time_type::clock::now(); // it may be behind the one that dated the file
    if (!lost || code || (written > now - kWritten && written <= now)) return;
    const std::string aside = (fs::path(path).parent_path() / ".run-damaged.json").string();
    if (!lost->copy.starts_with(lost->text) && !writeFileAtomically(aside, lost->text)) return;
    if (!writeFileAtomically(path, lost->copy)) return;
    log(LogLevel::Warning, path + ": the file was cut off; it was put back from its copy");
}

/// What can be read of it, of the copy where it was lost and could not be put back.
Result<std::string> readableText(const std::string& path) {
    if (auto lost = lostFile(path)) return std::move(lost->copy);
    return readRegularFile(path, kLargestRunFile);
}

/// Facts that are numbers in the file; in those of earlier versions all are texts.
constexpr std::array kNumberFacts{"threads", "processes", "finishedSteps", kHeldOutFact};
constexpr const char* kNumbersFact = "subjects"; // a list of them

/// The number that a text is all of.
std::optional<int64_t> wholeNumber(std::string_view text) {
    int64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, fault] = std::from_chars(text.data(), end, number);
    return fault == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

/// A fact as the file has it. What is no number after all stays a text.
Json factJson(std::string_view name, const std::string& text) {
    const bool number = std::any_of(kNumberFacts.begin(), kNumberFacts.end(),
                                    [name](const char* one) { return name == one; });
    if (number)
        if (const auto value = wholeNumber(text)) return *value;
    if (name != kNumbersFact) return text;
    Json list = Json::array();
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        const auto value = wholeNumber(word);
        if (!value) return text;
        list.push_back(*value);
    }
    return list;
}

std::optional<std::string> plainText(const Json& value) {
    return value.is_string() ? std::optional(value.get<std::string>()) : std::nullopt;
}

/// A fact of a file as a text; nothing of what is none.
std::optional<std::string> factText(const Json& value) {
    if (value.is_string()) return plainText(value);
    if (value.is_number_integer()) return value.dump();
    if (!value.is_array()) return std::nullopt;
    std::string text;
    for (const Json& one : value)
        if (one.is_number_integer()) text += (text.empty() ? "" : " ") + one.dump();
    return text;
}

/// One of its objects as texts; none where it is missing, as in those of earlier versions.
Result<std::map<std::string, std::string>> textsOf(const std::string& path, const char* name,
                                                   std::optional<std::string> (*textOf)(const Json&)) {
    HOMEBOOTH_ASSIGN(const Json json, readRunFile(lostFile(path) ? copyBeside(path) : path));
    std::map<std::string, std::string> texts;
    if (!json.contains(name) || !json[name].is_object()) return texts;
    for (const auto& [key, value] : json[name].items())
        if (auto text = textOf(value)) texts[key] = std::move(*text);
    return texts;
}

/// Makes the folder, or takes an empty one.
Result<std::string> claimFolder(const std::string& path) {
    if (path.empty()) return badInput("cannot make a run: no folder was named; use --output");
    std::error_code code;
    const fs::path absolute = plainPath(fs::absolute(path, code));
    if (code) return badInput("cannot make a run here: " + code.message(), path);
    std::string name = absolute.string();
    if (name.size() > 1 && name.ends_with('/')) name.pop_back();
    if (fs::exists(fs::path(name) / "run.json", code))
        return badInput("this folder already holds a run; choose another --output, or let it go on by the "
                        "verb resume",
                        name);
    fs::create_directories(name, code);
    if (code) return systemError("make the folder of the run", name, code.value());
    const bool empty = fs::is_empty(name, code);
    if (code) return systemError("look into the folder of the run", name, code.value());
    if (!empty)
        return badInput("cannot make a run here: the folder holds other files; choose a new or empty one",
                        name);
    return name;
}

} // namespace

Result<RunFolder> RunFolder::create(const std::string& path, const TrainConfig& config) {
    std::error_code code;
    const bool existed = fs::exists(path, code);
    HOMEBOOTH_ASSIGN(const std::string name, claimFolder(path));
    const RunFolder run(name);
    if (auto filled = run.fill(config); !filled) {
        for (const std::string& left :
             {run.runFile(), run.copyFile(), run.checkpointsDir(), run.samplesDir()})
            fs::remove(left, code);
        if (!existed) fs::remove(name, code);
        return filled.error();
    }
    return run;
}

Result<void> RunFolder::fill(const TrainConfig& config) const {
    for (const std::string& folder : {checkpointsDir(), samplesDir()}) {
        std::error_code code;
        fs::create_directory(folder, code);
        if (code) return systemError("make a folder of the run", folder, code.value());
    }
    TrainConfig placed = config;
    placed.output.runDir = m_path;
    Json json;
    json["v"] = 1;
    json["created"] = isoTime(std::chrono::system_clock::now());
    json["versions"] = {{"homebooth", versionText()}};
    json["config"] = Json::parse(toJson(placed));
    json["facts"] = Json::object();
    return writeRunFile(runFile(), json); // last: without it the folder holds no run
}

Result<RunFolder> RunFolder::open(const std::string& path) {
    std::error_code code;
    std::string name = plainPath(fs::absolute(path, code)).string();
    if (name.size() > 1 && name.ends_with('/')) name.pop_back();
    if (name.ends_with("/run.json")) name.resize(name.size() - std::string_view("/run.json").size());
    if (!fs::is_regular_file(name + "/run.json", code))
        return badInput("expected the folder of a run, found none with a run.json in it; check the path",
                        path);
    putBack(name + "/run.json");
    return RunFolder(name);
}

std::string RunFolder::checkpointDir(int64_t step) const {
    std::array<char, 40> name{};
    std::snprintf(name.data(), name.size(), "/step-%06lld", static_cast<long long>(step));
    return checkpointsDir() + name.data();
}

Result<TrainConfig> RunFolder::config() const {
    HOMEBOOTH_ASSIGN(const std::string text, readableText(runFile()));
    TrainConfig config;
    if (auto read = readJson(text, config); !read) {
        std::string message = read.error().message;
        if (isCutOff(text))
            message += "; the file is empty or was cut off: put one of a backup back, or .run-copy.json "
                       "beside it where that is there, or begin again with another --output; the verb verify "
                       "looks at the checkpoints that are there";
        return Error{read.error().code, std::move(message), runFile()};
    }
    config.output.runDir = m_path; // the folder may have been moved
    return config;
}

Result<void> RunFolder::setConfig(const TrainConfig& config) const {
    HOMEBOOTH_ASSIGN(Json json, readRunFile(runFile()));
    json["config"] = Json::parse(toJson(config));
    return writeRunFile(runFile(), json);
}

Result<std::map<std::string, std::string>> RunFolder::facts() const {
    return textsOf(runFile(), "facts", factText);
}

Result<void> RunFolder::addFacts(const std::map<std::string, std::string>& facts) const {
    HOMEBOOTH_ASSIGN(Json json, readRunFile(runFile()));
    if (!json.contains("facts") || !json["facts"].is_object()) json["facts"] = Json::object();
    for (const auto& [key, value] : facts) json["facts"][key] = factJson(key, value);
    return writeRunFile(runFile(), json);
}

Result<std::map<std::string, std::string>> RunFolder::versions() const {
    return textsOf(runFile(), "versions", plainText);
}

Result<void> RunFolder::setVersions(const std::map<std::string, std::string>& versions) const {
    HOMEBOOTH_ASSIGN(Json json, readRunFile(runFile()));
    json["versions"] = versions;
    return writeRunFile(runFile(), json);
}

} // namespace homebooth::core
