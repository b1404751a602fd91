// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Trainings that wait for room, on a disk that is pretended: the linker puts the calls of this file in
// front of the system's (--wrap=write,--wrap=stat,--wrap=statvfs). One a test program.
#pragma once

#include "training_support.h"

#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace homebooth::core::testing {

/// What the system says of a disk. One thread writes and asks.
struct PretendedDisk {
    std::string full; ///< no file of tensors in this folder takes anything; empty: all do
    int error = ENOSPC;
    int64_t freeBytes = -1;       ///< -1: as the real one has them
    std::string freeIn;           ///< of this folder alone; empty: of all
    std::string keepsFacts;       ///< the run in this folder cannot note anything; empty: all can
    std::string taken;            ///< where it is gone there is room again
    std::string mountPoint;       ///< of a drive that is not mounted: it lies on another disk
    std::function<void()> looked; ///< somebody has asked for them
};
inline PretendedDisk disk;

inline bool refuses(int file) {
    if (disk.full.empty() || (!disk.taken.empty() && !std::filesystem::exists(disk.taken))) return false;
    char path[4096];
    const ssize_t length = readlink(("/proc/self/fd/" + std::to_string(file)).c_str(), path, sizeof path);
    const std::string_view name(path, static_cast<size_t>(std::max<ssize_t>(length, 0)));
    if (!disk.keepsFacts.empty() && name.starts_with(disk.keepsFacts + "/") &&
        name.find("run.json") != std::string_view::npos)
        return true;
    return name.starts_with(disk.full + "/") && name.find(".safetensors") != std::string_view::npos;
}

} // namespace homebooth::core::testing

extern "C" ssize_t __real_write(int file, const void* data, size_t bytes);
extern "C" ssize_t __wrap_write(int file, const void* data, size_t bytes) {
    using namespace homebooth::core::testing;
    if (!refuses(file)) return __real_write(file, data, bytes);
    errno = disk.error;
    return -1;
}

extern "C" int __real_statvfs(const char* path, struct statvfs* facts);
extern "C" int __wrap_statvfs(const char* path, struct statvfs* facts) {
    using namespace homebooth::core::testing;
    if (disk.looked) disk.looked();
    const int failed = __real_statvfs(path, facts);
    if (failed != 0 || disk.freeBytes < 0) return failed;
    if (!std::filesystem::canonical(path).string().starts_with(disk.freeIn)) return failed;
    facts->f_frsize = 1; // freeBytes to the byte
    facts->f_bavail = static_cast<fsblkcnt_t>(disk.freeBytes);
    return 0;
}

extern "C" int __real_stat(const char* path, struct stat* facts);
extern "C" int __wrap_stat(const char* path, struct stat* facts) {
    using namespace homebooth::core::testing;
    const int failed = __real_stat(path, facts);
    if (failed == 0 && !disk.mountPoint.empty() && disk.mountPoint == path) ++facts->st_dev;
    return failed;
}

namespace homebooth::core::testing {

constexpr int64_t kMiB = int64_t{1} << 20;

/// Lets a disk become full as something is saved, and does something at each wait for room.
class FillingDisk : public EventList {
public:
    /// @param folder  where nothing can be written then
    FillingDisk(std::string detail, int64_t times, std::string folder)
        : m_detail(std::move(detail))
        , m_times(times)
        , m_folder(std::move(folder)) {
        disk = {};
    }
    ~FillingDisk() override { disk = {}; }
    FillingDisk(const FillingDisk&) = delete;
    FillingDisk& operator=(const FillingDisk&) = delete;

    void emit(const Event& event) override {
        EventList::emit(event);
        const auto* state = std::get_if<StateEvent>(&event);
        if (state == nullptr) return;
        if (state->state == "saving" && state->detail == m_detail && ++m_saved == m_times) {
            disk.full = m_folder;
            if (whenFull) whenFull();
        }
        if (state->state != kWaitsForRoom) return;
        waits.push_back(*state);
        whenWaiting();
    }
    std::function<void()> whenFull;
    std::function<void()> whenWaiting;
    std::vector<StateEvent> waits;

    [[nodiscard]] int64_t tries() const { return m_saved; }

private:
    std::string m_detail;
    int64_t m_times;
    std::string m_folder;
    int64_t m_saved = 0;
};

inline OutcomeEvent runOn(FillingDisk& events, const TrainConfig& config, JobWorld& world) {
    const RunFolder run =
        fs::exists(config.output.runDir) ? *RunFolder::open(config.output.runDir) : makeRun(config);
    return runTrainJob(config, run, events, world.control, world.pictures, world.writer, world.options);
}

/// The run that never waits.
inline void trainStraight(const TrainConfig& config, const std::string& root) {
    JobWorld world;
    ASSERT_EQ(runFresh(inFolder(config, root + "/straight"), world).result, "done");
}

inline void expectSameRun(const TrainConfig& config, const std::string& root) {
    const TrainConfig straight = inFolder(config, root + "/straight");
    for (const int64_t step : {2, 4})
        expectEqualFolders(checkpointOf(config, step), checkpointOf(straight, step));
    expectEqualFolders(config.output.runDir + "/result", straight.output.runDir + "/result");
}

} // namespace homebooth::core::testing
