// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// In the place of the driver's management library: leaves a file where it was opened. It has nothing to
// say, unless $FAKE_NVML_DRIVER names a version: then there are the cards that $FAKE_NVML_CARDS names, each
// with ten times its compute capability, such as "GTX 1060=61;RTX 3050=86".
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

constexpr int kNotLoaded = 9; // NVML_ERROR_DRIVER_NOT_LOADED
constexpr int kNotFound = 6;  // NVML_ERROR_NOT_FOUND

struct Card {
    std::string name;
    int compute = 0;
};

[[gnu::constructor]] void noteThatItIsOpened() {
    if (const char* mark = std::getenv("FAKE_NVML_OPENED"))
        ::close(::open(mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
}

std::vector<Card> cards() {
    const char* told = std::getenv("FAKE_NVML_CARDS");
    std::istringstream text(told != nullptr ? told : "");
    std::vector<Card> all;
    for (std::string one; std::getline(text, one, ';');)
        all.push_back({one.substr(0, one.find('=')), std::stoi(one.substr(one.find('=') + 1))});
    return all;
}

/// Handles are numbers from 1.
Card cardOf(void* device) {
    return cards().at(reinterpret_cast<uintptr_t>(device) - 1);
}

} // namespace

extern "C" {

int nvmlInit_v2() {
    return std::getenv("FAKE_NVML_DRIVER") != nullptr ? 0 : kNotLoaded;
}

int nvmlShutdown() {
    return 0;
}

int nvmlSystemGetDriverVersion(char* text, unsigned room) {
    std::snprintf(text, room, "%s", std::getenv("FAKE_NVML_DRIVER"));
    return 0;
}

int nvmlDeviceGetCount_v2(unsigned* count) {
    *count = static_cast<unsigned>(cards().size());
    return 0;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
    if (index >= cards().size()) return kNotFound;
    *device = reinterpret_cast<void*>(uintptr_t{index} + 1);
    return 0;
}

int nvmlDeviceGetName(void* device, char* text, unsigned room) {
    std::snprintf(text, room, "%s", cardOf(device).name.c_str());
    return 0;
}

int nvmlDeviceGetCudaComputeCapability(void* device, int* major, int* minor) {
    *major = cardOf(device).compute / 10;
    *minor = cardOf(device).compute % 10;
    return 0;
}

} // extern "C"
