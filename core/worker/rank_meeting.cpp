// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/worker/rank_meeting.h"

#include "core/engine/collective/awake_time.h"
#include "core/engine/collective/roll_call.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <string>
#include <thread>
#include <utility>

namespace homebooth::core {
namespace {

using Met = Result<std::unique_ptr<Ranks>>;

constexpr std::chrono::milliseconds kLook{100}; // between two looks at the token
constexpr std::chrono::minutes kBetweenWords{1};
constexpr std::chrono::minutes kPatience{10}; // of Ranks::meet, for rank 0 and then for the others
// More than that. Something else that listens at the address and says nothing holds LibTorch's store for
// longer than it was told.
constexpr std::chrono::minutes kLimit{21};

Error withoutEnd(const RankPlace& place) {
    return {ErrorCode::Internal,
            "meeting the other processes: expected all " + std::to_string(place.ranks) + " within " +
                std::to_string(kLimit.count()) +
                " minutes, found no end of it; look whether another program " +
                "listens at MASTER_ADDR and MASTER_PORT, and choose another port",
            {}};
}

/// Tells whom rank 0 waits for.
class MeetingWords {
public:
    using Duration = AwakeTime::Clock::duration;

    MeetingWords(const RankPlace& place, EventSink& events)
        : m_place(place)
        , m_events(events) {}

    /// @param waited  up to now
    void look(Duration waited) {
        if (m_place.rank > 0 || m_place.launcher.empty() || waited < m_next) return;
        const auto missing = RollCall::ofThisProcess().missing();
        if (!missing || missing->empty()) return;
        m_next = waited + kBetweenWords;
        const auto passed = std::chrono::duration_cast<std::chrono::minutes>(waited);
        std::string words = "waiting for " + RollCall::inWords(*missing);
        words.append(" at ").append(m_place.masterAddress).append(":");
        words.append(std::to_string(m_place.masterPort)).append(", at most ");
        words.append(std::to_string(std::max(kPatience - passed, std::chrono::minutes(0)).count()))
            .append(" min");
        const auto come = m_place.ranks - static_cast<int64_t>(missing->size());
        m_events.emit(StateEvent{kMeeting, std::move(words), come, m_place.ranks});
    }

private:
    static constexpr std::chrono::seconds kUsual{1}; // in which most have come

    const RankPlace& m_place;
    EventSink& m_events;
    Duration m_next = kUsual;
};

} // namespace

Result<std::unique_ptr<Ranks>> meetUnlessStopped(const RankPlace& place, const CancelToken& stop,
                                                 EventSink& events) {
    std::packaged_task<Met()> meeting([place] { return Ranks::meet(place); });
    std::future<Met> met = meeting.get_future();
    // Not std::async: its future's destructor would wait for the meeting.
    std::thread(std::move(meeting)).detach();
    AwakeTime waited; // as rank 0 counts
    MeetingWords words(place, events);
    while (met.wait_for(kLook) != std::future_status::ready) {
        if (stop.requested()) return std::unique_ptr<Ranks>();
        const AwakeTime::Clock::duration passed = waited.passed();
        if (passed > kLimit) return withoutEnd(place);
        words.look(passed);
    }
    return met.get();
}

} // namespace homebooth::core
