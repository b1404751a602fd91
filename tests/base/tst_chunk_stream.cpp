// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Streaming of chunks with a fake computation that checks every byte it is given.
#include "core/base/memory/chunk_stream.h"
#include "tests/base/support/refusing_link.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <new>
#include <random>
#include <stdexcept>

using namespace homebooth::core;

namespace {

constexpr int64_t kChunkBytes = 256;

/// A home arena of blocks of random size, every byte of a block its number plus the pass.
struct Model {
    std::vector<Chunk> chunks;
    std::vector<uint8_t> home;
    ResidencyRequest request;
    std::vector<int64_t> usedBytes;

    explicit Model(unsigned seed, int blocks) {
        std::mt19937 random(seed);
        for (int block = 0; block < blocks; ++block) {
            const int64_t used = 1 + static_cast<int64_t>(random() % (5 * kChunkBytes));
            for (int64_t done = 0; done < used; done += kChunkBytes)
                chunks.push_back({block, static_cast<int64_t>(chunks.size()) * kChunkBytes, done,
                                  std::min(kChunkBytes, used - done), ChunkState::Free});
            usedBytes.push_back(used);
            request.blockBytes.push_back((used + kChunkBytes - 1) / kChunkBytes * kChunkBytes);
            request.writable.push_back(random() % 3 != 0);
            request.order.push_back(block);
        }
        for (int block = blocks - 1; block >= 0; --block) request.order.push_back(block);
        home.resize(chunks.size() * kChunkBytes);
        for (int block = 0; block < blocks; ++block) fill(block, 0);
    }

