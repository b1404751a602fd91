// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// NVIDIA GPUs, asked through the driver's own library, which is opened at run time: nothing here links CUDA.
// Asking initialises the driver in this process and takes 0.1-0.5 s. Free functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace homebooth::core {

/// CUDA 13 needs it.
constexpr int kOldestDriver = 580;
/// Ten times the major compute capability and the minor one; for older GPUs this build has no code.
constexpr int kOldestCompute = 75;

struct BusCard;

enum class GpuState {
    NoDriver,     ///< no NVIDIA driver that runs: the CPU is used
    DriverTooOld, ///< there is one, but this build needs a newer one to use its GPUs
    Broken,       ///< there is one that does not answer
    NoDevice,
    Ready
};

struct GpuDevice {
    std::string name;
    std::string uuid; ///< "GPU-0a1b2c3d-...", as CUDA_VISIBLE_DEVICES takes it; empty if unknown
    int64_t totalBytes = 0;
    int computeMajor = 0;
    int computeMinor = 0;
};

struct GpuFacts {
    GpuState state = GpuState::NoDriver;
    std::string driverVersion;       ///< "580.95.05"; empty if unknown
    std::vector<GpuDevice> devices;  ///< that this build has code for, in the driver's order
    std::vector<std::string> tooOld; ///< names of the others
    bool oldOneFirst = false;        ///< the driver's first is one of the others
    bool withoutDriver = false;      ///< state NoDriver: a GPU that could be used lacks its driver
    std::string message;             ///< what this means and what to do, in one line
};

[[nodiscard]] GpuFacts gpuFacts();

/// The same where no driver runs: no driver is asked, the PCI bus alone is looked at.
[[nodiscard]] GpuFacts gpusWithoutDriver();

/// What a process shall see that computes on one GPU: that by its UUID where the driver's first one is too
/// old and another one is not, for it would take the first; else empty: what there is. Asks the driver only
/// where the machine has a GPU that is too old.
[[nodiscard]] std::string firstUsableGpu();

/// Whether all devices compute in bf16: since compute capability 8.0. Those before it have tensor cores
/// (RTX 20) or units (GTX 16) for fp16 alone; without them RTX 20 has a quarter of the throughput, as
/// published (card_facts.cpp). Not measured.
[[nodiscard]] bool takeBfloat16(const std::vector<GpuDevice>& devices);

/// Whether convolutions in fp16 are right on all devices: on those of compute capability 7.5 without tensor
/// cores (GTX 16 and what shares its chips) they give NaN. Told by names: the driver says it nowhere.
/// Source: github.com/pytorch/pytorch, issues 58123 and 77955. Not tried here.
[[nodiscard]] bool takeFloat16(const std::vector<GpuDevice>& devices);

/// What a device has to do at the moment.
struct GpuLoad {
    int64_t freeBytes = -1;                ///< -1: unknown
    std::optional<int> temperatureCelsius; ///< of the chip
};

/// What a process takes of a GPU before it allocates anything: its context and libraries.
constexpr int64_t kGpuContextBytes = int64_t{450} << 20;
/// Of free memory, what a job may take: the rest is left to other programs, and to what nobody counts.
constexpr double kShareOfFree = 0.9;

/// What a process that starts now may take of a device: of what others leave, not of all that it has; of
/// all where its load is unknown. Bytes, at least 0.
[[nodiscard]] int64_t usableBytes(const GpuDevice& device, const GpuLoad& load);
/// The same of several devices of which each does the same: of the one that has least.
/// @param loads  of all devices, of which there is one at least
/// @param uuids  of those that count; where there are none of them, the first device counts
[[nodiscard]] int64_t leastUsableBytes(const std::vector<GpuDevice>& devices,
                                       const std::vector<GpuLoad>& loads,
                                       const std::vector<std::string>& uuids);

/// Of each device, in their order; nothing is known of one without a uuid. Asks the management library, which
/// touches no device: programs that compute there are not disturbed.
[[nodiscard]] std::vector<GpuLoad> gpuLoads(const std::vector<GpuDevice>& devices);

/// UUIDs of all GPUs, in the order in which nvidia-smi numbers them, whatever $CUDA_VISIBLE_DEVICES says;
/// none where the driver's management library is not there. Does not initialise the driver in this process.
[[nodiscard]] std::vector<std::string> numberedGpus();

/// The judgement alone, from a version text such as "535.183.01"; empty for none.
[[nodiscard]] GpuState judgeDriver(const std::string& driverVersion);

/// The judgement alone, of what a driver that answers offers, in its order: all but the driver's version.
void judgeDevices(std::vector<GpuDevice> offered, GpuFacts& facts);

/// The same of a driver that is too old, whose version is known: where all GPUs that it runs are too old
/// as well, a newer one would not help, and the CPU is used.
/// @param managed  with name and compute capability, 0 where nobody knows; empty: nothing is known
void judgeOldDriver(std::vector<GpuDevice> managed, GpuFacts& facts);

/// The same where no driver runs. @param installed  whether NVIDIA's libraries are there
void judgeBus(const std::vector<BusCard>& cards, bool installed, GpuFacts& facts);

} // namespace homebooth::core
