// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/machine_speed.h"

#include <ATen/core/grad_mode.h>
#include <ATen/detail/CUDAHooksInterface.h>

#include <algorithm>
#include <chrono>
#include <functional>

namespace homebooth::core {
namespace {

/// The best of a few calls: what other programs take of the machine is not its speed.
double leastSeconds(at::Device device, const std::function<void()>& call) {
    using Clock = std::chrono::steady_clock;
    constexpr int kCalls = 4; // the first one warms up
    double least = 0.0;
    for (int i = 0; i < kCalls; ++i) {
        const auto start = Clock::now();
        call();
        if (device.is_cuda()) at::detail::getCUDAHooks().deviceSynchronize(device.index());
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        least = i < 2 ? seconds : std::min(least, seconds);
    }
    return std::max(least, 1e-9);
}

} // namespace

MachineSpeed measureSpeed(at::Device device, at::ScalarType type) {
    // A product like those of a middle level of Stable Diffusion, at 512 px.
    constexpr int64_t kRows = 1024;
    constexpr int64_t kWide = 1280;
    constexpr int64_t kElements = int64_t{4} << 20;
    constexpr int kSmallOperations = 200;
    const at::NoGradGuard noGradients;
    const auto options = at::TensorOptions().dtype(type).device(device);
    const at::Tensor a = at::ones({kRows, kWide}, options);
    const at::Tensor b = at::ones({kWide, kWide}, options);
    const at::Tensor x = at::ones({kElements}, options);
    MachineSpeed speed;
    speed.multiplyAddsPerSecond = static_cast<double>(kRows * kWide * kWide) /
                                  leastSeconds(device, [&] { static_cast<void>(at::mm(a, b)); });
    speed.bytesPerSecond =
        static_cast<double>(x.nbytes()) / leastSeconds(device, [&] { static_cast<void>(at::silu(x)); });
    const at::Tensor small = at::ones({1}, options);
    speed.secondsPerOperation = leastSeconds(device,
                                             [&] {
                                                 for (int i = 0; i < kSmallOperations; ++i)
                                                     static_cast<void>(at::silu(small));
                                             }) /
                                kSmallOperations;
    return speed;
}

} // namespace homebooth::core
