// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What the system tells of this processor (/proc/cpuinfo). Tests of fast ways skip by this, not by what
// the engine itself finds: where that no longer finds them, they fail. Any thread.
#pragma once

#include "kernels/cpu/features.h"

#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace homebooth::kernels {

/// The words of the first processor's line of flags; none where the system tells none.
inline std::set<std::string> toldFlags() {
    std::ifstream file("/proc/cpuinfo");
    std::set<std::string> flags;
    for (std::string line, word; std::getline(file, line);) {
        if (line.rfind("flags", 0) != 0) continue;
        std::istringstream words(line.substr(line.find(':') + 1));
        while (words >> word) flags.insert(word);
        break;
    }
    return flags;
}

/// What those flags mean. A system older than this processor has no names for some.
inline const CpuFeatures& toldFeatures() {
    static const CpuFeatures features = [] {
        const std::set<std::string> flags = toldFlags();
        const auto has = [&flags](const char* flag) { return flags.count(flag) != 0; };
        CpuFeatures told;
        told.avx2 = has("avx2") && has("fma") && has("f16c");
        told.avx512 = told.avx2 && has("avx512f") && has("avx512bw") && has("avx512dq") && has("avx512vl");
        told.avx512Bf16 = told.avx512 && has("avx512_bf16");
        told.avx512Fp16 = told.avx512 && has("avx512_fp16");
        told.amxBf16 = has("amx_bf16");
        told.integerProducts = (told.avx512 && has("avx512_vnni")) || (told.avx2 && has("avx_vnni"));
        return told;
    }();
    return features;
}

} // namespace homebooth::kernels
