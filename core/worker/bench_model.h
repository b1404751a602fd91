// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Timed parts of a model with random weights. Free functions; one thread.
#pragma once

#include "core/base/model/model_source.h"
#include "core/worker/bench_options.h"

#include <ATen/ATen.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace homebooth::core {

/// Names and values: medians in seconds, bytes, and how often something happened.
struct Figures {
    std::vector<std::pair<std::string, double>> seconds;
    std::vector<std::pair<std::string, int64_t>> bytes;
    std::vector<std::pair<std::string, double>> counts;
};

/// Hears how many of the timed calls are done; 0 after the one of warm-up.
using BenchProgress = std::function<void(const char* calls, int64_t done, int64_t total)>;

/// Optimizer steps of a DreamBooth: the UNet, the text encoder where it learns, and latents given. With the
/// policy `cpu` parameters are streamed to the device; without a GPU a part of host memory stands for it.
[[nodiscard]] Result<Figures> timeTraining(const ModelSource& model, const BenchOptions& options,
                                           at::Device device, const BenchProgress& progress);

/// One call of the UNet for guidance (twice the batch), and one decoding.
[[nodiscard]] Result<Figures> timeSampling(const ModelSource& model, const BenchOptions& options,
                                           at::Device device, const BenchProgress& progress);

} // namespace homebooth::core
