// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Preloaded into a program, leaves at most 100 GB free on every disk: what is too much for one is too
// much for any machine's.
#include <algorithm>
#include <dlfcn.h>
#include <sys/statvfs.h>

namespace {

constexpr unsigned long kMostBytes = 100'000'000'000;

template <class Facts>
int ask(const char* name, const char* path, Facts* facts) {
    using Ask = int (*)(const char*, Facts*);
    const int result = reinterpret_cast<Ask>(::dlsym(RTLD_NEXT, name))(path, facts);
    if (result != 0 || facts->f_frsize == 0) return result;
    const auto most = kMostBytes / facts->f_frsize;
    facts->f_bfree = std::min<decltype(facts->f_bfree)>(facts->f_bfree, most);
    facts->f_bavail = std::min<decltype(facts->f_bavail)>(facts->f_bavail, most);
    return result;
}

} // namespace

extern "C" int statvfs(const char* path, struct statvfs* facts) noexcept {
    return ask("statvfs", path, facts);
}

extern "C" int statvfs64(const char* path, struct statvfs64* facts) noexcept {
    return ask("statvfs64", path, facts);
}
