// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What the training loop drives: one kind of training (denoiser, autoencoder) that knows a step, its state
// and its result. Owned by the job; one thread.
#pragma once

#include "core/base/run/journal/event.h"
#include "core/base/util/picture.h"
#include "core/base/util/result.h"
#include "core/engine/data/sample_order.h"
#include "core/engine/learning/learner.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace homebooth::core {

struct StepReport {
    double loss = 0.0;                            ///< mean over the micro-steps
    std::map<std::string, double> lossParts = {}; ///< likewise, see StepEvent
    double dataSeconds = 0.0;                     ///< waited for pictures and texts
    double encodeSeconds = 0.0;                   ///< spent on encoding them
    int64_t epoch = 0;
    int64_t sampleCount = 0;
    StepOutcome outcome;
};

/// A preview picture with what it was made of.
struct PreviewPicture {
    Picture picture;
    std::string parameters; ///< A1111 text; may be empty
    int64_t place = 0;      ///< among those of its step
};

class Trainee {
public:
    virtual ~Trainee() = default;

    /// Computes one optimizer step. @param step  1 for the first
    /// Errors: throws c10::Error where LibTorch does
    [[nodiscard]] virtual StepReport step(int64_t step) = 0;

    [[nodiscard]] virtual Learner& learner() = 0;

    /// The cursors of all sample orders, in a fixed order, and a hash of the data that they run over.
    [[nodiscard]] virtual std::vector<OrderCursor> cursors() const = 0;
    virtual void restoreCursors(const std::vector<OrderCursor>& cursors, bool dataChanged) = 0;
    [[nodiscard]] virtual std::string dataHash() const = 0;
    /// The same of all that is computed with, also of what checkpoints need not know: several processes must
    /// have found the same.
    [[nodiscard]] virtual std::string wholeDataHash() const { return dataHash(); }

    [[nodiscard]] virtual int64_t heldOutPictures() const = 0;
    /// Mean loss over the pictures that are held out of training; none without any, or when stop was
    /// requested. Each rank computes its part of them and gets the mean of all. Errors: throws c10::Error
    /// where LibTorch does, and RankLost
    [[nodiscard]] virtual std::optional<double> validate() { return std::nullopt; }

    /// This rank's part of the pictures that show what was learned so far. Errors: as generation
    [[nodiscard]] virtual Result<std::vector<PreviewPicture>> preview(int64_t step) = 0;

    /// Writes what the user takes away into `resultDir`, which may hold the result of an earlier end of the
    /// run. @param step  that it is of. @returns the paths. Errors: BadInput, OutOfResources
    [[nodiscard]] virtual Result<std::vector<std::string>> writeResult(const std::string& resultDir,
                                                                       int64_t step) = 0;
    /// Sends the first rank, which writes it, what that needs of this one.
    virtual void contributeToResult() {
        for (size_t part = 0; part < learner().partCount(); ++part)
            static_cast<void>(learner().resultTensors(part));
    }

    /// Bytes by kind, as far as they are known.
    [[nodiscard]] virtual TierMemory memory() const = 0;
    /// The most that parts which do not learn have taken of a disk beside the steps.
    [[nodiscard]] virtual int64_t frozenDiskBytes() const { return 0; }
};

} // namespace homebooth::core
