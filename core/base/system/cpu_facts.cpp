// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/system/cpu_facts.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <sched.h>
#include <sstream>
#include <thread>
#include <unistd.h>

namespace homebooth::core {
namespace {

constexpr std::array<std::string_view, 9> kFeatures{
    "avx", "avx2", "fma", "f16c", "avx512f", "avx512_bf16", "avx512_fp16", "amx_bf16", "amx_int8"};

/// CPUs that the control group's quota pays for; 0 without one.
int64_t quotaThreads() {
    const std::string groups = "/sys/fs/cgroup";
    double quota = 0.0; // "max" is none
    double period = 0.0;
    const bool version2 = static_cast<bool>(std::ifstream(groups + "/cpu.max") >> quota >> period);
    const bool version1 = !version2 && std::ifstream(groups + "/cpu/cpu.cfs_quota_us") >> quota &&
                          std::ifstream(groups + "/cpu/cpu.cfs_period_us") >> period;
    if ((!version2 && !version1) || quota <= 0.0 || period <= 0.0) return 0;
    return std::max<int64_t>(1, static_cast<int64_t>(quota / period));
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

double processorLoad() {
    double load = 0.0;
    const auto processors = static_cast<double>(::sysconf(_SC_NPROCESSORS_ONLN)); // the load is of all
    return ::getloadavg(&load, 1) == 1 && processors > 0.0 ? load / processors : 0.0;
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
