// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/collective/gloo_peers.h"

#include "core/base/util/quiet_thread.h"
#include "core/engine/collective/meeting_file.h"
#include "core/engine/collective/meeting_point.h"
#include "core/engine/collective/thrown_cause.h"
#include "core/engine/jobs/expected_failure.h"

#include <ATen/ATen.h>
#include <torch/csrc/distributed/c10d/FileStore.hpp>

namespace homebooth::core {
namespace {

constexpr const char* kLoopback = "127.0.0.1";
constexpr const char* kNeedsAll = " goes on with all ranks only";
constexpr MessageTag kFarewell = 1;
constexpr MessageTag kArrival = 2;
constexpr std::chrono::hours kForever{24 * 365 * 10};
constexpr std::chrono::seconds kFarewellLimit{1};
constexpr std::chrono::seconds kLook{1}; // between two looks at how long somebody waits

std::string nameOf(int rank, int ranks) {
    return "rank " + std::to_string(rank) + " of " + std::to_string(ranks);
}

std::string inWords(std::chrono::milliseconds limit) {
    return limit.count() % 1000 == 0 ? std::to_string(limit.count() / 1000) + " s"
                                     : std::to_string(limit.count()) + " ms";
}

Error notMet(const GlooMeeting& meeting, const std::string& cause) {
    return {ErrorCode::Internal,
            nameOf(meeting.rank, meeting.ranks) + " expected all ranks within " + inWords(meeting.meetLimit) +
                ", but they did not come together (" + cause +
                "); see how the others ended, then start all of them anew",
            meeting.point ? meeting.point->name() : meeting.file};
}

const char* needOf(bool comes) {
    return comes ? " expected data from it" : " had data for it";
}

std::string ended(int peer, const std::string& cause) {
    return "its connection ended (" + cause + "); see how rank " + std::to_string(peer) + " ended";
}

std::string left(int peer) {
    return "it has ended; see how rank " + std::to_string(peer) + " ended";
}

std::string hangs(int peer, std::chrono::milliseconds limit) {
    return "nothing moved for " + inWords(limit) +
           ": it hangs, is busy for longer than that or asked for something else; see what rank " +
           std::to_string(peer) + " does";
}

Error lostRank(const GlooMeeting& meeting, int peer, const char* need, const std::string& what,
               const std::string& found) {
    return {ErrorCode::Internal,
            nameOf(meeting.rank, meeting.ranks) + " lost rank " + std::to_string(peer) + ": " + what + need +
                ", but " + found +
                ", then resume from the last checkpoint, or from the first step where none was written",
            {}};
}

at::Tensor bytesAt(void* bytes, int64_t count) {
    return at::from_blob(bytes, {count}, at::kByte);
}

c10::intrusive_ptr<c10d::Store> storeOf(const GlooMeeting& meeting) {
    if (meeting.point) return meeting.point->store(meeting.name);
    auto store = c10::make_intrusive<c10d::FileStore>(meeting.file, meeting.ranks);
    store->setTimeout(meeting.meetLimit);
    return store;
}

c10::intrusive_ptr<c10d::ProcessGroupGloo> connect(const GlooMeeting& meeting) {
    const c10::intrusive_ptr<c10d::Store> store = storeOf(meeting);
    const auto options = c10d::ProcessGroupGloo::Options::create(meeting.meetLimit);
    options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname(
        meeting.point ? meeting.point->ownAddress() : kLoopback));
    options->threads = 1; // for gloo's own collectives, of which none is used
    return c10::make_intrusive<c10d::ProcessGroupGloo>(store, meeting.rank, meeting.ranks, options);
}

} // namespace

GlooPeers::GlooPeers(const GlooMeeting& meeting, c10::intrusive_ptr<c10d::ProcessGroupGloo> group)
    : m_meeting(meeting)
    , m_group(std::move(group)) {}

Result<std::unique_ptr<GlooPeers>> GlooPeers::meet(const GlooMeeting& meeting) {
    if (meeting.ranks < 1 || meeting.rank < 0 || meeting.rank >= meeting.ranks)
        return badInput("ranks are numbered from 0 to " + std::to_string(meeting.ranks - 1) + ", got rank " +
                        std::to_string(meeting.rank));
    if (!meeting.point) HOMEBOOTH_CHECK(prepareMeetingFile(meeting.file));
    try {
        auto peers = std::unique_ptr<GlooPeers>(new GlooPeers(meeting, connect(meeting)));
        peers->watchAll();
        peers->awaitAll();
        return peers;
    } catch (const std::exception&) {
        return notMet(meeting, thrownCause());
    }
}

GlooPeers::~GlooPeers() {
    for (const Transfer& farewell : m_expected) farewell.work->abort();
    for (std::thread& watcher : m_watchers) watcher.join();
    {
        const std::lock_guard lock(m_mutex);
        m_ending = true;
    }
    m_changed.notify_all();
    if (m_limiter.joinable()) m_limiter.join();
}

void GlooPeers::watchAll() {
    name("the meeting");
    m_farewells.resize(static_cast<size_t>(ranks()));
    for (int peer = 0; peer < ranks(); ++peer)
        if (peer != rank()) receive(m_expected, peer, kFarewell, &m_farewells[static_cast<size_t>(peer)], 1);
    for (const Transfer& farewell : m_expected)
        m_watchers.push_back(startQuietThread([this, &farewell] { watch(farewell); }));
    m_limiter = startQuietThread([this] { limitWaiting(); });
}

