// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The connections of one rank to all others, over LibTorch's c10d and its gloo: bytes to and from each of
// them. Owned and used by the thread of a GlooCollective, which also makes it: gloo's threads inherit its
// blocked signals, SIGPIPE among them. `interrupt` and `requireAll` may be called from any thread.
#pragma once

#include "core/engine/collective/awake_time.h"
#include "core/engine/collective/gloo_collective.h"

#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace homebooth::core {

/// What names a message: peers that mean different ones do not meet.
using MessageTag = int;

/// Bytes on their way. Dropping it leaves the bytes alone from then on.
struct Transfer {
    c10::intrusive_ptr<c10d::Work> work;
    int peer = 0;
    bool comes = false;
};

class GlooPeers {
public:
    /// Meets the other ranks; returns when all of them are connected to all, so that who goes at once takes
    /// nobody out of the meeting. Errors: not all came within the limit, or the file is not usable
    [[nodiscard]] static Result<std::unique_ptr<GlooPeers>> meet(const GlooMeeting& meeting);
    ~GlooPeers();
    GlooPeers(const GlooPeers&) = delete;
    GlooPeers& operator=(const GlooPeers&) = delete;

    [[nodiscard]] int rank() const { return m_meeting.rank; }
    [[nodiscard]] int ranks() const { return m_meeting.ranks; }

    /// Says what the following transfers belong to, for messages.
    void name(std::string what) { m_what = std::move(what); }

    /// The bytes stay alive and unchanged (or unread) until the transfer is finished or dropped.
    /// Errors: throws RankLost when the peer was lost
    void send(std::vector<Transfer>& transfers, int peer, MessageTag tag, const void* bytes, int64_t count);
    void receive(std::vector<Transfer>& transfers, int peer, MessageTag tag, void* bytes, int64_t count);

    /// Returns when all are done, and empties the list.
    /// Errors: throws RankLost when a peer was lost, does not answer within the limit, or after
    ///         `interrupt`
    void finish(std::vector<Transfer>& transfers);

    /// Ends the present `finish` and every later one.
    void interrupt();

    /// Throws RankLost where a rank is known to have gone, with a farewell or without: who asks still needs
    /// all.
    void requireAll();

    /// Says farewell: nothing is owed to anybody. Nothing else may follow.
    void leave();

private:
    GlooPeers(const GlooMeeting& meeting, c10::intrusive_ptr<c10d::ProcessGroupGloo> group);
    void watchAll();
    void awaitAll();
    void watch(const Transfer& farewell);
    void limitWaiting();
    void lose(int peer, const std::string& cause);
    [[noreturn]] void fail(int peer, const char* need, const std::string& found) const;
    [[noreturn]] void failInterrupted(const Transfer& transfer);
    void finish(const Transfer& transfer);
    bool attend(const c10::intrusive_ptr<c10d::Work>& work);

    GlooMeeting m_meeting;
    std::vector<std::byte> m_farewells; // one of each rank; goes after the group, which writes to it
    c10::intrusive_ptr<c10d::ProcessGroupGloo> m_group;
    std::string m_what;
    std::mutex m_mutex;
    c10::intrusive_ptr<c10d::Work> m_attended;
    AwakeTime m_attendedFor;
    bool m_interrupted = false;
    bool m_stalled = false; // what was attended when it was interrupted
    int m_lostPeer = -1;    // whose connection ended first
    std::string m_lostCause;
    int m_leftPeer = -1;                 // who said farewell first
    std::vector<Transfer> m_expected;    // the farewells of all peers
    std::vector<std::thread> m_watchers; // one for each of them
    bool m_ending = false;
    std::condition_variable m_changed;
    std::thread m_limiter;
};

} // namespace homebooth::core
