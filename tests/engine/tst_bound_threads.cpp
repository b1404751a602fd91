// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Threads that are bound to memory nodes, on a machine that may have one node only: its cores stand for
// nodes.
#include "core/base/system/memory_nodes.h"
#include "core/engine/jobs/bound_threads.h"
#include "core/engine/nn/host_work.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <mutex>
#include <sched.h>
#include <unistd.h>

using namespace homebooth::core;

namespace {

std::vector<int> ownCpus() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    std::vector<int> cpus;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return cpus;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
        if (CPU_ISSET(cpu, &allowed)) cpus.push_back(cpu);
    return cpus;
}

/// By thread of Torch's, which processors it may use.
std::vector<std::vector<int>> cpusOfThreads() {
    const int64_t threads = at::get_num_threads();
    std::vector<std::vector<int>> found(static_cast<size_t>(threads));
    std::mutex guard;
    at::parallel_for(0, threads, 1, [&](int64_t, int64_t) {
        const std::lock_guard lock(guard);
        found[static_cast<size_t>(at::get_thread_num())] = ownCpus();
    });
    return found;
}

TEST(CpuLists, areReadAsTheKernelWritesThem) {
    EXPECT_EQ(parseCpuList("0-3,8,10-11"), (std::vector<int>{0, 1, 2, 3, 8, 10, 11}));
    EXPECT_EQ(parseCpuList("5"), std::vector<int>{5});
    EXPECT_TRUE(parseCpuList("").empty());
    EXPECT_EQ(parseCpuList("x,2-,7"), std::vector<int>{7});
    EXPECT_EQ(parseCpuList("0-999999999").size(), static_cast<size_t>(CPU_SETSIZE));
}

TEST(MemoryNodes, areThoseWithProcessorsForThisProcess) {
    const std::vector<int> cpus = ownCpus();
    ASSERT_FALSE(cpus.empty());
    const std::filesystem::path folder = "nodes-" + std::to_string(::getpid());
    const auto node = [&](const std::string& name, const std::string& list) {
        std::filesystem::create_directories(folder / name);
        std::ofstream(folder / name / "cpulist") << list << '\n';
    };
    node("node1", std::to_string(cpus.front()));
    node("node0", std::to_string(cpus.back()));
    node("node2", "");       // memory alone
    node("node3", "100000"); // no such processor
    node("power", "0");
    EXPECT_EQ(memoryNodes(folder.string()), (std::vector<std::vector<int>>{{cpus.back()}, {cpus.front()}}));
    std::filesystem::remove_all(folder);
    EXPECT_TRUE(memoryNodes(folder.string()).empty());
}

TEST(BoundThreads, stayOnTheirNodes) {
    const std::vector<int> cpus = ownCpus();
    if (cpus.size() < 2) GTEST_SKIP() << "one processor alone";
    at::set_num_threads(4);
    const std::vector<std::vector<int>> before = cpusOfThreads();
    bindThreads({cpus}); // one node
    EXPECT_EQ(cpusOfThreads(), before);
    const std::vector<std::vector<int>> nodes{{cpus.front()}, {cpus.back()}};
    bindThreads(nodes);
    EXPECT_EQ(cpusOfThreads(), (std::vector<std::vector<int>>{cpus, nodes[0], nodes[1], nodes[1]}));
    bindThreads(
        {{cpus.front(), cpus.front(), cpus.front()}, {cpus.back()}}); // as many as a node has processors
    EXPECT_EQ(cpusOfThreads(), (std::vector<std::vector<int>>{cpus, nodes[0], nodes[0], nodes[1]}));
    bindThreads(nodes, 1, 2); // the second of two processes has the second half
    EXPECT_EQ(cpusOfThreads(), (std::vector<std::vector<int>>{cpus, nodes[1], nodes[1], nodes[1]}));
}

} // namespace
