// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sampling/picture_saving.h"

#include "core/base/run/failure_cause.h"
#include "core/base/system/disk_facts.h"

#include <chrono>
#include <filesystem>
#include <thread>
#include <utility>

namespace homebooth::core {
namespace {

/// @returns  false when a stop was requested
bool waitBeforeNextTry(const CancelToken& stop) {
    constexpr auto kPoll = std::chrono::milliseconds(50);
    constexpr int kPolls = 40;
    for (int i = 0; i < kPolls && !stop.requested(); ++i) std::this_thread::sleep_for(kPoll);
    return !stop.requested();
}

} // namespace

Result<std::string> writeWithRoom(PictureWriter& writer, const std::function<Result<std::string>()>& place,
                                  const std::string& own, const Picture& picture,
                                  const std::map<std::string, std::string>& text, EventSink& events,
                                  const CancelToken& stop) {
    namespace fs = std::filesystem;
    const fs::path ownFolder = (fs::path(own) / "any").parent_path(); // without a slash behind it
    std::string told; // the folder that was said to have no room
    while (true) {
        HOMEBOOTH_ASSIGN(std::string path, place());
        const Result<void> written = writer.write(path, picture, text);
        if (written) return path;
        const std::string folder = fs::path(path).parent_path().string();
        const bool full = lacksRoom(static_cast<int>(written.error().code), written.error().message);
        if (!full && folder == ownFolder) return written.error();
        if (std::exchange(told, folder) != folder) {
            const auto disk = diskFacts(path);
            events.emit(StateEvent{kWaitsForRoom, written.error().text(), disk ? disk->freeBytes : 0, 0});
        }
        if (!waitBeforeNextTry(stop)) return written.error();
    }
}

} // namespace homebooth::core
