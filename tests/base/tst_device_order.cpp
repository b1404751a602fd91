// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A device that is behind whoever computes on it, as a GPU is: copies begin after what was asked of it when
// their data was made, and nobody changes what is still being copied.
#include "core/base/memory/chunk_stream.h"
#include "core/base/memory/return_lane.h"

#include <QTest>

#include <atomic>
#include <cstring>
#include <functional>
#include <future>
#include <mutex>
#include <numeric>

using namespace homebooth::core;

namespace {

/// Copies only when the host settles or waits for it, the latest that a GPU may.
class LateLink final : public Link {
public:
    explicit LateLink(bool waitCopies)
        : m_waitCopies(waitCopies) {}

    [[nodiscard]] LinkTicket copy(void* target, const void* source, int64_t bytes) override {
        return copyAfter(mark(), target, source, bytes);
    }
    [[nodiscard]] LinkTicket copyAfter(LinkMark mark, void* target, const void* source,
                                       int64_t bytes) override {
        const std::lock_guard lock(m_mutex);
        m_after.push_back(mark);
        m_late.push_back([=] { std::memcpy(target, source, static_cast<size_t>(bytes)); });
        return m_late.size();
    }
    [[nodiscard]] LinkMark mark() override { return computed; }
    void wait(LinkTicket ticket) override {
        if (m_waitCopies) carryOut(ticket);
    }
    void settle() override { carryOut(m_late.size()); }
    [[nodiscard]] LinkTraffic traffic() const override { return {}; }

    [[nodiscard]] std::vector<LinkMark> after() const {
        const std::lock_guard lock(m_mutex);
        return m_after;
    }
    std::atomic<LinkMark> computed{1}; ///< what the device was asked for up to now

private:
    void carryOut(size_t until) {
        const std::lock_guard lock(m_mutex);
        for (; m_done < until; ++m_done) m_late[m_done]();
    }
    bool m_waitCopies;
    mutable std::mutex m_mutex;
    std::vector<std::function<void()>> m_late;
    std::vector<LinkMark> m_after;
    size_t m_done = 0;
};

class DeviceOrderTest : public QObject {
    Q_OBJECT
private slots:
    void whatIsAtHomeMayChangeWhenAPassHasEnded();
    void gradientsLeaveAfterTheyWereMade();
};

void DeviceOrderTest::whatIsAtHomeMayChangeWhenAPassHasEnded() {
    constexpr int kBlocks = 4;
    constexpr int64_t kBytes = 64;
    ResidencyRequest request;
    request.order = {0, 1, 2, 3};
    request.blockBytes.assign(kBlocks, kBytes);
    request.writable.assign(kBlocks, true);
    request.prefetchDistance = 2;
    request.budgetBytes = kBlocks * kBytes;
    const Result<ResidencyPlan> plan = planResidency(request);
    QVERIFY(plan.ok());
    std::vector<Chunk> chunks;
    for (int block = 0; block < kBlocks; ++block) chunks.push_back({block, block * kBytes, 0, kBytes});
    std::vector<uint8_t> home(kBlocks * kBytes, 1);
    std::vector<uint8_t> device(static_cast<size_t>(plan->arenaBytes));
    LateLink link(false); // waiting orders the device, and tells the host nothing
    ChunkStream stream(chunks, home.data(), link);
    stream.use(*plan, device.data());
    stream.beginPass();
    for (int block = 0; block < kBlocks; ++block) {
        (void)stream.acquire(block);
        stream.release(block);
    }
    stream.endPass();
    std::fill(home.begin(), home.end(), uint8_t{2}); // the next values
    QCOMPARE(std::accumulate(device.begin(), device.end(), 0), static_cast<int>(device.size()));
}

void DeviceOrderTest::gradientsLeaveAfterTheyWereMade() {
    constexpr int64_t kPage = 16;
    std::vector<std::byte> pages(kPage); // one: most pieces wait for it
    LateLink link(true);
    ReturnLane lane(pages, kPage);
    std::promise<void> mayGoOn;
    const auto open = mayGoOn.get_future().share();
    const auto data = std::make_shared<std::vector<std::byte>>(3 * kPage);
    for (int parcel = 0; parcel < 2; ++parcel) {
        link.computed = 10 + static_cast<LinkMark>(parcel);
        lane.send(link, {{data->data(), data->size()}, data, [open](auto, int64_t) { open.wait(); }});
    }
    link.computed = 99; // later blocks, long before the pages are free
    mayGoOn.set_value();
    lane.settle();
    QCOMPARE(link.after(), (std::vector<LinkMark>{10, 10, 10, 11, 11, 11}));
}

} // namespace

QTEST_APPLESS_MAIN(DeviceOrderTest)
#include "tst_device_order.moc"
