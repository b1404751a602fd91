// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/collective/link_probe.h"

#include "core/base/util/quiet_thread.h"
#include "core/engine/collective/gloo_collective.h"
#include "core/engine/collective/thrown_cause.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <limits>
#include <thread>
#include <utility>
#include <vector>

namespace homebooth::core {
namespace {

constexpr int64_t kSmallBytes = int64_t{1} << 20;
constexpr int64_t kLargeBytes = int64_t{16} << 20;
/// Where the small whole takes that long, a network lies between, and less of a large one shows its rate.
constexpr double kSlowSeconds = 0.02;
constexpr int64_t kLargeOverSlowBytes = int64_t{4} << 20;

/// Without LibTorch's threads on the host, which each thread that asked for them would have of its own.
at::Tensor zeros(int64_t count, const at::TensorOptions& options) {
    at::Tensor made = at::empty({count}, options);
    if (made.is_cpu())
        std::memset(made.data_ptr(), 0, made.nbytes());
    else
        made.zero_();
    return made;
}

/// The most that any rank says, at all of them.
double mostOfAll(Collective& collective, double own) {
    const at::Tensor all = zeros(collective.ranks(), at::kDouble);
    static_cast<double*>(all.data_ptr())[collective.rank()] = own;
    collective.wait(collective.allReduce(all));
    const auto* values = static_cast<const double*>(all.const_data_ptr());
    return *std::max_element(values, values + collective.ranks());
}

/// A reduce-scatter and an all-gather, halved; the least of a few, since what other programs take of the
/// machine is not its links'.
/// @param unmeasured  calls before: the first ones make buffers and connections
CollectiveTiming timed(Collective& collective, const at::TensorOptions& options, int64_t bytes,
                       int unmeasured, int measured) {
    const auto element = static_cast<int64_t>(options.dtype().itemsize());
    const int64_t count = std::max<int64_t>(bytes / element / collective.ranks(), 1);
    const at::Tensor whole = zeros(count * collective.ranks(), options);
    const at::Tensor shard = zeros(count, options);
    double least = std::numeric_limits<double>::max();
    for (int call = 0; call < unmeasured + measured; ++call) {
        collective.barrier();
        const auto begin = std::chrono::steady_clock::now();
        collective.wait(collective.reduceScatter(shard, whole));
        collective.wait(collective.allGather(whole, shard));
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / 2;
        if (call >= unmeasured) least = std::min(least, seconds);
    }
    return {count * collective.ranks() * element, mostOfAll(collective, least)};
}

/// A folder for the time of one meeting, which its owner alone may enter.
class MeetingPlace {
public:
    MeetingPlace() {
        std::error_code code;
        const std::filesystem::path root = std::filesystem::temp_directory_path(code);
        std::string pattern = (root / "homebooth-ranks-probe-XXXXXX").string();
        if (code)
            m_cause = code.value();
        else if (::mkdtemp(pattern.data()) != nullptr)
            m_path = pattern;
        else
            m_cause = errno;
    }
    ~MeetingPlace() {
        std::error_code ignored;
        if (!m_path.empty()) std::filesystem::remove_all(m_path, ignored);
    }
    MeetingPlace(const MeetingPlace&) = delete;
    MeetingPlace& operator=(const MeetingPlace&) = delete;

    [[nodiscard]] Result<std::string> file() const {
        if (!m_path.empty()) return m_path + "/meeting";
        return Error{ErrorCode::OutOfResources,
                     std::string("no folder can be made in which ranks meet: ") + std::strerror(m_cause),
                     {}};
    }

private:
    std::string m_path;
    int m_cause = 0;
};

Result<RankLink> probeAs(const GlooMeeting& meeting, at::ScalarType type) {
    try {
        HOMEBOOTH_ASSIGN(const std::unique_ptr<Collective> collective, meetOverGloo(meeting));
        const RankLink link = probeLink(*collective, at::kCPU, type);
        collective->barrier();
        return link;
    } catch (const std::exception&) {
        return Error{ErrorCode::Internal, "measuring what lies between ranks: " + thrownCause(), {}};
    }
}

} // namespace

RankLink probeLink(Collective& collective, at::Device device, at::ScalarType type) {
    if (collective.ranks() == 1) return {};
    const auto options = at::TensorOptions().dtype(type).device(device);
    const CollectiveTiming small = timed(collective, options, kSmallBytes, 1, 3);
    const bool slow = small.seconds > kSlowSeconds; // at all ranks: they must ask for the same
    const CollectiveTiming large =
        timed(collective, options, slow ? kLargeOverSlowBytes : kLargeBytes, slow ? 0 : 1, slow ? 1 : 3);
    return linkFrom(small, large, collective.ranks());
}

Result<RankLink> probeLinkOfThreads(int ranks, at::ScalarType type) {
    const MeetingPlace place;
    HOMEBOOTH_ASSIGN(const std::string file, place.file());
    std::vector<Result<RankLink>> found(static_cast<size_t>(ranks), Result<RankLink>(RankLink{}));
    std::vector<std::thread> others;
    const auto probe = [&](int rank) {
        GlooMeeting meeting;
        meeting.file = file;
        meeting.rank = rank;
        meeting.ranks = ranks;
        meeting.meetLimit = std::chrono::seconds(10);
        meeting.stallLimit = std::chrono::seconds(10);
        found[static_cast<size_t>(rank)] = probeAs(meeting, type);
    };
    try {
        for (int rank = 1; rank < ranks; ++rank)
            others.push_back(startQuietThread([&probe, rank] { probe(rank); }));
        probe(0);
    } catch (const std::exception&) { // no more threads: those that are there give up by their limit
        found[0] =
            Error{ErrorCode::OutOfResources, "measuring what lies between ranks: " + thrownCause(), {}};
    }
    for (std::thread& other : others) other.join();
    for (const Result<RankLink>& one : found)
        if (!one) return one.error();
    return found.front();
}

} // namespace homebooth::core
