// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The ranks of a job as one of them sees them: which it is, and what all agree on between steps. A job of one
// process has one rank, so nothing else asks how many there are.
//
// Ranks talk in two ways, so that neither has to wait for the other:
//   steps      gradients, losses, what was asked for: a rank that is silent for long hangs
//   alone      one rank works while the others wait, e.g. until pictures are encoded: for however long
// Owned by the job's caller; the training thread uses it. Errors: all throw RankLost where one was lost.
#pragma once

#include "core/base/plan/ranks/rank_links.h"
#include "core/base/run/rank_place.h"
#include "core/base/util/result.h"
#include "core/engine/collective/collective.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace homebooth::core {

class MeetingPoint;

class Ranks {
public:
    /// The one rank of a job with one process.
    [[nodiscard]] static Ranks& lone();
    /// Meets the other ranks: in files that begin with the place's, or at its address; returns when all have
    /// come. Errors: BadInput for a rank or an address that cannot be, or a file that others may read;
    /// Internal where ranks did not come
    [[nodiscard]] static Result<std::unique_ptr<Ranks>> meet(const RankPlace& place);
    /// The first of so many ranks, in a rehearsal: nobody else is there.
    [[nodiscard]] static std::unique_ptr<Ranks> pretended(int count);
    Ranks(std::unique_ptr<Collective> steps, std::unique_ptr<Collective> alone);
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;

    [[nodiscard]] int rank() const { return m_steps->rank(); }
    [[nodiscard]] int count() const { return m_steps->ranks(); }
    /// Whether it is the one that reads what was asked for and writes what is kept.
    [[nodiscard]] bool isFirst() const { return rank() == 0; }
    /// Ranks that share this machine with its cores and its memory, this one included.
    [[nodiscard]] int onThisMachine() const { return m_onThisMachine; }
    /// Those of them that may use the same cores, this one included: a launcher may have given each its own.
    [[nodiscard]] int sharingCores() const { return m_sharingCores; }
    /// Its number among those on this machine, by rank.
    [[nodiscard]] int placeOnMachine() const { return m_placeOnMachine; }
    /// Whether it is the first of those on this machine.
    [[nodiscard]] bool leadsMachine() const { return m_placeOnMachine == 0; }

    /// From now on what lies on this rank's GPU goes to the others over NCCL; all else, and what ranks agree
    /// on, as before. Every rank calls it, or none, after all have found NCCL (findNccl).
    /// @param device  LibTorch's CUDA libraries have been opened
    /// Errors: Internal where NCCL is not there or ranks do not come
    [[nodiscard]] Result<void> joinGpus(at::Device device);

    /// Measures what lies between the ranks (collective/link_probe), on the device on which steps exchange.
    /// On GPUs that is the first exchange over NCCL: what this takes of them for itself is taken from then
    /// on, and what is free afterwards is free. Every rank calls it, or none. @param type  of gradients
    void measureLink(at::Device device, at::ScalarType type);
    /// What that found, the same at all ranks; none: nobody measured.
    [[nodiscard]] const std::optional<RankLink>& link() const { return m_link; }

    /// What steps exchange.
    [[nodiscard]] Collective& collective() const { return *m_steps; }

    /// The sum over all ranks, in their order.
    [[nodiscard]] double sum(double value) const;
    [[nodiscard]] double mean(double value) const { return sum(value) / count(); }
    /// The sums over all ranks, one for each number.
    [[nodiscard]] std::vector<int64_t> sums(std::vector<int64_t> numbers) const;

    /// From here on: however long some of them take until they ask.
    /// Whether any rank says so.
    [[nodiscard]] bool any(bool own) const { return patientSums({own ? 1 : 0}).front() > 0; }
    /// The sums over all ranks, one for each number.
    [[nodiscard]] std::vector<int64_t> patientSums(std::vector<int64_t> numbers) const;
    /// What each rank says, in their order.
    [[nodiscard]] std::vector<std::string> texts(const std::string& own) const;
    /// The failure of any rank at all of them, so that none goes on to wait for one that does not: the first
    /// one's, with the rank's name.
    [[nodiscard]] Result<void> agreeOn(const Result<void>& own) const;
    /// Whether all say the same of a thing. Errors: BadInput, where one found another than the first
    [[nodiscard]] Result<void> expectSame(const std::string& what, const std::string& own) const;
    /// Returns when all ranks have come here.
    void meetAgain() const;

    /// Leaves word of the own failure for the others, where no supervisor sees how each of them ends.
    void tellFailure(const Error& error) const;
    /// The word that another one has left, with its name.
    [[nodiscard]] std::optional<Error> failureOfAnother() const;
    /// Ends what this rank shares with the others, so that they notice; where it is the one that answers at
    /// the address, it then stays for as long as they look for the word.
    static void endAfterFailure(std::unique_ptr<Ranks> ranks);

private:
    void findNeighbours();
    [[nodiscard]] static std::vector<int64_t> summed(Collective& collective, std::vector<int64_t> numbers);

    std::shared_ptr<MeetingPoint> m_point; // null: they met in files
    std::unique_ptr<Collective> m_steps;
    std::unique_ptr<Collective> m_alone;
    std::optional<RankLink> m_link;
    int m_onThisMachine;
    int m_sharingCores;
    int m_placeOnMachine;
};

} // namespace homebooth::core
