// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sampling/picture_facts.h"

namespace homebooth::core {

namespace {

constexpr const char* kVersion = "Homebooth " HOMEBOOTH_VERSION;

} // namespace

GenerationParameters pictureFacts(const GenerationRequest& request, size_t index, const Picture& picture) {
    GenerationParameters facts;
    facts.prompt = request.prompt;
    if (request.guidanceScale > 1.0) facts.negativePrompt = request.negativePrompt;
    facts.steps = request.steps;
    facts.sampler = samplerDisplayName(request.sampler);
    facts.scheduleType = request.karrasSigmas ? "Karras" : "Uniform";
    if (!hasKarrasSpacing(request.sampler)) facts.scheduleType = "Automatic"; // there is but one
    facts.guidanceScale = request.guidanceScale;
    facts.seed = request.seeds[index];
    facts.widthPixels = picture.widthPixels;
    facts.heightPixels = picture.heightPixels;
    if (request.initPixels.defined()) facts.strength = request.strength;
    facts.others = {{"RNG", "CPU"}};
    facts.version = kVersion;
    return facts;
}

} // namespace homebooth::core
