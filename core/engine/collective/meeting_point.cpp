// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/collective/meeting_point.h"

#include "core/base/util/quiet_thread.h"
#include "core/engine/collective/awake_time.h"
#include "core/engine/collective/host_address.h"
#include "core/engine/collective/roll_call.h"
#include "core/engine/collective/thrown_cause.h"

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <numeric>
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

Error nobodyAnswers(const MeetingPoint::Place& place, const std::string& master, const std::string& cause) {
    return {ErrorCode::Internal,
            "rank " + std::to_string(place.rank) + " of " + std::to_string(place.ranks) +
                " expected somebody to answer at port " + std::to_string(place.port) + " within " +
                std::to_string(place.limit.count() / 1000) + " s, but nobody did (" + cause +
                "); see how rank 0 ended, and whether machines between them close that port",
            master};
}

/// LibTorch's store looks for somebody for longer than it is told.
Result<void> awaitAnswer(const MeetingPoint::Place& place, const std::string& master) {
    constexpr std::chrono::milliseconds kTry{2000};
    const auto answer = untilFound(place, [&]() -> Result<std::string> {
        HOMEBOOTH_CHECK(tryConnecting(master, place.port, std::min(kTry, place.limit)));
        return std::string();
    });
    if (answer) return {};
    return nobodyAnswers(place, master, answer.error().message);
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
    return nobodyAnswers(place, master, cause);
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
    if (!listener) HOMEBOOTH_CHECK(awaitAnswer(place, master));
    HOMEBOOTH_ASSIGN(const auto store, connectQuietly(place, master, std::move(listener)));
    const std::string job = "homebooth/" + place.job + "/" + std::to_string(place.ranks);
    return std::shared_ptr<MeetingPoint>(
        new MeetingPoint(place, std::move(own), c10::make_intrusive<c10d::PrefixStore>(job, store)));
}

Error MeetingPoint::notAll(const std::string& found) const {
    return {ErrorCode::Internal,
            "rank " + std::to_string(m_place.rank) + " of " + std::to_string(m_place.ranks) +
                " expected all ranks, but they did not come together: " + found +
                "; see whether it was started and how it ended, then start all of them anew",
            name()};
}

/// Those that have come leave the list. Only rank 0 tells of each; the others ask as seldom as they can.
void MeetingPoint::takeArrived(std::vector<int>& missing) {
    const auto isHere = [this](int rank) { return m_words->check({"here/" + std::to_string(rank)}); };
    if (m_place.rank == 0) std::erase_if(missing, isHere);
    while (m_place.rank > 0 && !missing.empty() && isHere(missing.front())) missing.erase(missing.begin());
    if (m_place.rank == 0) RollCall::ofThisProcess().note(missing);
}

Result<void> MeetingPoint::callRoll() {
    constexpr std::chrono::milliseconds kAgain{200};
    constexpr const char* kNotAll = "not all";
    std::vector<int> missing(static_cast<size_t>(m_place.ranks));
    std::iota(missing.begin(), missing.end(), 0);
    AwakeTime waited;
    try {
        m_words->set("here/" + std::to_string(m_place.rank), std::vector<uint8_t>{1});
        for (;;) {
            takeArrived(missing);
            if (missing.empty()) return {};
            if (m_place.rank == 0 && waited.passed() >= m_place.limit) break;
            if (m_place.rank > 0 && m_words->check({std::string("word/") + kNotAll}))
                return notAll(word(kNotAll, kAgain).value_or("rank 0 waits no longer"));
            std::this_thread::sleep_for(kAgain);
        }
    } catch (const std::exception&) {
        return notAll("rank 0 has ended (" + thrownCause() + ")");
    }
    const std::string found = RollCall::inWords(missing) + (missing.size() == 1 ? " is" : " are") +
                              " missing after " + std::to_string(m_place.limit.count() / 1000) + " s";
    leaveWord(kNotAll, found);
    std::this_thread::sleep_for(3 * kAgain); // for the others to read it
    return notAll(found);
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
