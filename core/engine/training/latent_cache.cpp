// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/latent_cache.h"

#include "core/base/files/sha256.h"
#include "core/base/util/log.h"
#include "core/engine/training/tensor_files.h"

#include <filesystem>

namespace homebooth::core {
namespace {

constexpr const char* kFormat = "latents 1"; // part of every key: another meaning gets other files

} // namespace

LatentCache::LatentCache(std::string folder, std::string vaeHash)
    : m_folder(std::move(folder))
    , m_vaeHash(std::move(vaeHash)) {
    if (m_folder.empty()) return;
    std::error_code error;
    std::filesystem::create_directories(m_folder, error);
}

std::string LatentCache::key(const TrainingSample& sample, bool mirrored) const {
    return sha256Text(std::string(kFormat) + "\n" + sample.contentHash + "\n" + m_vaeHash + "\n" +
                      std::to_string(sample.size.widthPixels) + "x" +
                      std::to_string(sample.size.heightPixels) + (mirrored ? "\nmirrored" : ""));
}

std::string LatentCache::pathOf(const std::string& key) const {
    return m_folder + "/" + key + ".safetensors";
}

std::optional<PictureLatents> LatentCache::read(const std::string& key) const {
    if (m_folder.empty()) return std::nullopt;
    std::error_code error;
    if (!std::filesystem::exists(pathOf(key), error)) return std::nullopt;
    auto reader = SafetensorsReader::open(pathOf(key));
    if (!reader) return std::nullopt;
    auto mean = readWholeTensor(**reader, "mean");
    auto variance = readWholeTensor(**reader, "variance");
    if (!mean || !variance || mean->dim() != 3 || mean->sizes() != variance->sizes()) return std::nullopt;
    return PictureLatents{*mean, *variance};
}

void LatentCache::write(const std::string& key, const PictureLatents& latents) {
    if (m_folder.empty() || !m_writable) return;
    const TensorListSource source({{"mean", latents.mean}, {"variance", latents.variance}});
    if (const auto written = writeTensorFile(pathOf(key), source); !written) {
        m_writable = false;
        log(LogLevel::Warning, "latents are not kept for the next run: " + written.error().text());
    }
}

} // namespace homebooth::core
