// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/generation/generate_plan.h"

#include "core/base/arch/language_layout.h"
#include "core/base/plan/generation/streamed_network.h"
#include "core/base/plan/training/placed_plan.h"
#include "core/base/plan/training/train_sizes.h"
#include "core/base/schedule/quantized_weights.h"

#include <algorithm>
#include <optional>

namespace homebooth::core {
namespace {

constexpr int64_t kMostTexts = 16; // at a time

/// What writing takes, whatever the placement.
struct Writing {
    PlannedNetwork network;
    int64_t cacheBytes = 0; ///< keys and values of a text
    int64_t logitBytes = 0; ///< of a text: those that it was continued with, and the next ones
    int64_t passBytes = 0;  ///< of the prompt, the longest one: values, and logits in the making
    size_t tableBlock = 0;  ///< that has the table of the head

    Writing(const GenerateConfig& config, const LanguageConfig& model, int64_t promptTokens, bool gpu)
        : network(scheduleOf(config, model), bytesOf(config.precision), gpu) {
        constexpr int64_t kHiddenCopies = 8; // of a layer's values, as wide as its input
        constexpr int64_t kWideCopies = 3;   // and as wide as its feed-forward part
        constexpr int64_t kLogitCopies = 3;  // of a vocabulary, in fp32: stretches, joined; the prompt's
        const int64_t element = bytesOf(config.precision);
        const int64_t length = textLength(config, model, promptTokens);
        const int64_t pairs = 2 * model.hiddenSize; // a key and a value of a layer
        cacheBytes = model.layerCount * pairs * length * element;
        logitBytes = 2 * model.vocabularySize * kFloatBytes;
        const int64_t values = model.layerCount * pairs + kHiddenCopies * model.hiddenSize +
                               kWideCopies * model.intermediateSize;
        // Attention reads a layer's keys and values joined, and in fp32 on hosts without 16-bit products.
        passBytes = promptTokens * values * element + pairs * length * (element + kFloatBytes) +
                    kLogitCopies * model.vocabularySize * kFloatBytes +
                    quantizedWorkBytes(scheduleOf(config, model), element);
        tableBlock = model.tiedHead ? 0 : network.blockBytes.size() - 1;
    }
    static Schedule scheduleOf(const GenerateConfig& config, const LanguageConfig& model) {
        return frozenSchedule(languageSchedule(model, 1, LanguageUse::Following), config.quantization);
    }
};

struct Need {
    TierMemory computing;
    TierMemory beside; ///< in RAM: homes of what is streamed
    int64_t linkBytesPerToken = 0;
};

Need needOf(const Writing& writing, const GeneratePlan& way) {
    Need need;
    const std::vector<bool> resident =
        way.streams ? way.resident : std::vector<bool>(writing.network.blockBytes.size(), true);
    need.computing.parameterBytes = deviceBytesOf(writing.network, resident);
    need.computing.cacheBytes = way.textsAtATime * writing.cacheBytes;
    need.computing.activationBytes = way.textsAtATime * writing.logitBytes + writing.passBytes;
    need.beside.parameterBytes = streamedBytesOf(writing.network.paddedBytes, resident);
    need.linkBytesPerToken = streamedBytesOf(writing.network.blockBytes, resident);
    return need;
}

/// Of the device, or of the host memory that stands for one; 0: there is one memory alone.
int64_t deviceLimit(const GenerateConfig& config, const MachineLimits& limits) {
    if (!limits.gpu) return config.deviceBytes;
    return config.deviceBytes > 0 ? std::min(config.deviceBytes, limits.deviceBytes) : limits.deviceBytes;
}

/// Most texts at a time for which there is room; 0: for none.
int64_t textsFor(const Writing& writing, GeneratePlan way, int64_t count, int64_t device) {
    way.textsAtATime = 1;
    const int64_t left = device - totalBytes(needOf(writing, way).computing);
    if (left < 0) return 0;
    return std::min({count, kMostTexts, 1 + left / (writing.cacheBytes + writing.logitBytes)});
}

/// The one that brings least over the link for each token of all texts. Where none fits, the leanest.
GeneratePlan streamedWay(const Writing& writing, const GenerateConfig& config, int64_t device) {
    std::optional<GeneratePlan> best;
    double leastBytes = 0.0;
    const bool all = config.policy == PlacementPolicy::Cpu;
    for (int64_t share = all ? 0 : kResidentShares - 1; share >= 0; --share) {
        GeneratePlan way;
        way.streams = true;
        way.resident = spreadOver(writing.network, share);
        way.resident[writing.tableBlock] = true; // a copy would be there all the time
        const int64_t texts = device > 0 ? textsFor(writing, way, config.count, device) : 1;
        if (texts == 0 && (share > 0 || best)) continue;
        way.textsAtATime = std::max<int64_t>(texts, 1);
        const double bytes = static_cast<double>(needOf(writing, way).linkBytesPerToken) /
                             static_cast<double>(way.textsAtATime);
        if (best && bytes >= leastBytes) continue;
        leastBytes = bytes;
        best = way;
    }
    return *best;
}

GeneratePlan choose(const Writing& writing, const GenerateConfig& config, const MachineLimits& limits) {
    const int64_t device = deviceLimit(config, limits);
    if (config.policy == PlacementPolicy::Cpu) return streamedWay(writing, config, device);
    const bool fits = device == 0 || totalBytes(needOf(writing, {}).computing) <= device;
    return fits || config.policy == PlacementPolicy::Gpu ? GeneratePlan()
                                                         : streamedWay(writing, config, device);
}

std::string adviceFor(const GenerateConfig& config) {
    return std::string("try ") + (config.precision == Precision::Fp32 ? "--precision bf16, " : "") +
           (config.quantization == Quantization::None ? "--quantize int8, " : "") +
           (config.policy == PlacementPolicy::Gpu ? "--policy auto, " : "") +
           "fewer --tokens or a shorter prompt";
}

} // namespace

int64_t textLength(const GenerateConfig& config, const LanguageConfig& model, int64_t promptTokens) {
    return std::min(promptTokens + config.tokens, model.maxPositions);
}

Result<GeneratePlan> planGenerating(const GenerateConfig& config, const LanguageConfig& model,
                                    int64_t promptTokens, const MachineLimits& limits) {
    const Writing writing(config, model, promptTokens, limits.gpu);
    GeneratePlan plan = choose(writing, config, limits);
    const Need need = needOf(writing, plan);
    plan.tier = need.computing;
    plan.event.predicted.linkBytesPerStep = need.linkBytesPerToken;
    const int64_t device = deviceLimit(config, limits);
    MachineLimits within = limits;
    if (limits.gpu) within.deviceBytes = device;
    HOMEBOOTH_CHECK(place(plan, within, totalBytes(plan.tier), totalBytes(need.beside), adviceFor(config)));
    tellPeaks(plan, plan.tier, need.beside);
    if (limits.gpu || device == 0 || totalBytes(plan.tier) <= device) return plan;
    return tooLittle(totalBytes(plan.tier), " of device memory", device, RamSplit(), adviceFor(config));
}

} // namespace homebooth::core
