// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/data/latent_cache.h"

#include "core/base/config/colour.h"
#include "core/base/files/sha256.h"
#include "core/base/util/log.h"
#include "core/engine/data/cache_bound.h"
#include "core/engine/data/cache_checksum.h"
#include "core/engine/io/tensor_files.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <utility>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLatentFormat = "latents 3"; // part of every key: another meaning gets other files
constexpr const char* kPackExtension = ".safetensors";
constexpr std::string_view kMean = ".mean";
constexpr std::string_view kVariance = ".variance";
constexpr int64_t kPackBytes = int64_t{8} << 20;
constexpr size_t kPackPictures = 256;

/// What the file says of a tensor; nothing where it says none, as those of earlier versions do.
std::optional<uint64_t> checksumIn(const SafetensorsReader& file, const std::string& name) {
    const auto found = file.metadata().find(name);
    if (found == file.metadata().end()) return std::nullopt;
    const std::string& text = found->second;
    uint64_t sum = 0;
    const auto [rest, failed] = std::from_chars(text.data(), text.data() + text.size(), sum);
    return failed == std::errc{} && rest == text.data() + text.size() ? std::optional(sum) : std::nullopt;
}

} // namespace

LatentCache::LatentCache(const std::string& folder, std::string vaeHash, size_t mostOpen)
    : m_vaeHash(std::move(vaeHash))
    , m_mostOpen(std::max<size_t>(mostOpen, 1)) {
    m_writable = !folder.empty();
    if (folder.empty()) return;
    m_folder = folder + "/" + m_vaeHash;
    std::error_code error;
    fs::create_directories(m_folder, error);
    fs::directory_iterator entry(m_folder, error);
    for (const fs::directory_iterator end; !error && entry != end; entry.increment(error))
        if (entry->path().extension() == kPackExtension) addPack(entry->path().string());
}

/// Keeps where the latents lie, not the header that says so: it has some hundred bytes for each tensor, and
/// reading it again with every pack that was closed would cost more than the latents.
void LatentCache::addPack(const std::string& path) {
    const auto reader = SafetensorsReader::open(path);
    if (!reader) return;
    const std::vector<TensorInfo>& tensors = (*reader)->tensors();
    int64_t offset = (*reader)->fileBytes(); // of the first: they lie back to back up to the end
    for (const TensorInfo& info : tensors) offset -= info.byteCount;
    std::unordered_map<std::string_view, int64_t> offsets;
    for (const TensorInfo& info : tensors) {
        offsets.emplace(info.name, offset);
        offset += info.byteCount;
    }
    for (const TensorInfo& info : tensors) {
        if (!info.name.ends_with(kMean) || info.shape.size() != 3 || info.type != DataType::F32) continue;
        const std::string key = info.name.substr(0, info.name.size() - kMean.size());
        const std::string other = key + std::string(kVariance);
        const TensorInfo* variance = (*reader)->find(other);
        if (variance == nullptr || variance->shape != info.shape || variance->type != info.type) continue;
        const auto meanSum = checksumIn(**reader, info.name);
        const auto varianceSum = checksumIn(**reader, other);
        if (!meanSum || !varianceSum) continue;
        const Place place{m_packs.size(),
                          {info.shape[0], info.shape[1], info.shape[2]},
                          {offsets.at(info.name), *meanSum},
                          {offsets.at(other), *varianceSum}};
        m_places.emplace(key, place);
    }
    m_packs.push_back({path, (*reader)->fileBytes(), false});
}

std::string LatentCache::key(const TrainingSample& sample, bool mirrored) const {
    // Of pictures without transparent parts, too: what they are is known only when they are decoded.
    const std::string behind = sample.backgroundRgb == kWhite ? "" : "\n" + colourText(sample.backgroundRgb);
    return sha256Text(std::string(kLatentFormat) + "\n" + sample.contentHash + "\n" + m_vaeHash + "\n" +
                      std::to_string(sample.size.widthPixels) + "x" +
                      std::to_string(sample.size.heightPixels) + (mirrored ? "\nmirrored" : "") + behind);
}

