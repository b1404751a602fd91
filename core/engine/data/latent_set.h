// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The latents of all samples of a run: in memory up to a bound, read from the cache beyond it; encoded all at
// once, or one by one as they are needed. What has a place in neither passes: it is there for one step and
// encoded again when it is drawn again. One thread.
//
//   1. held:    in memory for good           while there is room
//   2. cached:  on disk, or waits for a pack  as long as the cache keeps
//   3. passing: in memory until forgetPassing; counts as missing unless it is cached, too
#pragma once

#include "core/engine/data/job_context.h"
#include "core/engine/data/latent_cache.h"
#include "core/engine/data/pictures_ahead.h"
#include "core/engine/models/vae_model.h"

#include <functional>
#include <vector>

namespace homebooth::core {

class LatentSet {
public:
    /// Gives the autoencoder, which is loaded only when some latents are missing. May throw.
    using VaeProvider = std::function<Result<VaeModel*>()>;

    /// @param mostHeldBytes  of latents in memory for good
    LatentSet(LatentCache cache, bool mirrored, int64_t mostHeldBytes = kMostHeldLatentBytes)
        : m_cache(std::move(cache))
        , m_mirrored(mirrored)
        , m_mostHeldBytes(mostHeldBytes) {}

    /// Begins with these samples, whose latents are not looked at yet.
    void begin(const std::vector<TrainingSample>& samples);

    /// Encodes what the cache lacks. Samples whose picture cannot be decoded are taken out of `samples` and
    /// go to `broken`. Progress goes out as state "caching".
    /// Errors: of the provider; BadInput for latents that are not finite; OutOfResources where they fit
    ///         neither into memory nor into the cache. Stops early when stop is requested.
    [[nodiscard]] Result<void> fill(std::vector<TrainingSample>& samples, const VaeProvider& vae,
                                    const JobContext& job, BrokenPictures& broken);

    /// Encodes into the cache what of it this rank has to encode of the samples that were begun with; of
    /// equal pictures one. Pictures that cannot be decoded are passed over: `fill` finds them at every rank.
    /// Progress and errors as fill. Stops early when stop is requested.
    [[nodiscard]] Result<void> encodeShare(const std::vector<TrainingSample>& samples, const VaeProvider& vae,
                                           const JobContext& job);

    /// Encodes one sample's latents unless they are in memory or in the cache. They can be read at least
    /// until forgetPassing.
    /// @returns  false when its picture went to `broken`, or the provider gave nothing
    /// Errors: as fill; throws what decoding throws
    [[nodiscard]] Result<bool> add(size_t index, const TrainingSample& sample, const VaeProvider& vae,
                                   PicturesAhead& pictures, BrokenPictures& broken);
    /// Whether `add` will need the sample's picture.
    [[nodiscard]] bool mustEncode(size_t index) const;
    /// How many samples `add` has to encode before all of them are held or cached.
    [[nodiscard]] int64_t missing() const { return m_missing; }
    /// Gives latents up that are held for one step alone.
    void forgetPassing();
    /// Writes what waits to be cached.
    void flush();
    /// From now on no more than so many bytes are held for good. What is beyond that is given up where the
    /// cache has it; where more may be held than before, what is read from there is held from then on.
    void holdAtMost(int64_t bytes);
    /// From now on the cache grows only where there is room for it.
    void limitCache(LatentCache::Room room) { m_cache.limit(std::move(room)); }

    /// The latents of a sample that was added; `mirrored` only if the set was made with it.
    /// Errors: BadInput when the cache lost them
    [[nodiscard]] Result<PictureLatents> get(size_t sample, bool mirrored) const;

    [[nodiscard]] int64_t heldBytes() const { return m_heldBytes; }
    /// What encoding and writing to the cache have taken up to now.
    [[nodiscard]] double encodedSeconds() const { return m_encodedSeconds; }

private:
    struct Entry {
        std::string key;
        PictureLatents held;  // undefined when it stays on disk
        bool known = false;   // it was encoded, or read from the cache
        bool passing = false; // what is held is so for one step
        bool missing = false; // of a sample's first one: counts among those that are missing
    };
    [[nodiscard]] size_t entriesOf(size_t samples) const { return m_mirrored ? 2 * samples : samples; }
    [[nodiscard]] Result<bool> encode(Entry& entry, const at::Tensor& pixels, const TrainingSample& sample,
                                      const VaeProvider& vae);
    [[nodiscard]] std::vector<size_t> shareOf(const JobContext& job) const;
    void keep(Entry& entry, const PictureLatents& latents);
    void settle(size_t index);
    void countLost();
    [[nodiscard]] Error noRoom() const;
    void takeOnly(std::vector<TrainingSample>& samples, const std::vector<size_t>& usable);

    LatentCache m_cache;
    bool m_mirrored;
    int64_t m_mostHeldBytes;
    mutable std::vector<Entry> m_entries; // one for each sample, two with mirroring; to read may hold
    std::vector<size_t> m_passing;        // entries
    bool m_countedLost = false;           // the cache keeps no more, and what waited in it was counted
    int64_t m_missing = 0;
    mutable int64_t m_heldBytes = 0;
    double m_encodedSeconds = 0.0;
};

} // namespace homebooth::core
