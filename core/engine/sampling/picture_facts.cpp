// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sampling/picture_facts.h"

#include "core/base/files/file_reader.h"
#include "core/base/files/sha256.h"
#include "core/base/formats/file_kind.h"

#include <filesystem>

namespace homebooth::core {

namespace {

namespace fs = std::filesystem;

constexpr const char* kVersion = "Homebooth " HOMEBOOTH_VERSION;
constexpr int64_t kHeadBytes = 4096; // these tell the kind of a file
constexpr int64_t kBlockBytes = int64_t{1} << 20;

/// Where the tensors of a .safetensors file begin; 0 of other files.
Result<int64_t> hashedFrom(const FileReader& file) {
    constexpr size_t kLengthBytes = 8;
    const int64_t bytes = file.identity().bytes;
    HOMEBOOTH_ASSIGN(const std::string head, file.read(0, kHeadBytes));
    if (fileKindOf(head, bytes) != FileKind::Safetensors) return int64_t{0};
    uint64_t length = 0;
    for (size_t i = 0; i < kLengthBytes; ++i)
        length |= static_cast<uint64_t>(static_cast<unsigned char>(head[i])) << (8 * i);
    if (length > static_cast<uint64_t>(bytes) - kLengthBytes)
        return badInput("reading the LoRA for its hash: expected a header within its " +
                            std::to_string(bytes) + " bytes, found one of " + std::to_string(length) +
                            "; it is damaged or cut off, copy or download it again",
                        file.path().string());
    return static_cast<int64_t>(kLengthBytes + length);
}

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

std::string modelName(const std::string& path) {
    std::error_code ignored;
    fs::path model = fs::absolute(path, ignored).lexically_normal();
    if (!model.has_filename()) model = model.parent_path(); // a slash ends it
    return (fs::is_directory(model, ignored) ? model.filename() : model.stem()).string();
}

Result<std::string> loraHash(const std::string& path, const CancelToken& cancel) {
    constexpr size_t kDigits = 12;
    HOMEBOOTH_ASSIGN(const FileReader file, FileReader::open(path));
    HOMEBOOTH_ASSIGN(int64_t offset, hashedFrom(file));
    Sha256 hash;
    while (!cancel.requested()) {
        HOMEBOOTH_ASSIGN(const std::string block, file.read(offset, kBlockBytes));
        if (block.empty()) break;
        hash.update(std::string_view(block));
        offset += std::ssize(block);
    }
    return hash.finish().substr(0, kDigits);
}

} // namespace homebooth::core
