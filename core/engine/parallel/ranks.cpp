// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/parallel/ranks.h"

#include "core/engine/collective/device_collective.h"
#include "core/engine/collective/gloo_collective.h"
#include "core/engine/collective/link_probe.h"
#include "core/engine/collective/lone_collective.h"
#include "core/engine/collective/meeting_point.h"
#include "core/engine/collective/nccl_collective.h"
#include "core/engine/collective/pretended_collective.h"
#include "core/engine/jobs/expected_failure.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sched.h>
#include <thread>
#include <utility>

namespace homebooth::core {
namespace {

// Whoever waits in a step waits for other computations alone; the longest are those of the slowest
// processors.
constexpr std::chrono::minutes kStepStall{15};
constexpr std::chrono::hours kAloneStall{24 * 7};

// Who is started by a launcher may have to wait for machines that are not up yet.
constexpr std::chrono::minutes kLaunchedMeeting{10};
// All are there already; what takes time is each one's first use of its GPU.
constexpr std::chrono::minutes kGpuMeeting{5};
constexpr std::chrono::seconds kWordLimit{3}; // for the word of who has failed
constexpr const char* kFailure = "failure";

Result<std::shared_ptr<MeetingPoint>> pointOf(const RankPlace& place) {
    if (!place.meetingFile.empty()) return std::shared_ptr<MeetingPoint>();
    MeetingPoint::Place at;
    at.address = place.masterAddress;
    at.port = place.masterPort;
    at.rank = place.rank;
    at.ranks = place.ranks;
    at.oneMachine = place.oneMachine;
    at.isServed = place.storeIsThere;
    at.job = place.job;
    at.limit = kLaunchedMeeting;
    return MeetingPoint::open(at);
}

Result<std::unique_ptr<Collective>> meetFor(const RankPlace& place,
                                            const std::shared_ptr<MeetingPoint>& point, const char* what,
                                            std::chrono::milliseconds stallLimit) {
    GlooMeeting meeting;
    meeting.file = place.meetingFile + "-" + what;
    meeting.point = point;
    meeting.name = what;
    meeting.rank = place.rank;
    meeting.ranks = place.ranks;
    if (!place.launcher.empty()) meeting.meetLimit = kLaunchedMeeting;
    meeting.stallLimit = stallLimit;
    return meetOverGloo(meeting);
}

/// A failure as one text, for others: "3 what was wrong".
std::string inWords(const Error& error) {
    return std::to_string(static_cast<int>(error.code)) + " " + error.text();
}

Error failureIn(const std::string& words) {
    const size_t end = words.find(' ');
    return {static_cast<ErrorCode>(std::atoi(words.c_str())), words.substr(end + 1), {}};
}

/// The same for all processes that share a machine, however they are put apart there.
std::string machineName() {
    std::string name;
    std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), name);
    return name;
}

/// The cores that this process may use, one digit each; the same where they cannot be told.
std::string ownCores() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return "";
    std::string cores;
    for (int core = 0; core < CPU_SETSIZE; ++core) cores += CPU_ISSET(core, &allowed) ? '1' : '0';
    return cores;
}

} // namespace

Ranks::Ranks(std::unique_ptr<Collective> steps, std::unique_ptr<Collective> alone)
    : m_steps(std::move(steps))
    , m_alone(std::move(alone))
    , m_onThisMachine(m_steps->ranks())
    , m_sharingCores(m_steps->ranks())
    , m_placeOnMachine(m_steps->rank()) {}

Ranks& Ranks::lone() {
    static Ranks ranks(std::make_unique<LoneCollective>(), std::make_unique<LoneCollective>());
    return ranks;
}

Result<std::unique_ptr<Ranks>> Ranks::meet(const RankPlace& place) {
    HOMEBOOTH_ASSIGN(auto point, pointOf(place));
    if (point) HOMEBOOTH_CHECK(point->callRoll());
    HOMEBOOTH_ASSIGN(auto steps, meetFor(place, point, "steps", kStepStall));
    HOMEBOOTH_ASSIGN(auto alone, meetFor(place, point, "alone", kAloneStall));
    auto ranks = std::make_unique<Ranks>(std::move(steps), std::move(alone));
    ranks->m_point = std::move(point);
    try {
        ranks->findNeighbours();
    } catch (const RankLost& lost) {
        return lost.error();
    }
    return ranks;
}

Result<void> Ranks::joinGpus(at::Device device) {
    const NcclMeeting meeting{device, kGpuMeeting, kStepStall};
    HOMEBOOTH_ASSIGN(auto gpus, meetOverNccl(*m_steps, meeting));
    m_steps = std::make_unique<DeviceCollective>(std::move(m_steps), std::move(gpus));
    return {};
}

void Ranks::measureLink(at::Device device, at::ScalarType type) {
    if (count() > 1) m_link = probeLink(*m_steps, device, type);
}

void Ranks::findNeighbours() {
    std::vector<std::string> machines = texts(machineName() + "\n" + ownCores());
    const std::string cores = machines[static_cast<size_t>(rank())]; // with the machine that has them
    m_sharingCores = static_cast<int>(std::count(machines.begin(), machines.end(), cores));
    for (std::string& machine : machines) machine = machine.substr(0, machine.find('\n'));
    const std::string& own = machines[static_cast<size_t>(rank())];
    m_onThisMachine = static_cast<int>(std::count(machines.begin(), machines.end(), own));
    m_placeOnMachine = static_cast<int>(std::count(machines.begin(), machines.begin() + rank(), own));
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
    const std::string said = own ? "" : inWords(own.error());
    const std::vector<std::string> all = texts(said);
    for (size_t rank = 0; rank < all.size(); ++rank) {
        if (all[rank].empty()) continue;
        Error failure = failureIn(all[rank]);
        failure.message = "rank " + std::to_string(rank) + ": " + failure.message;
        return failure;
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

void Ranks::tellFailure(const Error& error) const {
    if (!m_point) return;
    const std::string who = "rank " + std::to_string(rank()) + " of " + std::to_string(count());
    m_point->leaveWord(kFailure,
                       inWords({error.code, who + " ended, and with it the others: " + error.text(), {}}));
}

std::optional<Error> Ranks::failureOfAnother() const {
    const auto word = m_point ? m_point->word(kFailure, kWordLimit) : std::nullopt;
    if (!word) return std::nullopt;
    return failureIn(*word);
}

void Ranks::endAfterFailure(std::unique_ptr<Ranks> ranks) {
    if (!ranks) return;
    const std::shared_ptr<MeetingPoint> point = ranks->m_point;
    ranks.reset();
    if (point && point->answers()) std::this_thread::sleep_for(kWordLimit);
}

void Ranks::meetAgain() const {
    if (count() > 1) m_alone->barrier();
}

} // namespace homebooth::core
