// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/jobs/engine_versions.h"

#include "core/base/util/version.h"

#include <ATen/detail/CUDAHooksInterface.h>
#include <torch/version.h>

namespace homebooth::core {
namespace {

/// 13020 is 13.2.
std::string ofCuda(long version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// 91900 is 9.19.0, from cuDNN 9 on.
std::string ofCudnn(long version) {
    return std::to_string(version / 10000) + "." + std::to_string(version % 10000 / 100) + "." +
           std::to_string(version % 100);
}

} // namespace

std::map<std::string, std::string> engineVersions(at::Device device) {
    std::map<std::string, std::string> versions{{"homebooth", versionText()}, {"libtorch", TORCH_VERSION}};
    if (!device.is_cuda()) return versions; // to ask would have LibTorch remember that it has no CUDA
    const at::CUDAHooksInterface& hooks = at::detail::getCUDAHooks();
    if (hooks.hasCUDART()) versions["cuda"] = ofCuda(hooks.versionCUDART());
    if (hooks.hasCuDNN()) versions["cudnn"] = ofCudnn(hooks.versionRuntimeCuDNN());
    return versions;
}

} // namespace homebooth::core
