// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sampling/picture_saving.h"

#include "core/base/run/failure_cause.h"
#include "core/base/system/disk_facts.h"

#include <chrono>
#include <thread>

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

Result<void> writeWithRoom(PictureWriter& writer, const std::string& path, const Picture& picture,
                           const std::map<std::string, std::string>& text, EventSink& events,
                           const CancelToken& stop) {
    for (bool told = false;; told = true) {
        const Result<void> written = writer.write(path, picture, text);
        if (written || !lacksRoom(static_cast<int>(written.error().code), written.error().message))
            return written;
        const auto disk = diskFacts(path);
        if (!told)
            events.emit(StateEvent{kWaitsForRoom, written.error().text(), disk ? disk->freeBytes : 0, 0});
        if (!waitBeforeNextTry(stop)) return written;
    }
}

} // namespace homebooth::core
