// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/writing/generate_job.h"

#include "core/base/model/model_source.h"
#include "core/base/plan/generation/generate_plan.h"
#include "core/base/system/memory_facts.h"
#include "core/base/util/exit_codes.h"
#include "core/engine/io/precision.h"
#include "core/engine/jobs/failure.h"
#include "core/engine/sampling/sample_room.h"
#include "core/engine/writing/language_lora_merge.h"
#include "core/engine/writing/text_generation.h"

namespace homebooth::core {
namespace {

constexpr const char* kMemoryAdvice = "take bf16, --quantize int8, or fewer --tokens";

Result<LanguagePart> openPart(const GenerateConfig& config, EventSink& events) {
    HOMEBOOTH_ASSIGN(ModelSource source, openModel(config.model));
    if (!source.language)
        return badInput("expected a folder with a language model (OPT, GPT-2 or BLOOM), found a model that "
                        "makes pictures (" +
                            std::string(familyName(source.family)) + "); `homebooth-engine sample` does that",
                        config.model);
    for (const std::string& deviation : source.deviations) events.emit(WarningEvent{"model", deviation});
    return std::move(*source.language);
}

class Job {
public:
    Job(const GenerateConfig& config, at::Device device, EventSink& events, const CancelToken& cancel)
        : m_config(config)
        , m_device(device)
        , m_events(events)
        , m_cancel(cancel) {}

    /// Whether all texts were written; false when cancelled.
    Result<bool> run() {
        m_events.emit(StateEvent{"loading", m_config.model, 0, 0});
        HOMEBOOTH_ASSIGN(const LanguagePart part, openPart(m_config, m_events));
        HOMEBOOTH_ASSIGN(const ByteLevelTokenizer tokenizer, ByteLevelTokenizer::loadFolder(part.folder));
        TextRequest request;
        HOMEBOOTH_ASSIGN(request.prompt, promptTokens(m_config.prompt, tokenizer, part.config));
        HOMEBOOTH_ASSIGN(request.endTokens, endTokens(part, tokenizer.endToken()));
        HOMEBOOTH_ASSIGN(const auto model, load(part, request));
        if (!model || m_cancel.requested()) return false;
        request.tokens = m_config.tokens;
        request.choice = {m_config.temperature, m_config.topK, m_config.topP, m_config.repetitionPenalty};
        request.seed = m_config.seed;
        request.count = m_config.count;
        request.stop = m_config.stop;
        m_events.emit(StateEvent{"writing", "", 0, 0});
        return writeTexts(
            *model, tokenizer, request, [this](const TextEvent& text) { hear(text); }, m_cancel);
    }

    [[nodiscard]] OutcomeEvent outcome(const Result<bool>& end) const {
        OutcomeEvent outcome;
        outcome.measured.stepSeconds = m_tokens > 0 ? m_seconds / static_cast<double>(m_tokens) : 0.0;
        outcome.measured.residentBytes = outcome.measured.ramBytes = peakResidentBytes();
        outcome.result = !end ? "failed" : *end ? "done" : "cancelled";
        if (outcome.result == "done") return outcome;
        outcome.kept = std::to_string(m_whole) + " of " + std::to_string(m_config.count) + " texts are whole";
        outcome.code = end ? kExitCancelled : static_cast<int>(end.error().code);
        outcome.message = end ? "stopped on request" : end.error().text();
        return outcome;
    }

private:
    /// All weights, where the plan wants them. Null when cancelled. @param request  gets how many at a time
    Result<std::unique_ptr<LanguageModel>> load(const LanguagePart& part, TextRequest& request) {
        std::vector<LanguageLora> loras; // opened before minutes of loading
        std::vector<double> weights;
        for (const LoraReference& lora : m_config.loras) {
            HOMEBOOTH_ASSIGN(LanguageLora opened, openLanguageLora(lora.file, part));
            loras.push_back(std::move(opened));
            weights.push_back(lora.weight);
        }
        HOMEBOOTH_ASSIGN(
            const GeneratePlan plan,
            planGenerating(m_config, part.config, std::ssize(request.prompt), sampleRoom(m_device)));
        request.textsAtATime = plan.textsAtATime;
        LanguageModel::Options options;
        options.type = scalarTypeOf(m_config.precision);
        options.device = m_device;
        options.quantization = m_config.quantization;
        options.streams = plan.streams;
        options.resident = plan.resident;
        HOMEBOOTH_ASSIGN(auto model, LanguageModel::load(part, options, m_cancel));
        if (!model) return model;
        HOMEBOOTH_CHECK(mergeLanguageLoras(loras, weights, part, model->component().store(), m_cancel));
        return model;
    }

    void hear(const TextEvent& text) {
        if (!text.endedBy.empty()) {
            m_tokens += text.tokens;
            m_seconds = text.seconds;
            if (text.endedBy != "cancelled") ++m_whole;
        }
        m_events.emit(text);
    }

    const GenerateConfig& m_config;
    at::Device m_device;
    EventSink& m_events;
    const CancelToken& m_cancel;
    int64_t m_whole = 0;
    int64_t m_tokens = 0; // of texts that ended, and the time until then
    double m_seconds = 0.0;
};

} // namespace

OutcomeEvent runGenerateJob(const GenerateConfig& config, at::Device device, EventSink& events,
                            const CancelToken& cancel) {
    Job job(config, device, events, cancel);
    try {
        return job.outcome(job.run());
    } catch (const std::exception&) {
        return job.outcome(failureInFlight("writing texts", kMemoryAdvice));
    }
}

} // namespace homebooth::core
