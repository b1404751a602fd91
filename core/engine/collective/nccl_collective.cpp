// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/collective/nccl_collective.h"

#include "core/engine/collective/awake_time.h"
#include "core/engine/collective/collective_check.h"
#include "core/engine/collective/device_sum.h"
#include "core/engine/collective/nccl_library.h"
#include "core/engine/jobs/expected_failure.h"

#include <ATen/ATen.h>
#include <c10/core/Event.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <exception>
#include <thread>
#include <utility>

namespace homebooth::core {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::microseconds kPoll{50};

/// What is under way, with the tensors that it reads and writes.
struct Flight {
    CollectiveTicket ticket = 0;
    c10::Event end;
    std::vector<at::Tensor> held;
};

class NcclCollective final : public Collective {
public:
    NcclCollective(NcclLibrary library, const NcclMeeting& meeting, Collective& beside)
        : m_nccl(library)
        , m_meeting(meeting)
        , m_beside(beside)
        , m_rank(beside.rank())
        , m_ranks(beside.ranks())
        , m_stream(c10::impl::VirtualGuardImpl(meeting.device.type()).getNewStream(meeting.device)) {}
    ~NcclCollective() override {
        if (m_communicator != nullptr) m_nccl.abort(m_communicator); // nobody waits for what is left
    }
    NcclCollective(const NcclCollective&) = delete;
    NcclCollective& operator=(const NcclCollective&) = delete;

    [[nodiscard]] Result<void> meet(const ncclUniqueId& id);

    [[nodiscard]] int rank() const override { return m_rank; }
    [[nodiscard]] int ranks() const override { return m_ranks; }
    [[nodiscard]] CollectiveTicket allGather(const at::Tensor& whole, const at::Tensor& shard) override;
    [[nodiscard]] CollectiveTicket reduceScatter(const at::Tensor& shard, const at::Tensor& whole) override;
    [[nodiscard]] CollectiveTicket allReduce(const at::Tensor& values) override;
    [[nodiscard]] CollectiveTicket broadcast(const at::Tensor& values, int root) override;
    void wait(CollectiveTicket ticket) override;
    void requireAll() override;
    [[nodiscard]] CollectiveTraffic traffic() const override { return m_traffic; }

private:
    void afterComputing() const;
    CollectiveTicket end(std::vector<at::Tensor> held, int64_t bytesToEach);
    void check(ncclResult_t result);
    void checkInGroup(ncclResult_t result);
    [[nodiscard]] ncclResult_t settled(ncclResult_t result, std::chrono::milliseconds limit);
    void beginAsking();
    [[noreturn]] void giveUp(std::exception_ptr failure);
    [[noreturn]] void giveUp(const std::string& cause);
    void exchange(const at::Tensor& whole, const at::Tensor& parts, int64_t begin, int64_t count);
    [[nodiscard]] cudaStream_t stream() const { return static_cast<cudaStream_t>(m_stream.native_handle()); }

