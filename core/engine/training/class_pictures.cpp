// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/class_pictures.h"

#include "core/base/files/atomic_file.h"
#include "core/base/files/sha256.h"
#include "core/base/util/log.h"
#include "core/base/util/regular_file.h"
#include "core/base/util/shallow_json.h"
#include "core/engine/data/cache_bound.h"
#include "core/engine/memory/tier_meter.h"
#include "core/engine/sampling/pipeline.h"
#include "core/engine/training/picture_room.h"
#include "core/engine/training/run_start.h"
#include "core/engine/training/signs_of_life.h"

#include <algorithm>
#include <filesystem>
#include <iomanip>
#include <sstream>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kSteps = 25;
/// Pictures are made in groups of numbers 4n ... 4n+3, whichever of them are missing: in a batch of another
/// make-up the last bits would differ, and so would a run that was interrupted here.
constexpr int64_t kGroup = kClassPicturesAtOnce;
constexpr const char* kOriginName = "made-of.json"; // beside those in a folder of the user's
constexpr const char* kPromptKey = "prompt";
constexpr const char* kModelKey = "modelSha256";
constexpr const char* kFormat = "class pictures 2"; // part of every key: other settings get other folders

Result<std::string> folderOf(const JobContext& job, const ModelBundle& model) {
    const DataConfig& data = job.config.data;
    if (!data.classDir.empty()) return data.classDir;
    HOMEBOOTH_ASSIGN(auto facts, job.run.facts());
    std::ostringstream key;
    key << kFormat << '\n'
        << facts[kModelFact] << '\n'
        << toJson(model.ownScheduler()) << '\n'
        << static_cast<int>(job.config.precision) << '\n'
        << data.classPrompt << '\n'
        << data.resolutionPixels << '\n'
        << "dpm++ 2m " << kSteps << ' ' << job.config.data.classGuidanceScale;
    if (job.config.quantization == Quantization::Int8) key << "\nint8"; // the UNet that draws them is
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
    request.guidanceScale = job.config.data.classGuidanceScale;
    request.widthPixels = job.config.data.resolutionPixels;
    request.heightPixels = job.config.data.resolutionPixels;
    request.seeds.clear();
    // The seed hangs on the picture's number alone, so that runs and resumptions make the same pictures.
    for (int64_t i = 0; i < kGroup; ++i)
        request.seeds.push_back(static_cast<uint64_t>(group * kGroup + i) + 1);
    return request;
}

/// What there is in a folder, and the numbers of pictures that are to be made, ascending.
struct Shortage {
    std::string folder;
    std::vector<std::string> present; // paths
    std::vector<int64_t> missing;
};

/// Whether it was made here, and not brought along.
bool isMade(const fs::path& path) {
    const std::string name = path.filename().string();
    return name.starts_with("class-") && name.ends_with(".png");
}

bool holdsMade(const std::vector<std::string>& paths) {
    return std::any_of(paths.begin(), paths.end(), isMade);
}

/// Of those in the cache the first that can be used, as many as are wanted. Damaged ones are removed, to be
/// made again: nobody has another copy, or knows the folder.
std::vector<std::string> intact(const JobContext& job, const std::vector<std::string>& listed) {
    std::vector<std::string> whole;
    for (const std::string& path : listed) {
        if (job.control.stop.requested()) return listed; // nothing is made of it any more
        if (std::ssize(whole) >= job.config.data.classImageCount) break;
        if (!isMade(path) || job.pictures.expectWhole(path)) {
            whole.push_back(path);
            continue;
        }
        log(LogLevel::Warning, displayName(path) + ": the class picture is damaged and is made again");
        std::error_code ignored; // whoever writes it says what is in the way
        fs::remove(path, ignored);
    }
    return whole;
}

/// Whether one of that name is to be made: what lies in a folder of the user's stays, whatever it is.
bool isMissing(const JobContext& job, const Shortage& shortage, const std::string& path) {
    if (!job.config.data.classDir.empty()) return !exists(path);
    const auto has = [&path](const fs::path& one) { return one.filename() == fs::path(path).filename(); };
    return std::none_of(shortage.present.begin(), shortage.present.end(), has);
}

