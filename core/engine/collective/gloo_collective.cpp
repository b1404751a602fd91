// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/collective/gloo_collective.h"

#include "core/base/util/quiet_thread.h"
#include "core/engine/collective/collective_check.h"
#include "core/engine/collective/gloo_exchange.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <future>
#include <mutex>

namespace homebooth::core {
namespace {

using Clock = std::chrono::steady_clock;

class GlooCollective final : public Collective {
public:
    explicit GlooCollective(const GlooMeeting& meeting)
        : m_rank(meeting.rank)
        , m_ranks(meeting.ranks)
        , m_thread(startQuietThread([this, meeting] { work(meeting); })) {}
    ~GlooCollective() override;
    GlooCollective(const GlooCollective&) = delete;
    GlooCollective& operator=(const GlooCollective&) = delete;

    Result<void> waitForMeeting() { return m_met.get_future().get(); }

    [[nodiscard]] int rank() const override { return m_rank; }
    [[nodiscard]] int ranks() const override { return m_ranks; }
    [[nodiscard]] CollectiveTicket allGather(const at::Tensor& whole, const at::Tensor& shard) override;
    [[nodiscard]] CollectiveTicket reduceScatter(const at::Tensor& shard, const at::Tensor& whole) override;
    [[nodiscard]] CollectiveTicket allReduce(const at::Tensor& values) override;
    [[nodiscard]] CollectiveTicket broadcast(const at::Tensor& values, int root) override;
    void wait(CollectiveTicket ticket) override;
    void requireAll() override;
    [[nodiscard]] CollectiveTraffic traffic() const override;

private:
    using Job = std::function<void(GlooExchange&, CollectiveTicket)>;

    CollectiveTicket ask(Job job);
    void work(const GlooMeeting& meeting);
    void carryOutAll(GlooPeers& peers);

    const int m_rank;
    const int m_ranks;
    std::promise<Result<void>> m_met;
    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<Job> m_jobs;
    CollectiveTicket m_asked = 0;
    CollectiveTicket m_done = 0;
    CollectiveTraffic m_traffic;
    std::exception_ptr m_failure; // that ended the job
    GlooPeers* m_peers = nullptr; // while there are any
    bool m_stopping = false;
    std::thread m_thread; // last: it uses the others
};

GlooCollective::~GlooCollective() {
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
        if (m_peers != nullptr) m_peers->interrupt(); // nobody waits for what is left
    }
    m_changed.notify_all();
    m_thread.join();
}

CollectiveTicket GlooCollective::ask(Job job) {
    CollectiveTicket ticket = 0;
    {
        const std::lock_guard lock(m_mutex);
        if (m_failure) std::rethrow_exception(m_failure);
        m_jobs.push_back(std::move(job));
        ticket = ++m_asked;
    }
    m_changed.notify_all();
    return ticket;
}

CollectiveTicket GlooCollective::allGather(const at::Tensor& whole, const at::Tensor& shard) {
    checkGathered(whole, shard, m_ranks, at::kCPU);
    return ask(
        [=](GlooExchange& exchange, CollectiveTicket ticket) { exchange.allGather(ticket, whole, shard); });
}

CollectiveTicket GlooCollective::reduceScatter(const at::Tensor& shard, const at::Tensor& whole) {
    checkScattered(shard, whole, m_ranks, at::kCPU);
    return ask([=](GlooExchange& exchange, CollectiveTicket ticket) {
        exchange.reduceScatter(ticket, shard, whole);
    });
}

CollectiveTicket GlooCollective::allReduce(const at::Tensor& values) {
    checkReduced(values, at::kCPU);
    return ask([=](GlooExchange& exchange, CollectiveTicket ticket) { exchange.allReduce(ticket, values); });
}

CollectiveTicket GlooCollective::broadcast(const at::Tensor& values, int root) {
    checkBroadcast(values, root, m_ranks, at::kCPU);
    return ask(
        [=](GlooExchange& exchange, CollectiveTicket ticket) { exchange.broadcast(ticket, values, root); });
}

void GlooCollective::wait(CollectiveTicket ticket) {
    std::unique_lock lock(m_mutex);
    TORCH_CHECK(ticket <= m_asked, "nobody asked for number ", ticket);
    if (m_done >= ticket) return;
    const Clock::time_point start = Clock::now();
    m_changed.wait(lock, [&] { return m_done >= ticket || m_failure; });
    m_traffic.waitedSeconds += std::chrono::duration<double>(Clock::now() - start).count();
    if (m_done < ticket) std::rethrow_exception(m_failure);
}

void GlooCollective::requireAll() {
    const std::lock_guard lock(m_mutex);
    if (m_failure) std::rethrow_exception(m_failure);
    if (m_peers != nullptr) m_peers->requireAll();
}

CollectiveTraffic GlooCollective::traffic() const {
    const std::lock_guard lock(m_mutex);
    return m_traffic;
}

void GlooCollective::work(const GlooMeeting& meeting) {
    Result<std::unique_ptr<GlooPeers>> met = GlooPeers::meet(meeting);
    if (!met) return m_met.set_value(met.error());
    std::unique_ptr<GlooPeers> peers = std::move(met).value();
    {
        const std::lock_guard lock(m_mutex);
        m_peers = peers.get();
    }
    m_met.set_value({});
    std::exception_ptr failure;
    bool finished = false;
    try {
        carryOutAll(*peers);
    } catch (...) {
        failure = std::current_exception();
    }
    {
        const std::lock_guard lock(m_mutex);
        m_peers = nullptr;
        finished = !failure && m_jobs.empty();
    }
    if (finished) peers->leave();
    peers.reset(); // the others learn of it, and nothing is written to targets any more
    const std::lock_guard lock(m_mutex);
    m_jobs.clear();
    m_failure = failure;
    m_changed.notify_all();
}

void GlooCollective::carryOutAll(GlooPeers& peers) {
    Job job; // holds the tensors until the exchange, which may still write to them, is gone
    GlooExchange exchange(peers);
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_changed.wait(lock, [&] { return m_stopping || !m_jobs.empty(); });
        if (m_stopping) return;
        job = std::move(m_jobs.front());
        m_jobs.pop_front();
        const CollectiveTicket ticket = m_done + 1;
        lock.unlock();
        job(exchange, ticket);
        job = nullptr;
        lock.lock();
        m_done = ticket;
        ++m_traffic.collectives;
        m_traffic.sentBytes = exchange.sentBytes();
        m_traffic.receivedBytes = exchange.receivedBytes();
        m_changed.notify_all();
    }
}

} // namespace

Result<std::unique_ptr<Collective>> meetOverGloo(const GlooMeeting& meeting) {
    auto collective = std::make_unique<GlooCollective>(meeting);
    HOMEBOOTH_CHECK(collective->waitForMeeting());
    return std::unique_ptr<Collective>(std::move(collective));
}

} // namespace homebooth::core