    NcclLibrary m_nccl;
    NcclMeeting m_meeting;
    Collective& m_beside;
    int m_rank;
    int m_ranks;
    c10::Stream m_stream;
    ncclComm_t m_communicator = nullptr;
    std::deque<Flight> m_flights;
    CollectiveTraffic m_traffic;
    std::exception_ptr m_failure; // that ended the job
};

/// A communicator that does not block says of its calls that they are in progress.
ncclResult_t NcclCollective::settled(ncclResult_t result, std::chrono::milliseconds limit) {
    AwakeTime waited;
    while (result == ncclInProgress && waited.passed() < limit) {
        std::this_thread::sleep_for(kPoll);
        requireAll();
        if (const ncclResult_t asked = m_nccl.asyncError(m_communicator, &result); asked != ncclSuccess)
            return asked;
    }
    return result;
}

Result<void> NcclCollective::meet(const ncclUniqueId& id) {
    const c10::DeviceGuard device(m_meeting.device);
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    const ncclResult_t result =
        settled(m_nccl.initRank(&m_communicator, m_ranks, id, m_rank, &config), m_meeting.meetLimit);
    if (result == ncclSuccess) return {};
    return Error{ErrorCode::Internal,
                 "rank " + std::to_string(m_rank) + " of " + std::to_string(m_ranks) +
                     " expected to meet all ranks over NCCL, but they did not come together (" +
                     m_nccl.errorText(result) + "); each needs a GPU of its own",
                 {}};
}

/// Ends what is under way: NCCL itself would wait for a lost rank for ever.
void NcclCollective::giveUp(std::exception_ptr failure) {
    if (!m_failure) m_failure = std::move(failure);
    if (m_communicator != nullptr) m_nccl.abort(m_communicator);
    m_communicator = nullptr;
    m_flights.clear();
    std::rethrow_exception(m_failure);
}

void NcclCollective::giveUp(const std::string& cause) {
    giveUp(std::make_exception_ptr(RankLost(
        {ErrorCode::Internal,
         "rank " + std::to_string(m_rank) + " of " + std::to_string(m_ranks) + " lost another one: " + cause +
             "; see how the others ended, then resume from the last checkpoint",
         {}})));
}

/// Over processors the end of a rank is noticed at once.
void NcclCollective::requireAll() {
    if (m_failure) std::rethrow_exception(m_failure);
    try {
        m_beside.requireAll();
    } catch (const RankLost&) {
        giveUp(std::current_exception());
    }
}

void NcclCollective::check(ncclResult_t result) {
    result = settled(result, m_meeting.stallLimit);
    if (result != ncclSuccess) giveUp(std::string("NCCL ends with \"") + m_nccl.errorText(result) + "\"");
}

/// Within a group nothing is begun before its end, so nobody waits for what is in progress.
void NcclCollective::checkInGroup(ncclResult_t result) {
    if (result != ncclInProgress) check(result);
}

void NcclCollective::beginAsking() {
    if (m_failure) std::rethrow_exception(m_failure);
    afterComputing();
}

/// What follows on the own stream begins when all that was computed up to now is done.
void NcclCollective::afterComputing() const {
    const c10::impl::VirtualGuardImpl guard(m_meeting.device.type());
    c10::Event computed(m_meeting.device.type());
    computed.record(guard.getStream(m_meeting.device));
    computed.block(m_stream);
}

CollectiveTicket NcclCollective::end(std::vector<at::Tensor> held, int64_t bytesToEach) {
    Flight flight{static_cast<CollectiveTicket>(++m_traffic.collectives), c10::Event(m_meeting.device.type()),
                  std::move(held)};
    flight.end.record(m_stream);
    m_flights.push_back(std::move(flight));
    m_traffic.sentBytes += (m_ranks - 1) * bytesToEach;
    m_traffic.receivedBytes += (m_ranks - 1) * bytesToEach;
    return m_flights.back().ticket;
}

CollectiveTicket NcclCollective::allGather(const at::Tensor& whole, const at::Tensor& shard) {
    checkGathered(whole, shard, m_ranks, at::kCUDA);
    beginAsking();
    check(m_nccl.allGather(shard.const_data_ptr(), whole.data_ptr(), shard.nbytes(), ncclUint8,
                           m_communicator, stream()));
    return end({whole, shard}, static_cast<int64_t>(shard.nbytes()));
}

/// Sends all ranks a stretch of their parts of a whole and receives theirs of the own part, on the own
/// stream. Shapes: whole [ranks * n], parts [ranks, at least count]
void NcclCollective::exchange(const at::Tensor& whole, const at::Tensor& parts, int64_t begin,
                              int64_t count) {
    const int64_t element = whole.element_size();
    const int64_t partBytes = whole.numel() / m_ranks * element;
    const auto bytes = static_cast<size_t>(count * element);
    const auto* own = static_cast<const std::byte*>(whole.const_data_ptr()) + begin * element;
    auto* others = static_cast<std::byte*>(parts.data_ptr());
    checkInGroup(m_nccl.groupStart());
    for (int peer = 0; peer < m_ranks; ++peer) { // itself, too
        checkInGroup(m_nccl.send(own + peer * partBytes, bytes, ncclUint8, peer, m_communicator, stream()));
        checkInGroup(m_nccl.receive(others + peer * parts.stride(0) * element, bytes, ncclUint8, peer,
                                    m_communicator, stream()));
    }
    check(m_nccl.groupEnd());
}

/// Stretch by stretch, in the same memory: it is used on one stream, one after another.
CollectiveTicket NcclCollective::reduceScatter(const at::Tensor& shard, const at::Tensor& whole) {
    checkScattered(shard, whole, m_ranks, at::kCUDA);
    beginAsking();
    const c10::StreamGuard beside(m_stream);
    const int64_t all = shard.numel();
    const int64_t most = stretchElements(all, whole.element_size());
    const at::Tensor parts = at::empty({m_ranks, most}, whole.options());
    const at::Tensor scratch = sumScratch(parts);
    const at::Tensor sums = shard.view(-1);
    for (int64_t begin = 0; begin < all; begin += most) {
        const int64_t count = std::min(most, all - begin);
        exchange(whole, parts, begin, count);
        sumOnDevice(sums.narrow(0, begin, count), parts.narrow(1, 0, count), scratch);
    }
    return end({shard, whole, parts}, all * whole.element_size());
}

CollectiveTicket NcclCollective::allReduce(const at::Tensor& values) {
    checkReduced(values, at::kCUDA);
    beginAsking();
    const c10::StreamGuard beside(m_stream);
    const at::Tensor parts = at::empty({m_ranks, values.numel()}, values.options());
    const at::Tensor scratch = sumScratch(parts);
    check(m_nccl.allGather(values.const_data_ptr(), parts.data_ptr(), values.nbytes(), ncclUint8,
                           m_communicator, stream()));
    sumOnDevice(values, parts, scratch);
    return end({values, parts}, static_cast<int64_t>(values.nbytes()));
}

CollectiveTicket NcclCollective::broadcast(const at::Tensor& values, int root) {
    checkBroadcast(values, root, m_ranks, at::kCUDA);
    beginAsking();
    check(m_nccl.broadcast(values.const_data_ptr(), values.data_ptr(), values.nbytes(), ncclUint8, root,
                           m_communicator, stream()));
    return end({values}, m_rank == root ? static_cast<int64_t>(values.nbytes()) : 0);
}

void NcclCollective::wait(CollectiveTicket ticket) {
    TORCH_CHECK(ticket <= static_cast<CollectiveTicket>(m_traffic.collectives), "nobody asked for number ",
                ticket);
    if (m_failure) std::rethrow_exception(m_failure);
    const Clock::time_point begin = Clock::now();
    AwakeTime waited;
    while (!m_flights.empty() && m_flights.front().ticket <= ticket) {
        if (m_flights.front().end.query()) {
            m_flights.pop_front();
            continue;
        }
        ncclResult_t result = ncclSuccess;
        requireAll();
        check(m_nccl.asyncError(m_communicator, &result));
        check(result);
        if (waited.passed() > m_meeting.stallLimit) giveUp("nothing moved within the time limit");
        std::this_thread::sleep_for(kPoll);
    }
    m_traffic.waitedSeconds += std::chrono::duration<double>(Clock::now() - begin).count();
}

} // namespace

