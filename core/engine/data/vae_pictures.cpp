// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/data/vae_pictures.h"

#include "core/engine/data/captions.h"
#include "core/engine/learning/step_random.h"
#include "core/engine/learning/training_failure.h"
#include "core/engine/memory/tier_meter.h"

#include <algorithm>
#include <chrono>

namespace homebooth::core {
namespace {

constexpr int64_t kMostKeptBytes = int64_t{1} << 30;
constexpr size_t kMicroStepsAhead = 3;
constexpr int64_t kMostBegunBytes = int64_t{64} << 20; // of decoded pictures that wait for their step
constexpr uint64_t kNoStep = 0;                        // what is drawn for a look at pictures is no step's

at::Tensor bytesOf(const Picture& picture) {
    const at::Tensor rows = at::from_blob(const_cast<uint8_t*>(picture.rgb.data()),
                                          {picture.heightPixels, picture.widthPixels, 3}, at::kByte);
    return rows.permute({2, 0, 1}).contiguous();
}

int64_t bytesOf(PictureSize size) {
    return 3 * size.widthPixels * size.heightPixels;
}

} // namespace

Result<std::unique_ptr<VaePictures>> VaePictures::open(const JobContext& job, const VaeConfig& config) {
    std::unique_ptr<VaePictures> pictures(new VaePictures(job));
    HOMEBOOTH_CHECK(pictures->list(config));
    if (job.control.stop.requested()) return std::unique_ptr<VaePictures>();
    return pictures;
}

Result<void> VaePictures::list(const VaeConfig& config) {
    const DataConfig& data = m_job.config.data;
    BrokenPictures broken(data.skipBrokenImages);
    HOMEBOOTH_ASSIGN(
        const std::vector<CaptionedPicture> captioned,
        readCaptions(data.datasetDir, m_job.pictures, broken, captionColumns(data.captionColumns)));
    m_samples = makeSamples(m_job, captioned, config.downscale(), broken);
    if (m_job.control.stop.requested()) return {};
    HOMEBOOTH_CHECK(broken.settleAtStart(m_job));
    m_heldOut = takeHeldOut(m_samples, data.validationShare);
    warnIfNoneHeldOut(data.validationShare, m_heldOut.size(), m_samples.size(), m_job.events);
    if (m_samples.empty())
        return badInput("training the autoencoder: no picture of the data set can be used", data.datasetDir);
    m_hash = dataSetHash(m_samples);
    // Crops have one size, whatever shapes the pictures have, so all samples share one bucket.
    m_side = config.sampleSize;
    for (const std::vector<TrainingSample>* samples : {&m_samples, &m_heldOut})
        for (const TrainingSample& sample : *samples)
            m_side = std::min({m_side, sample.size.widthPixels, sample.size.heightPixels});
    m_side = m_side / config.downscale() * config.downscale();
    m_order = std::make_unique<SampleOrder>(m_job.config.seed, std::vector<int64_t>(m_samples.size(), 0));
    return {};
}

std::string VaePictures::wholeHash() const {
    return m_heldOut.empty() ? m_hash : m_hash + "+" + dataSetHash(m_heldOut);
}

void VaePictures::restore(const OrderCursor& cursor, bool dataChanged) {
    m_order->restore(cursor, dataChanged);
    m_foreseen.reset();
    m_upcoming.clear();
    for (const int64_t sample : m_begun) m_ahead->drop(m_samples[static_cast<size_t>(sample)]);
    m_begun.clear();
}

/// Begins to decode what the next micro-steps will draw, at least that of the one at hand.
void VaePictures::lookAhead() {
    if (!m_foreseen) m_foreseen = std::make_unique<SampleOrder>(*m_order);
    int64_t bytes = 0;
    for (const int64_t sample : m_begun) bytes += bytesOf(m_samples[static_cast<size_t>(sample)].size);
    while (m_upcoming.empty() || (m_upcoming.size() < kMicroStepsAhead && bytes < kMostBegunBytes)) {
        m_upcoming.push_back(m_foreseen->next(m_job.config.batchSize));
        for (size_t place = 0; place < m_upcoming.back().size(); ++place) {
            const int64_t sample = m_upcoming.back()[place];
            if (!m_job.computes(place) || m_kept.contains(sample) || m_broken.contains(sample)) continue;
            if (!m_begun.insert(sample).second) continue;
            m_ahead->begin(m_samples[static_cast<size_t>(sample)]);
            bytes += bytesOf(m_samples[static_cast<size_t>(sample)].size);
        }
    }
}

Result<at::Tensor> VaePictures::decoded(const TrainingSample& sample) {
    HOMEBOOTH_ASSIGN(const Picture picture, m_ahead->take(sample));
    return bytesOf(picture);
}

Result<at::Tensor> VaePictures::picture(int64_t sample) {
    if (const auto kept = m_kept.find(sample); kept != m_kept.end()) return kept->second;
    m_begun.erase(sample);
    HOMEBOOTH_ASSIGN(at::Tensor pixels, decoded(m_samples[static_cast<size_t>(sample)]));
    const auto bytes = static_cast<int64_t>(pixels.nbytes());
    if (m_keptBytes + bytes <= kMostKeptBytes) {
        m_kept.emplace(sample, pixels);
        m_keptBytes += bytes;
    }
    return pixels;
}

/// Says that a picture is left out. Errors: throws TrainingFailure where none may be
void VaePictures::leaveOut(const TrainingSample& sample, const Error& error) {
    BrokenPictures broken;
    broken.add(sample.path, error.message);
    const auto settled = broken.settle(m_job.config.data.skipBrokenImages, m_job.events);
    if (!settled) throw TrainingFailure(settled.error());
}

/// A picture, or in the place of one that cannot be used the next one that can.
at::Tensor VaePictures::usable(int64_t sample) {
    const int64_t count = std::ssize(m_samples);
    for (int64_t i = 0; i < count; ++i) {
        const int64_t other = (sample + i) % count;
        if (m_broken.contains(other)) continue;
        const auto found = picture(other);
        if (found) return *found;
        m_broken.insert(other);
        leaveOut(m_samples[static_cast<size_t>(other)], found.error());
    }
    throw TrainingFailure(badInput("training the autoencoder: no picture of the data set can be used",
                                   m_job.config.data.datasetDir));
}

at::Tensor VaePictures::crop(const at::Tensor& picture, uint64_t mixed) const {
    const int64_t topRange = picture.size(1) - m_side + 1;
    const int64_t leftRange = picture.size(2) - m_side + 1;
    const auto top = static_cast<int64_t>(unitInterval(mixed) * static_cast<double>(topRange));
    const auto left = static_cast<int64_t>(unitInterval(mixedSeed(mixed, DrawPurpose::Crop)) *
                                           static_cast<double>(leftRange));
    at::Tensor part = picture.slice(1, top, top + m_side).slice(2, left, left + m_side);
    const bool mirror = m_job.config.data.flip && unitInterval(mixedSeed(mixed, DrawPurpose::Flip)) < 0.5;
    return mirror ? part.flip(2) : part;
}

/// The same one each time, without the picture behind it.
at::Tensor VaePictures::lastingCrop(const at::Tensor& picture, int64_t sample) const {
    return crop(picture,
                mixedSeed(m_job.config.seed, DrawPurpose::Crop, kNoStep, static_cast<uint64_t>(sample)))
        .clone();
}

std::vector<int64_t> VaePictures::spread(int64_t count) const {
    const int64_t all = std::ssize(m_samples);
    std::vector<int64_t> samples(static_cast<size_t>(std::min(count, all)));
    for (size_t i = 0; i < samples.size(); ++i)
        samples[i] = static_cast<int64_t>(i) * all / std::ssize(samples);
    return samples;
}

at::Tensor VaePictures::next(int64_t step, int64_t microStep) {
    using Clock = std::chrono::steady_clock;
    const TierScope notTheSteps(Tier::Ram);
    const auto begin = Clock::now();
    lookAhead();
    m_upcoming.pop_front();
    const std::vector<int64_t> samples = m_order->next(m_job.config.batchSize);
    std::vector<at::Tensor> crops;
    for (size_t i = 0; i < samples.size(); ++i) {
        if (!m_job.computes(i)) continue;
        const uint64_t place = static_cast<uint64_t>(microStep) * samples.size() + i;
        crops.push_back(crop(usable(samples[i]), mixedSeed(m_job.config.seed, DrawPurpose::Crop,
                                                           static_cast<uint64_t>(step), place)));
    }
    lookAhead(); // the thread decodes while this step computes
    m_waitedSeconds += std::chrono::duration<double>(Clock::now() - begin).count();
    return at::stack(crops);
}

Result<at::Tensor> VaePictures::whole(int64_t sample) {
    const TierScope notTheSteps(Tier::Ram);
    return picture(sample);
}

std::vector<at::Tensor> VaePictures::cropsOf(std::span<const int64_t> samples) {
    const TierScope notTheSteps(Tier::Ram);
    std::vector<at::Tensor> crops;
    for (const int64_t sample : samples)
        if (const auto found = picture(sample)) crops.push_back(lastingCrop(*found, sample));
    return crops;
}

std::optional<at::Tensor> VaePictures::heldOutCrop(size_t sample) {
    const TierScope notTheSteps(Tier::Ram);
    if (m_brokenHeldOut.contains(sample)) return std::nullopt;
    at::Tensor& known = m_heldOutCrops[sample];
    if (known.defined()) return known;
    const auto found = decoded(m_heldOut[sample]);
    if (!found) {
        m_brokenHeldOut.insert(sample);
        leaveOut(m_heldOut[sample], found.error());
        return std::nullopt;
    }
    known = lastingCrop(*found, static_cast<int64_t>(sample));
    return known;
}

} // namespace homebooth::core
