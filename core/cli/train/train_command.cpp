// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/byte_size.h"
#include "core/base/config/parallel_check.h"
#include "core/base/config/training_defaults.h"
#include "core/base/files/made_folders.h"
#include "core/base/plan/card_facts.h"
#include "core/base/plan/generation/preview_plan.h"
#include "core/base/plan/own_limits.h"
#include "core/base/plan/ranks/rank_links.h"
#include "core/base/plan/training/disk_need.h"
#include "core/base/plan/training/train_plan.h"
#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/run/checkpoints/checkpoint_places.h"
#include "core/base/run/checkpoints/checkpoints_elsewhere.h"
#include "core/base/run/journal/journal.h"
#include "core/base/run/journal/progress.h"
#include "core/base/run/middle_of_run.h"
#include "core/base/run/moved_run.h"
#include "core/base/run/queue/rank_gpus.h"
#include "core/base/swap/disk_room.h"
#include "core/base/swap/stale_swap.h"
#include "core/base/system/gpu_facts.h"
#include "core/base/system/held_elsewhere.h"
#include "core/base/util/log.h"
#include "core/base/util/regular_file.h"
#include "core/cli/options.h"
#include "core/cli/power/sleep_inhibitor.h"
#include "core/cli/told_lines.h"
#include "core/cli/train/own_captions.h"
#include "core/cli/train/resumed_settings.h"
#include "core/cli/train/seldom_seen.h"
#include "core/cli/train/train_request.h"
#include "core/cli/train/training_pictures.h"
#include "core/cli/worker/launched.h"
#include "core/cli/worker/run_job.h"
#include "core/cli/worker/step_need.h"
#include "core/cli/worker/stop_signals.h"
#include "core/cli/worker/worker_process.h"
#include "core/cli/worker/working_folder.h"
#include "core/media/picture_list.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>
#include <utility>

