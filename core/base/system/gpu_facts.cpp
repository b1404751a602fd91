// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/system/gpu_facts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <dlfcn.h>
#include <fstream>
#include <memory>
#include <sstream>

namespace homebooth::core {
namespace {

struct LibraryCloser {
    void operator()(void* library) const { ::dlclose(library); }
};
using Library = std::unique_ptr<void, LibraryCloser>;

template <class Function>
Function symbol(const Library& library, const char* name) {
    return reinterpret_cast<Function>(::dlsym(library.get(), name));
}

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

/// Calls use(library) while the driver's management library is initialised, where there is one.
template <class Use>
void withManagement(const Use& use) {
    const Library library(::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL));
    if (!library) return;
    const auto init = symbol<int (*)()>(library, "nvmlInit_v2");
    const auto shutdown = symbol<int (*)()>(library, "nvmlShutdown");
    if (init == nullptr || shutdown == nullptr || init() != 0) return;
    use(library);
    shutdown();
}

std::string managementVersion() {
    std::array<char, 96> text{};
    withManagement([&text](const Library& library) {
        const auto version = symbol<int (*)(char*, unsigned)>(library, "nvmlSystemGetDriverVersion");
        if (version == nullptr || version(text.data(), static_cast<unsigned>(text.size())) != 0)
            text[0] = '\0';
    });
    return text.data();
}

struct DeviceMemory { // nvmlMemory_t
    unsigned long long totalBytes = 0;
    unsigned long long freeBytes = 0;
    unsigned long long usedBytes = 0;
};

/// @param library  the management library, initialised
GpuLoad loadOf(const Library& library, const std::string& uuid) {
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

GpuDevice describe(const Library& library, int device) {
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
    const Library library(::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL));
    const auto init = library ? symbol<int (*)(unsigned)>(library, "cuInit") : nullptr;
    const auto count = library ? symbol<int (*)(int*)>(library, "cuDeviceGetCount") : nullptr;
    const auto get = library ? symbol<int (*)(int*, int)>(library, "cuDeviceGet") : nullptr;
    constexpr int kNoDevice = 100; // CUDA_ERROR_NO_DEVICE
    const int started = init != nullptr ? init(0) : -1;
    int devices = 0;
    if (started == kNoDevice || (started == 0 && count(&devices) == 0 && devices == 0)) {
        facts.state = GpuState::NoDevice;
        facts.message = "an NVIDIA driver, but no GPU that it offers; the CPU is used";
        return;
    }
    if (started != 0 || get == nullptr) {
        facts.state = GpuState::Broken;
        facts.message = "the NVIDIA driver does not answer (cuInit gave " + std::to_string(started) +
                        "); reboot, or install the driver again";
        return;
    }
    facts.state = GpuState::Ready;
    for (int index = 0; index < devices; ++index) {
        int device = 0;
        if (get(&device, index) == 0) facts.devices.push_back(describe(library, device));
    }
    facts.message = std::to_string(facts.devices.size()) + " GPU(s) ready";
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

std::vector<std::string> numberedGpus() {
    std::vector<std::string> uuids;
    withManagement([&uuids](const Library& library) {
        const auto count = symbol<int (*)(unsigned*)>(library, "nvmlDeviceGetCount_v2");
        const auto get = symbol<int (*)(unsigned, void**)>(library, "nvmlDeviceGetHandleByIndex_v2");
        const auto uuid = symbol<int (*)(void*, char*, unsigned)>(library, "nvmlDeviceGetUUID");
        unsigned devices = 0;
        if (count == nullptr || get == nullptr || uuid == nullptr || count(&devices) != 0) return;
        for (unsigned index = 0; index < devices; ++index) {
            std::array<char, 96> text{}; // empty of one that does not answer: the others keep their numbers
            void* device = nullptr;
            if (get(index, &device) != 0 ||
                uuid(device, text.data(), static_cast<unsigned>(text.size())) != 0)
                text[0] = '\0';
            uuids.emplace_back(text.data());
        }
    });
    return uuids;
}

std::vector<GpuLoad> gpuLoads(const std::vector<GpuDevice>& devices) {
    std::vector<GpuLoad> loads(devices.size());
    withManagement([&devices, &loads](const Library& library) {
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
    return std::all_of(devices.begin(), devices.end(), [](const GpuDevice& device) {
        const int compute = 10 * device.computeMajor + device.computeMinor;
        return compute < kOldestCompute || device.computeMajor >= kFirstMajor;
    });
}

GpuFacts gpuFacts() {
    GpuFacts facts;
    facts.driverVersion = moduleVersion();
    if (facts.driverVersion.empty()) facts.driverVersion = managementVersion();
    facts.state = judgeDriver(facts.driverVersion);
    if (facts.state == GpuState::NoDriver) {
        facts.message = "no NVIDIA driver; the CPU is used";
    } else if (facts.state == GpuState::DriverTooOld) {
        facts.message = "NVIDIA driver " + facts.driverVersion + " is too old: this build needs " +
                        std::to_string(kOldestDriver) +
                        " or newer; install a newer one (NVIDIA's Debian repository)";
    } else {
        askDriver(facts);
    }
    return facts;
}

} // namespace homebooth::core