/// Of those that lie there and are of another prompt or model, what to say; empty: none are known to be.
Result<std::string> wordsOfOthers(const JobContext& job, const Shortage& shortage) {
    constexpr int64_t kLargest = int64_t{1} << 20;
    const DataConfig& data = job.config.data;
    if (data.classDir.empty() || !holdsMade(shortage.present)) return std::string();
    const auto text = readRegularFile(shortage.folder + "/" + kOriginName, kLargest);
    if (!text) return std::string();
    const auto origin = parseShallow(*text);
    const auto said = [&origin](const char* key) {
        const bool has = origin.is_object() && origin.contains(key) && origin[key].is_string();
        return has ? origin[key].get<std::string>() : std::string();
    };
    HOMEBOOTH_ASSIGN(auto facts, job.run.facts());
    const std::string prompt = said(kPromptKey);
    const std::string model = said(kModelKey);
    std::string words = "the class pictures in " + shortage.folder + " were made ";
    if (!prompt.empty() && prompt != data.classPrompt)
        return words.append("of \"" + prompt + "\" and are learned as \"" + data.classPrompt +
                            "\" (--class-prompt): name another --class-dir, or take that prompt");
    if (!model.empty() && model != facts[kModelFact])
        return words.append("by another model, and this one shall keep what it knows: name another "
                            "--class-dir, and it makes its own");
    return std::string();
}

Result<Shortage> shortageOf(const JobContext& job, const ModelBundle& model) {
    Shortage found;
    HOMEBOOTH_ASSIGN(found.folder, folderOf(job, model));
    std::error_code error;
    fs::create_directories(found.folder, error);
    if (error) return systemError("make the folder of class pictures", found.folder, error.value());
    HOMEBOOTH_ASSIGN(found.present, job.pictures.list(found.folder));
    if (job.config.data.classDir.empty()) found.present = intact(job, found.present);
    const int64_t lacking = job.config.data.classImageCount - std::ssize(found.present);
    for (int64_t index = 0; std::ssize(found.missing) < lacking; ++index)
        if (isMissing(job, found, fileName(found.folder, index))) found.missing.push_back(index);
    if (found.missing.empty()) return found;
    // Among others they would be of two kinds, of which made-of.json names one.
    HOMEBOOTH_ASSIGN(const std::string others, wordsOfOthers(job, found));
    if (!others.empty()) return badInput("cannot add class pictures: " + others);
    return found;
}

/// Says in a folder of the user's what its pictures are made of, where nothing was made before. Just ahead of
/// the first of them: until then an empty folder stays one, and a kill leaves no picture without.
Result<void> noteOrigin(const JobContext& job, const Shortage& shortage) {
    if (job.config.data.classDir.empty() || holdsMade(shortage.present)) return {};
    HOMEBOOTH_ASSIGN(auto facts, job.run.facts());
    const nlohmann::ordered_json origin{{kPromptKey, job.config.data.classPrompt},
                                        {kModelKey, facts[kModelFact]}};
    return writeFileAtomically(shortage.folder + "/" + kOriginName,
                               origin.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
                                   "\n");
}

/// The members of every so many of the groups that something is missing of, beginning with group `first`.
std::vector<int64_t> everyGroup(const std::vector<int64_t>& missing, int64_t first, int64_t stride) {
    std::vector<int64_t> taken;
    int64_t groups = 0; // up to here
    for (size_t i = 0; i < missing.size(); ++i) {
        if (i > 0 && missing[i] / kGroup != missing[i - 1] / kGroup) ++groups;
        if (groups % stride == first) taken.push_back(missing[i]);
    }
    return taken;
}

