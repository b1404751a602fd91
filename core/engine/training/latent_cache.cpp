// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/latent_cache.h"

#include "core/base/files/sha256.h"
#include "core/base/util/log.h"
#include "core/engine/training/tensor_files.h"

#include <filesystem>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFormat = "latents 1"; // part of every key: another meaning gets other files
constexpr const char* kPackExtension = ".safetensors";
constexpr std::string_view kMean = ".mean";
constexpr const char* kVariance = ".variance";
constexpr int64_t kPackBytes = int64_t{8} << 20;
constexpr size_t kPackPictures = 256;

} // namespace

LatentCache::LatentCache(const std::string& folder, std::string vaeHash)
    : m_vaeHash(std::move(vaeHash)) {
    m_writable = !folder.empty();
    if (folder.empty()) return;
    m_folder = folder + "/" + m_vaeHash;
    std::error_code error;
    fs::create_directories(m_folder, error);
    for (const auto& entry : fs::directory_iterator(m_folder, error))
        if (entry.path().extension() == kPackExtension) addPack(entry.path().string());
}

void LatentCache::addPack(const std::string& path) {
    const auto reader = SafetensorsReader::open(path);
    if (!reader) return;
    for (const TensorInfo& info : (*reader)->tensors())
        if (info.name.ends_with(kMean))
            m_packs.emplace(info.name.substr(0, info.name.size() - kMean.size()), *reader);
}

std::string LatentCache::key(const TrainingSample& sample, bool mirrored) const {
    return sha256Text(std::string(kFormat) + "\n" + sample.contentHash + "\n" + m_vaeHash + "\n" +
                      std::to_string(sample.size.widthPixels) + "x" +
                      std::to_string(sample.size.heightPixels) + (mirrored ? "\nmirrored" : ""));
}

std::optional<PictureLatents> LatentCache::read(const std::string& key) const {
    const auto found = m_packs.find(key);
    if (found == m_packs.end()) return std::nullopt;
    auto mean = readWholeTensor(*found->second, key + std::string(kMean));
    auto variance = readWholeTensor(*found->second, key + kVariance);
    if (!mean || !variance || mean->dim() != 3 || mean->sizes() != variance->sizes()) return std::nullopt;
    return PictureLatents{*mean, *variance};
}

void LatentCache::write(const std::string& key, const PictureLatents& latents) {
    if (!m_writable) return;
    m_waitingKeys.push_back(key);
    m_waiting.push_back({key + std::string(kMean), latents.mean});
    m_waiting.push_back({key + kVariance, latents.variance});
    m_waitingBytes += static_cast<int64_t>(latents.mean.nbytes() + latents.variance.nbytes());
    if (m_waitingBytes >= kPackBytes || m_waitingKeys.size() >= kPackPictures) flush();
}

void LatentCache::flush() {
    if (m_waiting.empty()) return;
    Sha256 name;
    for (const std::string& key : m_waitingKeys) name.update(key);
    const std::string path = m_folder + "/" + name.finish() + kPackExtension;
    const auto written = writeTensorFile(path, TensorListSource(std::move(m_waiting)));
    if (written) {
        addPack(path);
    } else {
        m_writable = false;
        log(LogLevel::Warning, "latents are not kept for the next run: " + written.error().text());
    }
    m_waiting.clear();
    m_waitingKeys.clear();
    m_waitingBytes = 0;
}

} // namespace homebooth::core
