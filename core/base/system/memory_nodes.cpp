// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/system/memory_nodes.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sched.h>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

std::optional<int> numberIn(std::string_view text) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

bool allowed(int cpu) {
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    if (cpu < 0 || cpu >= CPU_SETSIZE) return false;
    return ::sched_getaffinity(0, sizeof cpus, &cpus) != 0 || CPU_ISSET(cpu, &cpus);
}

} // namespace

std::vector<int> parseCpuList(std::string_view list) {
    std::vector<int> cpus;
    while (!list.empty()) {
        const size_t comma = std::min(list.find(','), list.size());
        const std::string_view range = list.substr(0, comma);
        list.remove_prefix(std::min(comma + 1, list.size()));
        const size_t dash = range.find('-');
        const auto first = numberIn(range.substr(0, dash));
        const auto last = dash == std::string_view::npos ? first : numberIn(range.substr(dash + 1));
        if (!first || !last) continue;
        for (int cpu = *first; cpu <= std::min(*last, CPU_SETSIZE - 1); ++cpu) cpus.push_back(cpu);
    }
    return cpus;
}

std::vector<std::vector<int>> memoryNodes(const std::string& folder) {
    std::map<int, std::vector<int>> byNumber;
    std::error_code code;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, code)) {
        const std::string name = entry.path().filename().string();
        const auto number =
            name.starts_with("node") ? numberIn(std::string_view(name).substr(4)) : std::nullopt;
        if (!number) continue;
        std::string list;
        std::getline(std::ifstream(entry.path() / "cpulist"), list);
        std::vector<int> cpus = parseCpuList(list);
        std::erase_if(cpus, [](int cpu) { return !allowed(cpu); });
        if (!cpus.empty()) byNumber[*number] = std::move(cpus);
    }
    std::vector<std::vector<int>> nodes;
    for (auto& [number, cpus] : byNumber) nodes.push_back(std::move(cpus));
    return nodes;
}

} // namespace homebooth::core
