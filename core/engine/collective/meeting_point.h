// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the ranks of several machines find each other: an address at which one process answers (c10d's
// TCPStore), rank 0 or torchrun itself. They also leave each other words there, as long as that process
// lives. Neither what is said nor what ranks then exchange is encrypted, and nobody is asked who he is: a
// network for those alone who may see it. It listens at the address that was named, which is loopback on one
// machine; at all addresses of its machine where the machine knows that name by a loopback address alone.
// Shared by all meetings of a rank; any thread.
#pragma once

#include "core/base/util/result.h"

#include <torch/csrc/distributed/c10d/Store.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace homebooth::core {

class MeetingPoint {
public:
    struct Place {
        std::string address; ///< of rank 0's machine, as a name or a number
        int port = 0;
        int rank = 0;
        int ranks = 1;
        bool oneMachine = true;                   ///< as far as anybody knows
        bool isServed = false;                    ///< another process answers there; else rank 0 does
        std::string job = {};                     ///< names it among others that may meet at the same address
        std::chrono::milliseconds limit{600'000}; ///< for the one who answers to come
    };

    /// Rank 0 begins to answer, the others look for it, also where its name or the way to it is not there
    /// yet. Errors: BadInput for an address that cannot be; Internal where nobody answers
    [[nodiscard]] static Result<std::shared_ptr<MeetingPoint>> open(const Place& place);

    /// Of this machine, as the others reach it.
    [[nodiscard]] const std::string& ownAddress() const { return m_ownAddress; }
    [[nodiscard]] std::string name() const { return m_place.address + ":" + std::to_string(m_place.port); }
    /// Says that this rank is here, and returns when all have said so; RollCall tells who has not. Rank 0
    /// waits as long as the limit, the others as long as it does. Errors: Internal, naming those that are
    /// missing
    [[nodiscard]] Result<void> callRoll();
    /// What is exchanged in a meeting of this name.
    [[nodiscard]] c10::intrusive_ptr<c10d::Store> store(const std::string& meeting) const;

    /// Whether this process is the one that answers: without it nobody does.
    [[nodiscard]] bool answers() const { return m_place.rank == 0 && !m_place.isServed; }

    /// Leaves a word for the others, unless there is one, if anybody still answers.
    void leaveWord(const std::string& subject, const std::string& text);
    /// The word on a subject, if one is left within the limit.
    [[nodiscard]] std::optional<std::string> word(const std::string& subject,
                                                  std::chrono::milliseconds limit);

private:
    [[nodiscard]] Error notAll(const std::string& found) const;
    void takeArrived(std::vector<int>& missing);
    MeetingPoint(Place place, std::string ownAddress, c10::intrusive_ptr<c10d::Store> words)
        : m_place(std::move(place))
        , m_ownAddress(std::move(ownAddress))
        , m_words(std::move(words)) {}

    Place m_place;
    std::string m_ownAddress;
    c10::intrusive_ptr<c10d::Store> m_words; // of this job alone
};

} // namespace homebooth::core
