// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/inspect.h"
#include "core/base/model/saved_moment.h"
#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/run/journal/journal.h"
#include "core/base/run/run_folder.h"
#include "core/base/util/regular_file.h"
#include "core/base/util/terminal_text.h"
#include "core/cli/options.h"
#include "core/cli/worker/working_folder.h"
#include "core/media/picture_header.h"
#include "core/media/picture_text.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace homebooth::core {
namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

Result<Json> describeRun(const std::string& path) {
    HOMEBOOTH_ASSIGN(const RunFolder run, RunFolder::open(path));
    HOMEBOOTH_ASSIGN(const TrainConfig config, run.config());
    HOMEBOOTH_ASSIGN(const RunHistory history, readHistory(run.journalFile()));
    const auto owner = RunLock::owner(run.lockFile());
    Json json{{"kind", "run"}, {"path", run.path()}, {"model", config.model}, {"steps", config.steps}};
    json["stepsDone"] = history.steps.empty() ? 0 : history.steps.back().step;
    if (!history.steps.empty()) json["loss"] = history.steps.back().loss;
    json["state"] = owner && owner->alive ? "running"
                    : history.outcome     ? history.outcome->result
                                          : "not running";
    if (history.outcome && !history.outcome->message.empty()) json["message"] = history.outcome->message;
    json["checkpoints"] = Json::array();
    for (const CheckpointEntry& entry : listCheckpoints(run.checkpointsDir()))
        json["checkpoints"].push_back(entry.step);
    return json;
}

/// A saved moment of a run.
Result<Json> describeMoment(const std::string& path) {
    HOMEBOOTH_ASSIGN(const CheckpointManifest manifest, readManifest(path));
    Json json{{"kind", "checkpoint"},
              {"path", path},
              {"step", manifest.step},
              {"optimizer", manifest.hasOptimizer()}};
    json["files"] = Json::array();
    for (const ManifestFile& file : manifest.files) json["files"].push_back(file.path);
    return json;
}

/// Header and text of a picture, without decoding it.
Result<Json> describePicture(const std::string& path) {
    constexpr int64_t kLargestPicture = int64_t{1} << 30;
    // Whole: TIFF may keep its directory at the end, HEIC its items, PNG its text, and WebP must not be cut
    // off.
    HOMEBOOTH_ASSIGN(const std::string file, readRegularFile(path, kLargestPicture));
    const auto parsed = readPictureHeader(file);
    if (!parsed) return badInput(parsed.error().message, displayName(path));
    const PictureHeader& header = *parsed;
    const PictureInfo& info = header.info;
    Json json{{"kind", "picture"},
              {"path", path},
              {"format", pictureFormatName(info.format)},
              {"widthPixels", info.widthPixels},
              {"heightPixels", info.heightPixels},
              {"orientation", info.orientation},
              {"alpha", info.alpha},
              {"animated", info.animated},
              {"colourProfile", info.colourProfile}};
    if (!header.unsupported.empty()) json["problem"] = header.unsupported;
    const PictureText text = decodePictureText(file);
    if (!text.parameters.empty()) json["parameters"] = text.parameters;
    if (text.unread) json["madeWith"] = "ComfyUI, its settings cannot be read";
    return json;
}

/// Further lines of a text stand below its first one: none passes for another fact.
std::string inColumn(const std::string& text, size_t column) {
    std::string lines;
    for (const char letter : text) {
        lines += letter;
        if (letter == '\n') lines.append(column, ' ');
    }
    return lines;
}

void printPlain(const Json& json) {
    constexpr int kName = 14;
    for (const auto& [key, value] : json.items()) {
        const std::string text = value.is_string() ? value.get<std::string>() : dump(value);
        std::printf("%-*s %s\n", kName, terminalLine(key).c_str(),
                    inColumn(terminalText(text), kName + 1).c_str());
    }
}

/// What cannot be looked at has a problem, like a model that is none.
int failInspection(const std::string& path, const Error& error, bool json) {
    if (json) std::printf("%s\n", dump({{"path", path}, {"problem", error.text()}}).c_str());
    return fail("inspect", error);
}

int printFacts(const std::string& path, const Result<Json>& facts, bool json) {
    if (!facts) return failInspection(path, facts.error(), json);
    if (json)
        std::printf("%s\n", dump(*facts).c_str());
    else
        printPlain(*facts);
    return kExitDone;
}

} // namespace

int runInspect(const Arguments& arguments) {
    CLI::App app("Says what a model, LoRA, embedding, picture, run or checkpoint is. Reads headers only, "
                 "unless --values is given.",
                 "homebooth-engine inspect");
    std::string path;
    bool json = false;
    bool values = false;
    app.add_option("FILE|DIR", path, "what to look at")->required();
    app.add_flag("--json", json, "print the facts as one JSON object");
    app.add_flag("--values", values,
                 "also read all weights and look for NaN, infinity and zeros in place of a part that was not "
                 "downloaded (at the disk's speed)");
    if (const auto done = parseArguments(app, arguments)) return *done;
    if (json) path = toldPath(path); // whoever reads it may be elsewhere
    if (isSavedMoment(path)) return printFacts(path, describeMoment(path), json);
    const auto found = inspectPath(path, values);
    if (!found) return failInspection(path, found.error(), json);
    if (found->kind == InspectedKind::Run) return printFacts(path, describeRun(path), json);
    if (found->kind == InspectedKind::File && found->fileKind == FileKind::Picture)
        return printFacts(path, describePicture(path), json);
    std::printf("%s\n", json ? found->toJson().c_str() : found->toText().c_str());
    if (found->problem.empty()) return kExitDone;
    return fail("inspect", badInput(found->problem, path));
}

} // namespace homebooth::core
