// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/own_places.h"

#include "core/base/files/atomic_file.h"
#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/run/checkpoints/checkpoint_places.h"
#include "core/base/run/checkpoints/checkpoints_elsewhere.h"
#include "core/base/util/regular_file.h"

#include <algorithm>
#include <filesystem>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

bool isEmptyOrAbsent(const std::string& folder) {
    std::error_code code;
    if (!fs::exists(fs::status(folder, code))) return true;
    return fs::is_directory(folder, code) && fs::is_empty(folder, code) && !code;
}

/// Whether a folder that is there lies in the run's own.
bool isWithin(const std::string& runDir, const std::string& path) {
    std::error_code code;
    const fs::path run = fs::canonical(runDir, code);
    const fs::path folder = code ? fs::path() : fs::canonical(path, code);
    if (code) return false;
    return std::mismatch(run.begin(), run.end(), folder.begin(), folder.end()).first == run.end();
}

/// Of a result that lies with the checkpoints, where `moveCheckpoints` has brought both. Runs of earlier
/// versions have not said there whose they are.
bool isOwnWithCheckpoints(const RunFolder& run, const std::string& path) {
    const auto folder = checkpointsElsewhere(run.path());
    if (path != run.resultDir() || !folder || !resultLiesWithCheckpoints(run)) return false;
    if (isLink(*folder + "/result") || !mayTake(run.path(), *folder)) return false;
    return ownerOf(*folder) || !listCheckpoints(*folder).empty();
}

bool isOwn(const RunFolder& run, const std::string& path) {
    if (!isLink(path) || isEmptyOrAbsent(path) || isWithin(run.path(), path)) return true;
    if (isOwnWithCheckpoints(run, path)) return true;
    return ownerOf(path).has_value() && mayTake(run.path(), path);
}

} // namespace

std::string chartsDir(const RunFolder& run) {
    return run.path() + "/charts";
}

Result<void> expectOwnPlace(const RunFolder& run, const std::string& path) {
    if (isOwn(run, path)) return {};
    const std::string name = fs::path(path).filename().string();
    const std::string folder = linkTarget(path).value_or(path);
    return badInput("expected \"" + name + "\" in the run's folder as a folder of its own, found a link to " +
                        displayName(folder) +
                        ", where other files lie that would be replaced: remove the link, or have it lead to "
                        "an empty folder; if the run has made what lies there, write the run's folder into a "
                        "file " +
                        kOwnerName + " there, and nothing else",
                    path);
}

Result<void> expectOwnPlaces(const RunFolder& run) {
    HOMEBOOTH_CHECK(expectOwnPlace(run, run.resultDir()));
    return expectOwnPlace(run, chartsDir(run));
}

Result<void> makeOwnPlace(const RunFolder& run, const std::string& path) {
    HOMEBOOTH_CHECK(expectOwnPlace(run, path));
    const std::string folder = linkTarget(path).value_or(path);
    std::error_code code;
    fs::create_directory(folder, code);
    if (code) return systemError("make a folder of the run", path, code.value());
    const bool elsewhere = isLink(path) && !isWithin(run.path(), path) && !isOwnWithCheckpoints(run, path);
    return elsewhere && !ownerOf(folder) ? setOwner(folder, run.path()) : Result<void>();
}

} // namespace homebooth::core
