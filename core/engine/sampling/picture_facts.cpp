// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sampling/picture_facts.h"

#include "core/base/config/step_spacing.h"

namespace homebooth::core {

namespace {

constexpr const char* kVersion = "Homebooth " HOMEBOOTH_VERSION;

bool trails(const GenerationRequest& request) {
    return request.stepSpacing == StepSpacing::Trailing &&
           takesSpacing(request.sampler, request.karrasSigmas);
}

const char* scheduleType(const GenerationRequest& request) {
    if (request.karrasSigmas && hasKarrasSpacing(request.sampler)) return "Karras";
    if (trails(request)) return kTrailingSchedule;
    return hasKarrasSpacing(request.sampler) ? "Uniform" : "Automatic"; // there is but one
}

} // namespace

GenerationParameters pictureFacts(const GenerationRequest& request, size_t index, const Picture& picture) {
    GenerationParameters facts;
    facts.prompt = request.prompt;
    if (request.guidanceScale > 1.0) facts.negativePrompt = request.negativePrompt;
    facts.steps = request.steps;
    facts.sampler = samplerDisplayName(request.sampler);
    facts.scheduleType = scheduleType(request);
    facts.guidanceScale = request.guidanceScale;
    facts.seed = request.seeds[index];
    facts.widthPixels = picture.widthPixels;
    facts.heightPixels = picture.heightPixels;
    if (request.initPixels.defined()) facts.strength = request.strength;
    facts.others = {{"RNG", "CPU"}};
    if (trails(request) && facts.scheduleType != kTrailingSchedule)
        facts.others.emplace_back(kStepSpacingKey, kTrailingWord);
    facts.version = kVersion;
    return facts;
}

} // namespace homebooth::core
