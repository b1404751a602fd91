// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/system/gpu_facts.h"

#include "core/base/system/bus_cards.h"
#include "core/base/system/driver_library.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <dlfcn.h>
#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>

namespace homebooth::core {
namespace {

/// Of the kernel's module, which is there even where the libraries do not fit it.
std::string moduleVersion() {
    std::ifstream file("/proc/driver/nvidia/version");
    std::string line;
    if (!std::getline(file, line)) return {};
    std::istringstream words(line);
    for (std::string word; words >> word;)
        if (word.find('.') != std::string::npos && word.find_first_not_of("0123456789.") == std::string::npos)
            return word;
    return {};
}

std::string managementVersion() {
    std::array<char, 96> text{};
    withManagement([&text](const DriverLibrary& library) {
        const auto version = symbol<int (*)(char*, unsigned)>(library, "nvmlSystemGetDriverVersion");
        if (version == nullptr || version(text.data(), static_cast<unsigned>(text.size())) != 0)
            text[0] = '\0';
    });
    return text.data();
}

/// All GPUs, in the order in which nvidia-smi numbers them; null is one that does not answer.
/// @param library  the management library, initialised
std::vector<void*> handlesOf(const DriverLibrary& library) {
    std::vector<void*> handles;
    const auto count = symbol<int (*)(unsigned*)>(library, "nvmlDeviceGetCount_v2");
    const auto get = symbol<int (*)(unsigned, void**)>(library, "nvmlDeviceGetHandleByIndex_v2");
    unsigned devices = 0;
    if (count == nullptr || get == nullptr || count(&devices) != 0) return handles;
    for (unsigned index = 0; index < devices; ++index) {
        void* device = nullptr;
        handles.push_back(get(index, &device) == 0 ? device : nullptr);
    }
    return handles;
}

bool isTooOld(const GpuDevice& device) {
    return device.computeMajor > 0 && // 0: the driver did not say
           10 * device.computeMajor + device.computeMinor < kOldestCompute;
}

/// Name and compute capability of all GPUs, as far as they say it, whatever $CUDA_VISIBLE_DEVICES says
/// and however old the driver is. Does not initialise it in this process.
std::vector<GpuDevice> managedGpus() {
    std::vector<GpuDevice> gpus;
    withManagement([&gpus](const DriverLibrary& library) {
        const auto name = symbol<int (*)(void*, char*, unsigned)>(library, "nvmlDeviceGetName");
        const auto get = symbol<int (*)(void*, int*, int*)>(library, "nvmlDeviceGetCudaComputeCapability");
        for (void* device : handlesOf(library)) {
            GpuDevice& one = gpus.emplace_back();
            std::array<char, 96> text{};
            if (device == nullptr) continue;
            if (name != nullptr && name(device, text.data(), static_cast<unsigned>(text.size() - 1)) == 0)
                one.name = text.data();
            if (get != nullptr && get(device, &one.computeMajor, &one.computeMinor) != 0)
                one.computeMajor = 0;
        }
    });
    return gpus;
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

std::string whatIsNeeded() {
    return "this build needs a GPU of compute capability " + std::to_string(kOldestCompute / 10) + "." +
           std::to_string(kOldestCompute % 10) + " (GTX 16, RTX 20) or newer";
}

std::string whatTheDriverLacks(const BusCard& card, bool installed) {
    std::string text = "NVIDIA card found (" + idOf(card) + "), its driver does not work: ";
    text += card.driver.empty() ? std::string("none has it") : card.driver;
    if (!card.driver.empty())
        text += card.driver == "nvidia" ? " does not answer" : " has it, with which nothing here computes";
    if (installed) {
        text +=
            "; NVIDIA's is installed and was not loaded: with Secure Boot confirm its key (mokutil), after "
            "an update of the kernel install it again";
    } else {
        text += "; install NVIDIA's, ";
        text += std::to_string(kOldestDriver);
        text += " or newer";
    }
    return text += "; then restart the computer; until then the CPU is used";
}

struct DeviceMemory { // nvmlMemory_t
    unsigned long long totalBytes = 0;
    unsigned long long freeBytes = 0;
    unsigned long long usedBytes = 0;
};

/// @param library  the management library, initialised
GpuLoad loadOf(const DriverLibrary& library, const std::string& uuid) {
    constexpr int kChip = 0; // NVML_TEMPERATURE_GPU
    GpuLoad load;
    void* device = nullptr;
    const auto find = symbol<int (*)(const char*, void**)>(library, "nvmlDeviceGetHandleByUUID");
    if (find == nullptr || uuid.empty() || find(uuid.c_str(), &device) != 0) return load;
    DeviceMemory memory;
    if (const auto get = symbol<int (*)(void*, DeviceMemory*)>(library, "nvmlDeviceGetMemoryInfo"))
        if (get(device, &memory) == 0) load.freeBytes = static_cast<int64_t>(memory.freeBytes);
    unsigned warmth = 0;
    if (const auto get = symbol<int (*)(void*, int, unsigned*)>(library, "nvmlDeviceGetTemperature"))
        if (get(device, kChip, &warmth) == 0) load.temperatureCelsius = static_cast<int>(warmth);
    return load;
}

/// "GPU-0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9".
std::string uuidText(const std::array<unsigned char, 16>& bytes) {
    std::string text = "GPU";
    for (size_t index = 0; index < bytes.size(); ++index) {
        if (index == 0 || index == 4 || index == 6 || index == 8 || index == 10) text += '-';
        constexpr const char* kDigits = "0123456789abcdef";
        text += kDigits[bytes[index] >> 4U];
        text += kDigits[bytes[index] & 15U];
    }
    return text;
}

GpuDevice describe(const DriverLibrary& library, int device) {
    constexpr int kComputeMajor = 75; // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
    constexpr int kComputeMinor = 76;
    GpuDevice facts;
    std::array<char, 256> name{};
    std::array<unsigned char, 16> uuid{};
    size_t bytes = 0;
    if (const auto get = symbol<int (*)(unsigned char*, int)>(library, "cuDeviceGetUuid_v2"))
        if (get(uuid.data(), device) == 0) facts.uuid = uuidText(uuid);
    if (const auto get = symbol<int (*)(char*, int, int)>(library, "cuDeviceGetName"))
        if (get(name.data(), static_cast<int>(name.size()) - 1, device) == 0) facts.name = name.data();
    if (const auto get = symbol<int (*)(size_t*, int)>(library, "cuDeviceTotalMem_v2"))
        if (get(&bytes, device) == 0) facts.totalBytes = static_cast<int64_t>(bytes);
    if (const auto get = symbol<int (*)(int*, int, int)>(library, "cuDeviceGetAttribute")) {
        if (get(&facts.computeMajor, kComputeMajor, device) != 0) facts.computeMajor = 0;
        if (get(&facts.computeMinor, kComputeMinor, device) != 0) facts.computeMinor = 0;
    }
    return facts;
}

/// Asks libcuda; the driver's version is known to be good enough.
void askDriver(GpuFacts& facts) {
    const DriverLibrary library(::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL));
    const auto init = library ? symbol<int (*)(unsigned)>(library, "cuInit") : nullptr;
    const auto count = library ? symbol<int (*)(int*)>(library, "cuDeviceGetCount") : nullptr;
    const auto get = library ? symbol<int (*)(int*, int)>(library, "cuDeviceGet") : nullptr;
    constexpr int kNoDevice = 100; // CUDA_ERROR_NO_DEVICE
    const int started = init != nullptr ? init(0) : -1;
    int devices = 0;
    if (started == kNoDevice || (started == 0 && count(&devices) == 0 && devices == 0))
        return judgeDevices({}, facts);
    if (started != 0 || get == nullptr) {
        facts.state = GpuState::Broken;
        facts.message = "the NVIDIA driver does not answer (cuInit gave " + std::to_string(started) +
                        "); reboot, or install the driver again";
        return;
    }
    std::vector<GpuDevice> offered;
    for (int index = 0; index < devices; ++index) {
        int device = 0;
        if (get(&device, index) == 0) offered.push_back(describe(library, device));
    }
    judgeDevices(std::move(offered), facts);
}

} // namespace

GpuState judgeDriver(const std::string& driverVersion) {
    int major = 0;
    const char* end = driverVersion.data() + driverVersion.size();
    const auto [rest, failed] = std::from_chars(driverVersion.data(), end, major);
    if (driverVersion.empty()) return GpuState::NoDriver;
    if (failed != std::errc{}) return GpuState::Broken;
    return major < kOldestDriver ? GpuState::DriverTooOld : GpuState::Ready;
}

void judgeDevices(std::vector<GpuDevice> offered, GpuFacts& facts) {
    facts.oldOneFirst = !offered.empty() && isTooOld(offered.front());
    for (const GpuDevice& one : offered)
        if (isTooOld(one)) facts.tooOld.push_back(one.name);
    std::erase_if(offered, isTooOld);
    facts.devices = std::move(offered);
    facts.state = facts.devices.empty() ? GpuState::NoDevice : GpuState::Ready;
    const std::string names = joined(facts.tooOld);
    if (!facts.devices.empty())
        facts.message = std::to_string(facts.devices.size()) + " GPU(s) ready" +
                        (names.empty() ? "" : "; too old for this build: " + names);
    else if (names.empty())
        facts.message = "an NVIDIA driver, but no GPU that it offers; the CPU is used";
    else
        facts.message = names + (facts.tooOld.size() == 1 ? " is" : " are") + " too old: " + whatIsNeeded();
}

void judgeOldDriver(std::vector<GpuDevice> managed, GpuFacts& facts) {
    if (!managed.empty() && std::all_of(managed.begin(), managed.end(), isTooOld))
        return judgeDevices(std::move(managed), facts);
    facts.state = GpuState::DriverTooOld;
    facts.message = "NVIDIA driver " + facts.driverVersion + " is too old: this build needs " +
                    std::to_string(kOldestDriver) +
                    " or newer; install a newer one (NVIDIA's Debian repository)";
}

void judgeBus(const std::vector<BusCard>& cards, bool installed, GpuFacts& facts) {
    facts.state = GpuState::NoDriver;
    const auto usable = std::find_if(cards.begin(), cards.end(), isOfUsableKind);
    facts.withoutDriver = usable != cards.end();
    for (const BusCard& card : cards)
        if (!isOfUsableKind(card)) facts.tooOld.push_back("NVIDIA " + idOf(card));
    if (facts.withoutDriver) {
        facts.message = whatTheDriverLacks(*usable, installed);
    } else if (!facts.tooOld.empty()) {
        facts.message =
            joined(facts.tooOld) + ", without a driver, is too old: " + whatIsNeeded() + "; the CPU is used";
    } else {
        facts.message = "no NVIDIA driver; the CPU is used";
    }
}

std::vector<std::string> numberedGpus() {
    std::vector<std::string> uuids;
    withManagement([&uuids](const DriverLibrary& library) {
        const auto uuid = symbol<int (*)(void*, char*, unsigned)>(library, "nvmlDeviceGetUUID");
        if (uuid == nullptr) return;
        for (void* device : handlesOf(library)) {
            std::array<char, 96> text{}; // empty of one that does not answer: the others keep their numbers
            if (device == nullptr || uuid(device, text.data(), static_cast<unsigned>(text.size())) != 0)
                text[0] = '\0';
            uuids.emplace_back(text.data());
        }
    });
    return uuids;
}

std::vector<GpuLoad> gpuLoads(const std::vector<GpuDevice>& devices) {
    std::vector<GpuLoad> loads(devices.size());
    withManagement([&devices, &loads](const DriverLibrary& library) {
        for (size_t at = 0; at < devices.size(); ++at) loads[at] = loadOf(library, devices[at].uuid);
    });
    return loads;
}

int64_t usableBytes(const GpuDevice& device, const GpuLoad& load) {
    if (load.freeBytes < 0) return device.totalBytes;
    const int64_t free = std::max<int64_t>(std::min(load.freeBytes, device.totalBytes) - kGpuContextBytes, 0);
    return static_cast<int64_t>(kShareOfFree * static_cast<double>(free));
}

int64_t leastUsableBytes(const std::vector<GpuDevice>& devices, const std::vector<GpuLoad>& loads,
                         const std::vector<std::string>& uuids) {
    std::optional<int64_t> least;
    for (size_t index = 0; index < devices.size(); ++index) {
        if (std::find(uuids.begin(), uuids.end(), devices[index].uuid) == uuids.end()) continue;
        const int64_t own = usableBytes(devices[index], loads[index]);
        least = std::min(least.value_or(own), own);
    }
    return least ? *least : usableBytes(devices.front(), loads.front());
}

bool takeBfloat16(const std::vector<GpuDevice>& devices) {
    constexpr int kFirstMajor = 8;
    return std::all_of(devices.begin(), devices.end(),
                       [](const GpuDevice& device) { return device.computeMajor >= kFirstMajor; });
}

bool takeFloat16(const std::vector<GpuDevice>& devices) {
    static constexpr std::array<std::string_view, 11> kWithoutTensorCores{
        "GTX 16", "MX450", "MX550", "T400", "T500", "T550", "T600", "T1000", "T1200", "T2000", "CMP 30HX"};
    return std::none_of(devices.begin(), devices.end(), [](const GpuDevice& device) {
        return 10 * device.computeMajor + device.computeMinor == kOldestCompute &&
               std::any_of(
                   kWithoutTensorCores.begin(), kWithoutTensorCores.end(),
                   [&](std::string_view name) { return device.name.find(name) != std::string::npos; });
    });
}

GpuFacts gpuFacts() {
    GpuFacts facts;
    facts.driverVersion = moduleVersion();
    if (facts.driverVersion.empty()) facts.driverVersion = managementVersion();
    facts.state = judgeDriver(facts.driverVersion);
    if (facts.state == GpuState::NoDriver) return gpusWithoutDriver();
    if (facts.state == GpuState::DriverTooOld)
        judgeOldDriver(managedGpus(), facts);
    else
        askDriver(facts);
    return facts;
}

GpuFacts gpusWithoutDriver() {
    GpuFacts facts;
    const DriverLibrary installed(::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL));
    judgeBus(nvidiaCardsOnBus(), installed != nullptr, facts);
    return facts;
}

std::string firstUsableGpu() {
    const std::vector<GpuDevice> all = managedGpus();
    if (std::none_of(all.begin(), all.end(), isTooOld)) return {};
    const GpuFacts facts = gpuFacts();
    return facts.oldOneFirst && !facts.devices.empty() ? facts.devices.front().uuid : std::string();
}

} // namespace homebooth::core
