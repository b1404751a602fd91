// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What lies behind an outcome that failed, for whoever tells of it in words of their own. The journal has a
// code and a sentence; codes are too few to tell a full disk from short memory, so the sentences' fixed parts
// decide. A field of its own in the outcome was considered: journals of earlier versions would have none.
// Free functions; any thread.
#pragma once

#include <optional>
#include <string_view>

namespace homebooth::core {

enum class FailureCause {
    Unknown,
    OutOfMemory,     ///< an allocation failed
    TooLittleMemory, ///< even the leanest plan takes more than may be used: a lower limit does not help
    MemoryKill,      ///< the system killed the worker for want of memory
    DiskFull,        ///< or its quota
    FileTooLarge,    ///< for its drive, or for a limit of the user's
    SwapLimit,       ///< swapping takes more than the user allows, however much is free
    DeviceLost,      ///< the GPU stopped answering
    Killed,          ///< SIGKILL from outside
    EngineEnded,     ///< the supervisor died; the worker saved and stopped
    Crash,           ///< another signal
    FileChanged,     ///< SIGBUS: a mapped file became shorter, or its disk failed
    NotStarted,      ///< the worker's program or a library is missing
    RankLost,        ///< processes that train together lost each other, and none of them says why
    Diverged,        ///< the loss is no number any more
    BeyondFp16,      ///< what a model computes, or its weights, are too large for that format
    BrokenPictures,  ///< some that are to be learned cannot be read
    PicturesChanged, ///< some that a run in its middle learns from cannot be read any more
    DriveMissing,    ///< the one on which the run's checkpoints lie
    SwapMissing,     ///< the folder to swap to
    CardMissing,     ///< a GPU that the training names, or one for each of its processes
    BadInput,        ///< another file or a setting
};

/// Part of each message about what a model computes in fp16 and is NaN or infinite there.
constexpr const char* kBeyondFp16 = "do not fit fp16";

/// @param code  of the outcome (an exit code), @param message  of it, in English
[[nodiscard]] FailureCause causeOf(int code, std::string_view message);

/// Whether somebody who frees room on the disk cures it: the disk, or a quota of it, is full. What a swap
/// asks for may be `DiskFull` as well, but waits in vain.
/// @param code, message  as above
[[nodiscard]] bool lacksRoom(int code, std::string_view message);

/// Whether a folder on another drive cures it: this one takes no file as large. @param code, message  as
/// above
[[nodiscard]] bool lacksLargerFiles(int code, std::string_view message);

/// Whether the processor could do without the GPU that is missed: the message offers it.
[[nodiscard]] bool processorCanGoOn(std::string_view message);

/// What a run lacks that waits to save. @param detail  of its state: DriveMissing, FileTooLarge, else
/// DiskFull
[[nodiscard]] FailureCause lackOf(std::string_view detail);

/// One of several processes that train together.
struct FailedRank {
    int rank = 0; ///< from 0
    int ranks = 1;
};
/// The one that brought the others to their end, as the message names it; nothing where one process trained.
[[nodiscard]] std::optional<FailedRank> failedRankOf(std::string_view message);

} // namespace homebooth::core
