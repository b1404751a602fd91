// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/memory/device_wait.h"

#include <ATen/detail/CUDAHooksInterface.h>

namespace homebooth::core {

void waitForDevice(at::Device device) {
    if (device.is_cuda()) at::detail::getCUDAHooks().deviceSynchronize(device.index());
}

} // namespace homebooth::core
