// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/jobs/cuda_libraries.h"

#include "core/base/system/gpu_facts.h"

#include <ATen/Context.h>

#include <dlfcn.h>
#include <string>

namespace homebooth::core {
namespace {

std::string openAll() {
    // Found by this program's run path. Global: the libraries find each other's symbols, and stay.
    for (const char* name : {"libc10_cuda.so", "libtorch_cuda.so"})
        if (::dlopen(name, RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE) == nullptr) return ::dlerror();
    return {};
}

} // namespace

Result<void> loadCudaLibraries() {
    static const std::string failure = openAll();
    if (failure.empty()) return {};
    return Error{ErrorCode::Internal,
                 "open LibTorch's CUDA libraries: expected them beside libtorch_cpu.so, found: " + failure +
                     "; run installer/run again, or choose --device cpu",
                 {}};
}

bool cudaIsUsable() {
    return gpuFacts().state == GpuState::Ready && loadCudaLibraries() && at::globalContext().hasCUDA();
}

} // namespace homebooth::core
