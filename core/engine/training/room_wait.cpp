// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/room_wait.h"

#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/run/checkpoints/checkpoints_elsewhere.h"
#include "core/base/run/failure_cause.h"
#include "core/base/run/run_place.h"
#include "core/base/system/disk_facts.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

namespace homebooth::core {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kPoll = std::chrono::milliseconds(50); // as in a pause
constexpr auto kLookAtDisk = std::chrono::seconds(1);
constexpr int64_t kBeside = int64_t{1} << 20;       // of what is needed: heads, manifest, the system's own
constexpr int64_t kWorthTrying = int64_t{16} << 20; // more free than before

/// Whether what is written to can be reached. For the first rank.
Result<void> reach(const RoomNeed& need) {
    if (need.place != nullptr) HOMEBOOTH_CHECK(need.place->there());
    return need.there();
}

/// One try to write, and the wait for room behind it.
class RoomWait {
public:
    RoomWait(const JobContext& job, const RoomNeed& need)
        : m_job(job)
        , m_need(need)
        , m_freeBytes(freeIn(need.folder))
        , m_ownFreeBytes(freeIn(job.run.path())) {}

    /// @param away  the disk is
    /// @returns  whether to try again. Errors: throws RankLost
    bool untilRoom(const Error& lack, bool away);

private:
    static int64_t freeIn(const std::string& folder) {
        const auto disk = diskFacts(folder);
        return disk ? disk->freeBytes : 0;
    }
    void tell(const Error& lack) const {
        const bool room = !m_away && !m_tooLarge;
        const int64_t freeBytes = m_neededBytes > 0 ? m_freeBytes : std::min(m_freeBytes, m_ownFreeBytes);
        m_job.events.emit(
            StateEvent{kWaitsForRoom, lack.text(), room ? freeBytes : 0, room ? m_neededBytes : 0});
    }
    [[nodiscard]] bool roomCame();
    [[nodiscard]] bool movedElsewhere(const Error& lack);

    const JobContext& m_job;
    const RoomNeed& m_need;
    int64_t m_freeBytes;       // the most around the try: file systems may free later than they say
    int64_t m_ownFreeBytes;    // on the disk of the run's folder, where its facts are noted
    int64_t m_neededBytes = 0; // 0: nobody knows
    bool m_away = false;
    bool m_tooLarge = false; // a file, for this drive: room on it does not help
    Clock::time_point m_looked;
};

bool RoomWait::roomCame() {
    const Clock::time_point now = Clock::now();
    if (now - m_looked < kLookAtDisk) return false;
    m_looked = now;
    if (m_away) return reach(m_need).ok();
    if (m_tooLarge) return false;
    const int64_t freeBytes = freeIn(m_need.folder);
    if (m_freeBytes < m_neededBytes) return freeBytes >= m_neededBytes;
    return freeBytes - m_freeBytes >= kWorthTrying ||
           freeIn(m_job.run.path()) - m_ownFreeBytes >= kWorthTrying;
}

bool RoomWait::movedElsewhere(const Error& lack) {
    const std::string folder = m_job.control.elsewhere.take();
    if (folder.empty()) return false;
    if (const auto there = m_need.place != nullptr ? m_need.place->there() : Result<void>(); !there) {
        m_job.events.emit(WarningEvent{"elsewhere", there.error().text()});
        tell(lack);
        return false;
    }
    m_job.events.emit(StateEvent{"saving", "checkpoints in another folder", 0, 0});
    const auto before = checkpointsElsewhere(m_job.run.path());
    const bool away = !m_need.there(); // by now
    const auto moved = moveCheckpoints(m_job.run, folder, /*emptyIsAway=*/away);
    if (moved && away && before)
        m_job.events.emit(
            WarningEvent{"left-behind", "the run's earlier checkpoints stay on the drive that is away, in " +
                                            *before + "; from here on the run does without them"});
    if (moved && !away && before && !listCheckpoints(*before).empty())
        m_job.events.emit(WarningEvent{
            "needed-by-others", "what lies in " + *before +
                                    " stays, as other runs may need it: a copy "
                                    "of this one, or the one that it is a copy of; remove it by hand where "
                                    "none does"});
    if (moved) return true;
    m_job.events.emit(
        WarningEvent{"elsewhere", "cannot save in \"" + folder + "\": " + moved.error().text()});
    tell(lack);
    return false;
}

bool RoomWait::untilRoom(const Error& lack, bool away) {
    TrainControl& control = m_job.control;
    const Ranks& ranks = m_job.ranks();
    const int64_t tries = control.tries;
    const bool finishes = control.finish; // then it is what waits for room
    m_away = away;
    m_tooLarge = lacksLargerFiles(static_cast<int>(lack.code), lack.message);
    m_freeBytes = std::max(m_freeBytes, freeIn(m_need.folder));
    m_ownFreeBytes = std::max(m_ownFreeBytes, freeIn(m_job.run.path()));
    m_neededBytes = m_need.bytes ? m_need.bytes() + kBeside : 0;
    m_looked = Clock::now();
    static_cast<void>(control.elsewhere.take()); // came too late for an earlier wait
    if (ranks.any(control.stop.requested())) return false;
    tell(lack);
    bool again = false; // of the first rank
    while (true) {
        const bool ends = control.stop.requested() || (control.finish && !finishes);
        again = again || control.tries != tries || (ranks.isFirst() && roomCame());
        const std::vector<int64_t> sums = ranks.patientSums({ends ? 1 : 0, again ? 1 : 0});
        if (sums[0] > 0) return false;
        if (sums[1] > 0) return true;
        again = ranks.isFirst() && movedElsewhere(lack); // for however long, while the others wait
        if (!again) std::this_thread::sleep_for(kPoll);
    }
}

bool isWaitedFor(const RoomNeed& need, const Error& lack) {
    const int code = static_cast<int>(lack.code);
    return lacksRoom(code, lack.message) || (!need.saved && lacksLargerFiles(code, lack.message));
}

/// Another process may begin on a copy of the run's folder, and its journal says nothing of this one: what
/// was learned is saved there, and this one ends.
void endInCopy(const JobContext& job, const RoomNeed& need) {
    const bool copied = need.place != nullptr && job.ranks().isFirst() && need.place->isCopy();
    if (!copied || job.control.stop.requested()) return;
    job.events.emit(WarningEvent{"run-copied",
                                 "a copy lies where the run's folder was: what was learned is saved "
                                 "in it, and the run stops; resume goes on with the copy"});
    job.control.stop.request();
}

} // namespace

Result<void> writeWithRoom(const JobContext& job, const RoomNeed& need,
                           const std::function<Result<void>()>& write) {
    while (true) {
        RoomWait wait(job, need);
        Result<void> written = write();
        if (written) {
            endInCopy(job, need);
            return written;
        }
        const Ranks& ranks = job.ranks();
        const Result<void> there = ranks.agreeOn(ranks.isFirst() ? reach(need) : Result<void>());
        if (there && isOfRunPlace(written.error().message)) continue; // it is back already
        const Result<void>& failure = there ? written : there;
        const bool waits = !there || isWaitedFor(need, written.error());
        if (!waits || !wait.untilRoom(failure.error(), !there)) return failure;
    }
}

} // namespace homebooth::core
