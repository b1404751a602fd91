// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/preview_prompts.h"

#include "core/base/text/generation_parameters.h"

namespace homebooth::core {
namespace {

constexpr char kSeparator = '|';

std::vector<std::string> splitPrompts(const std::string& text) {
    std::vector<std::string> prompts;
    size_t begin = 0;
    while (begin <= text.size()) {
        const size_t end = std::min(text.find(kSeparator, begin), text.size());
        std::string prompt = text.substr(begin, end - begin);
        prompt.erase(0, prompt.find_first_not_of(' '));
        prompt.erase(prompt.find_last_not_of(' ') + 1);
        if (!prompt.empty()) prompts.push_back(std::move(prompt));
        begin = end + 1;
    }
    return prompts;
}

} // namespace

std::vector<PreviewPrompt> previewPrompts(const TrainConfig& config,
                                          const std::vector<TrainingSample>& samples) {
    const std::string& given =
        config.output.previewPrompt.empty() ? config.data.instancePrompt : config.output.previewPrompt;
    const std::vector<std::string> prompts = splitPrompts(given);
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
    parameters.prompt = request.prompt;
    parameters.negativePrompt = request.negativePrompt;
    parameters.steps = request.steps;
    parameters.sampler = samplerDisplayName(request.sampler);
    parameters.guidanceScale = request.guidanceScale;
    parameters.seed = request.seeds.front();
    parameters.widthPixels = request.widthPixels;
    parameters.heightPixels = request.heightPixels;
    return writeGenerationParameters(parameters);
}

} // namespace homebooth::core
