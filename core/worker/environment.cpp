// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/worker/environment.h"

#include "core/base/run/format_warning.h"
#include "core/base/system/cpu_facts.h"
#include "core/base/system/gpu_facts.h"
#include "core/engine/jobs/cuda_libraries.h"
#include "core/engine/memory/rehearsed_gpu.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sys/resource.h>

namespace homebooth::core {
namespace {

const CancelToken* stopToken = nullptr;

void requestStop(int) {
    stopToken->request();
}

} // namespace

void behave() {
    // The journal's pipe breaks when the supervisor dies; that is no reason to die, too.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN); // so that a file at its limit (ulimit -f) is a failed write
    rlimit files{};                // a cache of many latents is many open files
    if (::getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        ::setrlimit(RLIMIT_NOFILE, &files);
    }
    constexpr int kNiceness = 10;
    constexpr int kMemoryScore = 500; // of 1000
    ::setpriority(PRIO_PROCESS, 0, kNiceness);
    std::ofstream("/proc/self/oom_score_adj") << kMemoryScore;
}

void stopOnSignals(const CancelToken& stop) {
    stopToken = new CancelToken(stop); // lives as long as signals can come
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGTERM, requestStop);
    // A supervisor that outlives its terminal ignores this one, and its worker with it.
    if (std::signal(SIGHUP, requestStop) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
}

void useThreads(int64_t threads, int64_t processes) {
    const int64_t share = std::max<int64_t>(usableThreads() / processes, 1);
    at::set_num_threads(static_cast<int>(threads > 0 ? threads : share));
}

Result<at::Device> chooseDevice(ComputeDevice wanted) {
    if (wanted == ComputeDevice::Cpu) return at::Device(at::kCPU);
    const GpuFacts gpu = gpuFacts();
    if (gpu.state == GpuState::DriverTooOld || gpu.state == GpuState::Broken)
        return badInput(gpu.message + "; or choose --device cpu");
    if (gpu.state != GpuState::Ready) {
        if (wanted == ComputeDevice::Gpu)
            return badInput("expected to use the GPU, but " +
                            (gpu.tooOld.empty() ? "there is none" : gpu.message) +
                            "; choose --device cpu, or see homebooth-engine doctor");
        return at::Device(at::kCPU);
    }
    HOMEBOOTH_CHECK(loadCudaLibraries());
    if (!cudaIsUsable())
        return badInput("expected to use the GPU, but LibTorch finds none; choose --device cpu, or see "
                        "homebooth-engine doctor");
    HOMEBOOTH_CHECK(startGpu());
    return at::Device(at::kCUDA, 0);
}

void warnOfFormat(at::Device device, Precision precision, bool convolves, EventSink& events) {
    if (!device.is_cuda() || gpuTakesBfloat16()) return; // one that does suits every format
    if (const auto warning = formatWarning(precision, convolves, gpuFacts().devices)) events.emit(*warning);
}

void warnOfThreads(int64_t threads, EventSink& events) {
    if (const auto warning = threadsWarning(threads, usableThreads())) events.emit(*warning);
}

void warnOfDevice(at::Device device, ComputeDevice wanted, EventSink& events) {
    if (!device.is_cpu() || wanted != ComputeDevice::Auto) return; // nobody asks a driver for nothing
    if (const auto warning = deviceWarning(wanted, gpuFacts())) events.emit(*warning);
}

Result<void> checkPlacement(const MemoryConfig& memory, at::Device device) {
    if (device.is_cpu() || memory.swapDir.empty() || memory.policy != PlacementPolicy::Gpu) return {};
    return badInput(
        "--swap: beside a GPU a disk takes what belongs to parameters that are streamed, and with "
        "--policy gpu none are; leave one of the two out");
}

std::string cacheFolder() {
    const char* cache = std::getenv("XDG_CACHE_HOME");
    const char* home = std::getenv("HOME");
    if (cache != nullptr && cache[0] == '/') return std::string(cache) + "/homebooth";
    return std::string(home != nullptr ? home : "/tmp") + "/.cache/homebooth";
}

} // namespace homebooth::core
