// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The latents of all samples of a run: in memory while they are small, read from the cache else; encoded all
// at once, or one by one as they are needed.
// One thread.
#pragma once

#include "core/engine/models/vae_model.h"
#include "core/engine/training/job_context.h"
#include "core/engine/training/latent_cache.h"
#include "core/engine/training/pictures_ahead.h"

#include <functional>
#include <vector>

namespace homebooth::core {

class LatentSet {
public:
    /// Gives the autoencoder, which is loaded only when some latents are missing. May throw.
    using VaeProvider = std::function<Result<VaeModel*>()>;

    LatentSet(LatentCache cache, bool mirrored)
        : m_cache(std::move(cache))
        , m_mirrored(mirrored) {}

    /// Begins with these samples, whose latents are not looked at yet.
    void begin(const std::vector<TrainingSample>& samples);

    /// Encodes what the cache lacks. Samples whose picture cannot be decoded are taken out of `samples` and
    /// go to `broken`. Progress goes out as state "caching".
    /// Errors: of the provider; BadInput for latents that are not finite. Stops early when stop is requested.
    [[nodiscard]] Result<void> fill(std::vector<TrainingSample>& samples, const VaeProvider& vae,
                                    const JobContext& job, BrokenPictures& broken);

    /// Encodes into the cache what of it this rank has to encode of the samples that were begun with; of
    /// equal pictures one. Pictures that cannot be decoded are passed over: `fill` finds them at every rank.
    /// Progress and errors as fill. Stops early when stop is requested.
    [[nodiscard]] Result<void> encodeShare(const std::vector<TrainingSample>& samples, const VaeProvider& vae,
                                           const JobContext& job);

    /// Encodes one sample's latents unless they are known or in the cache.
    /// @returns  false when its picture went to `broken`, or the provider gave nothing
    /// Errors: as fill; throws what decoding throws
    [[nodiscard]] Result<bool> add(size_t index, const TrainingSample& sample, const VaeProvider& vae,
                                   PicturesAhead& pictures, BrokenPictures& broken);
    /// Whether `add` will need the sample's picture.
    [[nodiscard]] bool mustEncode(size_t index) const;
    /// How many samples `add` has to encode before all of them are known or cached.
    [[nodiscard]] int64_t missing() const { return m_missing; }
    /// Writes what waits to be cached.
    void flush() { m_cache.flush(); }

    /// The latents of a sample that was added; `mirrored` only if the set was made with it.
    /// Errors: BadInput when the cache lost them
    [[nodiscard]] Result<PictureLatents> get(size_t sample, bool mirrored) const;

    [[nodiscard]] int64_t heldBytes() const { return m_heldBytes; }
    /// What encoding and writing to the cache have taken up to now.
    [[nodiscard]] double encodedSeconds() const { return m_encodedSeconds; }

private:
    struct Entry {
        std::string key;
        PictureLatents held; // undefined when it stays on disk
        bool known = false;
        bool missing = false; // of a sample's first one: counts among those that are missing
    };
    [[nodiscard]] size_t entriesOf(size_t samples) const { return m_mirrored ? 2 * samples : samples; }
    [[nodiscard]] Result<bool> encode(Entry& entry, const at::Tensor& pixels, const TrainingSample& sample,
                                      const VaeProvider& vae);
    [[nodiscard]] std::vector<size_t> shareOf(const JobContext& job) const;
    void keep(Entry& entry, const PictureLatents& latents);
    void settle(size_t index);

    LatentCache m_cache;
    bool m_mirrored;
    std::vector<Entry> m_entries; // one for each sample, two with mirroring
    int64_t m_missing = 0;
    int64_t m_heldBytes = 0;
    double m_encodedSeconds = 0.0;
};

} // namespace homebooth::core
