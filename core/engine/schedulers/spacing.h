// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Which timesteps and noise levels a sampler walks, first (noisiest) to last. Pure functions in double, with
// NumPy's rounding (half to even), because diffusers rounds so.
#pragma once

#include "core/base/model/configs/scheduler_config.h"

#include <ATen/ATen.h>

#include <vector>

namespace homebooth::core {

/// `count` values from `first` to `last`, both included.
[[nodiscard]] std::vector<double> evenlySpaced(double first, double last, int64_t count);

/// The timesteps of DDPM, DDIM, PNDM and Euler.
/// @param rounded  Euler's linspace keeps fractions, the others' does not
[[nodiscard]] std::vector<double> spacedTimesteps(const SchedulerSettings& settings, int64_t steps,
                                                  bool rounded);

/// The timesteps of DPM-Solver and UniPC, whose leading and linspace spacing leave out the cleanest of steps
/// + 1.
/// @param limit  timesteps lie below it
[[nodiscard]] std::vector<double> spacedSolverTimesteps(const SchedulerSettings& settings, int64_t steps,
                                                        int64_t limit);

/// sqrt((1 - a) / a) of every training timestep. Shapes: alphas [T] fp32.
[[nodiscard]] std::vector<double> sigmaTable(const at::Tensor& alphasCumprod);

/// Values of `table` at fractional positions.
[[nodiscard]] std::vector<double> interpolated(const std::vector<double>& positions,
                                               const std::vector<double>& table);

/// `count` noise levels from `largest` down to `smallest`.
/// Source: Karras et al., "Elucidating the Design Space of Diffusion-Based Generative Models", 2022, eq. 5,
/// rho 7
[[nodiscard]] std::vector<double> karrasSigmas(double largest, double smallest, int64_t count);
[[nodiscard]] std::vector<double> exponentialSigmas(double largest, double smallest, int64_t count);

/// The fractional training timestep with this noise level.
/// @param sigmas  of all training timesteps, rising
[[nodiscard]] double timestepOfSigma(double sigma, const std::vector<double>& sigmas);

} // namespace homebooth::core
