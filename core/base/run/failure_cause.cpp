// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/failure_cause.h"

#include "core/base/run/middle_of_run.h"
#include "core/base/run/run_place.h"
#include "core/base/util/result.h"

#include <array>
#include <charconv>

namespace homebooth::core {
namespace {

struct Sign {
    const char* part; ///< of a message
    FailureCause cause;
};

constexpr const char* kFullDisk = "the disk is full";
constexpr const char* kFullQuota = "disk quota";
constexpr const char* kSmallDrive = "larger than this drive takes";
constexpr const char* kMissingDrive = "connect the drive that they lie on";
constexpr std::array kResources{Sign{"the system killed the worker", FailureCause::MemoryKill},
                                Sign{kFullDisk, FailureCause::DiskFull},
                                Sign{kFullQuota, FailureCause::DiskFull},
                                Sign{" of disk, and", FailureCause::DiskFull},
                                Sign{"are allowed; allow more", FailureCause::SwapLimit},
                                Sign{"--swap-size allows", FailureCause::SwapLimit},
                                Sign{kSmallDrive, FailureCause::FileTooLarge}, // also one to swap to
                                Sign{"no file there may be larger", FailureCause::FileTooLarge},
                                Sign{"than allowed; raise the limit", FailureCause::FileTooLarge},
                                Sign{"for swapping", FailureCause::DiskFull},
                                Sign{" may be used", FailureCause::TooLittleMemory}};
constexpr std::array kInternal{Sign{"the supervisor ended while", FailureCause::EngineEnded},
                               Sign{"killed from outside", FailureCause::Killed},
                               Sign{"crashed (SIGBUS)", FailureCause::FileChanged},
                               Sign{"the worker crashed", FailureCause::Crash},
                               Sign{"could not be started", FailureCause::NotStarted},
                               Sign{"found none; build or install", FailureCause::NotStarted},
                               Sign{" lost rank ", FailureCause::RankLost},
                               Sign{"they did not come together", FailureCause::RankLost}};
constexpr std::array kInput{Sign{"no longer finite at step", FailureCause::Diverged},
                            Sign{kBeyondFp16, FailureCause::BeyondFp16},
                            Sign{"values too large for Half", FailureCause::BeyondFp16}, // of weights
                            Sign{"go on without them by --skip-broken-images", FailureCause::BrokenPictures},
                            Sign{kPutPicturesBack, FailureCause::PicturesChanged},
                            Sign{kMissingDrive, FailureCause::DriveMissing},
                            Sign{kPutRunBack, FailureCause::DriveMissing},
                            Sign{"--swap: expected a folder", FailureCause::SwapMissing},
                            Sign{"--gpus: expected", FailureCause::CardMissing},
                            Sign{"expected a GPU for each of", FailureCause::CardMissing}};

template <size_t count>
FailureCause firstOf(const std::array<Sign, count>& signs, std::string_view message, FailureCause otherwise) {
    for (const Sign& sign : signs)
        if (message.find(sign.part) != std::string_view::npos) return sign.cause;
    return otherwise;
}

/// Whether something else than a swap file was not written: that has its room from the beginning, and one
/// that fails is lost.
bool notOfSwap(int code, std::string_view message) {
    return code == static_cast<int>(ErrorCode::OutOfResources) &&
           message.find("the swap file") == std::string_view::npos;
}

/// The number in front of `text`, which goes on behind it; -1 if there is none.
int takeNumber(std::string_view& text) {
    int number = -1;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (fault != std::errc() || number < 0) return -1;
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    return number;
}

/// Whether `text` goes on with `word`, which is then taken off.
bool take(std::string_view& text, std::string_view word) {
    if (!text.starts_with(word)) return false;
    text.remove_prefix(word.size());
    return true;
}

/// Whom a rank's own words name as the cause: "rank 1: ...", where all have agreed to end because of it, or
/// "... lost rank 1: ...". -1: itself
int namedBy(std::string_view words) {
    constexpr std::string_view kLost = " lost rank ";
    if (std::string_view agreed = words; take(agreed, "rank "))
        if (const int rank = takeNumber(agreed); rank >= 0 && agreed.starts_with(": ")) return rank;
    const size_t lost = words.find(kLost);
    if (lost == std::string_view::npos) return -1;
    words.remove_prefix(lost + kLost.size());
    return takeNumber(words);
}

} // namespace

FailureCause causeOf(int code, std::string_view message) {
    switch (static_cast<ErrorCode>(code)) {
    case ErrorCode::OutOfResources:
        return firstOf(kResources, message, FailureCause::OutOfMemory);
    case ErrorCode::DeviceLost:
        return FailureCause::DeviceLost;
    case ErrorCode::BadInput:
    case ErrorCode::Usage:
        return firstOf(kInput, message, FailureCause::BadInput);
    case ErrorCode::Internal:
        break;
    }
    return firstOf(kInternal, message, FailureCause::Unknown);
}

bool lacksRoom(int code, std::string_view message) {
    return notOfSwap(code, message) && (message.find(kFullDisk) != std::string_view::npos ||
                                        message.find(kFullQuota) != std::string_view::npos);
}

bool lacksLargerFiles(int code, std::string_view message) {
    return notOfSwap(code, message) && message.find(kSmallDrive) != std::string_view::npos;
}

bool processorCanGoOn(std::string_view message) {
    return message.find("choose --device cpu") != std::string_view::npos;
}

FailureCause lackOf(std::string_view detail) {
    for (const char* missing : {kMissingDrive, kPutRunBack})
        if (detail.find(missing) != std::string_view::npos) return FailureCause::DriveMissing;
    return detail.find(kSmallDrive) != std::string_view::npos ? FailureCause::FileTooLarge
                                                              : FailureCause::DiskFull;
}

std::optional<FailedRank> failedRankOf(std::string_view message) {
    constexpr std::string_view kEnded = " ended, and with it the others: ";
    const size_t ended = message.find(kEnded);
    const size_t begin = message.substr(0, ended).rfind("rank ");
    if (ended == std::string_view::npos || begin == std::string_view::npos) return std::nullopt;
    std::string_view text = message.substr(begin);
    take(text, "rank ");
    FailedRank found;
    found.rank = takeNumber(text);
    if (!take(text, " of ")) return std::nullopt;
    found.ranks = takeNumber(text);
    if (!take(text, kEnded)) return std::nullopt;
    if (const int named = namedBy(text); named >= 0) found.rank = named;
    if (found.rank < 0 || found.rank >= found.ranks) return std::nullopt;
    return found;
}

} // namespace homebooth::core
