// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/worker/rank_device.h"

#include "core/base/run/queue/rank_gpus.h"
#include "core/base/system/gpu_facts.h"
#include "core/engine/collective/nccl_collective.h"
#include "core/worker/environment.h"

#include <c10/util/Logging.h>

#include <cstdlib>

namespace homebooth::core {
namespace {

constexpr const char* kNcclInterfaces = "NCCL_SOCKET_IFNAME";
constexpr const char* kLoopback = "lo";

/// Empty on a processor. Each that cannot be named counts as another one.
std::string ownGpu(at::Device device, const Ranks& ranks) {
    if (device.is_cpu()) return "";
    const GpuFacts facts = gpuFacts();
    const std::string uuid = facts.devices.empty() ? "" : facts.devices.front().uuid;
    return uuid.empty() ? "the GPU of rank " + std::to_string(ranks.rank()) : uuid;
}

Error notApart(size_t one, size_t other, const std::string& found) {
    return {ErrorCode::Usage,
            "training with several processes: expected a GPU for each of them, but " + found + " (ranks " +
                std::to_string(one) + " and " + std::to_string(other) +
                "); start as many as there are GPUs, or choose --device cpu",
            {}};
}

/// All on GPUs, each on its own, or all on processors. All find the same.
Result<void> expectApart(at::Device device, const Ranks& ranks) {
    const std::vector<std::string> all = ranks.texts(ownGpu(device, ranks));
    for (size_t one = 0; one < all.size(); ++one)
        for (size_t other = one + 1; other < all.size(); ++other) {
            if (all[one].empty() != all[other].empty())
                return notApart(one, other, "one of two has found none");
            if (!all[one].empty() && all[one] == all[other])
                return notApart(one, other, "two have found " + all[one]);
        }
    return {};
}

} // namespace

void prepareRank(const RankPlace& place, bool launched) {
    if (place.ranks == 1) return;
    // Of what befalls the connections LibTorch would write lines of its own, with stacks. Errors say it.
    if (std::getenv("TORCH_CPP_LOG_LEVEL") == nullptr)
        FLAGS_caffe2_log_level = c10::GLOG_FATAL;
    else
        c10::initLogging();
    if (launched) {
        const std::string own = launchedGpu(std::getenv(kVisibleDevicesVariable), place.localRank);
        ::setenv(kVisibleDevicesVariable, own.c_str(), /*overwrite=*/1);
    }
    // NCCL would listen at an address that others reach, too.
    if (place.oneMachine || !place.meetingFile.empty()) ::setenv(kNcclInterfaces, kLoopback, /*overwrite=*/0);
}

Result<at::Device> deviceOfRanks(ComputeDevice wanted, Ranks& ranks) {
    const auto sees = [] { return namesGpu(std::getenv(kVisibleDevicesVariable), numberedGpus().size()); };
    // Also rehearsals and plans look for a GPU then, and shall find none. Threads of the connections, which
    // there are by now, do not read the environment.
    if (wanted == ComputeDevice::Auto && ranks.any(!sees()))
        ::setenv(kVisibleDevicesVariable, kNoGpu, /*overwrite=*/1);
    const Result<at::Device> own = chooseDevice(wanted);
    HOMEBOOTH_CHECK(ranks.agreeOn(own ? Result<void>() : own.error()));
    HOMEBOOTH_CHECK(expectApart(*own, ranks));
    if (!own->is_cuda()) return own;
    HOMEBOOTH_CHECK(ranks.agreeOn(findNccl()));
    HOMEBOOTH_CHECK(ranks.agreeOn(ranks.joinGpus(*own)));
    return own;
}

} // namespace homebooth::core
