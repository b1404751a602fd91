// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What an autoencoder learns from: crops of a data set's pictures. A thread decodes those of the next steps;
// some stay in memory, so that small data sets are decoded once. Borrows the job. One thread.
#pragma once

#include "core/base/model/configs/vae_config.h"
#include "core/engine/data/data_set.h"
#include "core/engine/data/held_out.h"
#include "core/engine/data/job_context.h"
#include "core/engine/data/pictures_ahead.h"
#include "core/engine/data/sample_order.h"

#include <ATen/ATen.h>

#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace homebooth::core {

class VaePictures {
public:
    /// Lists the pictures; none is decoded yet. When stop is requested meanwhile, the result is null.
    /// Errors: BadInput where none can be used
    [[nodiscard]] static Result<std::unique_ptr<VaePictures>> open(const JobContext& job,
                                                                   const VaeConfig& config);

    /// This rank's crops of the next micro-step, which must be asked for in order.
    /// @returns  uint8 [its part of the batch, 3, side, side]
    /// Errors: throws TrainingFailure where a picture cannot be used and none may be left out
    [[nodiscard]] at::Tensor next(int64_t step, int64_t microStep);
    /// A picture that is drawn. @returns  uint8 [3, height, width]. Errors: BadInput where it cannot be used
    [[nodiscard]] Result<at::Tensor> whole(int64_t sample);
    /// Numbers of up to `count` pictures, spread evenly over all.
    [[nodiscard]] std::vector<int64_t> spread(int64_t count) const;
    /// A crop of each of these that can be used, the same one each time.
    /// @returns  uint8 [3, side, side] each
    [[nodiscard]] std::vector<at::Tensor> cropsOf(std::span<const int64_t> samples);
    /// How many pictures are never drawn.
    [[nodiscard]] int64_t heldOut() const { return std::ssize(m_heldOut); }
    /// Those of them that a validation looks at.
    [[nodiscard]] std::vector<size_t> heldOutToLookAt() const { return core::heldOutToLookAt(m_heldOut); }
    /// A crop of such a picture, the same one each time; none where it was left out, since it cannot be used.
    /// @returns  uint8 [3, side, side]. Errors: as `next`
    [[nodiscard]] std::optional<at::Tensor> heldOutCrop(size_t sample);

    [[nodiscard]] const OrderCursor& cursor() const { return m_order->cursor(); }
    [[nodiscard]] int64_t epoch() const { return m_order->epoch(); }
    void restore(const OrderCursor& cursor, bool dataChanged);
    [[nodiscard]] const std::string& hash() const { return m_hash; }
    /// The same with the pictures that are held out: crops have the size of the smallest of all.
    [[nodiscard]] std::string wholeHash() const;
    [[nodiscard]] int64_t cropSide() const { return m_side; } ///< pixels
    [[nodiscard]] int64_t heldBytes() const { return m_keptBytes; }
    /// How long `next` has waited for pictures.
    [[nodiscard]] double waitedSeconds() const { return m_waitedSeconds; }

private:
    explicit VaePictures(const JobContext& job)
        : m_job(job)
        , m_ahead(std::make_unique<PicturesAhead>(job.pictures)) {}
    [[nodiscard]] Result<void> list(const VaeConfig& config);
    void lookAhead();
    void leaveOut(const TrainingSample& sample, const Error& error);
    [[nodiscard]] at::Tensor usable(int64_t sample);
    [[nodiscard]] Result<at::Tensor> picture(int64_t sample);
    [[nodiscard]] Result<at::Tensor> decoded(const TrainingSample& sample);
    [[nodiscard]] at::Tensor crop(const at::Tensor& picture, uint64_t mixed) const;
    [[nodiscard]] at::Tensor lastingCrop(const at::Tensor& picture, int64_t sample) const;

    const JobContext& m_job;
    std::vector<TrainingSample> m_samples;
    std::vector<TrainingSample> m_heldOut;
    std::string m_hash;
    int64_t m_side = 0;
    std::unique_ptr<SampleOrder> m_order;
    std::unique_ptr<SampleOrder> m_foreseen;               // as far as was looked ahead
    std::deque<std::vector<int64_t>> m_upcoming;           // micro-steps that were looked at and not drawn
    std::set<int64_t> m_begun;                             // being decoded, or waiting for their step
    std::set<int64_t> m_broken;                            // left out
    std::set<size_t> m_brokenHeldOut;                      // likewise
    std::unordered_map<int64_t, at::Tensor> m_kept;        // uint8 [3, H, W]
    std::unordered_map<size_t, at::Tensor> m_heldOutCrops; // uint8 [3, side, side]
    int64_t m_keptBytes = 0;
    double m_waitedSeconds = 0.0;
    std::unique_ptr<PicturesAhead> m_ahead;
};

} // namespace homebooth::core
