// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// NCCL's functions, found in the library that LibTorch's CUDA half has opened: nothing is linked, so that a
// program without a GPU starts without it. Only for nccl_collective.cpp; any thread.
#pragma once

#include "core/base/util/result.h"

#include <nccl.h>

namespace homebooth::core {

struct NcclLibrary {
    decltype(&ncclGetUniqueId) getUniqueId = nullptr;
    decltype(&ncclCommInitRankConfig) initRank = nullptr;
    decltype(&ncclCommAbort) abort = nullptr;
    decltype(&ncclCommGetAsyncError) asyncError = nullptr;
    decltype(&ncclGetErrorString) errorText = nullptr;
    decltype(&ncclGroupStart) groupStart = nullptr;
    decltype(&ncclGroupEnd) groupEnd = nullptr;
    decltype(&ncclSend) send = nullptr;
    decltype(&ncclRecv) receive = nullptr;
    decltype(&ncclAllGather) allGather = nullptr;
    decltype(&ncclBroadcast) broadcast = nullptr;

    /// Errors: Internal where it was not opened
    [[nodiscard]] static Result<NcclLibrary> find();
};

} // namespace homebooth::core
