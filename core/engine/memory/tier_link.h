// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The link that leads to a device: a GPU's copies, a thread's where host memory stands for the device, a
// count where there is no memory. Free function; any thread.
#pragma once

#include "core/base/memory/link.h"
#include "core/engine/memory/cuda_link.h"

#include <c10/core/Device.h>

#include <memory>

namespace homebooth::core {

/// @param speed   how slow it pretends to be where host memory stands for the device
/// @param source  as HostLink has it
/// Errors: throws c10::Error where a GPU refuses a stream, and for a source of copies to a GPU
[[nodiscard]] std::unique_ptr<Link> makeTierLink(at::Device device, LinkDirection direction, LinkSpeed speed,
                                                 LinkSource* source = nullptr);

} // namespace homebooth::core
