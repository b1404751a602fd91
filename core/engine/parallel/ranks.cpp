// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/parallel/ranks.h"

#include "core/engine/collective/gloo_collective.h"
#include "core/engine/collective/lone_collective.h"
#include "core/engine/collective/pretended_collective.h"

#include <ATen/ATen.h>

#include <chrono>

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

std::vector<int64_t> Ranks::sums(std::vector<int64_t> numbers) const {
    if (count() == 1) return numbers;
    const at::Tensor values = at::from_blob(numbers.data(), {std::ssize(numbers)}, at::kLong);
    m_steps->wait(m_steps->allReduce(values));
    return numbers;
}

bool Ranks::any(bool own) const {
    if (count() == 1) return own;
    const at::Tensor said = at::full({1}, own ? 1 : 0, at::kLong);
    m_alone->wait(m_alone->allReduce(said));
    return said.item<int64_t>() > 0;
}

void Ranks::meetAgain() const {
    if (count() > 1) m_alone->barrier();
}

} // namespace homebooth::core
