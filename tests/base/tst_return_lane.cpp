// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The way back from the device, with fake gradients whose every byte is checked.
#include "core/base/memory/return_lane.h"
#include "tests/base/support/failing_new.h"
#include "tests/base/support/refusing_link.h"

#include <QTest>

#include <atomic>
#include <future>
#include <new>
#include <random>
#include <stdexcept>

using namespace homebooth::core;

namespace {

constexpr int64_t kPageBytes = 256;

using Bytes = std::vector<std::byte>;

std::span<const std::byte> bytesOf(const std::shared_ptr<Bytes>& data) {
    return {data->data(), data->size()};
}

/// A lane with its pages and a link.
struct Lane {
    Bytes pages;
    HostLink link;
    ReturnLane lane;

    explicit Lane(int64_t pageCount, LinkSpeed speed = {})
        : pages(static_cast<size_t>(pageCount * kPageBytes))
        , link(speed)
        , lane(pages, kPageBytes) {}

    uint64_t send(const std::shared_ptr<Bytes>& data, ReturnLane::Use use) {
        return lane.send(link, {bytesOf(data), data, std::move(use)});
    }
};

/// What became of the parcels, in order.
struct Received {
    std::vector<Bytes> parcels;

    ReturnLane::Use next() {
        const size_t index = m_sent++;
        return [this, index](std::span<const std::byte> piece, int64_t offset) {
            parcels.resize(std::max(parcels.size(), index + 1));
            if (index + 1 != parcels.size() || offset != static_cast<int64_t>(parcels[index].size()))
                throw std::logic_error("a piece came out of order");
            parcels[index].insert(parcels[index].end(), piece.begin(), piece.end());
        };
    }

private:
    size_t m_sent = 0;
};

std::shared_ptr<Bytes> parcelOf(std::mt19937& random, size_t bytes) {
    auto data = std::make_shared<Bytes>(bytes);
    for (std::byte& byte : *data) byte = static_cast<std::byte>(random());
    return data;
}

ReturnLane::Use refusing() {
    return [](std::span<const std::byte>, int64_t) { throw std::runtime_error("no room"); };
}

/// A use that waits until it is allowed to end.
struct Gate {
    std::promise<void> begun;
    std::promise<void> mayEnd;
    ReturnLane::Use use() {
        return [this, open = mayEnd.get_future().share()](std::span<const std::byte>, int64_t offset) {
            if (offset == 0) begun.set_value();
            open.wait();
        };
    }
};

/// Discards while a use waits at the gate, which opens when the last parcel was dropped.
void discardBehind(Lane& lane, Gate& gate, const std::weak_ptr<Bytes>& last) {
    std::thread opener([&] {
        while (!last.expired()) std::this_thread::yield();
        gate.mayEnd.set_value();
    });
    lane.lane.discard();
    opener.join();
}

class ReturnLaneTest : public QObject {
    Q_OBJECT
private slots:
    void bringsEveryByteInOrder();
    void doesNotHoldTheSenderUp();
    void saysWhatIsDone();
    void waitsUntilParcelsHaveLeft();
    void waitsForAsMuchRoomAsIsAskedFor();
    void letsOneGoThatNobodyUsesYet();
    void smallParcelsShareAPage();
    void countsWhatItMoves();
    void reportsTheFirstErrorOnce();
    void usesNothingOnceAnErrorWasTold();
    void goesOnAfterALinkThatRefused();
    void goesOnWhereItsThreadFoundNoMemory();
    void isWholeWhereverSendingFindsNoMemory();
    void dropsWhatHasNotBegun();
    void dropsTheRestOfAParcelInTheMiddle();
    void endsWithParcelsOnTheirWay();
    void refusesToHaveNoPage();
};

void ReturnLaneTest::bringsEveryByteInOrder() {
    std::mt19937 random(1);
    for (const int64_t pages : {1, 2, 5}) {
        for (const LinkSpeed speed : {LinkSpeed{}, LinkSpeed{50e6, 5e-6}}) {
            Received received;
            std::vector<Bytes> sent;
            Lane lane(pages, speed);
            for (int i = 0; i < 60; ++i) {
                const auto data = parcelOf(random, 1 + random() % (7 * kPageBytes));
                sent.push_back(*data);
                lane.send(data, received.next());
                if (i % 9 == 0) lane.lane.waitUntilAtMost(0);
                if (i % 25 == 0) lane.lane.settle();
            }
            lane.lane.settle();
            QVERIFY(received.parcels == sent);
        }
    }
}

void ReturnLaneTest::doesNotHoldTheSenderUp() {
    Gate gate;
    std::mt19937 random(2);
    Lane lane(2);
    std::vector<std::weak_ptr<Bytes>> owners;
    for (int i = 0; i < 5; ++i) { // far more than the pages hold, and nothing is used up
        const auto data = parcelOf(random, 10 * kPageBytes);
        owners.push_back(data);
        lane.send(
            data, i == 0 ? gate.use() : [](std::span<const std::byte>, int64_t) {});
    }
    gate.begun.get_future().wait();
    QVERIFY(!owners.front().expired()); // it has not left: most of it waits for pages
    gate.mayEnd.set_value();
    lane.lane.settle();
    QVERIFY(lane.lane.waitedSeconds() >= 0.0);
}

void ReturnLaneTest::saysWhatIsDone() {
    Gate gate;
    std::mt19937 random(2);
    Lane lane(2);
    const auto nothing = [](std::span<const std::byte>, int64_t) {};
    const uint64_t before = lane.send(parcelOf(random, 3 * kPageBytes), nothing);
    const uint64_t held = lane.send(parcelOf(random, kPageBytes), gate.use());
    const uint64_t behind = lane.send(parcelOf(random, 5 * kPageBytes + 1), nothing);
    gate.begun.get_future().wait();
    QVERIFY(lane.lane.isDone(before));
    QVERIFY(!lane.lane.isDone(held));
    QVERIFY(!lane.lane.isDone(behind));
    gate.mayEnd.set_value();
    lane.lane.settle();
    QVERIFY(lane.lane.isDone(behind));

    // What is dropped counts as well, and the numbers go on.
    std::promise<void> mayFail;
    const uint64_t failed =
        lane.send(parcelOf(random, 4 * kPageBytes), [&](std::span<const std::byte>, int64_t) {
            mayFail.get_future().wait(); // else the next one might not be taken any more
            throw std::runtime_error("no update");
        });
    const uint64_t dropped = lane.send(parcelOf(random, kPageBytes), nothing);
    mayFail.set_value();
    lane.lane.discard();
    QVERIFY(lane.lane.isDone(failed) && lane.lane.isDone(dropped));
    Gate another;
    const uint64_t later = lane.send(parcelOf(random, kPageBytes), another.use());
    another.begun.get_future().wait();
    QVERIFY(!lane.lane.isDone(later));
    another.mayEnd.set_value();
    lane.lane.settle();
}

void ReturnLaneTest::waitsUntilParcelsHaveLeft() {
    Gate gate;
    std::mt19937 random(3);
    Lane lane(4);
    std::vector<std::weak_ptr<Bytes>> owners;
    for (int i = 0; i < 20; ++i) {
        const auto data = parcelOf(random, 3 * kPageBytes + 1);
        owners.push_back(data);
        lane.send(data, [](std::span<const std::byte>, int64_t) {});
    }
    lane.lane.waitUntilAtMost(0);
    for (const auto& owner : owners) QVERIFY(owner.expired());

    auto last = parcelOf(random, kPageBytes); // it may leave before it is used up
    const std::weak_ptr<Bytes> owner = last;
    lane.send(last, gate.use());
    last.reset();
    lane.lane.waitUntilAtMost(0);
    QVERIFY(owner.expired());
    gate.mayEnd.set_value();
    lane.lane.settle();
}

void ReturnLaneTest::waitsForAsMuchRoomAsIsAskedFor() {
    Gate gate;
    std::mt19937 random(7);
    Lane lane(2);
    auto first = parcelOf(random, kPageBytes);
    auto second = parcelOf(random, 4 * kPageBytes);
    const std::weak_ptr<Bytes> firstOwner = first;
    const std::weak_ptr<Bytes> secondOwner = second;
    lane.send(first, gate.use());
    lane.send(second, [](std::span<const std::byte>, int64_t) {});
    first.reset();
    second.reset();
    // The first one is used for as long as the gate is closed, and most of the second finds no page.
    lane.lane.waitUntilAtMost(4 * kPageBytes);
    QVERIFY(firstOwner.expired());
    QVERIFY(!secondOwner.expired());
    gate.mayEnd.set_value();
    lane.lane.waitUntilAtMost(4 * kPageBytes - 1);
    QVERIFY(secondOwner.expired());
    lane.lane.settle();
}

void ReturnLaneTest::letsOneGoThatNobodyUsesYet() {
    Gate gate;
    std::mt19937 random(14);
    Lane lane(3);
    std::vector<std::weak_ptr<Bytes>> owners;
    for (const int64_t pages : {1, 1, 2}) { // of the last one half finds no page
        const auto data = parcelOf(random, static_cast<size_t>(pages * kPageBytes));
        owners.push_back(data);
        lane.send(
            data, owners.size() == 1 ? gate.use() : [](std::span<const std::byte>, int64_t) {});
    }
    gate.begun.get_future().wait();
    QCOMPARE(lane.lane.onDeviceBytes(), 3 * kPageBytes);
    QVERIFY(lane.lane.letOldestGo());
    QVERIFY(owners[1].expired());
    QCOMPARE(lane.lane.onDeviceBytes(), 2 * kPageBytes);
    QVERIFY(!lane.lane.letOldestGo());
    QVERIFY(!owners[2].expired());
    gate.mayEnd.set_value();
    lane.lane.settle();
    QVERIFY(!lane.lane.letOldestGo());
}

void ReturnLaneTest::smallParcelsShareAPage() {
    constexpr size_t kSmall = 64;
    Gate gate;
    std::mt19937 random(11);
    Received received;
    Lane lane(2);
    lane.send(parcelOf(random, kPageBytes), gate.use());
    std::vector<std::weak_ptr<Bytes>> owners;
    std::vector<Bytes> sent;
    for (size_t i = 0; i < kPageBytes / kSmall; ++i) {
        const auto data = parcelOf(random, kSmall - i); // begins where the one before may have ended
        sent.push_back(*data);
        owners.push_back(data);
        lane.send(data, received.next());
    }
    // The first page is kept for as long as the gate is closed.
    lane.lane.waitUntilAtMost(0);
    for (const auto& owner : owners) QVERIFY(owner.expired());
    gate.mayEnd.set_value();
    lane.lane.settle();
    QVERIFY(received.parcels == sent);
}

void ReturnLaneTest::countsWhatItMoves() {
    std::mt19937 random(4);
    Received received;
    Lane lane(3);
    int64_t bytes = 0;
    for (const size_t size : {size_t{1}, size_t{256}, size_t{257}, size_t{2000}}) {
        lane.send(parcelOf(random, size), received.next());
        bytes += static_cast<int64_t>(size);
    }
    lane.lane.settle();
    QCOMPARE(lane.link.traffic().bytes, bytes);
    QCOMPARE(lane.link.traffic().copies, int64_t{1 + 1 + 2 + 8});
    lane.send(parcelOf(random, 0), refusing()); // nothing to use
    lane.lane.settle();
}

void ReturnLaneTest::reportsTheFirstErrorOnce() {
    std::mt19937 random(5);
    Lane lane(2);
    std::atomic<int> used = 0;
    const auto count = [&used](std::span<const std::byte>, int64_t) { ++used; };
    lane.send(parcelOf(random, kPageBytes), count);
    lane.send(parcelOf(random, 5 * kPageBytes), refusing());
    std::vector<std::weak_ptr<Bytes>> owners;
    try {
        for (int i = 0; i < 10; ++i) {
            const auto data = parcelOf(random, 3 * kPageBytes);
            owners.push_back(data);
            lane.send(data, count);
        }
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, lane.lane.settle());
    } catch (const std::runtime_error&) { // heard of while sending
    }
    lane.lane.settle();
    QCOMPARE(used.load(), 1);
    for (const auto& owner : owners) QVERIFY(owner.expired());
    lane.send(parcelOf(random, 2 * kPageBytes), count); // and it works again
    lane.lane.settle();
    QCOMPARE(used.load(), 3);
}

