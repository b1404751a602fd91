// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/collective/meeting_point.h"

#include "core/base/util/quiet_thread.h"
#include "core/engine/collective/host_address.h"
#include "core/engine/collective/thrown_cause.h"

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <fcntl.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <thread>

namespace homebooth::core {
namespace {

/// Where a cluster starts all at once, the name of rank 0's machine and the way to it may come later than the
/// ranks that look for it.
template <class Find>
Result<std::string> untilFound(const MeetingPoint::Place& place, const Find& find) {
    constexpr std::chrono::milliseconds kAgain{500};
    const auto end = std::chrono::steady_clock::now() + place.limit;
    for (;;) {
        Result<std::string> found = find();
        if (found || place.rank == 0 || std::chrono::steady_clock::now() + kAgain > end) return found;
        std::this_thread::sleep_for(kAgain);
    }
}

/// As the others reach this machine: by the interface that the user names (the variable is gloo's own), or by
/// the one that leads to rank 0. Rank 0 may know its own name by a loopback address alone.
Result<std::string> ownAddressFor(const MeetingPoint::Place& place, const std::string& master) {
    const char* named = std::getenv("GLOO_SOCKET_IFNAME");
    const std::string interfaces = named != nullptr ? named : "";
    if (!interfaces.empty()) {
        const std::string first = interfaces.substr(0, interfaces.find(','));
        const auto address = outsideAddress(first);
        if (!address)
            return badInput("expected the name of a network interface of this machine in GLOO_SOCKET_IFNAME, "
                            "found one that is not there or has no address",
                            first);
        return *address;
    }
    HOMEBOOTH_ASSIGN(std::string own, untilFound(place, [&] { return addressTowards(master); }));
    if (!isLoopback(own) || place.oneMachine) return own;
    const auto outside = outsideAddress();
    if (outside) return *outside;
    return badInput(
        "expected this machine to have an address that the others reach, found loopback alone; set "
        "GLOO_SOCKET_IFNAME to the interface that leads to them",
        place.address);
}

c10::intrusive_ptr<c10d::Store> connect(const MeetingPoint::Place& place, const std::string& master,
                                        std::unique_ptr<Descriptor> listener) {
    c10d::TCPStoreOptions options;
    options.port = static_cast<uint16_t>(place.port);
    options.isServer = listener != nullptr;
    options.waitWorkers = false; // each meeting waits for all
    options.timeout = place.limit;
    options.useLibUV = false; // whose server has a way of its own to take a socket over
    if (listener) {
        const int copy = ::fcntl(listener->get(), F_DUPFD_CLOEXEC, 0); // its own to close
        if (copy < 0) throw std::system_error(errno, std::generic_category(), "copying a socket");
        options.masterListenFd = copy;
    }
    return c10::make_intrusive<c10d::TCPStore>(master, options);
}

/// On a thread whose signals are blocked: the one who answers does so on a thread that inherits them.
Result<c10::intrusive_ptr<c10d::Store>> connectQuietly(const MeetingPoint::Place& place,
                                                       const std::string& master,
                                                       std::unique_ptr<Descriptor> listener) {
    c10::intrusive_ptr<c10d::Store> store;
    std::string cause;
    std::thread thread = startQuietThread([&] {
        try {
            store = connect(place, master, std::move(listener));
        } catch (const std::exception&) {
            cause = thrownCause();
        }
    });
    thread.join();
    if (store) return store;
    return Error{ErrorCode::Internal,
                 "rank " + std::to_string(place.rank) + " of " + std::to_string(place.ranks) +
                     " expected somebody to answer at port " + std::to_string(place.port) + " within " +
                     std::to_string(place.limit.count() / 1000) + " s, but nobody did (" + cause +
                     "); see how rank 0 ended, and whether machines between them close that port",
                 master};
}

} // namespace

Result<std::shared_ptr<MeetingPoint>> MeetingPoint::open(const Place& place) {
    HOMEBOOTH_ASSIGN(const std::string master,
                     untilFound(place, [&] { return numericAddress(place.address); }));
    HOMEBOOTH_ASSIGN(std::string own, ownAddressFor(place, master));
    std::unique_ptr<Descriptor> listener;
    if (place.rank == 0 && !place.isServed) {
        const bool namedByLoopback = isLoopback(master) && !isLoopback(own);
        HOMEBOOTH_ASSIGN(listener, listenAt(namedByLoopback ? "" : master, place.port));
    }
    HOMEBOOTH_ASSIGN(const auto store, connectQuietly(place, master, std::move(listener)));
    const std::string job = "homebooth/" + place.job + "/" + std::to_string(place.ranks);
    return std::shared_ptr<MeetingPoint>(
        new MeetingPoint(place, std::move(own), c10::make_intrusive<c10d::PrefixStore>(job, store)));
}

c10::intrusive_ptr<c10d::Store> MeetingPoint::store(const std::string& meeting) const {
    return c10::make_intrusive<c10d::PrefixStore>("meeting/" + meeting, m_words);
}

void MeetingPoint::leaveWord(const std::string& subject, const std::string& text) {
    const std::string key = "word/" + subject;
    try {
        if (!m_words->check({key})) m_words->set(key, std::vector<uint8_t>(text.begin(), text.end()));
    } catch (const std::exception&) { // nobody answers any more
    }
}

std::optional<std::string> MeetingPoint::word(const std::string& subject, std::chrono::milliseconds limit) {
    const std::string key = "word/" + subject;
    try {
        m_words->wait({key}, limit);
        const std::vector<uint8_t> bytes = m_words->get(key);
        return std::string(bytes.begin(), bytes.end());
    } catch (const std::exception&) { // nobody left one, or nobody answers any more
        return std::nullopt;
    }
}

} // namespace homebooth::core
