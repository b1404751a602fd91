// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The way between two tiers of memory: copies that go on while blocks compute.
//
//   copy(...)     begins after everything that was asked for before; its ticket names it
//   wait(ticket)  what its owner does next comes after that copy and every earlier one
//   settle()      returns when all copies are done: their sources may change then
//
// Whoever computes on a GPU is ahead of it: what was computed is there later than its call returned. `mark`
// names that moment, and a copy begins after it. Where computing is done when it returns, marks mean nothing.
// One owner thread; of a link that carries gradients another one copies and waits, too. HostLink copies on a
// thread of its own; a link of a GPU is a stream of its own.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <span>
#include <thread>

namespace homebooth::core {

/// Number of a copy, counted up from 1; 0 is done from the beginning.
using LinkTicket = uint64_t;

/// Names what its owner had computed, or had asked the device to compute, at a moment.
using LinkMark = uint64_t;

/// What a link carried up to now.
struct LinkTraffic {
    int64_t bytes = 0;
    int64_t copies = 0;
    double busySeconds = 0.0;   ///< of the link
    double waitedSeconds = 0.0; ///< the owner stood still for want of data

    LinkTraffic& operator+=(const LinkTraffic& other) {
        bytes += other.bytes;
        copies += other.copies;
        busySeconds += other.busySeconds;
        waitedSeconds += other.waitedSeconds;
        return *this;
    }
};

/// One of several copies that are asked for together; as in Link::copy.
struct LinkCopy {
    void* target = nullptr;
    const void* source = nullptr;
    int64_t bytes = 0;
};

class Link {
public:
    virtual ~Link() = default;
    /// Both ranges must stay alive, the source unchanged and the target unread, until the ticket is done.
    /// Begins after what has been computed up to now.
    [[nodiscard]] virtual LinkTicket copy(void* target, const void* source, int64_t bytes) = 0;
    /// Begins after what had been computed at the mark.
    [[nodiscard]] virtual LinkTicket copyAfter(LinkMark /*mark*/, void* target, const void* source,
                                               int64_t bytes) {
        return copy(target, source, bytes);
    }
    /// All of these, one behind the other.
    /// @param last  becomes the ticket of the last one. Where this throws, copies may be on their way
    ///              to a GPU that it does not name: only waiting for the device says when they end
    virtual void copyAllAfter(LinkMark mark, std::span<const LinkCopy> copies, LinkTicket& last) {
        for (const LinkCopy& one : copies) last = copyAfter(mark, one.target, one.source, one.bytes);
    }
    [[nodiscard]] virtual LinkMark mark() { return 0; }
    virtual void wait(LinkTicket ticket) = 0;
    /// Nothing is left to do where `wait` returns after the copy itself.
    virtual void settle() {}
    /// Whether nothing shall go on beside its copies.
    [[nodiscard]] virtual bool blocking() const { return false; }
    [[nodiscard]] virtual LinkTraffic traffic() const = 0;
};

/// What the sources of a link lie in when they are not always in memory: a disk's part of it. Any thread.
class LinkSource {
public:
    virtual ~LinkSource() = default;
    /// Says that this will be held, after what was said before.
    virtual void want(const void* begin, int64_t bytes) = 0;
    /// Returns when it is in memory, until `release`. Errors: throws when it cannot be brought
    virtual void hold(const void* begin, int64_t bytes) = 0;
    virtual void release(const void* begin, int64_t bytes) = 0;
};

/// How slow a link pretends to be, so that the effect of a slow bus shows on a machine without one.
struct LinkSpeed {
    double bytesPerSecond = 0.0; ///< 0: as fast as the memory
    double latencySeconds = 0.0; ///< of each copy
    bool blocking = false;       ///< whoever asks for a copy stands still until it is done
};

/// Copies within the host's memory on a thread of its own. A source that is brought first is held a piece at
/// a time. Where that fails, the next `wait` for the copy or a later one throws, once.
class HostLink final : public Link {
public:
    /// @param source  of all copies, borrowed; null: they are in memory
    explicit HostLink(LinkSpeed speed = {}, LinkSource* source = nullptr);
    ~HostLink() override;
    HostLink(const HostLink&) = delete;
    HostLink& operator=(const HostLink&) = delete;

    [[nodiscard]] LinkTicket copy(void* target, const void* source, int64_t bytes) override;
    void wait(LinkTicket ticket) override;
    [[nodiscard]] bool blocking() const override { return m_speed.blocking; }
    [[nodiscard]] LinkTraffic traffic() const override;

private:
    struct Job {
        void* target;
        const void* source;
        int64_t bytes;
    };
    void waitUntilDone(LinkTicket ticket, std::unique_lock<std::mutex>& lock);
    void work();
    void carryOut(const Job& job) const;
    void move(const Job& job) const;

    LinkSpeed m_speed;
    LinkSource* m_source;
    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<Job> m_jobs;
    LinkTicket m_asked = 0;
    LinkTicket m_done = 0;
    LinkTraffic m_traffic;
    std::exception_ptr m_failure; // of the oldest copy that failed and was not heard of
    bool m_stopping = false;
    std::thread m_thread; // last: it uses the others
};

} // namespace homebooth::core
