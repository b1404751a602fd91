// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/system/cpu_facts.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <sched.h>
#include <sstream>
#include <thread>

namespace homebooth::core {
namespace {

constexpr std::array<std::string_view, 9> kFeatures{
    "avx", "avx2", "fma", "f16c", "avx512f", "avx512_bf16", "avx512_fp16", "amx_bf16", "amx_int8"};

/// CPUs that the control group's quota pays for; 0 without one.
int64_t quotaThreads() {
    std::ifstream file("/sys/fs/cgroup/cpu.max");
    std::string quota;
    double period = 0.0;
    if (!(file >> quota >> period) || quota == "max" || period <= 0.0) return 0;
    try {
        return std::max<int64_t>(1, static_cast<int64_t>(std::stod(quota) / period));
    } catch (const std::exception&) {
        return 0;
    }
}

std::string valueOf(const std::string& line) {
    const size_t colon = line.find(':');
    return colon == std::string::npos || colon + 2 > line.size() ? std::string() : line.substr(colon + 2);
}

} // namespace

int64_t usableThreads() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    int64_t count = ::sched_getaffinity(0, sizeof allowed, &allowed) == 0
                        ? CPU_COUNT(&allowed)
                        : static_cast<int64_t>(std::thread::hardware_concurrency());
    if (const int64_t quota = quotaThreads(); quota > 0) count = std::min(count, quota);
    return std::max<int64_t>(count, 1);
}

CpuFacts cpuFacts() {
    CpuFacts facts;
    facts.threads = usableThreads();
    std::ifstream lines("/proc/cpuinfo");
    for (std::string line; std::getline(lines, line) && (facts.model.empty() || facts.features.empty());) {
        if (line.starts_with("model name")) facts.model = valueOf(line);
        if (!line.starts_with("flags")) continue;
        std::istringstream flags(valueOf(line));
        for (std::string flag; flags >> flag;)
            if (std::find(kFeatures.begin(), kFeatures.end(), flag) != kFeatures.end())
                facts.features.push_back(flag);
    }
    return facts;
}

} // namespace homebooth::core
