// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/queue/rank_gpus.h"

#include "core/base/config/config_fields.h"
#include "core/base/system/gpu_facts.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace homebooth::core {
namespace {

Error refused(const std::string& message) {
    return {ErrorCode::Usage, message, {}};
}

std::string countText(size_t count) {
    return std::to_string(count) + (count == 1 ? " GPU" : " GPUs");
}

/// A whole number, and nothing else.
std::optional<size_t> numberIn(const std::string& text) {
    size_t number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, failed] = std::from_chars(text.data(), end, number);
    return failed == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

std::string knownOnes(const GpuOffer& offer) {
    std::string text;
    for (const JobSlot& slot : offer.usable) {
        const auto number = std::find(offer.numbered.begin(), offer.numbered.end(), slot.device);
        text += text.empty() ? "" : ", ";
        if (number != offer.numbered.end()) text += std::to_string(number - offer.numbered.begin()) + " or ";
        text += slot.device + (slot.name.empty() ? "" : " (" + slot.name + ")");
    }
    return text.empty() ? "none" : text;
}

/// The UUID of a GPU that the user named by its number, its UUID, or the beginning of that.
Result<std::string> uuidOf(const std::string& named, const GpuOffer& offer) {
    const std::optional<size_t> number = numberIn(named);
    std::string wanted = named;
    if (number) wanted = *number < offer.numbered.size() ? offer.numbered[*number] : "";
    std::vector<std::string> found;
    for (const JobSlot& slot : offer.usable)
        if (!wanted.empty() && slot.device.starts_with(wanted)) found.push_back(slot.device);
    if (found.size() == 1) return found.front();
    return refused("--gpus: expected GPUs that can be used here, " + knownOnes(offer) + ", found \"" + named +
                   "\"" + (found.empty() ? "" : ", which begins several") +
                   "; see nvidia-smi -L and CUDA_VISIBLE_DEVICES");
}

/// Those that a training names, one for each of its processes. Names behind them say nothing: a queued job
/// does not even see what it has no use for.
Result<std::vector<std::string>> namedGpus(const ParallelConfig& parallel, const GpuOffer& offer) {
    std::vector<std::string> gpus;
    for (const std::string& name : parallel.gpus) {
        if (gpus.size() == static_cast<size_t>(parallel.processes)) break;
        HOMEBOOTH_ASSIGN(std::string uuid, uuidOf(name, offer));
        if (std::find(gpus.begin(), gpus.end(), uuid) != gpus.end())
            return refused("--gpus: expected each GPU once, found " + uuid + " again (\"" + name +
                           "\"); name others");
        gpus.push_back(std::move(uuid));
    }
    return gpus;
}

} // namespace

bool choosesGpus(const TrainConfig& config) {
    return config.memory.device != ComputeDevice::Cpu &&
           (config.parallel.processes > 1 || !config.parallel.gpus.empty());
}

GpuOffer gpuOffer() {
    std::vector<JobSlot> usable = gpuSlots();
    std::erase_if(usable, [](const JobSlot& slot) { return slot.device.empty(); });
    return offerOf(std::move(usable), numberedGpus());
}

GpuOffer offerOf(std::vector<JobSlot> usable, std::vector<std::string> numbered) {
    GpuOffer offer{std::move(usable), std::move(numbered)};
    const bool listed = std::any_of(offer.usable.begin(), offer.usable.end(), [&](const JobSlot& slot) {
        return std::find(offer.numbered.begin(), offer.numbered.end(), slot.device) != offer.numbered.end();
    });
    if (listed) return offer;
    offer.numbered.clear(); // nobody numbers them
    for (const JobSlot& slot : offer.usable) offer.numbered.push_back(slot.device);
    return offer;
}

Result<std::vector<int>> slotsWanted(const TrainConfig& config, const GpuOffer& offer) {
    std::vector<int> wanted;
    if (!choosesGpus(config)) return wanted;
    HOMEBOOTH_ASSIGN(const auto gpus, namedGpus(config.parallel, offer));
    const auto processes = static_cast<size_t>(config.parallel.processes);
    for (size_t slot = 0; slot < offer.usable.size() && wanted.size() < processes; ++slot)
        if (gpus.empty() || std::find(gpus.begin(), gpus.end(), offer.usable[slot].device) != gpus.end())
            wanted.push_back(static_cast<int>(slot));
    return wanted;
}

Result<std::vector<std::string>> rankGpus(const TrainConfig& config, const GpuOffer& offer) {
    const auto processes = static_cast<size_t>(config.parallel.processes);
    if (!choosesGpus(config)) return std::vector<std::string>(processes);
    const bool named = !config.parallel.gpus.empty();
    std::vector<std::string> gpus;
    if (named) {
        HOMEBOOTH_ASSIGN(gpus, namedGpus(config.parallel, offer));
    } else {
        for (const JobSlot& slot : offer.usable) gpus.push_back(slot.device);
    }
    const bool enough = gpus.size() >= processes;
    if (!enough && (named || config.memory.device == ComputeDevice::Gpu))
        return refused("training with several processes: expected a GPU for each of " +
                       std::to_string(processes) + ", found " + countText(gpus.size()) +
                       (named ? " in --gpus" : "") + "; take --processes " +
                       std::to_string(std::max<size_t>(gpus.size(), 1)) + (named ? ", name more" : "") +
                       ", or choose --device cpu");
    if (!enough) return std::vector<std::string>(processes, kNoGpu);
    gpus.resize(processes);
    return gpus;
}

Result<std::vector<std::string>> rankGpus(const TrainConfig& config) {
    if (choosesGpus(config)) return rankGpus(config, gpuOffer());
    return std::vector<std::string>(static_cast<size_t>(config.parallel.processes),
                                    gpuOfOne(config.memory.device));
}

std::string gpuOfOne(ComputeDevice wanted) {
    return wanted == ComputeDevice::Cpu ? std::string() : firstUsableGpu();
}

std::string launchedGpu(const char* visible, int localRank) {
    if (visible == nullptr) return std::to_string(localRank);
    const TextList named = textsOf(visible);
    if (named.size() == 1) return named.front();
    const auto place = static_cast<size_t>(localRank);
    return place < named.size() ? named[place] : kNoGpu;
}

std::string launchedGpu(const char* visible, int localRank, const std::vector<JobSlot>& usable) {
    const bool known = !usable.empty() && std::none_of(usable.begin(), usable.end(),
                                                       [](const JobSlot& one) { return one.device.empty(); });
    if (visible != nullptr || !known) return launchedGpu(visible, localRank);
    const auto place = static_cast<size_t>(localRank);
    return place < usable.size() ? usable[place].device : kNoGpu;
}

bool namesGpu(const char* visible, size_t gpus) {
    if (visible == nullptr) return gpus > 0;
    const TextList named = textsOf(visible);
    if (named.empty() || gpus == 0 || named.front() == kNoGpu) return false;
    const std::optional<size_t> number = numberIn(named.front());
    return !number || *number < gpus;
}

} // namespace homebooth::core
