// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/run_folder.h"

#include "core/base/config/train_config_json.h"
#include "core/base/files/atomic_file.h"
#include "core/base/run/event_json.h"
#include "core/base/util/regular_file.h"
#include "core/base/util/shallow_json.h"
#include "core/base/util/version.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <unistd.h>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
constexpr int64_t kLargestRunFile = int64_t{256} << 10;

Result<Json> readRunFile(const std::string& path) {
    HOMEBOOTH_ASSIGN(const std::string text, readRegularFile(path, kLargestRunFile));
    Json json = parseShallow(text);
    if (!json.is_object() || !json.contains("config") || !json["config"].is_object())
        return badInput("cannot read the run: expected a JSON object with \"config\"; the file is damaged",
                        path);
    return json;
}

Result<void> writeRunFile(const std::string& path, const Json& json) {
    return writeFileAtomically(path, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

/// The texts of one of its objects; none where it is missing, as in those of earlier versions.
Result<std::map<std::string, std::string>> textsOf(const std::string& path, const char* name) {
    HOMEBOOTH_ASSIGN(const Json json, readRunFile(path));
    std::map<std::string, std::string> texts;
    if (!json.contains(name) || !json[name].is_object()) return texts;
    for (const auto& [key, value] : json[name].items())
        if (value.is_string()) texts[key] = value.get<std::string>();
    return texts;
}

/// Makes the folder, or takes an empty one.
Result<std::string> claimFolder(const std::string& path) {
    if (path.empty()) return badInput("cannot make a run: no folder was named; use --output");
    std::error_code code;
    const fs::path absolute = fs::absolute(path, code).lexically_normal();
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
        for (const std::string& left : {run.runFile(), run.checkpointsDir(), run.samplesDir()})
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
    std::string name = fs::absolute(path, code).lexically_normal().string();
    if (name.size() > 1 && name.ends_with('/')) name.pop_back();
    if (name.ends_with("/run.json")) name.resize(name.size() - std::string_view("/run.json").size());
    if (!fs::is_regular_file(name + "/run.json", code))
        return badInput("expected the folder of a run, found none with a run.json in it; check the path",
                        path);
    return RunFolder(name);
}

std::string RunFolder::checkpointDir(int64_t step) const {
    std::array<char, 40> name{};
    std::snprintf(name.data(), name.size(), "/step-%06lld", static_cast<long long>(step));
    return checkpointsDir() + name.data();
}

Result<TrainConfig> RunFolder::config() const {
    HOMEBOOTH_ASSIGN(const std::string text, readRegularFile(runFile(), kLargestRunFile));
    TrainConfig config;
    if (auto read = readJson(text, config); !read)
        return Error{read.error().code, read.error().message, runFile()};
    config.output.runDir = m_path; // the folder may have been moved
    return config;
}

Result<void> RunFolder::setConfig(const TrainConfig& config) const {
    HOMEBOOTH_ASSIGN(Json json, readRunFile(runFile()));
    json["config"] = Json::parse(toJson(config));
    return writeRunFile(runFile(), json);
}

Result<std::map<std::string, std::string>> RunFolder::facts() const {
    return textsOf(runFile(), "facts");
}

Result<void> RunFolder::addFacts(const std::map<std::string, std::string>& facts) const {
    HOMEBOOTH_ASSIGN(Json json, readRunFile(runFile()));
    if (!json.contains("facts") || !json["facts"].is_object()) json["facts"] = Json::object();
    for (const auto& [key, value] : facts) json["facts"][key] = value;
    return writeRunFile(runFile(), json);
}

Result<std::map<std::string, std::string>> RunFolder::versions() const {
    return textsOf(runFile(), "versions");
}

Result<void> RunFolder::setVersions(const std::map<std::string, std::string>& versions) const {
    HOMEBOOTH_ASSIGN(Json json, readRunFile(runFile()));
    json["versions"] = versions;
    return writeRunFile(runFile(), json);
}

} // namespace homebooth::core
