// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Pieces of many sizes lie in an arena without overlapping, and its holes keep no more pages than were in use
// at once.
#include "core/base/memory/host_arena.h"

#include "core/base/system/memory_facts.h"

#include <QTest>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <set>
#include <thread>
#include <vector>

using namespace homebooth::core;

namespace {

constexpr size_t kMiB = size_t{1} << 20;
constexpr int64_t kStretchBytes = int64_t{64} << 10;
constexpr size_t kStaggerBytes = 4096; // beside a piece of whole MiB

struct Piece {
    uint8_t* begin = nullptr;
    size_t bytes = 0;
    uint8_t mark = 0;
};

Piece marked(HostArena& arena, size_t bytes, uint8_t mark) {
    const Piece piece{static_cast<uint8_t*>(arena.allocate(bytes)), bytes, mark};
    if (piece.begin != nullptr) std::memset(piece.begin, mark, bytes);
    return piece;
}

bool whole(const Piece& piece) {
    return std::all_of(piece.begin, piece.begin + piece.bytes,
                       [&piece](uint8_t byte) { return byte == piece.mark; });
}

/// Takes and frees in an order that leaves holes. @returns  of the last pass, what it took of new pages
int64_t passes(HostArena& arena, int count, uint32_t seed) {
    int64_t taken = 0;
    for (int pass = 0; pass < count; ++pass) {
        const int64_t before = arena.use().takenBytes;
        std::mt19937 random(seed); // each pass does the same
        std::vector<Piece> pieces;
        for (uint8_t turn = 0; turn < 200; ++turn) {
            pieces.push_back(marked(arena, (random() % 40 + 1) * kMiB / 8, turn));
            if (random() % 3 == 0) continue;
            const size_t gone = random() % pieces.size();
            arena.free(pieces[gone].begin);
            pieces.erase(pieces.begin() + static_cast<long>(gone));
        }
        for (const Piece& piece : pieces) arena.free(piece.begin);
        taken = arena.use().takenBytes - before;
    }
    return taken;
}

} // namespace

class HostArenaTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void piecesDoNotOverlap();
    void whatIsFreedIsUsedAgain();
    void aHoleIsFilledBeforeNewPagesAreTaken();
    void holesKeepNoMorePagesThanWereInUse();
    void holesAreGivenBack();
    void whatDoesNotFitIsNotGiven();
    void largePiecesOfOneSizeDoNotLieAlike();
    void threadsShareIt();
};

void HostArenaTest::piecesDoNotOverlap() {
    HostArena arena(256 * kMiB);
    std::mt19937 random(1);
    std::vector<Piece> pieces;
    for (int turn = 0; turn < 2000; ++turn) {
        if (pieces.size() > 30) {
            const size_t gone = random() % pieces.size();
            QVERIFY(whole(pieces[gone]));
            arena.free(pieces[gone].begin);
            pieces.erase(pieces.begin() + static_cast<long>(gone));
        }
        pieces.push_back(marked(arena, random() % (2 * kMiB) + 1, static_cast<uint8_t>(turn)));
        QVERIFY(pieces.back().begin != nullptr && arena.holds(pieces.back().begin));
        QCOMPARE(reinterpret_cast<uintptr_t>(pieces.back().begin) % 64, uintptr_t{0});
    }
    for (const Piece& piece : pieces) {
        QVERIFY(whole(piece));
        arena.free(piece.begin);
    }
    QCOMPARE(arena.use().usedBytes, int64_t{0});
    QVERIFY(arena.allocate(256 * kMiB - kStaggerBytes) != nullptr); // the holes have become one again
}

void HostArenaTest::whatIsFreedIsUsedAgain() {
    HostArena arena(256 * kMiB);
    passes(arena, 1, 2);
    const int64_t first = arena.use().takenBytes;
    QVERIFY(first > 0);
    const int64_t later = passes(arena, 3, 2);
    QVERIFY2(later <= first / 4, qPrintable(QStringLiteral("%1 of %2").arg(later).arg(first)));
}

void HostArenaTest::aHoleIsFilledBeforeNewPagesAreTaken() {
    HostArena arena(64 * kMiB);
    const Piece first = marked(arena, 4 * kMiB, 1);
    const Piece second = marked(arena, 2 * kMiB, 2);
    const Piece third = marked(arena, 2 * kMiB, 3);
    arena.free(first.begin);
    const int64_t taken = arena.use().takenBytes;
    const Piece fourth = marked(arena, 3 * kMiB, 4);
    QCOMPARE(fourth.begin, first.begin);
    QCOMPARE(arena.use().takenBytes, taken);
    QVERIFY(whole(second) && whole(third));
}

