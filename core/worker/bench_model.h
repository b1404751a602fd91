// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Timed parts of a model with random weights. Free functions; one thread.
#pragma once

#include "core/base/model/model_source.h"
#include "core/worker/bench_options.h"

#include <ATen/ATen.h>

#include <string>
#include <utility>
#include <vector>

namespace homebooth::core {

/// Names and medians in seconds.
using Timings = std::vector<std::pair<std::string, double>>;

/// Optimizer steps of a DreamBooth: UNet alone, text and latents given.
[[nodiscard]] Result<Timings> timeTraining(const ModelSource& model, const BenchOptions& options,
                                           at::Device device);

/// One call of the UNet for guidance (twice the batch), and one decoding.
[[nodiscard]] Result<Timings> timeSampling(const ModelSource& model, const BenchOptions& options,
                                           at::Device device);

} // namespace homebooth::core