void ReturnLaneTest::usesNothingOnceAnErrorWasTold() {
    constexpr double kSecondsAPage = 0.1; // the second page arrives long after the first was refused
    std::mt19937 random(10);
    Lane lane(2, LinkSpeed{kPageBytes / kSecondsAPage, 0.0});
    std::atomic<int> used = 0;
    lane.send(parcelOf(random, kPageBytes), refusing());
    lane.send(parcelOf(random, kPageBytes), [&used](std::span<const std::byte>, int64_t) { ++used; });
    const auto nothing = std::make_shared<Bytes>();
    const auto sendUntilTold = [&] {
        for (;;) lane.send(nothing, refusing());
    };
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, sendUntilTold());
    lane.lane.settle();
    QCOMPARE(used.load(), 0);
}

void ReturnLaneTest::goesOnAfterALinkThatRefused() {
    std::mt19937 random(6);
    for (const int64_t pages : {1, 3}) {
        for (int refused = 0; refused < 12; ++refused) {
            Bytes memory(static_cast<size_t>(pages * kPageBytes));
            RefusingLink link(refused);
            ReturnLane lane(memory, kPageBytes);
            bool failed = false;
            for (int round = 0; round < 3; ++round) {
                try {
                    for (int i = 0; i < 3; ++i) {
                        const auto data = parcelOf(random, 4 * kPageBytes);
                        lane.send(link, {bytesOf(data), data, [](std::span<const std::byte>, int64_t) {}});
                    }
                    lane.waitUntilAtMost(0);
                    lane.settle();
                } catch (const std::bad_alloc&) {
                    QVERIFY(!failed);
                    failed = true;
                    lane.discard();
                }
            }
            QVERIFY(failed);
        }
    }
}

