// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/data/latent_set.h"

#include "core/base/config/byte_size.h"
#include "core/base/run/journal/progress_interval.h"
#include "core/engine/sampling/pixels.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

namespace homebooth::core {
namespace {

int64_t bytesOf(const PictureLatents& latents) {
    return static_cast<int64_t>(latents.mean.nbytes() + latents.variance.nbytes());
}

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

void LatentSet::begin(const std::vector<TrainingSample>& samples) {
    m_entries.clear();
    m_passing.clear();
    m_missing = m_heldBytes = 0;
    for (size_t i = 0; i < samples.size(); ++i) {
        m_entries.push_back({m_cache.key(samples[i], false), {}});
        if (m_mirrored) m_entries.push_back({m_cache.key(samples[i], true), {}});
        for (size_t entry = entriesOf(i); entry < entriesOf(i + 1); ++entry)
            m_cache.claim(m_entries[entry].key);
        if (!mustEncode(i)) continue;
        m_entries[entriesOf(i)].missing = true;
        ++m_missing;
    }
}

bool LatentSet::mustEncode(size_t index) const {
    for (size_t i = entriesOf(index); i < entriesOf(index + 1); ++i) {
        const Entry& entry = m_entries[i];
        const bool held = entry.held.mean.defined() && !entry.passing;
        if (!held && !m_cache.holds(entry.key)) return true;
    }
    return false;
}

void LatentSet::keep(Entry& entry, const PictureLatents& latents) {
    const int64_t bytes = bytesOf(latents);
    entry.known = true;
    entry.held = latents;
    entry.passing = m_heldBytes + bytes > m_mostHeldBytes;
    if (entry.passing)
        m_passing.push_back(static_cast<size_t>(&entry - m_entries.data()));
    else
        m_heldBytes += bytes;
}

void LatentSet::forgetPassing() {
    for (const size_t entry : m_passing) {
        m_entries[entry].held = {};
        m_entries[entry].passing = false;
    }
    m_passing.clear();
}

void LatentSet::holdAtMost(int64_t bytes) {
    m_mostHeldBytes = bytes;
    for (auto entry = m_entries.rbegin(); entry != m_entries.rend() && m_heldBytes > bytes; ++entry) {
        if (!entry->held.mean.defined() || entry->passing || !m_cache.holds(entry->key)) continue;
        m_heldBytes -= bytesOf(entry->held);
        entry->held = {};
    }
}

void LatentSet::settle(size_t index) {
    if (std::exchange(m_entries[entriesOf(index)].missing, false)) --m_missing;
}

/// What waited for its pack when the cache gave up has to be encoded again.
void LatentSet::countLost() {
    if (m_cache.keeps() || std::exchange(m_countedLost, true)) return;
    for (size_t i = 0; entriesOf(i) < m_entries.size(); ++i) {
        Entry& first = m_entries[entriesOf(i)];
        if (!first.known || first.missing || !mustEncode(i)) continue;
        first.missing = true;
        ++m_missing;
    }
}

void LatentSet::flush() {
    m_cache.flush();
    countLost();
}

Result<bool> LatentSet::encode(Entry& entry, const at::Tensor& pixels, const TrainingSample& sample,
                               const VaeProvider& vae) {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    HOMEBOOTH_ASSIGN(VaeModel * model, vae());
    if (model == nullptr) return false;
    HOMEBOOTH_ASSIGN(const PictureLatents latents, encodePicture(*model, pixels, sample.path));
    keep(entry, latents);
    m_cache.write(entry.key, latents);
    countLost();
    m_encodedSeconds += std::chrono::duration<double>(Clock::now() - begin).count();
    return true;
}

Result<bool> LatentSet::add(size_t index, const TrainingSample& sample, const VaeProvider& vae,
                            PicturesAhead& pictures, BrokenPictures& broken) {
    at::Tensor pixels;
    for (size_t i = entriesOf(index); i < entriesOf(index + 1); ++i) {
        Entry& entry = m_entries[i];
        if (entry.held.mean.defined()) continue;
        if (const auto cached = m_cache.read(entry.key)) {
            keep(entry, *cached);
            continue;
        }
        if (!pixels.defined()) {
            const auto picture = pictures.take(sample);
            if (!picture) {
                broken.add(sample.path, picture.error().message);
                settle(index);
                return false;
            }
            pixels = pixelsOf(*picture);
        }
        const bool mirrored = i > entriesOf(index);
        HOMEBOOTH_ASSIGN(const bool encoded, encode(entry, mirrored ? pixels.flip(3) : pixels, sample, vae));
        if (!encoded) return false; // stop was requested
    }
    pictures.drop(sample); // an equal one may have been encoded meanwhile
    if (!mustEncode(index)) settle(index);
    return true;
}

/// Samples that the cache lacks and this rank has to encode, by their places among different pictures: so
/// ranks agree on it although some may find in the cache what another has just written.
std::vector<size_t> LatentSet::shareOf(const JobContext& job) const {
    std::vector<size_t> own;
    std::set<std::string> keys;
    for (size_t i = 0; entriesOf(i) < m_entries.size(); ++i) {
        const size_t place = keys.size();
        if (!keys.insert(m_entries[entriesOf(i)].key).second) continue;
        if (job.encodes(place) && mustEncode(i)) own.push_back(i);
    }
    return own;
}

Result<void> LatentSet::encodeShare(const std::vector<TrainingSample>& samples, const VaeProvider& vae,
                                    const JobContext& job) {
    const std::vector<size_t> own = shareOf(job);
    PicturesAhead pictures(job.pictures);
    ProgressInterval interval;
    for (size_t i = 0; i < own.size(); ++i) {
        if (job.control.stop.requested()) break;
        if (interval.due())
            job.events.emit(
                StateEvent{"caching", "pictures", static_cast<int64_t>(own[i]), std::ssize(samples)});
        if (i == 0) pictures.begin(samples[own[i]]);
        if (i + 1 < own.size()) pictures.begin(samples[own[i + 1]]);
        BrokenPictures passedOver;
        const auto added = add(own[i], samples[own[i]], vae, pictures, passedOver);
        if (!added) return added.error();
        forgetPassing();
    }
    flush();
    return {};
}

Result<void> LatentSet::fill(std::vector<TrainingSample>& samples, const VaeProvider& vae,
                             const JobContext& job, BrokenPictures& broken) {
    const auto total = static_cast<int64_t>(samples.size());
    begin(samples);
    std::vector<size_t> usable;
    PicturesAhead pictures(job.pictures);
    ProgressInterval interval;
    for (size_t i = 0; i < samples.size(); ++i) {
        if (job.control.stop.requested()) break;
        if (interval.due())
            job.events.emit(StateEvent{"caching", "pictures", static_cast<int64_t>(i), total});
        if (i == 0 && mustEncode(i)) pictures.begin(samples[i]);
        if (i + 1 < samples.size() && mustEncode(i + 1)) pictures.begin(samples[i + 1]);
        HOMEBOOTH_ASSIGN(const bool added, add(i, samples[i], vae, pictures, broken));
        forgetPassing();
        if (!added) continue;
        if (mustEncode(i)) return noRoom();
        usable.push_back(i);
    }
    flush();
    if (std::any_of(usable.begin(), usable.end(), [this](size_t i) { return mustEncode(i); }))
        return noRoom();
    takeOnly(samples, usable);
    return {};
}

Error LatentSet::noRoom() const {
    return {ErrorCode::OutOfResources,
            "encoding pictures before the first step: their latents take more than the " +
                byteSizeText(m_mostHeldBytes) +
                " that may lie in memory, and the cache cannot be written; free space on its disk, set "
                "XDG_CACHE_HOME to a folder with room, or have a data set encoded beside the steps (--encode "
                "ahead)",
            {}};
}

void LatentSet::takeOnly(std::vector<TrainingSample>& samples, const std::vector<size_t>& usable) {
    std::vector<TrainingSample> taken;
    std::vector<Entry> entries;
    for (const size_t i : usable) {
        taken.push_back(std::move(samples[i]));
        for (size_t entry = entriesOf(i); entry < entriesOf(i + 1); ++entry)
            entries.push_back(std::move(m_entries[entry]));
    }
    m_entries = std::move(entries);
    samples = std::move(taken);
    assignBuckets(samples);
}

Result<PictureLatents> LatentSet::get(size_t sample, bool mirrored) const {
    Entry& entry = m_entries.at(m_mirrored ? 2 * sample + (mirrored ? 1 : 0) : sample);
    if (entry.held.mean.defined()) return entry.held;
    if (auto cached = m_cache.read(entry.key)) {
        const int64_t bytes = bytesOf(*cached);
        if (m_heldBytes + bytes > m_mostHeldBytes) return std::move(*cached);
        entry.held = *cached; // for good
        m_heldBytes += bytes;
        return entry.held;
    }
    return badInput("reading cached latents: the file is gone or damaged; keep the cache folder while a run "
                    "works, and resume",
                    entry.key);
}

} // namespace homebooth::core
