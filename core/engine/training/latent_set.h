// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The latents of all samples of a run: in memory while they are small, read from the cache else.
// One thread.
#pragma once

#include "core/engine/models/vae_model.h"
#include "core/engine/training/job_context.h"
#include "core/engine/training/latent_cache.h"
#include "core/engine/training/next_picture.h"

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

    /// Encodes what the cache lacks. Samples whose picture cannot be decoded are taken out of `samples` and
    /// go to `broken`. Progress goes out as state "caching".
    /// Errors: of the provider; BadInput for latents that are not finite. Stops early when stop is requested.
    [[nodiscard]] Result<void> fill(std::vector<TrainingSample>& samples, const VaeProvider& vae,
                                    const JobContext& job, BrokenPictures& broken);

    /// The latents of a sample; `mirrored` only if the set was made with it.
    /// Errors: BadInput when the cache lost them
    [[nodiscard]] Result<PictureLatents> get(size_t sample, bool mirrored) const;

    [[nodiscard]] int64_t heldBytes() const { return m_heldBytes; }

private:
    struct Entry {
        std::string key;
        PictureLatents held; // undefined when it stays on disk
    };
    /// @param next  the sample behind it, whose picture may be decoded meanwhile; may be null
    [[nodiscard]] Result<bool> addSample(const TrainingSample& sample, const TrainingSample* next,
                                         const VaeProvider& vae, NextPicture& pictures,
                                         BrokenPictures& broken);
    [[nodiscard]] bool mustEncode(const TrainingSample& sample) const;
    void keep(const std::string& key, const PictureLatents& latents);

    LatentCache m_cache;
    bool m_mirrored;
    std::vector<Entry> m_entries; // one for each sample, two with mirroring
    int64_t m_heldBytes = 0;
};

} // namespace homebooth::core
