// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/data/preview_prompts.h"

#include "core/base/text/generation_parameters.h"
#include "core/base/text/prompt_weights.h"
#include "core/base/util/version.h"

namespace homebooth::core {
namespace {

constexpr char kSeparator = '|';
constexpr const char* kBlanks = " \t\r\n";

std::vector<std::string> splitPrompts(const std::string& text) {
    std::vector<std::string> prompts;
    size_t begin = 0;
    while (begin <= text.size()) {
        const size_t end = std::min(text.find(kSeparator, begin), text.size());
        std::string prompt = text.substr(begin, end - begin);
        prompt.erase(0, prompt.find_first_not_of(kBlanks));
        prompt.erase(prompt.find_last_not_of(kBlanks) + 1);
        if (!prompt.empty()) prompts.push_back(std::move(prompt));
        begin = end + 1;
    }
    return prompts;
}

/// An instance prompt is learned as it is, whatever stands in it.
std::vector<std::string> givenPrompts(const TrainConfig& config) {
    if (!config.output.previewPrompt.empty()) return splitPrompts(config.output.previewPrompt);
    if (config.data.instancePrompt.empty()) return {};
    return {config.data.instancePrompt};
}

} // namespace

std::vector<PreviewPrompt> previewPrompts(const TrainConfig& config,
                                          const std::vector<TrainingSample>& samples) {
    const std::vector<std::string> prompts = givenPrompts(config);
    const auto count = static_cast<size_t>(config.output.previewCount);
    std::vector<PreviewPrompt> result;
    for (size_t i = 0; i < count; ++i) {
        std::string text;
        if (!prompts.empty())
            text = prompts[i % prompts.size()];
        else if (!samples.empty())
            text = samples[i * samples.size() / count].captions.front();
        result.push_back({std::move(text), config.seed + i});
    }
    return result;
}

std::string previewParameters(const GenerationRequest& request) {
    GenerationParameters parameters;
    // Whoever makes the picture from this text weighs words by its brackets.
    const auto written = [&request](const std::string& prompt) {
        return request.weighsWords ? prompt : unweighedPrompt(prompt);
    };
    parameters.prompt = written(request.prompt);
    parameters.negativePrompt = written(request.negativePrompt);
    parameters.steps = request.steps;
    parameters.sampler = samplerDisplayName(request.sampler);
    parameters.guidanceScale = request.guidanceScale;
    parameters.seed = request.seeds.front();
    parameters.widthPixels = request.widthPixels;
    parameters.heightPixels = request.heightPixels;
    parameters.version = std::string("Homebooth ").append(versionText());
    return writeGenerationParameters(parameters);
}

} // namespace homebooth::core
