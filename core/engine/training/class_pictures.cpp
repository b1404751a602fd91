// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/class_pictures.h"

#include "core/base/files/atomic_file.h"
#include "core/base/files/sha256.h"
#include "core/engine/sampling/pipeline.h"
#include "core/engine/training/cache_bound.h"
#include "core/engine/training/run_start.h"

#include <algorithm>
#include <filesystem>
#include <iomanip>
#include <sstream>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kSteps = 25;
constexpr double kGuidance = 7.5;
/// Pictures are made in groups of numbers 4n ... 4n+3, whichever of them are missing: in a batch of another
/// make-up the last bits would differ, and so would a run that was interrupted here.
constexpr int64_t kGroup = 4;
constexpr const char* kFormat = "class pictures 2"; // part of every key: other settings get other folders

Result<std::string> folderOf(const JobContext& job, const ModelBundle& model) {
    const DataConfig& data = job.config.data;
    if (!data.classDir.empty()) return data.classDir;
    HOMEBOOTH_ASSIGN(auto facts, job.run.facts());
    std::ostringstream key;
    key << kFormat << '\n'
        << facts[kModelFact] << '\n'
        << model.source().schedulerJson << '\n'
        << static_cast<int>(job.config.precision) << '\n'
        << data.classPrompt << '\n'
        << data.resolutionPixels << '\n'
        << "dpm++ 2m " << kSteps << ' ' << kGuidance;
    return job.options.cacheDir + "/class-pictures/" + sha256Text(key.str());
}

std::string fileName(const std::string& folder, int64_t index) {
    std::ostringstream name;
    name << folder << "/class-" << std::setw(6) << std::setfill('0') << index << ".png";
    return name.str();
}

bool exists(const std::string& path) {
    std::error_code error;
    return fs::exists(path, error);
}

GenerationRequest requestFor(const JobContext& job, int64_t group) {
    GenerationRequest request;
    request.prompt = job.config.data.classPrompt;
    request.steps = kSteps;
    request.guidanceScale = kGuidance;
    request.widthPixels = job.config.data.resolutionPixels;
    request.heightPixels = job.config.data.resolutionPixels;
    request.seeds.clear();
    // The seed hangs on the picture's number alone, so that runs and resumptions make the same pictures.
    for (int64_t i = 0; i < kGroup; ++i)
        request.seeds.push_back(static_cast<uint64_t>(group * kGroup + i) + 1);
    return request;
}

/// Makes the pictures with these numbers, ascending, and writes each as soon as its group is done.
Result<void> generate(const JobContext& job, ModelBundle& model, const std::string& folder,
                      const std::vector<int64_t>& missing, int64_t present) {
    HOMEBOOTH_ASSIGN(TextEncoder * text, model.textEncoder());
    HOMEBOOTH_ASSIGN(VaeModel * vae, model.vae());
    if (text == nullptr || vae == nullptr) return {}; // stop was requested
    GenerationPipeline pipeline({model.unet(), *text, *vae, model.tokenizer(), model.scheduler()});
    const int64_t total = present + static_cast<int64_t>(missing.size());
    for (size_t next = 0; next < missing.size();) {
        job.events.emit(StateEvent{"class-images", job.config.data.classPrompt,
                                   present + static_cast<int64_t>(next), total});
        const int64_t group = missing[next] / kGroup;
        HOMEBOOTH_ASSIGN(const GenerationResult made,
                         pipeline.generate(requestFor(job, group), {}, job.control.stop));
        if (made.cancelled) return {};
        for (; next < missing.size() && missing[next] / kGroup == group; ++next)
            HOMEBOOTH_CHECK(job.writer.write(fileName(folder, missing[next]),
                                             made.pictures[static_cast<size_t>(missing[next] % kGroup)], {}));
    }
    return {};
}

} // namespace

Result<std::vector<std::string>> prepareClassPictures(const JobContext& job, ModelBundle& model) {
    HOMEBOOTH_ASSIGN(const std::string folder, folderOf(job, model));
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) return systemError("make the folder of class pictures", folder, error.value());
    HOMEBOOTH_ASSIGN(std::vector<std::string> present, job.pictures.list(folder));
    const int64_t wanted = job.config.data.classImageCount;
    const auto count = static_cast<int64_t>(present.size());
    if (count < wanted) {
        std::vector<int64_t> missing;
        for (int64_t index = 0; static_cast<int64_t>(missing.size()) < wanted - count; ++index)
            if (!exists(fileName(folder, index))) missing.push_back(index);
        HOMEBOOTH_CHECK(generate(job, model, folder, missing, count));
        HOMEBOOTH_ASSIGN(present, job.pictures.list(folder));
    }
    // More than asked for (another run wanted more): the first ones, so that the data set stays the same.
    if (static_cast<int64_t>(present.size()) > wanted) present.resize(static_cast<size_t>(wanted));
    if (job.config.data.classDir.empty())
        for (const std::string& path : present) markUsed(path);
    return present;
}

} // namespace homebooth::core
