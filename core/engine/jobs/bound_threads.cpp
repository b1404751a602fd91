// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/jobs/bound_threads.h"

#include "core/engine/nn/host_work.h"

#include <sched.h>

namespace homebooth::core {
namespace {

/// Where the kernel refuses, the thread stays as it is: slower perhaps, never wrong.
void bindThisThread(const std::vector<int>& cpus) {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    for (const int cpu : cpus) CPU_SET(cpu, &allowed);
    static_cast<void>(::sched_setaffinity(0, sizeof allowed, &allowed));
}

} // namespace

void bindThreads(const std::vector<std::vector<int>>& nodes, int place, int processes) {
    if (nodes.size() < 2) return;
    std::vector<size_t> nodeOfCpu; // of all processors, one node's behind the other's
    for (size_t node = 0; node < nodes.size(); ++node)
        nodeOfCpu.resize(nodeOfCpu.size() + nodes[node].size(), node);
    const int64_t threads = at::get_num_threads();
    const int64_t all = threads * processes;
    at::parallel_for(0, threads, 1, [&](int64_t, int64_t) {
        const int64_t number = at::get_thread_num();
        if (number == 0) return;
        const int64_t among = place * threads + number;
        const auto cpu = static_cast<size_t>(among * std::ssize(nodeOfCpu) / all);
        bindThisThread(nodes[nodeOfCpu[cpu]]);
    });
}

} // namespace homebooth::core
