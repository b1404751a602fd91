// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/jobs/cuda_libraries.h"

#include "core/base/system/gpu_facts.h"
#include "core/engine/jobs/failure.h"

#include <ATen/Context.h>

#include <cstdlib>
#include <dlfcn.h>
#include <exception>
#include <string>

namespace homebooth::core {
namespace {

/// With a slash at its end; empty where that cannot be found out.
std::string folderOfLibTorch() {
    Dl_info library{};
    if (::dladdr(reinterpret_cast<const void*>(&at::globalContext), &library) == 0) return {};
    const std::string path = library.dli_fname;
    return path.substr(0, path.rfind('/') + 1);
}

std::string openAll() {
    // By path: under the address sanitizer a bare name is not looked up by this program's run path.
    // Global: the libraries find each other's symbols, and stay.
    const std::string folder = folderOfLibTorch();
    for (const char* name : {"libc10_cuda.so", "libtorch_cuda.so"})
        if (::dlopen((folder + name).c_str(), RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE) == nullptr)
            return ::dlerror();
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

Result<void> startGpu() {
    ::setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", /*overwrite=*/0); // else cuBLAS is not deterministic
    at::Context& context = at::globalContext();
    context.setDeterministicCuDNN(true);
    context.setBenchmarkCuDNN(false);
    context.setDeterministicAlgorithms(true, /*warn_only=*/false); // attention's ignores warnings alone
    context.setDeterministicFillUninitializedMemory(false);        // nothing reads that here
    try {
        context.lazyInitDevice(at::kCUDA);
    } catch (const std::exception&) {
        return failureInFlight("start the GPU", "close what else uses it, or choose --device cpu");
    }
    return {};
}

} // namespace homebooth::core