    void fill(int block, int pass) {
        for (const Chunk& chunk : chunks)
            if (chunk.block == block)
                std::fill_n(home.begin() + chunk.homeOffsetBytes, chunk.usedBytes, value(block, pass));
    }
    /// What a block holds: blocks that are not writable never change.
    [[nodiscard]] uint8_t value(int block, int pass) const {
        return static_cast<uint8_t>(1 + block * 7 + (request.writable[block] ? pass * 31 : 0));
    }
};

/// A disk from which one of the reads fails.
class FailingSource final : public LinkSource {
public:
    /// @param failing  number of the read, counted from 0
    explicit FailingSource(int failing)
        : m_untilFailure(failing) {}
    void want(const void* /*begin*/, int64_t /*bytes*/) override {}
    void hold(const void* /*begin*/, int64_t /*bytes*/) override {
        if (m_untilFailure-- == 0) throw std::runtime_error("the disk is gone");
    }
    void release(const void* /*begin*/, int64_t /*bytes*/) override {}
    [[nodiscard]] bool failed() const { return m_untilFailure < 0; }

private:
    std::atomic<int> m_untilFailure;
};

/// Runs one pass; after its last use a writable block changes at home, as an optimizer would have it.
void runPass(ChunkStream& stream, Model& model, int pass) {
    stream.beginPass();
    const auto count = static_cast<int>(model.request.blockBytes.size());
    for (int use = 0; use < 2 * count; ++use) {
        const int block = model.request.order[use];
        const uint8_t* data = stream.acquire(block);
        const bool asExpected = std::all_of(data, data + model.usedBytes[block],
                                            [&](uint8_t byte) { return byte == model.value(block, pass); });
        stream.release(block);
        QVERIFY2(asExpected, qPrintable(QString("pass %1, use %2, block %3").arg(pass).arg(use).arg(block)));
        if (use >= count && model.request.writable[block]) model.fill(block, pass + 1);
    }
}

/// Carries nothing, as between arenas without memory.
class IdleLink final : public Link {
public:
    [[nodiscard]] LinkTicket copy(void* target, const void* source, int64_t bytes) override {
        if (target != nullptr || source != nullptr) throw std::logic_error("an address without memory");
        m_traffic.bytes += bytes;
        return static_cast<LinkTicket>(++m_traffic.copies);
    }
    void wait(LinkTicket /*ticket*/) override {}
    [[nodiscard]] LinkTraffic traffic() const override { return m_traffic; }

private:
    LinkTraffic m_traffic;
};

class ChunkStreamTest : public QObject {
    Q_OBJECT
private slots:
    void givesEveryUseItsBytesAtEveryBudget();
    void givesTheSameOverASlowLink();
    void fetchesWhatThePlanSays();
    void bringsForTheNextPassWhatIsFinal();
    void forgetsWhatCameForTheNextPass();
    void goesOnAfterAPassThatEndedEarly();
    void goesOnAfterALinkThatRefused();
    void goesOnAfterACopyThatFailed();
    void waitsForWhatIsOnItsWayBeforeItEnds();
    void takesBlocksWithoutParameters();
    void givesNoAddressWithoutMemory();
    void asksForALargeBlockInPiecesOfOneTicket();
    void asksAgainForALargeBlockThatWasRefusedHalfway();
    void refusesAnyOtherOrder();
};

void ChunkStreamTest::givesEveryUseItsBytesAtEveryBudget() {
    for (unsigned seed = 0; seed < 12; ++seed) {
        for (int distance = 0; distance < 4; ++distance) {
            Model model(seed, 9);
            model.request.prefetchDistance = distance;
            const int64_t least = leastArenaBytes(model.request);
            for (const int64_t extra : {0, 1500, 6000, 30000}) {
                model.request.budgetBytes = least + extra;
                const Result<ResidencyPlan> plan = planResidency(model.request);
                QVERIFY(plan.ok());
                std::vector<uint8_t> device(static_cast<size_t>(plan->arenaBytes));
                HostLink link;
                ChunkStream stream(model.chunks, model.home.data(), link);
                stream.use(*plan, device.data());
                for (int block = 0; block < 9; ++block) model.fill(block, 0);
                for (int pass = 0; pass < 3; ++pass) runPass(stream, model, pass);
            }
        }
    }
}

void ChunkStreamTest::givesTheSameOverASlowLink() {
    Model model(4, 8);
    model.request.prefetchDistance = 2;
    model.request.budgetBytes = leastArenaBytes(model.request) + 2000;
    const Result<ResidencyPlan> plan = planResidency(model.request);
    std::vector<uint8_t> device(static_cast<size_t>(plan->arenaBytes));
    HostLink link({20e6, 2e-4});
    ChunkStream stream(model.chunks, model.home.data(), link);
    stream.use(*plan, device.data());
    for (int pass = 0; pass < 2; ++pass) runPass(stream, model, pass);
    QVERIFY(link.traffic().busySeconds >= 2e-4 * static_cast<double>(link.traffic().copies));
}

void ChunkStreamTest::fetchesWhatThePlanSays() {
    Model model(5, 10);
    model.request.budgetBytes = leastArenaBytes(model.request) + 3000;
    const Result<ResidencyPlan> plan = planResidency(model.request);
    int64_t permanent = 0;
    int64_t moved = 0;
    for (const Stay& stay : plan->stays) (stay.permanent ? permanent : moved) += model.usedBytes[stay.block];
    QVERIFY(moved > 0);
    QVERIFY(moved <= plan->fetchedBytes); // padding does not move
    std::vector<uint8_t> device(static_cast<size_t>(plan->arenaBytes));
    HostLink link;
    ChunkStream stream(model.chunks, model.home.data(), link);
    stream.use(*plan, device.data());
    for (int pass = 0; pass < 3; ++pass) runPass(stream, model, pass);
    QCOMPARE(link.traffic().bytes, permanent + 3 * moved);
}

/// A pass of nine blocks with room for much of the next one.
Model modelWithRoom(unsigned seed) {
    Model model(seed, 9);
    model.request.asSoonAsPossible = true;
    model.request.prefetchDistance = 3;
    model.request.budgetBytes = leastArenaBytes(model.request, 3);
    return model;
}

bool isOnDevice(const ChunkStream& stream, int block) {
    return std::any_of(stream.chunks().begin(), stream.chunks().end(), [block](const Chunk& chunk) {
        return chunk.block == block && chunk.state != ChunkState::Free;
    });
}

void ChunkStreamTest::bringsForTheNextPassWhatIsFinal() {
    int came = 0;
    for (unsigned seed = 0; seed < 12; ++seed)
        for (const LinkSpeed speed : {LinkSpeed{}, LinkSpeed{20e6, 2e-4}}) {
            Model model = modelWithRoom(seed);
            const Result<ResidencyPlan> plan = planResidency(model.request);
            QVERIFY(plan.ok());
            std::vector<uint8_t> device(static_cast<size_t>(plan->arenaBytes));
            HostLink link(speed);
            ChunkStream stream(model.chunks, model.home.data(), link);
            stream.use(*plan, device.data());
            std::vector<int> asked;
            stream.fetchForNextPass([&](int block) {
                asked.push_back(block);
                return block != 4; // is never said to be final, and holds up what comes behind it
            });
            for (int pass = 0; pass < 4; ++pass) {
                runPass(stream, model, pass);
                stream.endPass();
                QVERIFY(!isOnDevice(stream, 4) || !model.request.writable[4]);
                for (const int block : asked) came += isOnDevice(stream, block) ? 1 : 0;
                asked.clear();
            }
        }
    QVERIFY2(came > 50, qPrintable(QString::number(came)));
}

void ChunkStreamTest::forgetsWhatCameForTheNextPass() {
    for (unsigned seed = 0; seed < 12; ++seed) {
        Model model = modelWithRoom(seed);
        const Result<ResidencyPlan> plan = planResidency(model.request);
        std::vector<uint8_t> device(static_cast<size_t>(plan->arenaBytes));
        HostLink link({20e6, 2e-4});
        ChunkStream stream(model.chunks, model.home.data(), link);
        stream.use(*plan, device.data());
        stream.fetchForNextPass([](int /*block*/) { return true; });
        for (int pass = 0; pass < 6; pass += 2) {
            runPass(stream, model, pass);
            stream.endPass();
            stream.forgetNextPass();
            for (int block = 0; block < 9; ++block) {
                QVERIFY(!isOnDevice(stream, block) || !model.request.writable[block]);
                if (model.request.writable[block])
                    model.fill(block, pass + 2); // as averages that are swapped in
            }
        }
        // A pass that ends early takes with it what came for the next one.
        stream.beginPass();
        for (size_t use = 0; use + 1 < model.request.order.size(); ++use) {
            (void)stream.acquire(model.request.order[use]);
            stream.release(model.request.order[use]);
        }
        stream.endPass();
        for (int block = 0; block < 9; ++block)
            QVERIFY(!isOnDevice(stream, block) || !model.request.writable[block]);
    }
}

void ChunkStreamTest::goesOnAfterAPassThatEndedEarly() {
    Model model(6, 7);
    model.request.prefetchDistance = 2;
    model.request.budgetBytes = leastArenaBytes(model.request) + 2500;
    const Result<ResidencyPlan> plan = planResidency(model.request);
    std::vector<uint8_t> device(static_cast<size_t>(plan->arenaBytes));
    HostLink link;
    ChunkStream stream(model.chunks, model.home.data(), link);
    stream.use(*plan, device.data());
    for (int last = 0; last < 14; ++last) {
        stream.beginPass();
        for (int use = 0; use < last; ++use) {
            (void)stream.acquire(model.request.order[use]);
            stream.release(model.request.order[use]);
        }
        (void)stream.acquire(model.request.order[last]); // and an exception
        stream.endPass();
        runPass(stream, model, 0);
        for (int block = 0; block < 7; ++block) model.fill(block, 0);
    }
}

void ChunkStreamTest::goesOnAfterALinkThatRefused() {
    Model model(6, 7);
    model.request.prefetchDistance = 2;
    model.request.budgetBytes = leastArenaBytes(model.request) + 2500;
    const Result<ResidencyPlan> plan = planResidency(model.request);
    std::vector<uint8_t> device(static_cast<size_t>(plan->arenaBytes));
    for (int refused = 0; refused < static_cast<int>(plan->stays.size()); ++refused) {
        RefusingLink link(refused);
        ChunkStream stream(model.chunks, model.home.data(), link);
        stream.use(*plan, device.data());
        for (int block = 0; block < 7; ++block) model.fill(block, 0);
        QVERIFY_THROWS_EXCEPTION(std::bad_alloc, runPass(stream, model, 0));
        stream.endPass(); // what was asked for before the refusal is still being copied
        for (int block = 0; block < 7; ++block) model.fill(block, 0);
        for (int pass = 0; pass < 2; ++pass) runPass(stream, model, pass);
    }
}

void ChunkStreamTest::goesOnAfterACopyThatFailed() {
    Model model(6, 7);
    model.request.prefetchDistance = 2;
    model.request.budgetBytes = leastArenaBytes(model.request) + 2500;
    const Result<ResidencyPlan> plan = planResidency(model.request);
    std::vector<uint8_t> device(static_cast<size_t>(plan->arenaBytes));
    for (int failing = 0; failing < static_cast<int>(plan->stays.size()); ++failing) {
        FailingSource source(failing);
        HostLink link({}, &source);
        ChunkStream stream(model.chunks, model.home.data(), link);
        stream.use(*plan, device.data());
        for (int block = 0; block < 7; ++block) model.fill(block, 0);
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, runPass(stream, model, 0));
        stream.endPass();
        QVERIFY(source.failed());
        for (int block = 0; block < 7; ++block) model.fill(block, 0);
        for (int pass = 0; pass < 2; ++pass) runPass(stream, model, pass);
    }
}

