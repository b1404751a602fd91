// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a training job works with, borrowed for its whole length. One thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/plan/generation/picture_memory.h"
#include "core/base/plan/training/take_back_rule.h"
#include "core/base/run/journal/event.h"
#include "core/base/run/run_folder.h"
#include "core/base/swap/swap_device.h"
#include "core/engine/data/cache_bound.h"
#include "core/engine/data/train_control.h"
#include "core/engine/graph/batch_part.h"
#include "core/engine/jobs/picture_source.h"
#include "core/engine/parallel/rank_warnings.h"
#include "core/engine/parallel/ranks.h"

#include <ATen/ATen.h>

#include <string>

namespace homebooth::core {

/// Where a job finds and keeps what belongs to no run.
struct JobOptions {
    std::string cacheDir;             ///< latents, texts, class pictures; empty: none is kept
    int64_t cacheBytes = kCacheBytes; ///< that they may take together; what was used longest ago goes first
    int64_t heldLatentBytes = kMostHeldLatentBytes; ///< of latents in memory, of each group of pictures
    std::string vocabularyFile; ///< published CLIP vocabulary, for models without one of their own
    at::Device device = at::kCPU;
    SwapDevice* swapDevice = &SwapDevice::system(); ///< another one for tests
    const Ranks* ranks = &Ranks::lone();            ///< the processes that train together
    /// Most that steps are planned with in RAM beside the device, with latents and texts that are held; 0:
    /// what is free. For tests: their models take less than what a process takes varies by.
    int64_t ramTierBytes = 0;
    /// Of steps with room for them, before latents and texts are held again that were given up.
    double takeBackSeconds = TakeBackRule::kRestSeconds;
    /// Without a checkpoint, before one is written that only stands in for the next one that counts.
    double saveEverySeconds = 20.0 * 60.0;
    /// Of pictures that take long, between two signs that they are being made.
    double signEverySeconds = 10.0;
};

struct JobContext {
    const TrainConfig& config;
    const RunFolder& run;
    EventSink& events;
    TrainControl& control;
    PictureSource& pictures;
    PictureWriter& writer;
    const JobOptions& options;
    RankWarnings* rankWarnings = nullptr; ///< which `events` go through; null: there is one rank

    [[nodiscard]] const Ranks& ranks() const { return *options.ranks; }
    /// Whether no rank has all parameters of what learns, so that all of them compute together.
    [[nodiscard]] bool spreadsParameters() const {
        return ranks().count() > 1 && config.parallel.spreadsParameters();
    }
    /// What ends a long computation between steps early; where ranks compute together, none ends it alone.
    [[nodiscard]] CancelToken stopBetweenSteps() const {
        return spreadsParameters() ? CancelToken() : control.stop;
    }
    /// Whether what is encoded before the steps is shared out among the ranks of this machine, each of which
    /// finds what the others have encoded in the cache.
    [[nodiscard]] bool sharesEncoding() const {
        return ranks().onThisMachine() > 1 && !options.cacheDir.empty();
    }
    /// Whether it is this rank that encodes the one at a place among all pictures, or among all captions.
    [[nodiscard]] bool encodes(size_t place) const {
        return place % static_cast<size_t>(ranks().onThisMachine()) ==
               static_cast<size_t>(ranks().placeOnMachine());
    }
    /// Of a micro-step, what this rank computes.
    /// @param groups  of samples: 1, or 2 where class pictures stand behind those of the subject
    [[nodiscard]] BatchPart ownPart(int64_t groups) const {
        const int64_t own = config.batchSize / ranks().count();
        return {groups * own, own, own * ranks().rank(), config.batchSize};
    }
    /// Whether this rank computes the sample at a place of a step.
    [[nodiscard]] bool computes(size_t place) const {
        const auto whole = static_cast<size_t>(config.batchSize);
        return place % whole / (whole / static_cast<size_t>(ranks().count())) ==
               static_cast<size_t>(ranks().rank());
    }
};

} // namespace homebooth::core
