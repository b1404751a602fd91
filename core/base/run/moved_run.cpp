// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/moved_run.h"

#include "core/base/util/regular_file.h"

#include <nlohmann/json.hpp>

namespace homebooth::core {
namespace {

constexpr int64_t kLargestRunFile = int64_t{16} << 20;

/// The old place as run.json has it; empty where it names none.
std::string placeIn(const std::string& text) {
    const auto json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
    const nlohmann::json::json_pointer runDir("/config/output/runDir");
    if (!json.is_object() || !json.contains(runDir) || !json.at(runDir).is_string()) return {};
    auto place = json.at(runDir).get<std::string>();
    while (place.size() > 1 && place.ends_with('/')) place.pop_back();
    return place.starts_with('/') ? place : std::string();
}

void bringAlong(std::string& path, const std::string& from, const std::string& to) {
    if (path.starts_with(from + "/")) path = to + path.substr(from.size());
}

} // namespace

std::optional<std::string> movedFrom(const std::string& folder) {
    const auto run = RunFolder::open(folder);
    if (!run) return std::nullopt;
    const auto text = readRegularFile(run->runFile(), kLargestRunFile); // config() says where it is now
    const std::string place = text ? placeIn(*text) : std::string();
    if (place.empty() || place == run->path()) return std::nullopt;
    return place;
}

Result<void> followMove(const RunFolder& run) {
    const auto from = movedFrom(run.path());
    if (!from) return {};
    const auto owner = RunLock::owner(run.lockFile());
    if (owner && owner->alive)
        return badInput("finding a run that was moved: it still works, and writes to where it began; put the "
                        "folder back there, or stop it first",
                        run.path());
    HOMEBOOTH_ASSIGN(TrainConfig config, run.config());
    config.output.runDir = run.path();
    for (std::string* path : {&config.model, &config.data.instanceDir, &config.data.classDir,
                              &config.data.datasetDir, &config.scratch.configDir})
        bringAlong(*path, *from, run.path());
    return run.setConfig(config);
}

} // namespace homebooth::core
