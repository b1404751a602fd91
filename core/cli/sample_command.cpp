// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/field_builder.h"
#include "core/base/config/sample_config_json.h"
#include "core/base/config/sample_spread.h"
#include "core/base/config/start_size.h"
#include "core/base/config/training_defaults.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/made_folders.h"
#include "core/base/formats/packed_files.h"
#include "core/base/plan/generation/sample_plan.h"
#include "core/base/run/queue/job_slots.h"
#include "core/base/run/queue/rank_gpus.h"
#include "core/base/system/cpu_facts.h"
#include "core/base/system/gpu_facts.h"
#include "core/base/text/unicode.h"
#include "core/base/util/regular_file.h"
#include "core/cli/power/sleep_inhibitor.h"
#include "core/cli/sample_request.h"
#include "core/cli/told_lines.h"
#include "core/cli/train/idle_settings.h"
#include "core/cli/worker/meeting_folder.h"
#include "core/cli/worker/sample_watch.h"
#include "core/cli/worker/stop_signals.h"
#include "core/cli/worker/worker_process.h"
#include "core/cli/worker/working_folder.h"
#include "core/media/picture_io.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <unistd.h>

namespace homebooth::core {
namespace {

constexpr const char* kPrompt = "prompt";
constexpr const char* kGuidance = "guidanceScale"; // the one setting that a model's folder may bring

/// What settings as JSON consist of.
std::string keysOf(const std::vector<ConfigField>& fields) {
    std::string keys;
    for (const ConfigField& field : fields) keys += field.path + ", ";
    return keys + R"(loras: [{"file", "weight"}], embeddings: [FILE])";
}

} // namespace

void SampleRequest::addTo(CLI::App& app) {
    SampleConfig defaults;
    app.add_option("--config", m_configFile,
                   "settings as JSON; options override them. Keys: " + keysOf(configFields(defaults)))
        ->type_name("FILE");
    m_options.addTo(app, configFields(defaults), [](const ConfigField& field) {
        return field.path == kGuidance ? markedValue(field) : shownValue(field);
    });
    app.footer(app.get_footer() + "\n" + kOwnDefaultsFooter);
    app.add_option("--lora", m_loras, "LoRA to add; may be given several times")
        ->type_name("FILE[:WEIGHT]")
        ->allow_extra_args(false);
    app.add_option("--embedding", m_embeddings,
                   "textual inversion, which prompts name by its file's name without ending; may be given "
                   "several times")
        ->type_name("FILE")
        ->allow_extra_args(false);
}

namespace {

/// Files of its lists.
std::vector<std::string> listedFiles(const SampleConfig& config) {
    std::vector<std::string> files = config.embeddings;
    for (const LoraReference& lora : config.loras) files.push_back(lora.file);
    return files;
}

/// Its weights are not needed to know how they are used.
Result<ModelSource> openConfigured(const std::string& path) {
    OpenOptions open;
    open.weightsOptional = true;
    return openPictureModel(path, open);
}

/// What a model's folder says suits its pictures; none: nothing, or it cannot be opened, which is told later.
std::optional<double> modelsGuidance(const std::string& path) {
    const auto model = openConfigured(path);
    if (!model) return std::nullopt;
    const auto defaults = TrainingDefaults::of(*model);
    return defaults ? defaults->guidanceScale() : std::nullopt;
}

} // namespace

Result<void> SampleRequest::takeSettings(SampleConfig& config) {
    GivenFields given;
    if (!m_configFile.empty()) {
        constexpr int64_t kLargest = int64_t{256} << 10;
        HOMEBOOTH_ASSIGN(const std::string text, readRegularFile(m_configFile, kLargest));
        if (const auto read = readJson(text, config, &given); !read)
            return Error{read.error().code, read.error().message, m_configFile};
    }
    HOMEBOOTH_CHECK(m_options.apply(configFields(config), given));
    m_prompted = m_options.named(kPrompt) || given.contains(kPrompt);
    if (!m_options.named(kGuidance) && !given.contains(kGuidance))
        if (const auto own = modelsGuidance(config.model)) config.guidanceScale = *own;
    return {};
}

void SampleRequest::showDefaults(CLI::App& app) {
    SampleConfig config;
    const auto taken = takeSettings(config);
    if (taken && config.model.empty()) return;
    const auto model = taken ? openConfigured(config.model) : Result<ModelSource>(taken.error());
    if (!model)
        app.footer(app.get_footer() + "\nWhat applies cannot be told: " + model.error().text());
    else
        FieldOptions::showValues(app, configFields(config),
                                 "In brackets: what applies to " + displayName(config.model) +
                                     " with the options beside --help.");
}

Result<SampleConfig> SampleRequest::prepare() {
    SampleConfig config;
    HOMEBOOTH_CHECK(takeSettings(config));
    for (const std::string& text : m_loras) {
        HOMEBOOTH_ASSIGN(LoraReference lora, parseLoraReference(text));
        config.loras.push_back(std::move(lora));
    }
    for (const std::string& file : m_embeddings) {
        if (!isUtf8(file))
            return Error{ErrorCode::Usage,
                         "expected a file whose name is UTF-8, found " + displayName(file) + "; rename it",
                         "--embedding"};
        config.embeddings.push_back(file);
    }
    HOMEBOOTH_CHECK(expectReachable(configFields(config), listedFiles(config)));
    if (m_outputOptional && config.outputDir.empty()) config.outputDir = ".";
    if (const auto valid = validate(config); !valid) {
        Error error = valid.error();
        if (m_configFile.empty()) error.code = ErrorCode::Usage;
        return error;
    }
    if (!m_prompted && !m_outputOptional) // a plan is the same for any
        return Error{ErrorCode::Usage,
                     "--prompt is missing: what the pictures show, e.g. \"a photo of sks dog\" (--prompt "
                     "\"\" leaves that to the model)",
                     {}};
    return config;
}

std::vector<std::string> SampleRequest::idle(SampleConfig config) const {
    return idleSettings(config, m_options.namedOf(configFields(config)));
}

Result<SampleConfig> settingsToPlan(const SampleConfig& config, const ModelSource& model) {
    if (config.initImage.empty()) return config;
    HOMEBOOTH_ASSIGN(const std::string file, PackedFiles().read(config.initImage, kMaxPictureFileBytes));
    HOMEBOOTH_ASSIGN(const PictureInfo info, decodePictureInfo(file, config.initImage));
    return withStartSize(config, {info.widthPixels, info.heightPixels}, model);
}

namespace {

/// Programs have been told of it.
int reportSampling(const OutcomeEvent& outcome, bool json) {
    if (outcome.result == "failed") {
        const std::string kept = outcome.resultPaths.empty() ? "" : "; " + outcome.kept;
        return fail("sample", {static_cast<ErrorCode>(outcome.code), outcome.message + kept, {}});
    }
    if (json) return outcome.code;
    if (outcome.result == "cancelled") std::printf("stopped; %s\n", outcome.kept.c_str());
    for (const std::string& path : outcome.resultPaths) std::printf("%s\n", path.c_str());
    return outcome.code;
}

/// How many processes make the pictures, and on what.
struct SampleCrew {
    SampleSpread spread;
    std::vector<std::string> gpus; ///< one each, as CUDA_VISIBLE_DEVICES takes it; empty: the processor
    std::string idle;              ///< why they are fewer than asked for; empty: they are not
};

/// @param asked  processes. Errors: OutOfResources where their models do not fit, one beside the other
Result<SampleCrew> chooseCrew(const SampleConfig& config, const ModelSource& model, int64_t asked) {
    MemoryConfig memory;
    memory.device = config.device;
    HOMEBOOTH_ASSIGN(MachineLimits limits, freeLimits(memory));
    SampleCrew crew;
    if (limits.gpu && asked > 1)
        for (const JobSlot& slot : jobSlots()) crew.gpus.push_back(slot.device);
    const int64_t gpus = std::ssize(crew.gpus);
    crew.spread = spreadSampling(config, gpus > 0 ? std::min(asked, gpus) : asked);
    crew.idle = idleProcesses(config, asked, gpus);
    if (gpus > 0) { // those that none of them computes on do not count
        crew.gpus.resize(static_cast<size_t>(crew.spread.processes));
        HOMEBOOTH_ASSIGN(limits, freeLimits(memory, crew.gpus));
    }
    limits.ramBytes /= crew.spread.processes;
    HOMEBOOTH_ASSIGN(SampleConfig each, settingsToPlan(config, model));
    if (crew.spread.halves) each.guidanceScale = 1.0; // what one of two computes
    auto plan = planSampling(each, model, limits);
    if (plan) return crew;
    Error error = plan.error();
    if (crew.spread.processes > 1 && error.code == ErrorCode::OutOfResources)
        error.message += "; fewer --processes leave each more memory";
    return error;
}

std::vector<WorkerOptions> workersOf(const SampleConfig& config, const SampleCrew& crew,
                                     const MeetingFolder& meeting) {
    const int64_t processes = crew.spread.processes;
    SampleConfig each = config;
    if (processes > 1 && each.threads == 0) each.threads = std::max<int64_t>(usableThreads() / processes, 1);
    const std::string onlyGpu = gpuOfOne(config.device);
    std::vector<WorkerOptions> workers;
    for (int64_t rank = 0; rank < processes; ++rank) {
        WorkerOptions worker;
        worker.arguments = {"sample"};
        const std::vector<std::string> place = meeting.argumentsOf(rank, processes);
        worker.arguments.insert(worker.arguments.end(), place.begin(), place.end());
        worker.input = toJson(each);
        if (!crew.gpus.empty()) worker.device = crew.gpus[static_cast<size_t>(rank)];
        if (worker.device.empty()) worker.device = onlyGpu;
        workers.push_back(std::move(worker));
    }
    return workers;
}

/// @param warnings  of the preparation
Result<int> runSampleWorkers(const SampleConfig& config, const SampleCrew& crew, bool several, bool json,
                             const std::vector<WarningEvent>& warnings) {
    if (::access(config.outputDir.c_str(), W_OK | X_OK) != 0)
        return systemError("write pictures here", config.outputDir, errno);
    MeetingFolder meeting;
    if (crew.spread.processes > 1) HOMEBOOTH_CHECK(meeting.make());
    SampleWatch watch(config, several, json);
    for (const WarningEvent& warning : warnings) watch.warn(warning);
    HOMEBOOTH_ASSIGN(
        const std::vector<RankEnd> ends,
        runHeardRanks(
            workersOf(config, crew, meeting),
            [&watch](int rank, const std::string& line, const auto& entry) { watch.take(rank, line, entry); },
            [&watch](StopRequest request) { watch.stopping(request); }));
    return reportSampling(watch.end(ends), json);
}

/// @param idle  what there is to say of options that change nothing
Result<int> sample(const SampleConfig& config, int64_t processes, bool json,
                   const std::vector<std::string>& idle) {
    HOMEBOOTH_ASSIGN(const ModelSource model, openPictureModel(config.model));
    HOMEBOOTH_ASSIGN(const SampleCrew crew, chooseCrew(config, model, processes));
    const StopSignals held; // Ctrl-C from here on waits until empty folders are removed again
    const SleepInhibitor awake(SleepInhibitor::Kind::Awake);
    HOMEBOOTH_ASSIGN(const MadeFolders folders, MadeFolders::make(config.outputDir));
    std::vector<WarningEvent> warnings;
    for (const std::string& text : idle) warnings.push_back({kIdleOption, text});
    if (!crew.idle.empty()) warnings.push_back({"processes", crew.idle});
    auto code = runSampleWorkers(config, crew, processes > 1, json, warnings);
    folders.removeEmpty(); // where no picture came of it
    return code;
}

/// What is asked of the program, beside the pictures.
struct SampleCall {
    bool json = false;
    bool server = false;
    int64_t processes = 1;