namespace homebooth::core {
namespace {
constexpr const char* kNoFolder = "."; // of a plan that nobody named a folder for
constexpr const char* kNoPhotos = "/dev/null";

} // namespace

Result<void> TrainRequest::readFile() {
    if (m_configFile.empty()) return {};
    constexpr int64_t kLargest = int64_t{256} << 10;
    HOMEBOOTH_ASSIGN(const std::string text, readRegularFile(m_configFile, kLargest));
    const auto read = readJson(text, m_config, &m_given);
    return read ? Result<void>() : Error{read.error().code, read.error().message, m_configFile};
}

Result<void> TrainRequest::checkFolders() const {
    const DataConfig& data = m_config.data;
    if (m_config.mode == TrainMode::Language) HOMEBOOTH_CHECK(checkNamedTexts());
    for (const std::string& folder : {data.instanceDir, data.datasetDir}) {
        std::error_code code;
        if (!folder.empty() && folder != kNoPhotos && !std::filesystem::is_directory(folder, code))
            return badInput(std::string(kNoPictureFolderWords) + "; check the path", folder);
    }
    std::error_code code;
    const std::string& swap = m_config.memory.swapDir;
    if (m_card.name.empty() && !swap.empty() && !std::filesystem::is_directory(swap, code))
        return badInput("--swap: expected a folder for swapping, found none; make it, or name another", swap);
    return {};
}

Result<void> TrainRequest::takeProcesses() {
    if (!m_place) return {};
    if (m_options.named("parallel.gpus"))
        return Error{ErrorCode::Usage,
                     "expected no --gpus where " + m_place->launcher +
                         " has started the processes: each takes the GPU with its number among those of its "
                         "machine; leave --gpus out, and say with CUDA_VISIBLE_DEVICES which there are",
                     {}};
    m_config.parallel.gpus.clear(); // of a run that no launcher began
    int64_t& processes = m_config.parallel.processes;
    if (m_options.named("parallel.processes") && processes != m_place->ranks)
        return Error{ErrorCode::Usage,
                     "expected as many --processes as " + m_place->launcher + " has started, " +
                         std::to_string(m_place->ranks) + ", found " + std::to_string(processes) +
                         "; leave --processes out",
                     {}};
    processes = m_place->ranks;
    m_given.insert("parallel.processes");
    return {};
}

/// What workers see of the GPUs. A plan for another machine's card minds none of them.
Result<std::vector<std::string>> TrainRequest::gpusFor(const TrainConfig& config) const {
    if (!m_card.name.empty()) return std::vector<std::string>();
    if (!m_place) return rankGpus(config);
    if (config.memory.device == ComputeDevice::Cpu) return std::vector<std::string>(1);
    const char* visible = std::getenv(kVisibleDevicesVariable);
    const std::vector<JobSlot> usable = gpuSlots();
    std::string own = launchedGpu(visible, m_place->localRank, usable);
    const bool chosen = visible != nullptr && own == visible; // by the launcher
    const bool tooFew = !chosen && m_place->localRanks > static_cast<int>(usable.size());
    return std::vector<std::string>{tooFew && config.memory.device == ComputeDevice::Auto ? kNoGpu : own};
}

namespace {

/// What the smallest of these GPUs has; nothing where none of them is known.
std::optional<int64_t> leastMemory(const std::vector<std::string>& gpus) {
    std::optional<int64_t> least;
    for (const GpuDevice& device : gpuFacts().devices)
        if (std::find(gpus.begin(), gpus.end(), device.uuid) != gpus.end())
            least = std::min(least.value_or(device.totalBytes), device.totalBytes);
    return least;
}

/// Counts what other workers hold as free; of a GPU all that it has counts already.
void addHeldRam(MachineLimits& limits, const MemoryConfig& memory, int64_t heldBytes) {
    limits.ramBytes += heldBytes;
    if (memory.ramBytes > 0) limits.ramBytes = std::min(limits.ramBytes, memory.ramBytes);
}

PlanDecision aboutHeldRam(int64_t bytes) {
    return {"memory: " + byteSizeText(bytes) +
                " of RAM that trainings and pictures of Homebooth hold now count as free",
            kHeldUntilTurn,
            {{"heldBytes", static_cast<double>(bytes)}}};
}

/// Leaves each of these processes its part of the RAM that all of them may use.
void shareRam(MachineLimits& limits, const MemoryConfig& memory, int64_t sharing) {
    const bool named = memory.ramBytes > 0 && limits.ramBytes >= memory.ramBytes;
    limits.split = {sharing, named ? memory.ramBytes : 0};
    limits.ramBytes /= sharing;
}

/// Of several processes each needs what is planned.
PlanDecision aboutOneProcess(int64_t processes) {
    return {"memory: all these figures are those of one of " + std::to_string(processes) + " processes",
            "one-process",
            {{"processes", static_cast<double>(processes)}}};
}

} // namespace

int64_t TrainRequest::sharing() const {
    if (!m_card.name.empty()) return placesOf(m_config.parallel.processes).perMachine; // of a machine's cards
    return m_place && m_place->localRanks > 0 ? m_place->localRanks : m_config.parallel.processes;
}

/// A run goes on in its own folder.
Result<void> TrainRequest::keepFolder(const std::string& folder) {
    const std::string asked = std::exchange(m_config.output.runDir, folder);
    std::error_code ignored;
    if (!m_options.named("output.runDir") || std::filesystem::equivalent(asked, folder, ignored)) return {};
    return Error{ErrorCode::Usage,
                 "--output: a run goes on in its own folder, found another one, " + displayName(asked) +
                     "; leave --output out, or copy the run's folder there and resume the copy",
                 folder};
}

Result<void> TrainRequest::takeSettings(const TrainConfig& base) {
    m_config = base;
    HOMEBOOTH_CHECK(readFile());
    HOMEBOOTH_CHECK(m_options.apply(configFields(m_config), m_given));
    HOMEBOOTH_CHECK(expectReachable(configFields(m_config)));
    if (m_keepsAll) HOMEBOOTH_CHECK(keepFolder(base.output.runDir));
    HOMEBOOTH_CHECK(takeProcesses());
    chooseMode();
    HOMEBOOTH_CHECK(checkKinds());
    if (m_onlyPlan && !m_card.name.empty()) standInForPhotos();
    if (m_onlyPlan && m_config.output.runDir.empty()) m_config.output.runDir = kNoFolder;
    if (auto valid = validate(m_config); !valid) {
        Error error = valid.error();
        if (m_configFile.empty() && base.output.runDir.empty()) error.code = ErrorCode::Usage;
        return error;
    }
    return checkFolders();
}

/// What a card takes says hardly anything else of a subject that has no photos yet.
void TrainRequest::standInForPhotos() {
    DataConfig& data = m_config.data;
    if (m_config.mode != TrainMode::DreamBooth || !data.datasetDir.empty()) return;
    if (data.instanceDir.empty()) data.instanceDir = kNoPhotos;
    if (data.instancePrompt.empty()) data.instancePrompt = "a photo";
}

/// A plan says of pictures that a training would refuse, and why; of those in a list its reader knows.
void TrainRequest::tellUnusablePictures(TrainPlan& plan) const {
    const DataConfig& data = m_config.data;
    if (!m_onlyPlan || !m_card.name.empty() || !m_card.pictures.empty()) return;
    if (m_config.mode == TrainMode::Language) return;
    const auto pictures = checkTrainingPictures(data, /*middle=*/false);
    if (!pictures)
        plan.event.decisions.push_back({"pictures: train would refuse these: " + pictures.error().text()});
}

Result<void> TrainRequest::planFor(const CardName& card) {
    HOMEBOOTH_CHECK(cardInMachine(card.name, card.pcie));
    m_card = card;
    return {};
}

/// The plan is one process's, and does for those with other GPUs, too.
Result<MachineLimits> TrainRequest::limitsFor(const Ready& ready, int64_t heldBytes) const {
    MemoryConfig memory = ready.config.memory;
    if (m_card.name.empty()) {
        const bool none = !ready.gpus.empty() && ready.gpus.front() == kNoGpu;
        if (none) memory.device = ComputeDevice::Cpu;
        HOMEBOOTH_ASSIGN(MachineLimits limits, machineLimits(memory));
        addHeldRam(limits, memory, heldBytes);
        shareRam(limits, memory, sharing());
        if (!limits.gpu || ready.gpus.empty() || ready.gpus.front().empty()) return limits;
        limits.deviceBytes = leastMemory(ready.gpus).value_or(limits.deviceBytes);
        if (memory.deviceBytes > 0) limits.deviceBytes = std::min(limits.deviceBytes, memory.deviceBytes);
        return limits;
    }
    MemoryConfig hostAlone = memory;
    hostAlone.device = ComputeDevice::Cpu;
    HOMEBOOTH_ASSIGN(MachineLimits limits, machineLimits(hostAlone));
    HOMEBOOTH_ASSIGN(const CardInMachine machine, cardInMachine(m_card.name, m_card.pcie));
    limits.gpu = true;
    limits.deviceBytes = machine.card.memoryBytes;
    if (memory.deviceBytes > 0) limits.deviceBytes = std::min(limits.deviceBytes, memory.deviceBytes);
    if (memory.ramBytes > 0) limits.ramBytes = memory.ramBytes; // another machine's
    shareRam(limits, memory, sharing());
    return limits;
}

Result<TrainPlan> TrainRequest::planMemory(const Ready& ready, const ModelSource& model) {
    const TrainConfig& config = ready.config;
    const int64_t held = m_card.inTurn ? ramHeldBy(processesOf(workerPath())) : 0;
    HOMEBOOTH_ASSIGN(const MachineLimits limits, limitsFor(ready, held));
    const std::string gpu = ready.gpus.empty() ? "" : ready.gpus.front();
    auto planned = [&]() -> Result<TrainPlan> {
        if (m_onPlanning) m_onPlanning();
        HOMEBOOTH_ASSIGN(const std::optional<StepNeed> need, askStepNeed(config, m_card, sharing(), gpu));
        return planTraining(config, model, limits, need);
    }();
    if (!planned && planned.error().code == ErrorCode::OutOfResources)
        m_lacksMemory = !ownLimitsRefuse(config.memory, limits, sharing(), planned.error().message);
    if (planned && held > 0) planned->event.decisions.push_back(aboutHeldRam(held));
    return planned;
}

Result<TrainRequest::Ready> TrainRequest::plan() {
    const bool scratch = m_config.mode == TrainMode::FromScratch;
    OpenOptions open;
    open.weightsOptional = scratch || m_onlyPlan;
    HOMEBOOTH_ASSIGN(ModelSource model,
                     openModel(scratch ? m_config.scratch.configDir : m_config.model, open));
    Ready ready;
    TrainingDefaults defaults;
    if (!m_keepsAll) {
        HOMEBOOTH_ASSIGN(defaults, TrainingDefaults::of(model));
    }
    FilledConfig filled = defaults.fill(m_config, m_given);
    ready.config = std::move(filled.config);
    ready.filledIn = std::move(filled.notes);
    if (!m_card.name.empty())
        ready.config.memory.device = ComputeDevice::Auto; // the card, whatever a file says
    HOMEBOOTH_ASSIGN(const std::vector<WarningEvent> idle, idleOnes(ready.config));
    HOMEBOOTH_CHECK(checkParallel(ready.config));
    HOMEBOOTH_ASSIGN(ready.gpus, gpusFor(ready.config));
    HOMEBOOTH_ASSIGN(ready.plan, planMemory(ready, model));
    HOMEBOOTH_CHECK(checkRoom(ready, model));
    if (ready.config.parallel.processes > 1)
        ready.plan.event.decisions.push_back(aboutOneProcess(ready.config.parallel.processes));
    tellUnusablePictures(ready.plan);
    for (const std::string& note : ready.filledIn) ready.plan.event.decisions.push_back({note});
    for (const WarningEvent& one : idle) {
        if (m_onlyPlan)
            ready.plan.event.decisions.push_back({one.message});
        else
            ready.warnings.push_back(one);
    }
    return ready;
}

Result<void> TrainRequest::checkRoom(const Ready& ready, const ModelSource& model) const {
    const MemoryConfig& memory = ready.config.memory;
    const int64_t swapBytes = ready.plan.event.predicted.swapBytes;
    HOMEBOOTH_CHECK(checkSwapSize(ready.config, swapBytes * sharing()));
    if (!m_card.name.empty()) return {}; // whose disks are not at hand
    std::vector<std::string> folders(static_cast<size_t>(sharing()), memory.swapDir);
    if (ready.config.parallel.processes > 1)
        for (size_t rank = 0; rank < folders.size(); ++rank)
            folders[rank] = swapFolderOf(memory.swapDir, static_cast<int64_t>(rank));
    DiskRoom room(ready.config, /*hasFolder=*/m_keepsAll);
    HOMEBOOTH_CHECK(
        room.addSwap(memory.swapDir, folders, swapBytes, largestSwapFile(ready.plan, ready.config, model)));
    HOMEBOOTH_CHECK(addSaved(ready, room));
    return room.check();
}

/// What is there already needs no room any more.
Result<void> TrainRequest::addSaved(const Ready& ready, DiskRoom& room) const {
    const std::string& folder = ready.config.output.runDir;
    if (folder.empty() || folder == kNoFolder) return {};
    std::vector<CheckpointEntry> saved = listCheckpoints(folder + "/checkpoints");
    std::erase_if(saved, [](const auto& one) { return isFavourite(one.path); }); // they make no room
    const auto rolling =
        std::count_if(saved.begin(), saved.end(), [](const auto& one) { return isRolling(one.path); });
    const bool givesWay = rolling > 0 && rolling < std::ssize(saved);
    const auto elsewhere = checkpointsElsewhere(folder);
    if (elsewhere && !m_onlyPlan) { // without its drive another disk would be measured
        HOMEBOOTH_ASSIGN(const RunFolder run, RunFolder::open(folder));
        HOMEBOOTH_CHECK(expectCheckpointsThere(run));
    }
    const bool withThem = elsewhere && isLink(folder + "/result");
    HOMEBOOTH_CHECK(room.addSaved(withThem ? *elsewhere : folder, resultBytesOnDisk(ready.plan),
                                  ready.plan.largestResultFile));
    return room.addSaved(
        elsewhere.value_or(folder),
        checkpointBytesOnDisk(ready.plan, ready.config.output.keepCheckpoints, std::ssize(saved), givesWay),
        ready.plan.largestCheckpointFile);
}

Result<TrainRequest::Ready> TrainRequest::prepare(const TrainConfig& base) {
    HOMEBOOTH_CHECK(takeSettings(base));
    return plan();
}

Result<TrainRequest::Ready> TrainRequest::prepareToRun(const TrainConfig& base) {
    HOMEBOOTH_CHECK(takeSettings(base));
    std::vector<std::string> leftOut;
    if (m_config.mode != TrainMode::Language) {
        const auto begun = RunFolder::open(m_config.output.runDir);
        const bool middle = begun && inTheMiddle(*begun, m_config.steps);
        HOMEBOOTH_ASSIGN(leftOut, checkTrainingPictures(m_config.data, middle));
    }
    HOMEBOOTH_ASSIGN(Ready ready, plan());
    for (const std::string& warning : leftOut) ready.warnings.push_back({"picture", warning});
    if (m_config.mode == TrainMode::DreamBooth && !m_keepsAll) {
        if (auto warning = ownCaptionsWarning(m_config.data))
            ready.warnings.push_back({kOwnCaptions, std::move(*warning)});
        if (auto warning = unreadMetadataWarning(m_config.data))
            ready.warnings.push_back({kUnreadMetadata, std::move(*warning)});
    }
    if (!m_keepsAll && !m_given.contains("steps"))
        if (auto warning = seldomSeenWarning(ready.config))
            ready.warnings.push_back({kSeldomSeen, std::move(*warning)});
    for (const PlanDecision& one : ready.plan.event.decisions)
        if (one.code == kPreviewsInTiles || one.code == kPreviewsLackMemory)
            ready.warnings.push_back({one.code, one.text});
    return ready;
}

namespace {

/// Paths that stay right wherever the run is resumed from. Errors: BadInput if run.json cannot hold them
Result<void> makeAbsolute(TrainConfig& config) {
    for (ConfigField& field : configFields(config)) {
        auto* text = std::get_if<std::string*>(&field.value);
        if (!field.folder || text == nullptr || (*text)->empty()) continue;
        HOMEBOOTH_ASSIGN(**text, absolutePath(**text));
    }
    return validate(config);
}

Result<int> startRun(const TrainRequest::Ready& ready, bool json, bool launched, SleepInhibitor& awake) {
    HOMEBOOTH_ASSIGN(const RunFolder run, RunFolder::create(ready.config.output.runDir, ready.config));
    auto lock = RunLock::acquire(run.lockFile());
    if (!lock) {
        removeUnbegun(run);
        return lock.error();
    }
    RunJobOptions options{RunAttempt::Fresh, json, ready.plan.event, ready.warnings};
    options.launched = launched;
    options.gpus = ready.gpus;
    options.awake = &awake;
    return runJob(run, std::move(lock).value(), options);
}

/// Says what takes the time ahead of the first line of the journal.
void tellPlanning(TrainRequest& request, bool json) {
    constexpr const char* kPlanning = "planning";
    request.onPlanning([json] {
        if (json)
            tellEvent(StateEvent{kPlanning, "", 0, 0});
        else
            Progress(::isatty(STDERR_FILENO) != 0, 0).note(kPlanning);
    });
}

Result<int> train(TrainRequest& request, bool json, bool launched) {
    tellPlanning(request, json);
    HOMEBOOTH_ASSIGN(TrainRequest::Ready ready, request.prepareToRun({}));
    HOMEBOOTH_CHECK(makeAbsolute(ready.config));
    for (const std::string& note : ready.filledIn)
        if (!json) Progress(::isatty(STDERR_FILENO) != 0, 0).note(note);
    const std::string& folder = ready.config.output.runDir;
    const StopSignals held; // Ctrl-C from here on waits until the run has a journal, or nothing is left of it
    SleepInhibitor awake(SleepInhibitor::Kind::Awake);
    HOMEBOOTH_ASSIGN(const MadeFolders parents,
                     MadeFolders::make(std::filesystem::path(folder).parent_path().string()));
    auto code = startRun(ready, json, launched, awake);
    parents.removeEmpty(); // where the run left nothing
    return code;
}

/// What there is to say of a copy that saved where its original does.
WarningEvent inWords(const OfAnother& left) {
    std::string text = "this run is a copy of another one, or comes from another disk; what lies in ";
    text.append(left.others).append(" stays as it is; the run ");
    if (left.step > 0) text += "goes on from the checkpoint of step " + std::to_string(left.step) + ", and ";
    text += "saves in " + left.folder + " from here on";
    return {"copied-run", std::move(text)};
}

/// Brings in order what of a run is where it was not before. @returns  what there is to say of it.
/// Errors: also where what it has saved is away: it must not begin anew
Result<std::vector<WarningEvent>> findAgain(const RunFolder& run) {
    HOMEBOOTH_CHECK(correctPaths(run));
    HOMEBOOTH_CHECK(returnToCheckpointsBefore(run));
    HOMEBOOTH_ASSIGN(const auto left, takeOwnCheckpoints(run));
    HOMEBOOTH_CHECK(expectSavedThere(run));
    std::vector<WarningEvent> warnings;
    if (left) warnings.push_back(inWords(*left));
    return warnings;
}

/// Has the journal say what has happened to a run that does not begin now: nobody would say it later. For
/// whoever holds its lock.
void tellWithout(const RunFolder& run, const std::vector<WarningEvent>& warnings) {
    if (warnings.empty()) return;
    const auto journal = JournalWriter::open(run.journalFile());
    if (!journal) return log(LogLevel::Warning, journal.error().text());
    for (const WarningEvent& warning : warnings) (*journal)->emit(warning);
}

/// Where a launcher has started one process and the run has several: such variables stay set in many a shell,
/// so that they alone decide nothing.
/// @param chosen  how many there are was named, or a launcher has started them
std::optional<WarningEvent> launcherWarning(const TrainConfig& before, const TrainConfig& config,
                                            bool chosen) {
    const int64_t processes = config.parallel.processes;
    const std::string launcher = launcherOfOne();
    if (chosen || launcher.empty() || processes == 1 || processes != before.parallel.processes)
        return std::nullopt;
    return WarningEvent{"processes", launcher + " has started one process, and the run goes on with " +
                                         std::to_string(processes) +
                                         " on this machine, as its settings say; to go on with one, add "
                                         "--processes 1"};
}

/// How a run goes on. @param before  how it did so far
Result<TrainRequest::Ready> prepareFurther(TrainRequest& request, const RunFolder& run,
                                           const TrainConfig& before) {
    request.keepAll(before);
    HOMEBOOTH_ASSIGN(TrainRequest::Ready ready, request.prepareToRun(before));
    HOMEBOOTH_CHECK(checkResumedSettings(run, before, ready.config));
    ready.config.output.runDir = run.path();
    HOMEBOOTH_CHECK(makeAbsolute(ready.config));
    return ready;
}

Result<int> resume(TrainRequest& request, const std::string& path, bool json, bool launched) {
    tellPlanning(request, json);
    HOMEBOOTH_ASSIGN(const RunFolder run, RunFolder::open(path));
    HOMEBOOTH_ASSIGN(RunLock lock, takeRun(run, json));
    HOMEBOOTH_ASSIGN(std::vector<WarningEvent> warnings, findAgain(run));
    HOMEBOOTH_ASSIGN(const TrainConfig before, run.config());
    const auto ready = prepareFurther(request, run, before);
    if (!ready) {
        tellWithout(run, warnings);
        return ready.error();
    }
    const std::string changed = changedSettings(before, ready->config);
    if (!changed.empty()) warnings.push_back({"resume", "the run goes on with other settings: " + changed});
    if (auto warning = launcherWarning(before, ready->config, launched || request.namesProcesses()))
        warnings.push_back(*warning);
    warnings.insert(warnings.end(), ready->warnings.begin(), ready->warnings.end());
    RunJobOptions options{RunAttempt::Resumed, json, ready->plan.event, std::move(warnings)};
    options.verb = "resume";
    options.launched = launched;
    options.gpus = ready->gpus;
    const StopSignals held;
    SleepInhibitor awake(SleepInhibitor::Kind::Awake);
    options.awake = &awake;
    if (toJson(ready->config) != toJson(before)) {
        HOMEBOOTH_CHECK(run.setConfig(ready->config));
        if (!changed.empty()) HOMEBOOTH_CHECK(noteChosenSettings(run, ready->config));
        options.before = before;
    }
    return runJob(run, std::move(lock), options);
}

} // namespace

void TrainRequest::keepAll(const TrainConfig& config) {
    TrainConfig copy = config;
    for (const ConfigField& field : configFields(copy)) m_given.insert(field.path);
    m_keepsAll = true;
}

Result<TrainRequest::Ready> checkAgain(const RunFolder& run, bool& lacksMemory) {
    HOMEBOOTH_ASSIGN(const std::vector<WarningEvent> warnings, findAgain(run));
    HOMEBOOTH_ASSIGN(const TrainConfig config, run.config());
    TrainRequest request;
    request.keepAll(config);
    tellPlanning(request, /*json=*/false);
    auto ready = request.prepareToRun(config);
    lacksMemory = request.lacksMemory();
    if (ready)
        ready->warnings.insert(ready->warnings.begin(), warnings.begin(), warnings.end());
    else
        tellWithout(run, warnings);
    return ready;
}

int runTrain(const Arguments& arguments) {
    CLI::App app(
        "Teaches a model a subject (--instance, --prompt) or a dataset (--dataset), a language model texts "
        "(--text).\n"
        "Ctrl-C saves and stops; `homebooth-engine resume RUN` goes on.",
        "homebooth-engine train");
    TrainRequest request;
    request.addTo(app);
    bool json = false;
    app.add_flag("--json", json, kJsonLinesHelp);
    const auto done = parseArguments(app, arguments, [&] { request.showDefaults(app); });
    if (done) return *done;
    const auto place = launchedPlace();
    if (!place) return failTold("train", place.error(), json);
    if (*place && (*place)->rank > 0) return joinTraining(**place, "train");
    if (*place) request.launchedAs(**place);
    const auto code = train(request, json, place->has_value());
    return code ? *code : failTold("train", code.error(), json);
}

int runResume(const Arguments& arguments) {
    CLI::App app(
        "Goes on with a run after its last checkpoint. Options of train change its settings, e.g.\n"
        "--steps to train a finished run further. What its checkpoints are made of stays as it was: " +
            fixedOptions() + "; the optimizer, too, where they hold its states. Until it has ended, so do " +
            optionsFixedWithinARun() + ".",
        "homebooth-engine resume");
    TrainRequest request;
    std::string path;
    app.add_option("RUN", path, "the run's folder")->required();
    request.addTo(app, /*resumes=*/true);
    bool json = false;
    app.add_flag("--json", json, kJsonLinesHelp);
    const auto done = parseArguments(app, arguments, [&] { request.showSettingsOf(path, app); });
    if (done) return *done;
    const auto place = launchedPlace();
    if (!place) return failTold("resume", place.error(), json);
    if (*place && (*place)->rank > 0) return joinTraining(**place, "resume");
    if (*place) request.launchedAs(**place);
    const auto code = resume(request, path, json, place->has_value());
    return code ? *code : failTold("resume", code.error(), json);
}

} // namespace homebooth::core
