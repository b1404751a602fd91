// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/moved_run.h"

#include "core/base/config/config_fields.h"
#include "core/base/run/checkpoints/checkpoint_places.h"
#include "core/base/util/regular_file.h"

#include <nlohmann/json.hpp>

#include <filesystem>

namespace homebooth::core {
namespace {

constexpr int64_t kLargestMoved = int64_t{16} << 20;

/// The old place as run.json has it; empty where it names none.
std::string placeIn(const std::string& text) {
    const auto json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
    const nlohmann::json::json_pointer runDir("/config/output/runDir");
    if (!json.is_object() || !json.contains(runDir) || !json.at(runDir).is_string()) return {};
    auto place = json.at(runDir).get<std::string>();
    while (place.size() > 1 && place.ends_with('/')) place.pop_back();
    return place.starts_with('/') ? place : std::string();
}

/// But for the run's own place, which its folder knows. @returns whether the configuration names anything
/// below `from`
bool bringAlong(TrainConfig& config, const std::string& from, const std::string& to) {
    bool any = false;
    for (ConfigField& field : configFields(config)) {
        auto* path = std::get_if<std::string*>(&field.value);
        if (!field.folder || path == nullptr || *path == &config.output.runDir) continue;
        if (!(*path)->starts_with(from + "/")) continue;
        **path = to + (*path)->substr(from.size());
        any = true;
    }
    return any;
}

bool isWorkedOn(const RunFolder& run) {
    const auto owner = RunLock::owner(run.lockFile());
    return owner && owner->alive;
}

} // namespace

std::optional<std::string> movedFrom(const std::string& folder) {
    const auto run = RunFolder::open(folder);
    if (!run) return std::nullopt;
    const auto text = readRegularFile(run->runFile(), kLargestMoved); // config() says where it is now
    const std::string place = text ? placeIn(*text) : std::string();
    if (place.empty() || place == run->path()) return std::nullopt;
    return place;
}

Result<void> correctPaths(const RunFolder& run) {
    const auto from = movedFrom(run.path());
    std::error_code ignored;
    if (!from || std::filesystem::equivalent(*from, run.path(), ignored)) return {};
    HOMEBOOTH_ASSIGN(TrainConfig config, run.config()); // says where it is now
    bringAlong(config, *from, run.path());
    bringCheckpointsAlong(run.path());
    return run.setConfig(config);
}

Result<void> followMove(const RunFolder& run) {
    if (movedFrom(run.path()) && isWorkedOn(run))
        return badInput("finding a run that was moved: it still works, and writes to where it began; put the "
                        "folder back there, or stop it first",
                        run.path());
    return correctPaths(run);
}

Result<void> followOthers(const RunFolder& run, const std::map<std::string, std::string>& moved) {
    HOMEBOOTH_ASSIGN(TrainConfig config, run.config());
    bool any = false;
    for (const auto& [from, to] : moved) any = bringAlong(config, from, to) || any;
    if (!any) return {};
    if (isWorkedOn(run))
        return badInput("following what a run began from: somebody works on the run; stop it first",
                        run.path());
    if (const auto from = movedFrom(run.path())) config.output.runDir = *from; // that is another question
    return run.setConfig(config);
}

} // namespace homebooth::core