    void addTo(CLI::App& app);
    /// Errors: Usage
    [[nodiscard]] Result<void> check() const;
};

void SampleCall::addTo(CLI::App& app) {
    app.add_flag("--json", json, kJsonLinesHelp);
    app.add_flag(
        "--serve", server,
        "keep the model: read commands from standard input, one a line: {\"command\": \"generate\", "
        "\"request\": {settings as in --config}}, {\"command\": \"stop\"}, which stops the pictures that "
        "are made, or {\"command\": \"elsewhere\", \"folder\": DIR}, which has them go to another folder, "
        "also one that waits for room; other options do not count. On standard output stands a line with the "
        "state \"ready\" when it waits for a command, and an \"outcome\" for each request, in their order");
    FieldBuilder fields;
    fields.integer(
        "processes", processes, "--processes",
        "processes on this machine that make the pictures together, each on a GPU of its own or on "
        "its part of the processor's cores, and each --batch at a time; where they are twice as "
        "many as that takes, two make each picture, one with the prompt, one with the negative "
        "prompt",
        1, 256);
    addFieldOption(app, fields.take().front(), "1");
}

Result<void> SampleCall::check() const {
    if (server && processes > 1)
        return Error{ErrorCode::Usage, "--serve keeps the model in one process; leave --processes out", {}};
    return {};
}

/// Passes requests through to a worker that keeps its model; it ends with its standard input.
Result<int> serve() {
    WorkerOptions worker;
    worker.arguments = {"serve"};
    worker.device = firstUsableGpu();
    worker.inheritInput = true;
    worker.saves = false; // whoever kills this program wants the worker's memory back
    HOMEBOOTH_ASSIGN(WorkerEnd end,
                     runWorker(worker, [](const std::string& line, const auto&) { tellLine(line); }, {}));
    // What it said last is of a request; of a lost GPU it ends.
    if (end.signal == 0 && end.outcome && end.outcome->code == end.exitCode) return end.exitCode;
    end.outcome.reset();
    const OutcomeEvent outcome = outcomeOf(end);
    if (outcome.result == "failed") return Error{static_cast<ErrorCode>(outcome.code), outcome.message, {}};
    return outcome.code;
}

} // namespace

int runSample(const Arguments& arguments) {
    CLI::App app("Makes pictures from a prompt; with --init from a picture and a prompt.",
                 "homebooth-engine sample");
    SampleRequest request;
    request.addTo(app);
    SampleCall call;
    call.addTo(app);
    const auto done = parseArguments(app, arguments, [&] { request.showDefaults(app); });
    if (done) return *done;
    if (const auto right = call.check(); !right) return failTold("sample", right.error(), call.json);
    if (call.server) {
        const auto code = serve();
        return code ? *code : fail("sample", code.error());
    }
    auto config = request.prepare();
    if (!config) return failTold("sample", config.error(), call.json);
    if (call.json) // whoever reads the lines may be elsewhere
        if (const auto folder = absolutePath(config->outputDir)) config->outputDir = *folder;
    const auto code = sample(*config, call.processes, call.json, request.idle(*config));
    return code ? *code : failTold("sample", code.error(), call.json);
}

} // namespace homebooth::core
