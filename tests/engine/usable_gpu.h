// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether a test of the engine has a GPU. One thread.
#pragma once

#include "core/base/system/gpu_facts.h"
#include "core/engine/jobs/cuda_libraries.h"
#include "tests/expected_gpu.h"

namespace homebooth::core::testing {

/// As cudaIsUsable(); where tests/gpu/run has found a GPU, the test fails without it.
inline bool hasGpu() {
    if (cudaIsUsable()) return true;
    failIfGpuIsExpected([] {
        const auto loaded = loadCudaLibraries();
        return loaded ? gpuFacts().message : loaded.error().text();
    });
    return false;
}

} // namespace homebooth::core::testing