Result<void> findNccl() {
    const auto library = NcclLibrary::find();
    return library ? Result<void>() : Result<void>(library.error());
}

Result<std::unique_ptr<Collective>> meetOverNccl(Collective& beside, const NcclMeeting& meeting) {
    HOMEBOOTH_ASSIGN(const NcclLibrary library, NcclLibrary::find());
    ncclUniqueId id{};
    ncclResult_t made = ncclSuccess;
    if (beside.rank() == 0) made = library.getUniqueId(&id);
    const at::Tensor shared = at::zeros({static_cast<int64_t>(sizeof id) + 1}, at::kByte); // a sign and it
    auto* const bytes = shared.data_ptr<uint8_t>();
    if (made == ncclSuccess) bytes[0] = 1;
    std::memcpy(bytes + 1, &id, sizeof id);
    beside.wait(beside.broadcast(shared, 0));
    std::memcpy(&id, bytes + 1, sizeof id);
    if (made != ncclSuccess) return Error{ErrorCode::Internal, library.errorText(made), "NCCL"};
    if (bytes[0] == 0) return Error{ErrorCode::Internal, "rank 0 could not begin with NCCL", {}};
    auto collective = std::make_unique<NcclCollective>(library, meeting, beside);
    HOMEBOOTH_CHECK(collective->meet(id));
    return std::unique_ptr<Collective>(std::move(collective));
}

} // namespace homebooth::core
