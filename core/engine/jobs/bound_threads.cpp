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
    const int64_t threads = at::get_num_threads();
    const int64_t all = threads * processes;
    at::parallel_for(0, threads, 1, [&](int64_t, int64_t) {
        const int64_t number = at::get_thread_num();
        if (number == 0) return;
        const int64_t among = place * threads + number;
        bindThisThread(nodes[static_cast<size_t>(among * static_cast<int64_t>(nodes.size()) / all)]);
    });
}

} // namespace homebooth::core
