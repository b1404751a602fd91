// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a training job works with, borrowed for its whole length. One thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/run/event.h"
#include "core/base/run/run_folder.h"
#include "core/base/swap/swap_device.h"
#include "core/engine/jobs/picture_source.h"
#include "core/engine/training/cache_bound.h"
#include "core/engine/training/train_control.h"

#include <ATen/ATen.h>

#include <string>

namespace homebooth::core {

/// Where a job finds and keeps what belongs to no run.
struct JobOptions {
    std::string cacheDir;             ///< latents, texts, class pictures; empty: none is kept
    int64_t cacheBytes = kCacheBytes; ///< that they may take together; what was used longest ago goes first
    std::string vocabularyFile;       ///< published CLIP vocabulary, for models without one of their own
    at::Device device = at::kCPU;
    SwapDevice* swapDevice = &SwapDevice::system(); ///< another one for tests
};

struct JobContext {
    const TrainConfig& config;
    const RunFolder& run;
    EventSink& events;
    TrainControl& control;
    PictureSource& pictures;
    PictureWriter& writer;
    const JobOptions& options;
};

} // namespace homebooth::core