/// A rank is connected when its own connections stand, while others may still be making theirs. What is lost
/// meanwhile does not end the waiting: a rank that has said that it is here may go.
void GlooPeers::awaitAll() {
    std::vector<std::byte> arrivals(static_cast<size_t>(ranks())); // goes after what writes to it
    std::vector<Transfer> words;
    for (const Transfer& expected : m_expected) {
        receive(words, expected.peer, kArrival, &arrivals[static_cast<size_t>(expected.peer)], 1);
        send(words, expected.peer, kArrival, &arrivals[static_cast<size_t>(rank())], 1);
    }
    for (const Transfer& word : words) word.work->wait(m_meeting.meetLimit);
}

void GlooPeers::watch(const Transfer& farewell) {
    try {
        if (!farewell.work->wait(kForever)) return; // this rank goes first
        const std::lock_guard lock(m_mutex);
        if (m_leftPeer < 0) m_leftPeer = farewell.peer;
    } catch (const std::exception&) {
        lose(farewell.peer, thrownCause());
    }
}

/// gloo's own limits go by the clock, as they would also in slices, and one that has passed breaks all
/// connections: ranks that were stopped together and go on would lose each other.
void GlooPeers::limitWaiting() {
    std::unique_lock lock(m_mutex);
    while (!m_changed.wait_for(lock, kLook, [this] { return m_ending; })) {
        if (!m_attended || m_attendedFor.passed() < m_meeting.stallLimit) continue;
        m_stalled = true;
        m_interrupted = true;
        m_attended->abort();
        return;
    }
}

void GlooPeers::lose(int peer, const std::string& cause) {
    const std::lock_guard lock(m_mutex);
    if (m_lostPeer < 0) {
        m_lostPeer = peer;
        m_lostCause = cause;
    }
    m_interrupted = true;
    if (m_attended) m_attended->abort();
}

void GlooPeers::leave() {
    std::vector<Transfer> farewells;
    const auto unlessGone = [](const auto& call) {
        try {
            call();
        } catch (const std::exception&) { // who has gone already needs none
        }
    };
    std::byte* own = &m_farewells[static_cast<size_t>(rank())];
    for (const Transfer& expected : m_expected)
        unlessGone([&] { send(farewells, expected.peer, kFarewell, own, 1); });
    for (const Transfer& farewell : farewells) unlessGone([&] { farewell.work->wait(kFarewellLimit); });
}

void GlooPeers::fail(int peer, const char* need, const std::string& found) const {
    throw RankLost(lostRank(m_meeting, peer, need, m_what, found));
}

void GlooPeers::failInterrupted(const Transfer& transfer) {
    const std::lock_guard lock(m_mutex);
    if (m_stalled) fail(transfer.peer, needOf(transfer.comes), hangs(transfer.peer, m_meeting.stallLimit));
    if (m_lostPeer >= 0) fail(m_lostPeer, kNeedsAll, ended(m_lostPeer, m_lostCause));
    fail(transfer.peer, " was under way", ended(transfer.peer, "this rank ended it itself"));
}

void GlooPeers::send(std::vector<Transfer>& transfers, int peer, MessageTag tag, const void* bytes,
                     int64_t count) {
    try {
        std::vector<at::Tensor> tensors{bytesAt(const_cast<void*>(bytes), count)}; // only read
        transfers.push_back({m_group->send(tensors, peer, tag), peer, false});
    } catch (const std::exception&) {
        fail(peer, needOf(false), ended(peer, thrownCause()));
    }
}

void GlooPeers::receive(std::vector<Transfer>& transfers, int peer, MessageTag tag, void* bytes,
                        int64_t count) {
    try {
        std::vector<at::Tensor> tensors{bytesAt(bytes, count)};
        transfers.push_back({m_group->recv(tensors, peer, tag), peer, true});
    } catch (const std::exception&) {
        fail(peer, needOf(true), ended(peer, thrownCause()));
    }
}

bool GlooPeers::attend(const c10::intrusive_ptr<c10d::Work>& work) {
    const std::lock_guard lock(m_mutex);
    m_attended = work;
    m_attendedFor = {};
    return !m_interrupted;
}

void GlooPeers::interrupt() {
    const std::lock_guard lock(m_mutex);
    m_interrupted = true;
    if (m_attended) m_attended->abort();
}

/// For those who wait for something else than a transfer: what that is, the thread of transfers does not
/// know. A job's last exchange is of all ranks and by transfers, so nobody who waits like that is left alone
/// by the end of a job that went well.
void GlooPeers::requireAll() {
    const std::lock_guard lock(m_mutex);
    const int peer = m_lostPeer >= 0 ? m_lostPeer : m_leftPeer;
    if (peer < 0) return;
    const std::string found = m_lostPeer >= 0 ? ended(peer, m_lostCause) : left(peer);
    throw RankLost(lostRank(m_meeting, peer, kNeedsAll, "the exchange between GPUs", found));
}

void GlooPeers::finish(const Transfer& transfer) {
    bool done = false;
    try {
        done = attend(transfer.work) && transfer.work->wait(kForever); // but see limitWaiting
    } catch (const std::exception&) {
        fail(transfer.peer, needOf(transfer.comes), ended(transfer.peer, thrownCause()));
    }
    if (!done) failInterrupted(transfer);
}

void GlooPeers::finish(std::vector<Transfer>& transfers) {
    for (const Transfer& transfer : transfers) finish(transfer);
    attend({});
    transfers.clear();
}

} // namespace homebooth::core
