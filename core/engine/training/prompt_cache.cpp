// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/prompt_cache.h"

#include "core/base/files/sha256.h"
#include "core/base/util/log.h"
#include "core/engine/training/cache_bound.h"
#include "core/engine/training/tensor_files.h"

#include <chrono>
#include <filesystem>

namespace homebooth::core {
namespace {

constexpr const char* kFormat = "text 1"; // part of every key: another meaning gets other files
constexpr const char* kTensorName = "context";
constexpr int64_t kMostHeldBytes = int64_t{512} << 20;

} // namespace

PromptCache::PromptCache(std::string folder, std::string encoderHash, EncoderProvider encoder, Disk disk)
    : m_folder(std::move(folder))
    , m_encoderHash(std::move(encoderHash))
    , m_encoder(std::move(encoder))
    , m_writable(disk == Disk::ReadAndWrite) {
    if (m_folder.empty()) return;
    std::error_code error;
    std::filesystem::create_directories(m_folder, error);
}

std::string PromptCache::pathOf(const std::vector<int64_t>& tokens) const {
    std::string text = std::string(kFormat) + "\n" + m_encoderHash;
    for (const int64_t token : tokens) text += "\n" + std::to_string(token);
    return m_folder + "/" + sha256Text(text) + ".safetensors";
}

at::Tensor PromptCache::readFile(const std::string& path) const {
    std::error_code error;
    if (m_folder.empty() || !std::filesystem::exists(path, error)) return {};
    auto reader = SafetensorsReader::open(path);
    if (!reader) return {};
    auto context = readWholeTensor(**reader, kTensorName);
    if (!context || context->dim() != 2) return {};
    markUsed(path);
    return std::move(context).value();
}

/// Undefined when stop was requested.
Result<at::Tensor> PromptCache::encodeNow(const std::vector<int64_t>& tokens) {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    HOMEBOOTH_ASSIGN(TextEncoder * encoder, m_encoder());
    if (encoder == nullptr) return at::Tensor();
    at::Tensor context =
        encoder->encode(at::tensor(tokens, at::kLong).unsqueeze(0)).squeeze(0).to(at::kCPU).contiguous();
    m_encodedSeconds += std::chrono::duration<double>(Clock::now() - begin).count();
    return context;
}

Result<at::Tensor> PromptCache::encode(const std::vector<int64_t>& tokens) {
    if (const auto held = m_held.find(tokens); held != m_held.end()) return held->second;
    const std::string path = pathOf(tokens);
    at::Tensor context = readFile(path);
    if (!context.defined()) {
        HOMEBOOTH_ASSIGN(context, encodeNow(tokens));
        if (!context.defined()) return context;
        if (!m_folder.empty() && m_writable) {
            const auto written = writeTensorFile(path, TensorListSource({{kTensorName, context}}));
            m_writable = written.ok();
            if (!written)
                log(LogLevel::Warning, "texts are not kept for the next run: " + written.error().text());
        }
    }
    if (m_heldBytes < kMostHeldBytes) {
        m_held.emplace(tokens, context);
        m_heldBytes += static_cast<int64_t>(context.nbytes());
    }
    return context;
}

} // namespace homebooth::core
