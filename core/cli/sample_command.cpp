// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/sample_config_json.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/made_folders.h"
#include "core/base/plan/train_plan.h"
#include "core/base/run/progress.h"
#include "core/base/util/regular_file.h"
#include "core/cli/sample_request.h"
#include "core/cli/stop_signals.h"
#include "core/cli/worker_process.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <unistd.h>

namespace homebooth::core {

void SampleRequest::addTo(CLI::App& app) {
    SampleConfig defaults;
    app.add_option("--config", m_configFile, "settings as JSON; options override them")->type_name("FILE");
    m_options.addTo(app, configFields(defaults));
    app.add_option("--lora", m_loras, "LoRA to add; may be given several times")
        ->type_name("FILE[:WEIGHT]")
        ->allow_extra_args(false);
}

Result<SampleConfig> SampleRequest::prepare() {
    SampleConfig config;
    GivenFields given;
    if (!m_configFile.empty()) {
        constexpr int64_t kLargest = int64_t{256} << 10;
        HOMEBOOTH_ASSIGN(const std::string text, readRegularFile(m_configFile, kLargest));
        if (const auto read = readJson(text, config, &given); !read)
            return Error{read.error().code, read.error().message, m_configFile};
    }
    HOMEBOOTH_CHECK(m_options.apply(configFields(config), given));
    for (const std::string& text : m_loras) {
        HOMEBOOTH_ASSIGN(LoraReference lora, parseLoraReference(text));
        config.loras.push_back(std::move(lora));
    }
    if (m_outputOptional && config.outputDir.empty()) config.outputDir = ".";
    if (const auto valid = validate(config); !valid) {
        Error error = valid.error();
        if (m_configFile.empty()) error.code = ErrorCode::Usage;
        return error;
    }
    return config;
}

namespace {

/// Shows progress and remembers the pictures, for a worker that cannot say any more what it made.
class SampleWatch {
public:
    explicit SampleWatch(bool json)
        : m_json(json)
        , m_progress(!json && ::isatty(STDERR_FILENO) != 0, 0) {}

    void take(const std::string& line, const std::optional<JournalEntry>& entry) {
        if (entry)
            if (const auto* preview = std::get_if<PreviewEvent>(&entry->event)) remember(preview->path);
        if (m_json) {
            std::printf("%s\n", line.c_str());
            std::fflush(stdout);
        } else if (entry) {
            m_progress.show(entry->event);
        }
    }
    void stopping(StopRequest request) {
        if (m_json) return;
        m_progress.note(request == StopRequest::Gently ? "stopping; press Ctrl-C again to stop at once"
                                                       : "stopping at once");
    }
    void finish() { m_progress.finish(); }

    [[nodiscard]] const std::vector<std::string>& pictures() const { return m_pictures; }
    /// Previews that a killed worker left.
    void removePreviews() const {
        std::error_code ignored;
        for (const std::string& path : m_previews) std::filesystem::remove(path, ignored);
    }

private:
    void remember(const std::string& path) {
        const bool hidden = std::filesystem::path(path).filename().native().starts_with('.');
        (hidden ? m_previews : m_pictures).push_back(path);
    }

    bool m_json;
    Progress m_progress;
    std::vector<std::string> m_pictures;
    std::vector<std::string> m_previews;
};

OutcomeEvent outcomeOfSampling(const WorkerEnd& end, const SampleWatch& watch, const SampleConfig& config) {
    OutcomeEvent outcome = outcomeOf(end);
    if (end.outcome) return outcome;
    watch.removePreviews();
    outcome.resultPaths = watch.pictures();
    outcome.kept = std::to_string(outcome.resultPaths.size()) + " of " + std::to_string(config.count) +
                   " pictures are in " + config.outputDir;
    return outcome;
}

Result<int> reportSampling(const OutcomeEvent& outcome, bool json) {
    if (outcome.result == "failed") {
        const std::string kept = outcome.resultPaths.empty() ? "" : "; " + outcome.kept;
        return Error{static_cast<ErrorCode>(outcome.code), outcome.message + kept, {}};
    }
    if (json) return outcome.code;
    if (outcome.result == "cancelled") std::printf("stopped; %s\n", outcome.kept.c_str());
    for (const std::string& path : outcome.resultPaths) std::printf("%s\n", path.c_str());
    return outcome.code;
}

Result<int> runSampleWorker(const SampleConfig& config, bool json) {
    if (::access(config.outputDir.c_str(), W_OK | X_OK) != 0)
        return systemError("write pictures here", config.outputDir, errno);
    WorkerOptions worker;
    worker.arguments = {"sample"};
    worker.input = toJson(config);
    SampleWatch watch(json);
    HOMEBOOTH_ASSIGN(const WorkerEnd end,
                     runWorker(
                         worker,
                         [&watch](const std::string& line, const auto& entry) { watch.take(line, entry); },
                         [&watch](StopRequest request) { watch.stopping(request); }));
    watch.finish();
    return reportSampling(outcomeOfSampling(end, watch, config), json);
}

Result<int> sample(const SampleConfig& config, bool json) {
    HOMEBOOTH_ASSIGN(const ModelSource model, openModel(config.model));
    MemoryConfig memory;
    memory.device = config.device;
    HOMEBOOTH_ASSIGN(const MachineLimits limits, machineLimits(memory));
    HOMEBOOTH_CHECK(planSampling(config, model, limits));
    const StopSignals held; // Ctrl-C from here on waits until empty folders are removed again
    HOMEBOOTH_ASSIGN(const MadeFolders folders, MadeFolders::make(config.outputDir));
    auto code = runSampleWorker(config, json);
    folders.removeEmpty(); // where no picture came of it
    return code;
}

/// Passes requests through to a worker that keeps its model; it ends with its standard input.
Result<int> serve() {
    WorkerOptions worker;
    worker.arguments = {"serve"};
    worker.inheritInput = true;
    worker.saves = false; // whoever kills this program wants the worker's memory back
    HOMEBOOTH_ASSIGN(const WorkerEnd end, runWorker(worker,
                                                    [](const std::string& line, const auto&) {
                                                        std::printf("%s\n", line.c_str());
                                                        std::fflush(stdout);
                                                    },
                                                    {}));
    if (end.signal == 0) return end.exitCode;
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
    bool json = false;
    bool server = false;
    app.add_flag("--json", json, "print the journal's lines instead of progress");
    app.add_flag("--serve", server,
                 "keep the model: read requests from standard input, one a line: {\"command\": \"generate\", "
                 "\"request\": {settings as in --config}}; other options do not count");
    if (const auto done = parseArguments(app, arguments)) return *done;
    if (server) {
        const auto code = serve();
        return code ? *code : fail("sample", code.error());
    }
    const auto config = request.prepare();
    if (!config) return fail("sample", config.error());
    const auto code = sample(*config, json);
    return code ? *code : fail("sample", code.error());
}

} // namespace homebooth::core