void ChunkStreamTest::waitsForWhatIsOnItsWayBeforeItEnds() {
    Model model(6, 7);
    model.request.prefetchDistance = 2;
    model.request.budgetBytes = leastArenaBytes(model.request, 2);
    const Result<ResidencyPlan> plan = planResidency(model.request);
    std::vector<uint8_t> device(static_cast<size_t>(plan->arenaBytes));
    HostLink link({0.0, 5e-3, false});
    {
        ChunkStream stream(model.chunks, model.home.data(), link);
        stream.use(*plan, device.data());
        stream.beginPass();
        (void)stream.acquire(0);
    }
    QCOMPARE(link.traffic().copies, std::count_if(plan->stays.begin(), plan->stays.end(),
                                                  [](const Stay& stay) { return stay.fetchAt <= 0; }));
}

void ChunkStreamTest::takesBlocksWithoutParameters() {
    Model model(9, 6);
    for (const int empty : {0, 3, 5}) { // the first one, one between others, the last one
        model.usedBytes[empty] = 0;
        model.request.blockBytes[empty] = 0;
        std::erase_if(model.chunks, [empty](const Chunk& chunk) { return chunk.block == empty; });
    }
    model.request.budgetBytes = leastArenaBytes(model.request) + 1000;
    const Result<ResidencyPlan> plan = planResidency(model.request);
    std::vector<uint8_t> device(static_cast<size_t>(plan->arenaBytes));
    HostLink link;
    ChunkStream stream(model.chunks, model.home.data(), link);
    stream.use(*plan, device.data());
    for (int pass = 0; pass < 3; ++pass) runPass(stream, model, pass);
}

