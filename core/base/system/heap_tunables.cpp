// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/system/heap_tunables.h"

namespace homebooth::core {

std::string tunablesForTraining(const char* given) {
    const std::string name = "glibc.malloc.hugetlb=";
    const std::string set = given != nullptr ? given : "";
    if (set.find(name) != std::string::npos) return set;
    return set + (set.empty() ? "" : ":") + name + "1";
}

} // namespace homebooth::core
