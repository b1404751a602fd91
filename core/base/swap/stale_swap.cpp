// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/swap/stale_swap.h"

#include "core/base/files/open_file.h"

#include <fcntl.h>
#include <filesystem>
#include <random>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRankFolder = "rank-";
constexpr std::string_view kPrefix = "homebooth-";
constexpr std::string_view kSuffix = ".swap";
constexpr std::string_view kDigits = "0123456789abcdef";
constexpr size_t kRandomDigits = 8;

/// Whether `swapFileName` could have made it, for a file that is not to be kept.
bool isSwapName(std::string_view name) {
    if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) return false;
    name.remove_prefix(kPrefix.size());
    name.remove_suffix(kSuffix.size());
    const size_t dash = name.find('-');
    if (dash == 0 || dash == std::string_view::npos) return false;
    const std::string_view digits = name.substr(dash + 1);
    return name.substr(0, dash).find_first_not_of("0123456789") == std::string_view::npos &&
           digits.size() == kRandomDigits && digits.find_first_not_of(kDigits) == std::string_view::npos;
}

enum class Then { Leave, Remove };

/// Looks at the file, and removes it if that is wanted, unless somebody holds it.
/// @returns its bytes on the disk, or -1
int64_t bytesUnheld(const std::string& path, SwapDevice& device, Then then) {
    // Not blocking and not following: the name may be anything by now.
    const int file = device.open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0);
    if (file < 0) return -1;
    struct stat status {};
    const bool ours = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == ::geteuid();
    const bool unheld = ours && device.lock(file) == 0 && namesOpenFile(path, file);
    const bool done = unheld && (then == Then::Leave || ::unlink(path.c_str()) == 0);
    ::close(file);
    constexpr int64_t kStatBlockBytes = 512;
    return done ? static_cast<int64_t>(status.st_blocks) * kStatBlockBytes : -1;
}

StaleSwap visit(const std::string& folder, SwapDevice& device, Then then) {
    StaleSwap stale;
    std::error_code code;
    for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code)) {
        if (!isSwapName(entry->path().filename().string())) continue;
        const int64_t bytes = bytesUnheld(entry->path().string(), device, then);
        if (bytes < 0) continue;
        ++stale.files;
        stale.bytes += bytes;
    }
    return stale;
}

} // namespace

std::string swapFolderOf(const std::string& named, int64_t rank) {
    return named + "/" + kRankFolder + std::to_string(rank);
}

std::vector<std::string> swapFoldersIn(const std::string& named) {
    std::vector<std::string> folders{named};
    std::error_code code;
    for (fs::directory_iterator entry(named, code), end; !code && entry != end; entry.increment(code)) {
        std::error_code gone; // meanwhile
        if (entry->path().filename().string().starts_with(kRankFolder) && entry->is_directory(gone))
            folders.push_back(entry->path().string());
    }
    return folders;
}

std::string swapFileName(bool kept) {
    std::random_device random;
    std::string digits;
    for (size_t i = 0; i < kRandomDigits; ++i) digits += kDigits[random() % kDigits.size()];
    return std::string(kPrefix) + std::to_string(::getpid()) + "-" + digits +
           (kept ? ".kept-swap" : std::string(kSuffix));
}

StaleSwap findStaleSwap(const std::string& folder, SwapDevice& device) {
    return visit(folder, device, Then::Leave);
}

StaleSwap removeStaleSwap(const std::string& folder, SwapDevice& device) {
    return visit(folder, device, Then::Remove);
}

} // namespace homebooth::core
