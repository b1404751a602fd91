// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/latent_cache.h"

#include "core/base/config/colour.h"
#include "core/base/files/sha256.h"
#include "core/base/util/log.h"
#include "core/engine/training/cache_bound.h"
#include "core/engine/training/tensor_files.h"

#include <filesystem>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFormat = "latents 2"; // part of every key: another meaning gets other files
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
    fs::directory_iterator entry(m_folder, error);
    for (const fs::directory_iterator end; !error && entry != end; entry.increment(error))
        if (entry->path().extension() == kPackExtension) addPack(entry->path().string());
}

void LatentCache::addPack(const std::string& path) {
    auto reader = SafetensorsReader::open(path);
    if (!reader) return;
    const auto pack = std::make_shared<Pack>(Pack{path, *reader});
    for (const TensorInfo& info : pack->reader->tensors())
        if (info.name.ends_with(
                kMean)) // the newest wins: an older one that could not be read was encoded anew
            m_packs.insert_or_assign(info.name.substr(0, info.name.size() - kMean.size()), pack);
}

std::string LatentCache::key(const TrainingSample& sample, bool mirrored) const {
    // Of pictures without transparent parts, too: what they are is known only when they are decoded.
    const std::string behind = sample.backgroundRgb == kWhite ? "" : "\n" + colourText(sample.backgroundRgb);
    return sha256Text(std::string(kFormat) + "\n" + sample.contentHash + "\n" + m_vaeHash + "\n" +
                      std::to_string(sample.size.widthPixels) + "x" +
                      std::to_string(sample.size.heightPixels) + (mirrored ? "\nmirrored" : "") + behind);
}

std::optional<PictureLatents> LatentCache::read(const std::string& key) const {
    if (const auto waiting = m_waiting.find(key); waiting != m_waiting.end()) return waiting->second;
    const auto found = m_packs.find(key);
    if (found == m_packs.end()) return std::nullopt;
    Pack& pack = *found->second;
    auto mean = readWholeTensor(*pack.reader, key + std::string(kMean));
    auto variance = readWholeTensor(*pack.reader, key + kVariance);
    if (!mean || !variance || mean->dim() != 3 || mean->sizes() != variance->sizes()) return std::nullopt;
    if (!pack.used) markUsed(pack.path);
    pack.used = true;
    return PictureLatents{*mean, *variance};
}

void LatentCache::write(const std::string& key, const PictureLatents& latents) {
    if (!m_writable || !m_waiting.emplace(key, latents).second) return;
    m_waitingBytes += static_cast<int64_t>(latents.mean.nbytes() + latents.variance.nbytes());
    if (m_waitingBytes >= kPackBytes || m_waiting.size() >= kPackPictures) flush();
}

void LatentCache::flush() {
    if (m_waiting.empty() || !m_writable) return;
    Sha256 name;
    std::vector<NamedTensor> tensors;
    for (const auto& [key, latents] : m_waiting) {
        name.update(key);
        tensors.push_back({key + std::string(kMean), latents.mean});
        tensors.push_back({key + kVariance, latents.variance});
    }
    const std::string path = m_folder + "/" + name.finish() + kPackExtension;
    const auto written = writeTensorFile(path, TensorListSource(std::move(tensors)));
    if (!written) {
        m_writable = false;
        log(LogLevel::Warning, "latents are not kept for the next run: " + written.error().text());
        return; // whoever did not hold them relies on reading them here
    }
    addPack(path);
    m_waiting.clear();
    m_waitingBytes = 0;
}

} // namespace homebooth::core