void ReturnLaneTest::goesOnWhereItsThreadFoundNoMemory() {
    constexpr size_t kMorePagesThanAreKeptForThem = 100;
    std::mt19937 random(12);
    Lane lane(1);
    const auto starved = [](std::span<const std::byte>, int64_t) { failAllocationsAfter(0); };
    lane.send(parcelOf(random, kMorePagesThanAreKeptForThem * kPageBytes), starved);
    lane.lane.waitUntilAtMost(0);
    QVERIFY_THROWS_EXCEPTION(std::bad_alloc, lane.lane.settle());

    int used = 0;
    lane.send(parcelOf(random, kPageBytes), [&used](std::span<const std::byte>, int64_t) {
        failAllocationsAfter(-1);
        ++used;
    });
    lane.lane.settle();
    QCOMPARE(used, 1);
}

void ReturnLaneTest::isWholeWhereverSendingFindsNoMemory() {
    constexpr int kTimes = 400; // every so often its queues need more memory, too
    constexpr int kMostAllocations = 4;
    std::mt19937 random(13);
    Lane lane(2);
    const auto data = parcelOf(random, kPageBytes);
    int failed = 0;
    int used = 0;
    for (int i = 0; i < kTimes; ++i) {
        failAllocationsAfter(i % kMostAllocations);
        const auto send = [&] {
            lane.lane.send(lane.link,
                           {bytesOf(data), data, [&used](std::span<const std::byte>, int64_t) { ++used; }});
            failAllocationsAfter(-1);
            lane.lane.settle();
        };
        try {
            send();
        } catch (const std::bad_alloc&) {
            failAllocationsAfter(-1);
            lane.lane.waitUntilAtMost(0);
            ++failed;
        }
    }
    QVERIFY(failed > 0 && used > 0);
    QCOMPARE(used, kTimes - failed);
}

