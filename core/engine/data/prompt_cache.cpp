// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/data/prompt_cache.h"

#include "core/base/files/sha256.h"
#include "core/base/util/log.h"
#include "core/engine/data/cache_bound.h"
#include "core/engine/data/cache_checksum.h"
#include "core/engine/io/tensor_files.h"

#include <chrono>
#include <filesystem>
#include <iterator>
#include <optional>

namespace homebooth::core {
namespace {

constexpr const char* kTextFormat = "text 1"; // part of every key: another meaning gets other files
constexpr const char* kContext = "context";
constexpr const char* kPooled = "pooled";

int64_t bytesOf(const TextCondition& condition) {
    const size_t pooled = condition.pooled.defined() ? condition.pooled.nbytes() : 0;
    return static_cast<int64_t>(condition.context.nbytes() + pooled);
}

/// Nothing where it is damaged, or of an earlier version, which says nothing of its bytes.
std::optional<at::Tensor> wholeTensor(const SafetensorsReader& file, const char* name) {
    auto tensor = readWholeTensor(file, name);
    const auto checksum = file.metadata().find(name);
    const bool whole =
        tensor && checksum != file.metadata().end() && checksum->second == checksumText(*tensor);
    return whole ? std::optional(std::move(tensor).value()) : std::nullopt;
}

/// Of the only text in a batch, on the CPU.
at::Tensor ofOneText(const at::Tensor& encoded) {
    return encoded.squeeze(0).to(at::kCPU).contiguous();
}

} // namespace

PromptCache::PromptCache(std::string folder, std::string encoderHash, EncoderProvider encoders, Disk disk,
                         int64_t mostHeldBytes)
    : m_folder(std::move(folder))
    , m_encoderHash(std::move(encoderHash))
    , m_encoders(std::move(encoders))
    , m_mostHeldBytes(mostHeldBytes)
    , m_writable(disk == Disk::ReadAndWrite) {
    if (m_folder.empty()) return;
    std::error_code error;
    std::filesystem::create_directories(m_folder, error);
}

std::string PromptCache::pathOf(const PromptTokens& tokens) const {
    std::string text = std::string(kTextFormat) + "\n" + m_encoderHash;
    for (size_t part = 0; part < tokens.size(); ++part) {
        if (part > 0) text += "\n";
        for (const int64_t token : tokens[part]) text += "\n" + std::to_string(token);
    }
    return m_folder + "/" + sha256Text(text) + ".safetensors";
}

/// Without a context where it is not there or damaged.
TextCondition PromptCache::readFile(const std::string& path, bool pools) const {
    std::error_code error;
    if (m_folder.empty() || !std::filesystem::exists(path, error)) return {};
    auto reader = SafetensorsReader::open(path);
    if (!reader) return {};
    const auto context = wholeTensor(**reader, kContext);
    if (!context || context->dim() != 2) return {};
    TextCondition found{*context, {}};
    if (pools) {
        const auto pooled = wholeTensor(**reader, kPooled);
        if (!pooled || pooled->dim() != 1) return {};
        found.pooled = *pooled;
    }
    markUsed(path);
    return found;
}

/// @returns  whether it is there now
bool PromptCache::writeFile(const std::string& path, const TextCondition& condition) {
    if (m_folder.empty() || !m_writable) return false;
    std::vector<NamedTensor> tensors = {{kContext, condition.context}};
    if (condition.pooled.defined()) tensors.push_back({kPooled, condition.pooled});
    std::map<std::string, std::string> checksums;
    for (const NamedTensor& one : tensors) checksums[one.name] = checksumText(one.tensor);
    const auto written = writeTensorFile(path, TensorListSource(std::move(tensors)), checksums);
    m_writable = written.ok();
    if (!written) log(LogLevel::Warning, "texts are not kept for the next run: " + written.error().text());
    return m_writable;
}

/// Without a context when stop was requested.
Result<TextCondition> PromptCache::encodeNow(const PromptTokens& tokens) {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    HOMEBOOTH_ASSIGN(TextEncoders * encoders, m_encoders());
    if (encoders == nullptr) return TextCondition();
    std::vector<at::Tensor> ids;
    for (const std::vector<int64_t>& part : tokens) ids.push_back(at::tensor(part, at::kLong).unsqueeze(0));
    const TextCondition both = encoders->encode(ids);
    TextCondition condition{ofOneText(both.context), {}};
    if (both.pooled.defined()) condition.pooled = ofOneText(both.pooled);
    m_encodedSeconds += std::chrono::duration<double>(Clock::now() - begin).count();
    return condition;
}

Result<TextCondition> PromptCache::encode(const PromptTokens& tokens) {
    if (const auto held = m_held.find(tokens); held != m_held.end()) return held->second;
    const std::string path = pathOf(tokens);
    TextCondition condition = readFile(path, /*pools=*/tokens.size() > 1);
    bool onDisk = condition.context.defined();
    if (!onDisk) {
        HOMEBOOTH_ASSIGN(condition, encodeNow(tokens));
        if (!condition.context.defined()) return condition;
        onDisk = writeFile(path, condition);
    }
    const bool held = hold(tokens, condition);
    m_keepsAll = m_keepsAll && (held || onDisk);
    return condition;
}

/// @returns  whether there was room for it
bool PromptCache::hold(const PromptTokens& tokens, const TextCondition& condition) {
    const int64_t bytes = bytesOf(condition);
    if (m_heldBytes + bytes > m_mostHeldBytes) return false;
    m_held.emplace(tokens, condition);
    m_heldBytes += bytes;
    return true;
}

void PromptCache::holdAtMost(int64_t bytes) {
    m_mostHeldBytes = bytes;
    if (m_folder.empty()) return;
    for (auto one = m_held.begin(); one != m_held.end() && m_heldBytes > bytes;) {
        std::error_code error;
        const bool onDisk = std::filesystem::exists(pathOf(one->first), error);
        if (onDisk) m_heldBytes -= bytesOf(one->second);
        one = onDisk ? m_held.erase(one) : std::next(one);
    }
}

} // namespace homebooth::core
