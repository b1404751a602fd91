// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/worker/rank_meeting.h"

#include <chrono>
#include <future>
#include <string>
#include <thread>
#include <utility>

namespace homebooth::core {
namespace {

using Met = Result<std::unique_ptr<Ranks>>;

constexpr std::chrono::milliseconds kLook{100}; // between two looks at the token
// More than Ranks::meet waits for any rank. Something else that listens at the address and says nothing holds
// LibTorch's store for longer than it was told.
constexpr std::chrono::minutes kLimit{11};

Error withoutEnd(const RankPlace& place) {
    return {ErrorCode::Internal,
            "meeting the other processes: expected all " + std::to_string(place.ranks) + " within " +
                std::to_string(kLimit.count()) +
                " minutes, found no end of it; look whether another program " +
                "listens at MASTER_ADDR and MASTER_PORT, and choose another port",
            {}};
}

} // namespace

Result<std::unique_ptr<Ranks>> meetUnlessStopped(const RankPlace& place, const CancelToken& stop) {
    std::packaged_task<Met()> meeting([place] { return Ranks::meet(place); });
    std::future<Met> met = meeting.get_future();
    // Not std::async: its future's destructor would wait for the meeting.
    std::thread(std::move(meeting)).detach();
    const auto end = std::chrono::steady_clock::now() + kLimit;
    while (met.wait_for(kLook) != std::future_status::ready) {
        if (stop.requested()) return std::unique_ptr<Ranks>();
        if (std::chrono::steady_clock::now() > end) return withoutEnd(place);
    }
    return met.get();
}

} // namespace homebooth::core