void ReturnLaneTest::dropsWhatHasNotBegun() {
    Gate gate;
    std::mt19937 random(7);
    Lane lane(2);
    std::atomic<int> used = 0;
    lane.send(parcelOf(random, kPageBytes), gate.use());
    std::vector<std::weak_ptr<Bytes>> owners;
    for (int i = 0; i < 8; ++i) {
        const auto data = parcelOf(random, kPageBytes);
        owners.push_back(data);
        lane.send(data, [&used](std::span<const std::byte>, int64_t) { ++used; });
    }
    gate.begun.get_future().wait();
    discardBehind(lane, gate, owners.back());
    lane.lane.waitUntilAtMost(0);
    for (const auto& owner : owners) QVERIFY(owner.expired());
    QVERIFY(used.load() <= 1); // what was in the second page
}

void ReturnLaneTest::dropsTheRestOfAParcelInTheMiddle() {
    for (const int64_t pages : {1, 3}) {
        Gate gate;
        std::mt19937 random(8);
        Lane lane(pages);
        auto data = parcelOf(random, 20 * kPageBytes);
        auto behind = parcelOf(random, kPageBytes);
        const std::weak_ptr<Bytes> owner = data;
        const std::weak_ptr<Bytes> ownerBehind = behind;
        lane.send(data, gate.use());
        lane.send(behind, refusing());
        data.reset();
        behind.reset();
        gate.begun.get_future().wait();
        discardBehind(lane, gate, ownerBehind);
        lane.lane.waitUntilAtMost(0);
        QVERIFY(owner.expired());
        Received received;
        lane.send(parcelOf(random, 9 * kPageBytes), received.next());
        lane.lane.settle();
        QCOMPARE(received.parcels.front().size(), size_t{9 * kPageBytes});
    }
}

void ReturnLaneTest::endsWithParcelsOnTheirWay() {
    std::mt19937 random(9);
    std::vector<std::weak_ptr<Bytes>> owners;
    {
        Lane lane(2, LinkSpeed{1e6, 1e-4});
        for (int i = 0; i < 6; ++i) {
            const auto data = parcelOf(random, 4 * kPageBytes);
            owners.push_back(data);
            lane.send(data, [](std::span<const std::byte>, int64_t) {});
        }
    }
    for (const auto& owner : owners) QVERIFY(owner.expired());
}

void ReturnLaneTest::refusesToHaveNoPage() {
    Bytes memory(static_cast<size_t>(kPageBytes - 1));
    QVERIFY_THROWS_EXCEPTION(std::logic_error, ReturnLane(memory, kPageBytes));
    QVERIFY_THROWS_EXCEPTION(std::logic_error, ReturnLane(memory, 0));
}

} // namespace

QTEST_APPLESS_MAIN(ReturnLaneTest)
#include "tst_return_lane.moc"
