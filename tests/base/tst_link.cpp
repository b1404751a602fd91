// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A link whose sources have to be brought before they can be read.
#include "core/base/memory/link.h"

#include <QTest>

#include <atomic>
#include <cstring>
#include <stdexcept>
#include <vector>

using namespace homebooth::core;

namespace {

/// Remembers what was asked of it; refuses one of its holds.
class Shelf final : public LinkSource {
public:
    explicit Shelf(int refused = -1)
        : m_refused(refused) {}
    void want(const void* /*begin*/, int64_t bytes) override { wantedBytes += bytes; }
    void hold(const void* /*begin*/, int64_t bytes) override {
        if (holds++ == m_refused) throw std::runtime_error("the disk failed");
        heldBytes += bytes;
        most = std::max<int64_t>(most, bytes);
    }
    void release(const void* /*begin*/, int64_t bytes) override { releasedBytes += bytes; }

    std::atomic<int64_t> wantedBytes = 0;
    std::atomic<int64_t> heldBytes = 0;
    std::atomic<int64_t> releasedBytes = 0;
    std::atomic<int64_t> most = 0;
    std::atomic<int> holds = 0;

private:
    int m_refused;
};

class LinkTest : public QObject {
    Q_OBJECT
private slots:
    void holdsItsSourceAPieceAtATime();
    void reportsASourceThatFailedOnce();
    void blocksWhereItShall();
};

void LinkTest::holdsItsSourceAPieceAtATime() {
    Shelf shelf;
    HostLink link({}, &shelf);
    std::vector<char> source(5'000'001);
    for (size_t i = 0; i < source.size(); ++i) source[i] = static_cast<char>(i * 7);
    std::vector<char> target(source.size());
    link.wait(link.copy(target.data(), source.data(), static_cast<int64_t>(source.size())));
    QVERIFY(target == source);
    QCOMPARE(shelf.wantedBytes.load(), static_cast<int64_t>(source.size()));
    QCOMPARE(shelf.heldBytes.load(), static_cast<int64_t>(source.size()));
    QCOMPARE(shelf.releasedBytes.load(), static_cast<int64_t>(source.size()));
    QVERIFY(shelf.most <= int64_t{2} << 20);
    QCOMPARE(link.traffic().copies, int64_t{1});
}

void LinkTest::reportsASourceThatFailedOnce() {
    Shelf shelf(1);
    HostLink link({}, &shelf);
    std::vector<char> source(1000, 'x');
    std::vector<char> target(3000);
    const LinkTicket first = link.copy(target.data(), source.data(), 1000);
    const LinkTicket second = link.copy(target.data() + 1000, source.data(), 1000);
    const LinkTicket third = link.copy(target.data() + 2000, source.data(), 1000);
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, link.wait(third));
    link.wait(first);
    link.wait(second);
    link.wait(third);
    QCOMPARE(target.back(), 'x'); // those behind it went on
}

void LinkTest::blocksWhereItShall() {
    constexpr double kLatency = 0.02;
    Shelf shelf(1);
    HostLink link({.latencySeconds = kLatency, .blocking = true}, &shelf);
    QVERIFY(link.blocking());
    std::vector<char> source(1000, 'x');
    std::vector<char> target(2000);
    const LinkTicket first = link.copy(target.data(), source.data(), 1000);
    QCOMPARE(link.traffic().copies, int64_t{1}); // done already
    QVERIFY(link.traffic().waitedSeconds >= 0.9 * kLatency);
    QCOMPARE(target[999], 'x');
    const LinkTicket second = link.copy(target.data() + 1000, source.data(), 1000);
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, link.wait(second)); // there and nowhere else
    link.wait(first);
}

} // namespace

QTEST_APPLESS_MAIN(LinkTest)
#include "tst_link.moc"
