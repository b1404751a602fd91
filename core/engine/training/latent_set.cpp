// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/latent_set.h"

#include "core/engine/sampling/pixels.h"

namespace homebooth::core {
namespace {

/// Above this, latents stay on disk and are read for each batch.
constexpr int64_t kMostHeldBytes = int64_t{1} << 30;
constexpr size_t kSamplesBetweenEvents = 50;

Result<PictureLatents> encodePicture(VaeModel& vae, const at::Tensor& pixels, const std::string& path) {
    VaePosterior posterior = vae.encode(pixels);
    const at::Tensor mean = posterior.mean.to(at::kCPU, at::kFloat).squeeze(0).contiguous();
    const at::Tensor variance = posterior.logVariance.to(at::kCPU, at::kFloat).exp().squeeze(0).contiguous();
    if (!mean.isfinite().all().item<bool>() || !variance.isfinite().all().item<bool>())
        return badInput("encoding a picture: the autoencoder gives numbers that are not finite; take fp32 or "
                        "bf16, or another autoencoder",
                        path);
    return PictureLatents{mean, variance};
}

} // namespace

void LatentSet::keep(const std::string& key, const PictureLatents& latents) {
    Entry entry{key, {}};
    if (m_heldBytes < kMostHeldBytes || !m_cache.keeps()) {
        entry.held = latents;
        m_heldBytes += static_cast<int64_t>(latents.mean.nbytes() + latents.variance.nbytes());
    }
    m_entries.push_back(std::move(entry));
}

bool LatentSet::mustEncode(const TrainingSample& sample) const {
    return !m_cache.holds(m_cache.key(sample, false)) ||
           (m_mirrored && !m_cache.holds(m_cache.key(sample, true)));
}

Result<bool> LatentSet::addSample(const TrainingSample& sample, const TrainingSample* next,
                                  const VaeProvider& vae, NextPicture& pictures, BrokenPictures& broken) {
    std::vector<std::pair<std::string, PictureLatents>> found;
    at::Tensor pixels;
    for (const bool mirrored : {false, true}) {
        if (mirrored && !m_mirrored) break;
        const std::string key = m_cache.key(sample, mirrored);
        if (auto cached = m_cache.read(key)) {
            found.emplace_back(key, std::move(*cached));
            continue;
        }
        if (!pixels.defined()) {
            const auto picture = pictures.take(sample.path, sample.size);
            if (next != nullptr && mustEncode(*next)) pictures.begin(next->path, next->size);
            if (!picture) {
                broken.add(sample.path, picture.error().message);
                return false;
            }
            pixels = pixelsOf(*picture);
        }
        HOMEBOOTH_ASSIGN(VaeModel * model, vae());
        if (model == nullptr) return false; // stop was requested
        HOMEBOOTH_ASSIGN(PictureLatents latents,
                         encodePicture(*model, mirrored ? pixels.flip(3) : pixels, sample.path));
        m_cache.write(key, latents);
        found.emplace_back(key, std::move(latents));
    }
    for (const auto& [key, latents] : found) keep(key, latents);
    return true;
}

Result<void> LatentSet::fill(std::vector<TrainingSample>& samples, const VaeProvider& vae,
                             const JobContext& job, BrokenPictures& broken) {
    const auto total = static_cast<int64_t>(samples.size());
    std::vector<TrainingSample> usable;
    NextPicture pictures(job.pictures);
    for (size_t i = 0; i < samples.size(); ++i) {
        if (job.control.stop.requested()) break;
        if (i % kSamplesBetweenEvents == 0)
            job.events.emit(StateEvent{"caching", "pictures", static_cast<int64_t>(i), total});
        const TrainingSample* next = i + 1 < samples.size() ? &samples[i + 1] : nullptr;
        HOMEBOOTH_ASSIGN(const bool added, addSample(samples[i], next, vae, pictures, broken));
        if (added) usable.push_back(std::move(samples[i]));
    }
    m_cache.flush();
    samples = std::move(usable);
    assignBuckets(samples);
    return {};
}

Result<PictureLatents> LatentSet::get(size_t sample, bool mirrored) const {
    const Entry& entry = m_entries.at(m_mirrored ? 2 * sample + (mirrored ? 1 : 0) : sample);
    if (entry.held.mean.defined()) return entry.held;
    if (auto cached = m_cache.read(entry.key)) return std::move(*cached);
    return badInput("reading cached latents: the file is gone or damaged; keep the cache folder while a run "
                    "works, and resume",
                    entry.key);
}

} // namespace homebooth::core
