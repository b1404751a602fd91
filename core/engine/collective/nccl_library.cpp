// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/collective/nccl_library.h"

#include <dlfcn.h>

namespace homebooth::core {

Result<NcclLibrary> NcclLibrary::find() {
    NcclLibrary found;
    const char* missing = nullptr;
    const auto take = [&missing](auto& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(RTLD_DEFAULT, name));
        if (function == nullptr) missing = name;
    };
    take(found.getUniqueId, "ncclGetUniqueId");
    take(found.initRank, "ncclCommInitRankConfig");
    take(found.abort, "ncclCommAbort");
    take(found.asyncError, "ncclCommGetAsyncError");
    take(found.errorText, "ncclGetErrorString");
    take(found.groupStart, "ncclGroupStart");
    take(found.groupEnd, "ncclGroupEnd");
    take(found.send, "ncclSend");
    take(found.receive, "ncclRecv");
    take(found.allGather, "ncclAllGather");
    take(found.broadcast, "ncclBroadcast");
    if (missing == nullptr) return found;
    return Error{ErrorCode::Internal,
                 std::string("expected NCCL among LibTorch's CUDA libraries, found no ") + missing +
                     "; run installer/run again",
                 {}};
}

} // namespace homebooth::core
