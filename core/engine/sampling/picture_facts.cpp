// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sampling/picture_facts.h"

#include "core/base/files/sha256.h"

#include <array>
#include <fstream>

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
    facts.scheduleType = request.karrasSigmas ? "Karras" : "Automatic";
    facts.guidanceScale = request.guidanceScale;
    facts.seed = request.seeds[index];
    facts.widthPixels = picture.widthPixels;
    facts.heightPixels = picture.heightPixels;
    if (request.initPixels.defined()) facts.strength = request.strength;
    facts.others = {{"RNG", "CPU"}};
    facts.version = kVersion;
    return facts;
}

Result<std::string> loraHash(const std::string& path, const CancelToken& cancel) {
    std::ifstream file(path, std::ios::binary);
    std::array<unsigned char, 8> size{};
    file.read(reinterpret_cast<char*>(size.data()), size.size());
    int64_t headerBytes = 0;
    for (size_t index = size.size(); index-- > 0;) headerBytes = headerBytes << 8 | size[index];
    file.seekg(static_cast<std::streamoff>(size.size()) + headerBytes);
    if (!file) return badInput("cannot read the LoRA for its hash; use another copy of the file", path);
    Sha256 hash;
    std::vector<char> buffer(size_t{1} << 20);
    while (!cancel.requested() &&
           (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || file.gcount() > 0))
        hash.update(std::string_view(buffer.data(), static_cast<size_t>(file.gcount())));
    constexpr size_t kDigits = 12;
    return hash.finish().substr(0, kDigits);
}

} // namespace homebooth::core
