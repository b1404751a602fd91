// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Preloaded into a program, refuses every lock of an open file as a broken file server would.
#include <cerrno>
#include <cstdarg>
#include <dlfcn.h>
#include <fcntl.h>

namespace {

int refuse(const char* name, int descriptor, int command, void* argument) {
    if (command == F_OFD_SETLK) {
        errno = EIO;
        return -1;
    }
    using Fcntl = int (*)(int, int, ...);
    return reinterpret_cast<Fcntl>(::dlsym(RTLD_NEXT, name))(descriptor, command, argument);
}

} // namespace

extern "C" int fcntl(int descriptor, int command, ...) {
    va_list rest;
    va_start(rest, command);
    void* argument = va_arg(rest, void*);
    va_end(rest);
    return refuse("fcntl", descriptor, command, argument);
}

extern "C" int fcntl64(int descriptor, int command, ...) {
    va_list rest;
    va_start(rest, command);
    void* argument = va_arg(rest, void*);
    va_end(rest);
    return refuse("fcntl64", descriptor, command, argument);
}
