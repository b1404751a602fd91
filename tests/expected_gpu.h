// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// tests/gpu/run sets HOMEBOOTH_GPU_EXPECTED where it has found a GPU: there a test that cannot use it
// fails, which without one is skipped. Any thread.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>

namespace homebooth {

/// Fails the test that runs where a GPU is expected. If it is then skipped it is a failure all the same.
/// @param why  asked only then; what is known of why it cannot be used
template <class Why>
void failIfGpuIsExpected(const Why& why) {
    if (std::getenv("HOMEBOOTH_GPU_EXPECTED") != nullptr)
        ADD_FAILURE() << "expected the GPU of which nvidia-smi tells, but no test can use it: " << why();
}

} // namespace homebooth
