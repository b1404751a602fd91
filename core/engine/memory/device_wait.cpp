// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/memory/device_wait.h"

#include "kernels/transfer/copy_stream.h"

#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <c10/util/Exception.h>

namespace homebooth::core {

void waitForDevice(at::Device device) {
    if (device.is_cuda()) at::detail::getCUDAHooks().deviceSynchronize(device.index());
}

void waitForStream(at::Device device) {
    if (!device.is_cuda()) return;
    const c10::impl::VirtualGuardImpl guard(device.type());
    guard.synchronizeStream(guard.getStream(device));
}

void checkGpu(int code, const char* what) {
    TORCH_CHECK(code == 0, what,
                ": expected the GPU to answer, found CUDA error: ", kernels::transferError(code));
}

} // namespace homebooth::core
