// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// LibTorch's CUDA half, opened at run time and only where a GPU is ready: loading it costs every process
// about 240 MB of resident memory, on a machine without a GPU for nothing. Any thread. Must
// come before anything else asks LibTorch whether it has CUDA, because LibTorch remembers the first answer.
#pragma once

#include "core/base/util/result.h"

namespace homebooth::core {

/// Opens the libraries beside LibTorch's CPU half and makes LibTorch know them; the first call does it.
/// Errors: Internal with the loader's words when they cannot be opened
[[nodiscard]] Result<void> loadCudaLibraries();

/// Whether there is a GPU that LibTorch can use; opens the libraries if the driver answers.
[[nodiscard]] bool cudaIsUsable();

/// Makes LibTorch begin with a usable GPU, before its memory is asked about and before anything computes
/// there, and choose kernels that give the same bytes again, so that a resumed run and another placement do.
/// Errors: those of failureInFlight, with what the driver says
[[nodiscard]] Result<void> startGpu();

} // namespace homebooth::core
