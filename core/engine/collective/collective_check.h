// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether tensors suit a collective: what every implementation holds its callers to. Free functions; any
// thread. Errors: throw c10::Error, for a programming mistake.
#pragma once

#include <ATen/core/Tensor.h>

namespace homebooth::core {

void checkGathered(const at::Tensor& whole, const at::Tensor& shard, int ranks, at::DeviceType device);
void checkScattered(const at::Tensor& shard, const at::Tensor& whole, int ranks, at::DeviceType device);
void checkReduced(const at::Tensor& values, at::DeviceType device);
void checkBroadcast(const at::Tensor& values, int root, int ranks, at::DeviceType device);

} // namespace homebooth::core
