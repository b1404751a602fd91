// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/generate_config_json.h"
#include "core/base/config/sample_config_json.h"
#include "core/base/run/queue/rank_gpus.h"
#include "core/base/text/unicode.h"
#include "core/base/util/regular_file.h"
#include "core/cli/options.h"
#include "core/cli/power/sleep_inhibitor.h"
#include "core/cli/told_lines.h"
#include "core/cli/train/idle_settings.h"
#include "core/cli/worker/text_watch.h"
#include "core/cli/worker/worker_process.h"
#include "core/cli/worker/working_folder.h"

namespace homebooth::core {
namespace {

/// What the command line asks for.
class GenerateRequest {
public:
    void addTo(CLI::App& app);

    /// Errors: Usage; BadInput for the prompt's file
    [[nodiscard]] Result<GenerateConfig> prepare();

    /// What there is to say of options that were named and change nothing.
    /// @param config  that was prepared
    [[nodiscard]] std::vector<std::string> idle(GenerateConfig config) const {
        return idleSettings(config, m_options.namedOf(configFields(config)));
    }

    std::string output = "-";
    bool json = false;

private:
    [[nodiscard]] Result<void> readPrompt(std::string& prompt) const;

    FieldOptions m_options;
    std::vector<std::string> m_loras;
    std::string m_promptFile;
};

void GenerateRequest::addTo(CLI::App& app) {
    GenerateConfig defaults;
    m_options.addTo(app, configFields(defaults));
    app.add_option(
           "--prompt-file", m_promptFile,
           "what the texts begin with, from a file, in the place of --prompt; a line break at its end "
           "does not count")
        ->type_name("FILE");
    app.add_option("--lora", m_loras, "LoRA to add, as PEFT has it; may be given several times")
        ->type_name("FOLDER[:WEIGHT]")
        ->allow_extra_args(false);
    app.add_option("--output", output, "new file for the text; -: standard output [-]")->type_name("FILE");
    app.add_flag(
        "--json", json,
        "write one JSON object at the end: texts, seeds, tokens, how each ended, speed; or the outcome where "
        "there is no text");
}

Result<void> GenerateRequest::readPrompt(std::string& prompt) const {
    constexpr int64_t kLargest = int64_t{4} << 20; // more than any context
    if (!m_promptFile.empty()) {
        if (m_options.named("prompt"))
            return Error{ErrorCode::Usage, "expected --prompt or --prompt-file, found both", {}};
        HOMEBOOTH_ASSIGN(prompt, readRegularFile(m_promptFile, kLargest));
        if (prompt.ends_with('\n')) prompt.pop_back();
        if (prompt.ends_with('\r')) prompt.pop_back();
        if (!isUtf8(prompt)) return badInput("expected UTF-8 in the prompt's file; convert it", m_promptFile);
    }
    if (!isUtf8(prompt)) return Error{ErrorCode::Usage, "expected UTF-8", "--prompt"};
    return {};
}

Result<GenerateConfig> GenerateRequest::prepare() {
    GenerateConfig config;
    GivenFields given;
    HOMEBOOTH_CHECK(m_options.apply(configFields(config), given));
    std::vector<std::string> files;
    for (const std::string& text : m_loras) {
        HOMEBOOTH_ASSIGN(LoraReference lora, parseLoraReference(text));
        files.push_back(lora.file);
        config.loras.push_back(std::move(lora));
    }
    if (!m_promptFile.empty()) files.push_back(m_promptFile);
    if (output != "-") files.push_back(output);
    HOMEBOOTH_CHECK(expectReachable(configFields(config), files));
    HOMEBOOTH_CHECK(readPrompt(config.prompt));
    if (const auto valid = validate(config); !valid) {
        Error error = valid.error();
        error.code = ErrorCode::Usage;
        return error;
    }
    return config;
}

Result<int> generate(const GenerateConfig& config, const GenerateRequest& request) {
    TextWatch watch(config, request.output, request.json);
    HOMEBOOTH_CHECK(watch.open());
    for (const std::string& text : request.idle(config)) watch.take(WarningEvent{kIdleOption, text});
    WorkerOptions worker;
    worker.arguments = {"generate"};
    worker.input = toJson(config);
    worker.device = gpuOfOne(config.device);
    const SleepInhibitor awake(SleepInhibitor::Kind::Awake);
    const auto end = runWorker(
        worker,
        [&watch](const std::string&, const std::optional<JournalEntry>& entry) {
            if (entry) watch.take(entry->event);
        },
        [&watch](StopRequest asked) { watch.stopping(asked); });
    HOMEBOOTH_CHECK(watch.end());
    if (!end) return end.error();
    const OutcomeEvent outcome = outcomeOf(*end);
    const bool told = request.json && !watch.printed(); // else the object is what is told
    if (outcome.result != "failed") {
        if (told) tellEvent(outcome);
        return outcome.code;
    }
    return failTold("generate", {static_cast<ErrorCode>(outcome.code), outcome.message, {}}, told);
}

} // namespace

int runGenerate(const Arguments& arguments) {
    CLI::App app("Goes on with a text, with a language model.", "homebooth-engine generate");
    GenerateRequest request;
    request.addTo(app);
    if (const auto done = parseArguments(app, arguments)) return *done;
    const auto config = request.prepare();
    if (!config) return failTold("generate", config.error(), request.json);
    const auto code = generate(*config, request);
    return code ? *code : failTold("generate", code.error(), request.json);
}

} // namespace homebooth::core