void HostArenaTest::holesKeepNoMorePagesThanWereInUse() {
    HostArena arena(size_t{1} << 30);
    [[maybe_unused]] const int64_t before = residentBytes();
    std::vector<Piece> pieces;
    for (uint8_t turn = 0; turn < 32; ++turn) pieces.push_back(marked(arena, 2 * kMiB, turn));
    for (size_t i = 0; i < pieces.size(); i += 2) arena.free(pieces[i].begin); // 32 MiB of holes of 2 MiB
    const Piece large = marked(arena, 30 * kMiB, 99);                          // fits into none of them
    const ArenaUse use = arena.use();
    QCOMPARE(use.usedBytes, int64_t(62 * kMiB + 17 * kStaggerBytes));
    QCOMPARE(use.peakUsedBytes, int64_t(64 * kMiB + 32 * kStaggerBytes));
    QVERIFY(use.pageBytes <= use.peakUsedBytes + use.peakUsedBytes / 128 + kStretchBytes);
    QVERIFY(use.takenBytes <= int64_t(95 * kMiB));
#ifndef __SANITIZE_THREAD__ // which keeps pages of its own for each of these
    QVERIFY(residentBytes() - before <= int64_t(70 * kMiB));
#endif
    for (size_t i = 1; i < pieces.size(); i += 2) QVERIFY(whole(pieces[i]));
    QVERIFY(whole(large));
}

void HostArenaTest::holesAreGivenBack() {
    HostArena arena(256 * kMiB);
    const Piece kept = marked(arena, kMiB - kStaggerBytes, 1);
    const Piece dropped = marked(arena, 64 * kMiB, 2);
    const int64_t before = residentBytes();
    arena.free(dropped.begin);
    QCOMPARE(arena.use().pageBytes, int64_t(65 * kMiB));
    arena.giveBack();
    QCOMPARE(arena.use().pageBytes, int64_t(kMiB));
    QCOMPARE(arena.use().peakUsedBytes, int64_t(kMiB - kStaggerBytes));
    QVERIFY(before - residentBytes() > int64_t(60 * kMiB));
    QVERIFY(whole(kept));
}

void HostArenaTest::whatDoesNotFitIsNotGiven() {
    HostArena arena(8 * kMiB);
    void* const most = arena.allocate(8 * kMiB - 64);
    QVERIFY(most != nullptr && arena.allocate(65) == nullptr);
    arena.free(most);
    QVERIFY(arena.allocate(9 * kMiB) == nullptr && arena.allocate(SIZE_MAX) == nullptr);
    QCOMPARE(arena.use().usedBytes, int64_t{0});
    HostArena none(size_t{1} << 62); // more addresses than there are
    QVERIFY(none.allocate(64) == nullptr && !none.holds(nullptr));
}

/// As a parameter, its gradient and its moments do, which are walked side by side.
void HostArenaTest::largePiecesOfOneSizeDoNotLieAlike() {
    constexpr size_t kWay = size_t{128} << 10; // of a cache of 1 MiB with 8 ways
    HostArena arena(256 * kMiB);
    for (const size_t bytes : {kMiB, 4 * kMiB, 9 * kMiB / 2}) {
        std::set<uintptr_t> places;
        for (int piece = 0; piece < 4; ++piece)
            places.insert(reinterpret_cast<uintptr_t>(arena.allocate(bytes)) % kWay);
        QCOMPARE(places.size(), size_t{4});
    }
}

void HostArenaTest::threadsShareIt() {
    HostArena arena(size_t{1} << 30);
    std::vector<std::thread> threads;
    std::vector<int> damaged(4);
    for (size_t one = 0; one < damaged.size(); ++one)
        threads.emplace_back([&arena, &damaged, one] {
            for (int turn = 0; turn < 300; ++turn) {
                const Piece piece = marked(arena, (one + 1) * 50000 + static_cast<size_t>(turn) * 64,
                                           static_cast<uint8_t>(turn + 1));
                if (!whole(piece)) ++damaged[one];
                arena.free(piece.begin);
            }
        });
    for (std::thread& thread : threads) thread.join();
    QCOMPARE(damaged, std::vector<int>(4));
    QCOMPARE(arena.use().usedBytes, int64_t{0});
}

QTEST_APPLESS_MAIN(HostArenaTest)
#include "tst_host_arena.moc"
