// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The NVIDIA driver's libraries, opened at run time: nothing here links them.
// Free functions; any thread.
#pragma once

#include <dlfcn.h>
#include <memory>

namespace homebooth::core {

struct LibraryCloser {
    void operator()(void* library) const { ::dlclose(library); }
};
using DriverLibrary = std::unique_ptr<void, LibraryCloser>;

/// A function of the library; null if it has none of that name.
template <class Function>
[[nodiscard]] Function symbol(const DriverLibrary& library, const char* name) {
    return reinterpret_cast<Function>(::dlsym(library.get(), name));
}

/// Calls use(library) while the driver's management library is initialised, where there is one.
template <class Use>
void withManagement(const Use& use) {
    const DriverLibrary library(::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL));
    if (!library) return;
    const auto init = symbol<int (*)()>(library, "nvmlInit_v2");
    const auto shutdown = symbol<int (*)()>(library, "nvmlShutdown");
    if (init == nullptr || shutdown == nullptr || init() != 0) return;
    use(library);
    shutdown();
}

} // namespace homebooth::core