void ChunkStreamTest::givesNoAddressWithoutMemory() {
    Model model(5, 10);
    model.request.prefetchDistance = 2;
    model.request.budgetBytes = leastArenaBytes(model.request) + 3000;
    const Result<ResidencyPlan> plan = planResidency(model.request);
    IdleLink link;
    ChunkStream stream(model.chunks, nullptr, link);
    stream.use(*plan, nullptr);
    stream.beginPass();
    for (const int block : model.request.order) {
        QVERIFY(stream.acquire(block) == nullptr);
        stream.release(block);
    }
    QVERIFY(link.traffic().bytes > 0);
}

constexpr int64_t kMostCopyBytes = int64_t{16} << 20; // of one copy

/// One block of two whole copies and a bit, and the plan of a pass that uses it once.
struct LargeBlock {
    static constexpr int64_t kBytes = 2 * kMostCopyBytes + 4096;
    std::vector<uint8_t> home = std::vector<uint8_t>(static_cast<size_t>(kBytes), 7);
    std::vector<uint8_t> device = std::vector<uint8_t>(static_cast<size_t>(kBytes));
    std::vector<Chunk> chunks;
    Result<ResidencyPlan> plan;

    LargeBlock()
        : chunks{{0, 0, 0, kBytes, ChunkState::Free}}
        , plan(planOf()) {
        home.back() = 9;
    }
    static Result<ResidencyPlan> planOf() {
        ResidencyRequest request;
        request.order = {0};
        request.blockBytes = {kBytes};
        request.writable = {true};
        request.budgetBytes = kBytes;
        return planResidency(request);
    }
};

