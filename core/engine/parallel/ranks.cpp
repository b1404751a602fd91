// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/parallel/ranks.h"

#include "core/engine/collective/gloo_collective.h"
#include "core/engine/collective/lone_collective.h"
#include "core/engine/collective/pretended_collective.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <utility>

namespace homebooth::core {
namespace {

// Whoever waits in a step waits for other computations alone; the longest are those of the slowest
// processors.
constexpr std::chrono::minutes kStepStall{15};
constexpr std::chrono::hours kAloneStall{24 * 7};

Result<std::unique_ptr<Collective>> meetFor(const RankPlace& place, const char* what,
                                            std::chrono::milliseconds stallLimit) {
    GlooMeeting meeting;
    meeting.file = place.meetingFile + what;
    meeting.rank = place.rank;
    meeting.ranks = place.ranks;
    meeting.stallLimit = stallLimit;
    return meetOverGloo(meeting);
}

} // namespace

Ranks::Ranks(std::unique_ptr<Collective> steps, std::unique_ptr<Collective> alone)
    : m_steps(std::move(steps))
    , m_alone(std::move(alone)) {}

Ranks& Ranks::lone() {
    static Ranks ranks(std::make_unique<LoneCollective>(), std::make_unique<LoneCollective>());
    return ranks;
}

Result<std::unique_ptr<Ranks>> Ranks::meet(const RankPlace& place) {
    HOMEBOOTH_ASSIGN(auto steps, meetFor(place, "-steps", kStepStall));
    HOMEBOOTH_ASSIGN(auto alone, meetFor(place, "-alone", kAloneStall));
    return std::make_unique<Ranks>(std::move(steps), std::move(alone));
}

std::unique_ptr<Ranks> Ranks::pretended(int count) {
    return std::make_unique<Ranks>(std::make_unique<PretendedCollective>(count),
                                   std::make_unique<PretendedCollective>(count));
}

double Ranks::sum(double value) const {
    if (count() == 1) return value;
    const at::Tensor sum = at::full({1}, value, at::kDouble);
    m_steps->wait(m_steps->allReduce(sum));
    return sum.item<double>();
}

std::vector<int64_t> Ranks::summed(Collective& collective, std::vector<int64_t> numbers) {
    if (collective.ranks() == 1) return numbers;
    const at::Tensor values = at::from_blob(numbers.data(), {std::ssize(numbers)}, at::kLong);
    collective.wait(collective.allReduce(values));
    return numbers;
}

std::vector<int64_t> Ranks::sums(std::vector<int64_t> numbers) const {
    return summed(*m_steps, std::move(numbers));
}

std::vector<int64_t> Ranks::patientSums(std::vector<int64_t> numbers) const {
    return summed(*m_alone, std::move(numbers));
}

std::vector<std::string> Ranks::texts(const std::string& own) const {
    if (count() == 1) return {own};
    const at::Tensor lengths = at::zeros({count()}, at::kLong);
    m_alone->wait(m_alone->allGather(lengths, at::full({1}, std::ssize(own), at::kLong)));
    const auto longest = lengths.max().item<int64_t>();
    const at::Tensor all = at::zeros({count() * longest}, at::kByte);
    const at::Tensor part = all.narrow(0, rank() * longest, longest);
    std::copy(own.begin(), own.end(), static_cast<char*>(part.data_ptr()));
    m_alone->wait(m_alone->allGather(all, part));
    std::vector<std::string> texts;
    for (int rank = 0; rank < count(); ++rank) {
        const char* begin = static_cast<const char*>(all.const_data_ptr()) + rank * longest;
        texts.emplace_back(begin, static_cast<size_t>(lengths[rank].item<int64_t>()));
    }
    return texts;
}

Result<void> Ranks::agreeOn(const Result<void>& own) const {
    if (count() == 1) return own;
    const std::string said =
        own ? "" : std::to_string(static_cast<int>(own.error().code)) + " " + own.error().text();
    const std::vector<std::string> all = texts(said);
    for (size_t rank = 0; rank < all.size(); ++rank) {
        const size_t end = all[rank].find(' ');
        if (end == std::string::npos) continue;
        return Error{static_cast<ErrorCode>(std::atoi(all[rank].c_str())),
                     "rank " + std::to_string(rank) + ": " + all[rank].substr(end + 1),
                     {}};
    }
    return {};
}

Result<void> Ranks::expectSame(const std::string& what, const std::string& own) const {
    const std::vector<std::string> all = texts(own);
    for (size_t rank = 1; rank < all.size(); ++rank)
        if (all[rank] != all[0])
            return badInput("training with several processes: expected all to find the same " + what +
                            ", but rank 0 has found " + all[0] + ", and rank " + std::to_string(rank) +
                            " has found " + all[rank] +
                            "; change no files meanwhile, and let all machines see the same ones");
    return {};
}

void Ranks::meetAgain() const {
    if (count() > 1) m_alone->barrier();
}

} // namespace homebooth::core
