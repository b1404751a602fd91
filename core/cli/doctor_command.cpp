// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/byte_size.h"
#include "core/base/model/model_tokenizer.h"
#include "core/base/swap/measure_swap.h"
#include "core/base/system/cpu_facts.h"
#include "core/base/system/disk_facts.h"
#include "core/base/system/gpu_facts.h"
#include "core/base/system/memory_facts.h"
#include "core/base/util/regular_file.h"
#include "core/base/util/version.h"
#include "core/cli/options.h"
#include "core/cli/worker/stop_signals.h"
#include "core/cli/worker/worker_process.h"
#include "core/cli/worker/working_folder.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

namespace homebooth::core {
namespace {

using Json = nlohmann::ordered_json;
constexpr int64_t kGibi = int64_t{1} << 30;

const char* stateName(GpuState state) {
    switch (state) {
    case GpuState::NoDriver:
        return "no driver";
    case GpuState::DriverTooOld:
        return "driver too old";
    case GpuState::Broken:
        return "broken";
    case GpuState::NoDevice:
        return "no device";
    case GpuState::Ready:
        return "ready";
    }
    return "unknown";
}

Json gpuReport() {
    const GpuFacts gpu = gpuFacts();
    Json json{{"state", stateName(gpu.state)},
              {"driver", gpu.driverVersion},
              {"message", gpu.message},
              {"tooOld", gpu.tooOld},
              {"withoutDriver", gpu.withoutDriver}};
    json["devices"] = Json::array();
    const std::vector<GpuLoad> loads = gpuLoads(gpu.devices);
    for (size_t at = 0; at < loads.size(); ++at) {
        const GpuDevice& device = gpu.devices[at];
        Json one{{"name", device.name},
                 {"uuid", device.uuid},
                 {"totalBytes", device.totalBytes},
                 {"computeCapability",
                  std::to_string(device.computeMajor) + "." + std::to_string(device.computeMinor)}};
        if (loads[at].freeBytes >= 0) one["freeBytes"] = loads[at].freeBytes;
        if (loads[at].temperatureCelsius) one["temperatureCelsius"] = *loads[at].temperatureCelsius;
        json["devices"].push_back(std::move(one));
    }
    return json;
}

/// Where runs and pictures of the user lie by default.
std::string dataFolder() {
    const char* named = std::getenv("HOMEBOOTH_HOME");
    const char* home = std::getenv("HOME");
    if (named != nullptr && named[0] != '\0') return named;
    if (home != nullptr) return std::string(home) + "/Homebooth";
    return "/tmp";
}

constexpr int64_t kMostTriedBytes = int64_t{128} << 20;

/// As `bench swap` measures, with a file that grows until it takes long enough to tell.
Result<std::optional<SwapSpeed>> swapSpeed(const std::string& folder) {
    using Clock = std::chrono::steady_clock;
    constexpr auto kEnough = std::chrono::milliseconds(200);
    constexpr int64_t kLeastPages = 8; // as many as are in flight
    SwapOptions options;
    options.folder = folder;
    options.cancel = cancelOnSignals(); // which takes the file away
    for (options.pageCount = kLeastPages;; options.pageCount *= 4) {
        const auto start = Clock::now();
        auto speed = measureSwap(options);
        const bool most = 4 * options.pageCount * options.pageBytes > kMostTriedBytes;
        if (!speed || !*speed || most || Clock::now() - start > kEnough) return speed;
    }
}

/// @param named  by the user: the default one is made by the first training
Json diskReport(const std::string& folder, bool named) {
    const auto disk = diskFacts(folder);
    if (!disk) return {{"path", folder}, {"problem", disk.error().message}};
    Json json{{"path", disk->path}, {"freeBytes", disk->freeBytes}, {"totalBytes", disk->totalBytes}};
    std::error_code ignored;
    if (named && !std::filesystem::exists(folder, ignored)) json["missing"] = folder;
    if (disk->freeBytes < 2 * kMostTriedBytes) return json;
    const auto speed = swapSpeed(disk->path);
    if (speed && *speed) {
        const SwapSpeed& found = **speed;
        json["writeBytesPerSecond"] = static_cast<int64_t>(found.writeBytesPerSecond);
        json["readBytesPerSecond"] = static_cast<int64_t>(found.readBytesPerSecond);
        json["swap"] = {
            {"ioUring", found.facts.ring}, {"direct", found.facts.direct}, {"notes", found.facts.notes}};
    } else if (!speed) {
        json["problem"] = speed.error().message;
        json["swap"] = {{"problem", speed.error().message}};
    }
    return json;
}

/// What `train` and `sample` do about it without --device.
std::string whatComputes(const Json& gpu) {
    if (gpu["state"] == stateName(GpuState::Ready)) return "training and generation run on the GPU";
    if (gpu["state"] == stateName(GpuState::DriverTooOld) || gpu["state"] == stateName(GpuState::Broken))
        return "nothing is trained or generated until the driver works, or --device cpu is given, which is "
               "slow for models of full size";
    std::string text = "training and generation run on the CPU";
    if (gpu["withoutDriver"] == true) text += " until the NVIDIA card's driver works";
    return text += ", which is slow for models of full size";
}

std::vector<std::string> verdicts(const Json& report) {
    constexpr int64_t kLoraBytes = 4 * kGibi; // SD 1.x, bf16
    constexpr int64_t kFullBytes = 8 * kGibi; // SD 1.x, bf16 with fp32 states
    std::vector<std::string> lines;
    const int64_t usable = report["memory"]["usableBytes"].get<int64_t>();
    lines.push_back(whatComputes(report["gpu"]));
    if (usable < kLoraBytes)
        lines.emplace_back("memory suffices for small models only");
    else if (usable < kFullBytes)
        lines.emplace_back("memory suffices for a LoRA of SD 1.x");
    else
        lines.emplace_back("memory suffices for full training of SD 1.x in bf16; `plan` says it exactly");
    if (!report["worker"]["found"].get<bool>())
        lines.emplace_back(
            "homebooth-worker is missing: nothing that computes will run; install Homebooth again");
    return lines;
}

/// @param folders  on the disks that are looked at; none: where the user's data lie
Json makeReport(const std::vector<std::string>& folders) {
    const MemoryFacts memory = memoryFacts();
    const CpuFacts cpu = cpuFacts();
    Json report;
    report["version"] = versionText();
    report["gpu"] = gpuReport();
    report["cpu"] = {{"model", cpu.model}, {"threads", cpu.threads}, {"features", cpu.features}};
    report["memory"] = {{"totalBytes", memory.totalBytes},
                        {"availableBytes", memory.availableBytes},
                        {"limitBytes", memory.limitBytes},
                        {"usableBytes", memory.usableBytes()}};
    report["disks"] = Json::array();
    for (const std::string& folder : folders) report["disks"].push_back(diskReport(folder, true));
    if (folders.empty()) report["disks"].push_back(diskReport(dataFolder(), false));
    report["worker"] = {{"path", workerPath()}, {"found", ::access(workerPath().c_str(), X_OK) == 0}};
    std::error_code ignored;
    report["vocabulary"] = {{"path", publishedVocabularyPath().string()},
                            {"found", std::filesystem::exists(publishedVocabularyPath(), ignored)}};
    report["verdicts"] = verdicts(report);
    return report;
}

/// "io_uring and O_DIRECT work", or what does not.
std::string swapText(const Json& swap) {
    if (swap.contains("problem")) return "does not work: " + swap["problem"].get<std::string>();
    std::string text = swap["ioUring"] == true && swap["direct"] == true ? "io_uring and O_DIRECT work" : "";
    for (const Json& note : swap["notes"]) text += (text.empty() ? "" : "; ") + note.get<std::string>();
    return text;
}

std::string rate(const Json& disk, const char* key) {
    return disk.contains(key) ? byteSizeText(disk[key].get<int64_t>()) + "/s" : "?";
}

void printGpus(const Json& gpu) {
    std::printf("GPU      %s\n", gpu["message"].get<std::string>().c_str());
    for (const Json& device : gpu["devices"]) {
        std::printf("         %s, %s", device["name"].get<std::string>().c_str(),
                    byteSizeText(device["totalBytes"].get<int64_t>()).c_str());
        if (device.contains("freeBytes"))
            std::printf(", %s free", byteSizeText(device["freeBytes"].get<int64_t>()).c_str());
        if (device.contains("temperatureCelsius"))
            std::printf(", %d degrees C", device["temperatureCelsius"].get<int>());
        std::printf("; %s\n", device["uuid"].get<std::string>().c_str());
    }
}

void print(const Json& report) {
    std::printf("Homebooth %s\n", report["version"].get<std::string>().c_str());
    printGpus(report["gpu"]);
    std::string features;
    for (const Json& feature : report["cpu"]["features"]) features += " " + feature.get<std::string>();
    std::printf("CPU      %s, %lld threads;%s\n", report["cpu"]["model"].get<std::string>().c_str(),
                static_cast<long long>(report["cpu"]["threads"].get<int64_t>()), features.c_str());
    std::printf("Memory   %s, %s to be had\n",
                byteSizeText(report["memory"]["totalBytes"].get<int64_t>()).c_str(),
                byteSizeText(report["memory"]["usableBytes"].get<int64_t>()).c_str());
    for (const Json& disk : report["disks"]) {
        const std::string free =
            disk.contains("freeBytes") ? byteSizeText(disk["freeBytes"].get<int64_t>()) : "?";
        std::printf("Disk     %s: %s free, writes %s, reads %s\n", disk["path"].get<std::string>().c_str(),
                    free.c_str(), rate(disk, "writeBytesPerSecond").c_str(),
                    rate(disk, "readBytesPerSecond").c_str());
        if (disk.contains("missing"))
            std::printf("         %s does not exist: what lies above it was looked at\n",
                        displayName(disk["missing"].get<std::string>()).c_str());
        if (disk.contains("swap"))
            std::printf("         swapping there: %s\n", swapText(disk["swap"]).c_str());
    }
    for (const Json& line : report["verdicts"]) std::printf("- %s\n", line.get<std::string>().c_str());
}

} // namespace

int runDoctor(const Arguments& arguments) {
    CLI::App app("Looks at driver, GPUs, memory and disks, and says what will run.",
                 "homebooth-engine doctor");
    bool json = false;
    bool gpusOnly = false;
    std::vector<std::string> folders;
    app.add_option(
           "FOLDER", folders,
           "folders whose disks are looked at, such as that of --swap; speeds are those of swapping [" +
               dataFolder() + ", where runs and pictures go]")
        ->type_name("PATH");
    app.add_flag("--json", json, "print the facts as one JSON object");
    app.add_flag("--gpus-only", gpusOnly, "look at the GPUs alone, which is quick and writes to no disk");
    if (const auto done = parseArguments(app, arguments)) return *done;
    if (json)
        for (std::string& folder : folders) folder = toldPath(folder);
    Json report;
    if (gpusOnly)
        report["gpu"] = gpuReport();
    else
        report = makeReport(folders);
    if (json)
        std::printf("%s\n", report.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
    else if (gpusOnly)
        printGpus(report["gpu"]);
    else
        print(report);
    return kExitDone;
}

} // namespace homebooth::core