/// Makes the pictures with these numbers, ascending, and writes each as soon as its group is done.
/// @param makers  ranks that do so at the same time, each with others: what this one has done stands for all
Result<void> generate(const JobContext& job, ModelBundle& model, const Shortage& shortage,
                      const std::vector<int64_t>& numbers, int64_t makers) {
    if (numbers.empty()) return {};
    HOMEBOOTH_ASSIGN(const bool loaded, model.load(/*whole=*/true)); // others make other pictures, or none
    if (!loaded) return {};
    HOMEBOOTH_ASSIGN(TextEncoders * text, model.textEncoders());
    HOMEBOOTH_ASSIGN(VaeModel * vae, model.vae());
    if (text == nullptr || vae == nullptr) return {}; // stop was requested
    GenerationPipeline pipeline({model.unet(), *text, *vae, model.tokenizers(), model.ownScheduler(),
                                 model.source().zeroEmptyPrompt});
    const bool tiles = tilesPictures(job, model.source());
    const int64_t present = std::ssize(shortage.present);
    const int64_t total = present + std::ssize(shortage.missing);
    for (size_t next = 0; next < numbers.size();) {
        const int64_t done = std::min(present + static_cast<int64_t>(next) * makers, total);
        const StateEvent state{"class-images", job.config.data.classPrompt, done, total};
        job.events.emit(state);
        SignsOfLife signs(job, state); // a group of them takes most of an hour on a slow processor
        const int64_t group = numbers[next] / kGroup;
        GenerationRequest request = requestFor(job, group);
        request.vaeTiling = tiles;
        HOMEBOOTH_ASSIGN(const GenerationResult made,
                         pipeline.generate(request, signs.listener(), job.control.stop));
        if (made.cancelled) return {};
        if (numbers.front() == shortage.missing.front()) HOMEBOOTH_CHECK(noteOrigin(job, shortage));
        for (; next < numbers.size() && numbers[next] / kGroup == group; ++next)
            HOMEBOOTH_CHECK(job.writer.write(fileName(shortage.folder, numbers[next]),
                                             made.pictures[static_cast<size_t>(numbers[next] % kGroup)], {}));
    }
    return {};
}

/// What one rank makes while the others do so, too, or wait. @returns  false when stop was requested
Result<bool> makeAlone(const JobContext& job, ModelBundle& model, const Shortage& shortage,
                       const std::vector<int64_t>& numbers, int64_t makers) {
    bool goesOn = true;
    if (!numbers.empty()) {
        HOMEBOOTH_ASSIGN(goesOn, model.load(/*whole=*/true));
    }
    if (goesOn) {
        const TierScope notTheSteps(Tier::Ram); // all but the model goes again
        HOMEBOOTH_CHECK(generate(job, model, shortage, numbers, makers));
    }
    model.endPictures();
    return goesOn;
}

/// Where all see the same folder for sure.
Result<bool> makeInShares(const JobContext& job, ModelBundle& model) {
    HOMEBOOTH_ASSIGN(const Shortage shortage, shortageOf(job, model));
    const Ranks& ranks = job.ranks();
    ranks.meetAgain(); // all have looked before any of them writes
    const std::vector<int64_t> own = everyGroup(shortage.missing, ranks.rank(), ranks.count());
    HOMEBOOTH_ASSIGN(const bool goesOn, makeAlone(job, model, shortage, own, ranks.count()));
    return !ranks.any(!goesOn || job.control.stop.requested());
}

Result<bool> makeByMachines(const JobContext& job, ModelBundle& model) {
    const Ranks& ranks = job.ranks();
    for (const bool turnOfFirst : {true, false}) {
        bool goesOn = true;
        if (ranks.leadsMachine() && ranks.isFirst() == turnOfFirst) {
            HOMEBOOTH_ASSIGN(const Shortage shortage, shortageOf(job, model));
            HOMEBOOTH_ASSIGN(goesOn, makeAlone(job, model, shortage, shortage.missing, 1));
        }
        if (ranks.any(!goesOn || job.control.stop.requested())) return false;
    }
    return true;
}

} // namespace

Result<bool> makeClassPicturesTogether(const JobContext& job, ModelBundle& model) {
    const bool oneMachine = job.ranks().onThisMachine() == job.ranks().count();
    return oneMachine ? makeInShares(job, model) : makeByMachines(job, model);
}

Result<std::vector<std::string>> prepareClassPictures(const JobContext& job, ModelBundle& model) {
    HOMEBOOTH_ASSIGN(const Shortage shortage, shortageOf(job, model));
    HOMEBOOTH_ASSIGN(std::string others, wordsOfOthers(job, shortage));
    if (!others.empty()) job.events.emit(WarningEvent{"class-pictures-of-another", std::move(others)});
    std::vector<std::string> present = shortage.present;
    if (!shortage.missing.empty()) {
        HOMEBOOTH_CHECK(generate(job, model, shortage, shortage.missing, 1));
        model.endPictures();
        HOMEBOOTH_ASSIGN(present, job.pictures.list(shortage.folder));
    }
    const int64_t wanted = job.config.data.classImageCount;
    // More than asked for (another run wanted more): the first ones, so that the data set stays the same.
    if (static_cast<int64_t>(present.size()) > wanted) present.resize(static_cast<size_t>(wanted));
    if (job.config.data.classDir.empty())
        for (const std::string& path : present) markUsed(path);
    return present;
}

} // namespace homebooth::core
