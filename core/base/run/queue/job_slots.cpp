// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/queue/job_slots.h"

#include "core/base/system/gpu_facts.h"

#include <algorithm>
#include <cstdlib>

namespace homebooth::core {
namespace {

/// One slot needs no device of its own: a job finds what there is.
std::vector<JobSlot> severalOrOne(std::vector<JobSlot> slots) {
    const bool all = std::all_of(slots.begin(), slots.end(), [](const JobSlot& one) {
        return !one.device.empty(); // one that cannot be named cannot be kept apart from the others
    });
    return slots.size() > 1 && all ? std::move(slots) : std::vector<JobSlot>(1);
}

/// As many as the text names.
std::vector<JobSlot> slotsIn(std::string_view text) {
    std::vector<JobSlot> slots;
    while (!text.empty()) {
        const std::string_view one = text.substr(0, text.find(';'));
        text.remove_prefix(std::min(text.size(), one.size() + 1));
        const size_t equals = std::min(one.find('='), one.size());
        const std::string_view name = one.substr(std::min(one.size(), equals + 1));
        if (equals > 0) slots.push_back({std::string(one.substr(0, equals)), std::string(name)});
    }
    return slots;
}

} // namespace

std::vector<JobSlot> slotsOf(std::string_view text) {
    return severalOrOne(slotsIn(text));
}

std::vector<JobSlot> gpuSlots() {
    if (const char* told = std::getenv("HOMEBOOTH_SLOTS"); told != nullptr && told[0] != '\0')
        return slotsIn(told);
    std::vector<JobSlot> slots;
    const GpuFacts gpu = gpuFacts();
    for (const GpuDevice& device : gpu.devices) slots.push_back({device.uuid, device.name});
    return slots;
}

std::vector<JobSlot> jobSlots() {
    return severalOrOne(gpuSlots());
}

} // namespace homebooth::core
