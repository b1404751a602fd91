// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/run_identity.h"

#include "core/base/files/sha256.h"
#include "core/base/run/journal/event_json.h"
#include "core/base/util/regular_file.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <fcntl.h>
#include <filesystem>
#include <linux/magic.h>
#include <optional>
#include <sys/stat.h>
#include <sys/statfs.h>

namespace homebooth::core {
namespace {

constexpr int64_t kLargestIdentity = int64_t{16} << 20;

struct FolderFacts {
    uint64_t number = 0;
    int64_t seconds = 0; ///< when it was made; 0: the file system does not tell
    int64_t nanoseconds = 0;
};

std::optional<FolderFacts> factsOf(const std::string& folder) {
    struct statx facts {};
    if (::statx(AT_FDCWD, folder.c_str(), 0, STATX_TYPE | STATX_INO | STATX_BTIME, &facts) != 0)
        return std::nullopt;
    if (!S_ISDIR(facts.stx_mode)) return std::nullopt;
    FolderFacts found;
    found.number = facts.stx_ino;
    if ((facts.stx_mask & STATX_BTIME) == 0) return found;
    found.seconds = facts.stx_btime.tv_sec;
    found.nanoseconds = static_cast<int64_t>(facts.stx_btime.tv_nsec);
    return found;
}

/// When the run began, as run.json has it; empty where it does not say.
std::string createdAt(const std::string& runDir) {
    const auto text = readRegularFile(runDir + "/run.json", kLargestIdentity);
    if (!text) return {};
    const auto json = nlohmann::json::parse(*text, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object() || !json.contains("created") || !json.at("created").is_string()) return {};
    return json.at("created").get<std::string>();
}

/// Of a folder that is there. Another run that is made in its place later began at another time.
std::string identityByPath(const std::string& folder) {
    std::error_code code;
    std::string whole = std::filesystem::canonical(folder, code).string();
    if (code) whole = folder;
    whole.append("\n").append(createdAt(folder));
    constexpr size_t kLetters = 32;
    return std::string("path-").append(sha256Text(whole), 0, kLetters);
}

} // namespace

bool numbersLastOn(int64_t kind) {
    constexpr int64_t kOfVirtualMachines = 0x786f4256; // VirtualBox's shared folders; no header has it
    return kind != FUSE_SUPER_MAGIC && kind != kOfVirtualMachines;
}

std::string identityOf(const std::string& folder, bool numbersLast) {
    const auto facts = factsOf(folder);
    if (!facts) return {};
    if (!numbersLast) return identityByPath(folder);
    std::string identity = std::to_string(facts->number);
    identity.append("-").append(std::to_string(facts->seconds));
    identity.append(".").append(std::to_string(facts->nanoseconds));
    return identity;
}

std::string identityOf(const std::string& folder) {
    struct statfs status {};
    const bool known = ::statfs(folder.c_str(), &status) == 0;
    return identityOf(folder, !known || numbersLastOn(static_cast<int64_t>(status.f_type)));
}

bool isWhereItBegan(const std::string& runDir) {
    const auto facts = factsOf(runDir);
    if (!facts || facts->seconds <= 0) return false;
    const std::chrono::milliseconds made(facts->seconds * 1000 + facts->nanoseconds / 1'000'000);
    return isoTime(std::chrono::system_clock::time_point(made)) <=
           createdAt(runDir); // one form, of equal length
}

} // namespace homebooth::core