LatentCache::Places::iterator LatentCache::placeOf(const std::string& key) const {
    const auto [first, last] = m_places.equal_range(key);
    const auto found = std::max_element(
        first, last, [](const auto& one, const auto& other) { return one.second.pack < other.second.pack; });
    return found == last ? m_places.end() : found;
}

void LatentCache::claim(const std::string& key) const {
    const auto place = placeOf(key);
    if (place == m_places.end()) return;
    Pack& pack = m_packs[place->second.pack];
    if (!std::exchange(pack.used, true)) markUsed(pack.path);
}

/// Null where it is gone, or not as it was.
const FileReader* LatentCache::fileOf(size_t pack) const {
    const auto known =
        std::find_if(m_open.begin(), m_open.end(), [pack](const OpenPack& one) { return one.pack == pack; });
    if (known != m_open.end()) {
        m_open.splice(m_open.begin(), m_open, known);
        return &m_open.front().file;
    }
    auto file = FileReader::open(m_packs[pack].path);
    if (!file || file->identity().bytes != m_packs[pack].bytes) return nullptr;
    m_open.push_front({pack, std::move(*file)});
    if (m_open.size() > m_mostOpen) m_open.pop_back();
    return &m_open.front().file;
}

std::optional<at::Tensor> LatentCache::readTensor(const Place& place, const Stored& stored) const {
    const FileReader* file = fileOf(place.pack);
    if (file == nullptr) return std::nullopt;
    at::Tensor tensor = at::empty(place.shape, at::kFloat);
    const auto bytes = file->read(stored.offset, static_cast<int64_t>(tensor.nbytes()));
    if (!bytes || bytes->size() != tensor.nbytes()) return std::nullopt;
    std::memcpy(tensor.data_ptr(), bytes->data(), bytes->size());
    return checksumOf(tensor) == stored.checksum ? std::optional(tensor) : std::nullopt;
}

std::optional<PictureLatents> LatentCache::read(const std::string& key) const {
    if (const auto waiting = m_waiting.find(key); waiting != m_waiting.end()) return waiting->second;
    for (auto place = placeOf(key); place != m_places.end(); place = placeOf(key)) {
        const auto mean = readTensor(place->second, place->second.mean);
        const auto variance = readTensor(place->second, place->second.variance);
        if (mean && variance) {
            claim(key);
            return PictureLatents{*mean, *variance};
        }
        m_places.erase(place); // damaged: no epoch reads it again
    }
    return std::nullopt;
}

void LatentCache::write(const std::string& key, const PictureLatents& latents) {
    if (!m_writable || !m_waiting.emplace(key, latents).second) return;
    m_waitingBytes += static_cast<int64_t>(latents.mean.nbytes() + latents.variance.nbytes());
    if (m_waitingBytes >= kPackBytes || m_waiting.size() >= kPackPictures) flush();
}

void LatentCache::flush() {
    if (m_waiting.empty() || !m_writable) return;
    if (m_room && !m_room(m_waitingBytes)) return keepNoMore("the cache has no room for more");
    Sha256 name;
    std::vector<NamedTensor> tensors;
    std::map<std::string, std::string> checksums;
    for (const auto& [key, latents] : m_waiting) {
        name.update(key);
        tensors.push_back({key + std::string(kMean), latents.mean});
        tensors.push_back({key + std::string(kVariance), latents.variance});
        for (const size_t last : {tensors.size() - 2, tensors.size() - 1})
            checksums[tensors[last].name] = checksumText(tensors[last].tensor);
    }
    const std::string path = m_folder + "/" + name.finish() + kPackExtension;
    const auto written = writeTensorFile(path, TensorListSource(std::move(tensors)), checksums);
    if (!written) return keepNoMore(written.error().text());
    addPack(path);
    m_waiting.clear();
    m_waitingBytes = 0;
}

/// What waits is given up: to hold it until there is room was considered, but whatever is encoded from then
/// on would wait, too.
void LatentCache::keepNoMore(const std::string& reason) {
    m_writable = false;
    m_waiting.clear();
    m_waitingBytes = 0;
    log(LogLevel::Warning, "latents are no longer kept on disk: " + reason);
}

} // namespace homebooth::core