/// Notes which copies were asked for together, and what was waited for.
class NotingLink final : public Link {
public:
    [[nodiscard]] LinkTicket copy(void* target, const void* source, int64_t bytes) override {
        return m_link.copy(target, source, bytes);
    }
    void copyAllAfter(LinkMark mark, std::span<const LinkCopy> copies, LinkTicket& last) override {
        asked.emplace_back();
        for (const LinkCopy& one : copies) asked.back().push_back(one.bytes);
        Link::copyAllAfter(mark, copies, last);
    }
    void wait(LinkTicket ticket) override {
        waited.push_back(ticket);
        m_link.wait(ticket);
    }
    [[nodiscard]] LinkTraffic traffic() const override { return m_link.traffic(); }

    std::vector<std::vector<int64_t>> asked;
    std::vector<LinkTicket> waited;

private:
    HostLink m_link;
};

void ChunkStreamTest::asksForALargeBlockInPiecesOfOneTicket() {
    LargeBlock large;
    QVERIFY(large.plan.ok());
    NotingLink link;
    ChunkStream stream(large.chunks, large.home.data(), link);
    stream.use(*large.plan, large.device.data());
    stream.beginPass();
    const uint8_t* data = stream.acquire(0);
    QVERIFY(std::equal(large.home.begin(), large.home.end(), data));
    const std::vector<int64_t> pieces{kMostCopyBytes, kMostCopyBytes, 4096};
    QCOMPARE(link.asked, std::vector<std::vector<int64_t>>{pieces});
    QCOMPARE(link.waited, std::vector<LinkTicket>{3}); // the last one alone
    stream.release(0);
    stream.endPass();
}

void ChunkStreamTest::asksAgainForALargeBlockThatWasRefusedHalfway() {
    for (const int refused : {0, 1, 2}) {
        LargeBlock large;
        RefusingLink link(refused);
        ChunkStream stream(large.chunks, large.home.data(), link);
        stream.use(*large.plan, large.device.data());
        QVERIFY_THROWS_EXCEPTION(std::bad_alloc, stream.beginPass());
        QCOMPARE(link.traffic().copies, int64_t{refused}); // none is on its way
        const uint8_t* data = stream.acquire(0);           // in the same pass
        QVERIFY(std::equal(large.home.begin(), large.home.end(), data));
        stream.release(0);
        stream.endPass();
    }
}

void ChunkStreamTest::refusesAnyOtherOrder() {
    Model model(8, 5);
    model.request.budgetBytes = leastArenaBytes(model.request);
    const Result<ResidencyPlan> plan = planResidency(model.request);
    std::vector<uint8_t> device(static_cast<size_t>(plan->arenaBytes));
    HostLink link;
    ChunkStream stream(model.chunks, model.home.data(), link);
    stream.use(*plan, device.data());
    QVERIFY_THROWS_EXCEPTION(std::logic_error, (void)stream.acquire(0)); // no pass has begun
    stream.beginPass();
    QVERIFY_THROWS_EXCEPTION(std::logic_error, (void)stream.acquire(3));
    (void)stream.acquire(0);
    QVERIFY_THROWS_EXCEPTION(std::logic_error, (void)stream.acquire(0)); // in use already
}

} // namespace

QTEST_APPLESS_MAIN(ChunkStreamTest)
#include "tst_chunk_stream.moc"
