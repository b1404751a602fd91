// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/worker/rank_meeting.h"

#include <chrono>
#include <future>
#include <thread>
#include <utility>

namespace homebooth::core {
namespace {

using Met = Result<std::unique_ptr<Ranks>>;

constexpr std::chrono::milliseconds kLook{100}; // between two looks at the token

} // namespace

Result<std::unique_ptr<Ranks>> meetUnlessStopped(const RankPlace& place, const CancelToken& stop) {
    std::packaged_task<Met()> meeting([place] { return Ranks::meet(place); });
    std::future<Met> met = meeting.get_future();
    // Not std::async: its future's destructor would wait for the meeting.
    std::thread(std::move(meeting)).detach();
    while (met.wait_for(kLook) != std::future_status::ready)
        if (stop.requested()) return std::unique_ptr<Ranks>();
    return met.get();
}

} // namespace homebooth::core
