// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// In the place of the driver's management library: leaves a file where it was opened, and has nothing to say.
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

namespace {

[[gnu::constructor]] void noteThatItIsOpened() {
    if (const char* mark = std::getenv("FAKE_NVML_OPENED"))
        ::close(::open(mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
}

} // namespace

extern "C" int nvmlInit_v2() {
    return 9; // NVML_ERROR_DRIVER_NOT_LOADED
}

extern "C" int nvmlShutdown() {
    return 0;
}
