// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Whole training steps with a fake computation and no Torch, so that all of their threads run under the
// thread sanitizer: blocks in the executor's order, parameters on a disk fetched ahead over a link, gradients
// back over another one, updated at home with states on a second disk while backward goes on. Compared with
// the same steps done plainly in memory.
#include "core/base/memory/chunk_stream.h"
#include "core/base/memory/return_lane.h"
#include "core/base/swap/swapped_memory.h"
#include "tests/base/support/faulty_swap_device.h"

#include <QtTest>

#include <algorithm>
#include <numeric>
#include <random>
#include <stdexcept>

using namespace homebooth::core;

namespace {

using Word = uint32_t;
constexpr int64_t kWordBytes = sizeof(Word);
constexpr int64_t kChunkBytes = 4096;
constexpr int64_t kSwapPageBytes = 8192;
constexpr int64_t kLanePageBytes = 2048;
constexpr int kBlocks = 7;
constexpr int kSteps = 4;

/// What a block makes of its input and its parameters, and what backward makes of it: any numbers will do, as
/// long as every word counts.
Word forward(Word input, std::span<const Word> parameters) {
    return std::accumulate(parameters.begin(), parameters.end(), input,
                           [](Word sum, Word value) { return sum * 31 + value; });
}
Word gradient(Word parameter, Word input, Word direction) {
    return parameter * 2654435761U + input * 40503U + direction;
}
void update(Word& parameter, Word& state, Word grad) {
    state = state * 3 + grad;
    parameter += state >> 3;
}

/// Blocks of random size, one behind another in whole chunks.
struct Layout {
    std::vector<Chunk> chunks;
    std::vector<int64_t> begin; ///< of a block, words from the beginning of all
    std::vector<int64_t> words; ///< of a block
    ResidencyRequest request;

    explicit Layout(unsigned seed) {
        std::mt19937 random(seed);
        for (int block = 0; block < kBlocks; ++block) {
            const auto used =
                static_cast<int64_t>(1 + random() % (5 * kChunkBytes / kWordBytes)) * kWordBytes;
            begin.push_back(static_cast<int64_t>(chunks.size()) * kChunkBytes / kWordBytes);
            words.push_back(used / kWordBytes);
            for (int64_t done = 0; done < used; done += kChunkBytes)
                chunks.push_back({block, static_cast<int64_t>(chunks.size()) * kChunkBytes, done,
                                  std::min(kChunkBytes, used - done), ChunkState::Free});
            request.blockBytes.push_back((used + kChunkBytes - 1) / kChunkBytes * kChunkBytes);
            request.writable.push_back(true);
            request.order.push_back(block);
        }
        for (int block = kBlocks - 1; block >= 0; --block) request.order.push_back(block);
        request.prefetchDistance = 2;
        request.asSoonAsPossible = seed % 2 == 0;
        request.budgetBytes = leastArenaBytes(request, request.prefetchDistance);
    }
    [[nodiscard]] int64_t bytes() const { return static_cast<int64_t>(chunks.size()) * kChunkBytes; }
    [[nodiscard]] int64_t allWords() const { return bytes() / kWordBytes; }
};

/// The same steps without tiers or threads. @returns the parameters, then the states
std::vector<Word> plainSteps(const Layout& layout) {
    std::vector<Word> parameters(static_cast<size_t>(layout.allWords()));
    std::vector<Word> states(parameters.size());
    for (int step = 1; step <= kSteps; ++step) {
        std::vector<Word> inputs{static_cast<Word>(step)};
        const auto of = [&](int block) {
            return std::span(parameters)
                .subspan(static_cast<size_t>(layout.begin[block]), static_cast<size_t>(layout.words[block]));
        };
        for (int block = 0; block < kBlocks; ++block) inputs.push_back(forward(inputs.back(), of(block)));
        Word direction = inputs.back();
        for (int block = kBlocks - 1; block >= 0; --block) {
            const Word next = forward(direction, of(block));
            for (int64_t i = 0; i < layout.words[block]; ++i)
                update(of(block)[i], states[static_cast<size_t>(layout.begin[block] + i)],
                       gradient(of(block)[i], inputs[block], direction));
            direction = next;
        }
    }
    parameters.insert(parameters.end(), states.begin(), states.end());
    return parameters;
}

/// A link's view of memory on a disk.
class DiskSource final : public LinkSource {
public:
    explicit DiskSource(SwappedMemory& memory)
        : m_memory(memory) {}
    void want(const void* begin, int64_t bytes) override { m_memory.want(stretch(begin, bytes)); }
    void hold(const void* begin, int64_t bytes) override {
        if (const auto held = m_memory.hold(stretch(begin, bytes)); !held)
            throw std::runtime_error(held.error().text());
    }
    void release(const void* begin, int64_t bytes) override {
        m_memory.release(stretch(begin, bytes), false);
    }

private:
    static std::span<const std::byte> stretch(const void* begin, int64_t bytes) {
        return {static_cast<const std::byte*>(begin), static_cast<size_t>(bytes)};
    }
    SwappedMemory& m_memory;
};

std::unique_ptr<SwappedMemory> onDisk(const QString& folder, int64_t bytes, SwapDevice& device) {
    SwappedMemoryOptions options;
    options.folder = folder.toStdString();
    options.bytes = bytes;
    options.pageBytes = kSwapPageBytes;
    options.residentBytes = 5 * kSwapPageBytes;
    options.depth = 3;
    auto made = SwappedMemory::create(options, device);
    if (!made) throw std::runtime_error(made.error().text());
    return std::move(made).value();
}

SwapHold held(SwappedMemory& memory, std::span<const std::byte> stretch) {
    auto hold = SwapHold::take(memory, stretch, true);
    if (!hold) throw std::runtime_error(hold.error().text());
    return std::move(hold).value();
}

/// All tiers of a training, and its threads.
class Training {
public:
    Training(const Layout& layout, const QString& folder, SwapDevice& device, LinkSpeed there, LinkSpeed back)
        : m_layout(layout)
        , m_parameters(onDisk(folder, layout.bytes(), device))
        , m_states(onDisk(folder, layout.bytes(), device))
        , m_source(*m_parameters)
        , m_fetch(there, &m_source)
        , m_return(back)
        , m_plan(planResidency(layout.request).value())
        , m_arena(static_cast<size_t>(m_plan.arenaBytes))
        , m_pages(6 * kLanePageBytes)
        , m_stream(layout.chunks, reinterpret_cast<const uint8_t*>(m_parameters->bytes().data()), m_fetch)
        , m_lane(m_pages, kLanePageBytes) {
        m_stream.use(m_plan, m_arena.data());
        m_stream.fetchForNextPass(
            [this](int block) { return m_lane.isDone(m_lastSent[static_cast<size_t>(block)]); });
    }

    void step(int number) {
        m_stream.beginPass();
        std::vector<Word> inputs{static_cast<Word>(number)};
        for (int block = 0; block < kBlocks; ++block) {
            inputs.push_back(forward(inputs.back(), acquired(block)));
            m_stream.release(block);
        }
        Word direction = inputs.back();
        for (int block = kBlocks - 1; block >= 0; --block) {
            const std::span<const Word> parameters = acquired(block);
            const auto gradients = std::make_shared<std::vector<Word>>();
            for (const Word one : parameters) gradients->push_back(gradient(one, inputs[block], direction));
            direction = forward(direction, parameters);
            m_stream.release(block);
            if (number % 2 == 0)
                m_lane.waitUntilAtMost(0); // as where only one block's gradients may be there
            m_lastSent[static_cast<size_t>(block)] =
                m_lane.send(m_return, {std::as_bytes(std::span<const Word>(*gradients)), gradients,
                                       [this, block](std::span<const std::byte> piece, int64_t offset) {
                                           use(block, piece, offset);
                                       }});
        }
        m_stream.endPass();
        m_lane.settle();
    }

    /// Parameters and states, read back from the disk.
    [[nodiscard]] std::vector<Word> all() {
        std::vector<Word> words;
        for (SwappedMemory* memory : {m_parameters.get(), m_states.get()})
            for (int64_t at = 0; at < m_layout.bytes(); at += kChunkBytes) {
                const std::span<std::byte> part =
                    memory->bytes().subspan(static_cast<size_t>(at), static_cast<size_t>(kChunkBytes));
                const SwapHold hold = held(*memory, part);
                const auto* begin = reinterpret_cast<const Word*>(part.data());
                words.insert(words.end(), begin, begin + kChunkBytes / kWordBytes);
            }
        return words;
    }

private:
    [[nodiscard]] std::span<const Word> acquired(int block) {
        return {reinterpret_cast<const Word*>(m_stream.acquire(block)),
                static_cast<size_t>(m_layout.words[block])};
    }
    /// On the lane's thread: what an optimizer does with a piece of a gradient.
    void use(int block, std::span<const std::byte> piece, int64_t offset) {
        const auto at = static_cast<size_t>(m_layout.begin[block] * kWordBytes + offset);
        const std::span<std::byte> home = m_parameters->bytes().subspan(at, piece.size());
        const std::span<std::byte> states = m_states->bytes().subspan(at, piece.size());
        const SwapHold holdHome = held(*m_parameters, home);
        const SwapHold holdStates = held(*m_states, states);
        for (size_t i = 0; i < piece.size() / kWordBytes; ++i)
            update(reinterpret_cast<Word*>(home.data())[i], reinterpret_cast<Word*>(states.data())[i],
                   reinterpret_cast<const Word*>(piece.data())[i]);
    }

    const Layout& m_layout;
    std::unique_ptr<SwappedMemory> m_parameters;
    std::unique_ptr<SwappedMemory> m_states;
    DiskSource m_source;
    HostLink m_fetch;
    HostLink m_return;
    ResidencyPlan m_plan;
    std::vector<uint8_t> m_arena;
    std::vector<std::byte> m_pages;
    std::vector<uint64_t> m_lastSent = std::vector<uint64_t>(kBlocks, 0);
    ChunkStream m_stream;
    ReturnLane m_lane; // last: it ends before what it uses
};

} // namespace

class tst_streamed_steps : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder{qEnvironmentVariable("HOMEBOOTH_TEST_DIR", ".") + "/steps-XXXXXX"};

private slots:
    void giveWhatPlainOnesGive_data() {
        QTest::addColumn<bool>("ringRefused");
        QTest::addColumn<double>("latencySeconds");
        QTest::addColumn<bool>("blocking");
        QTest::newRow("ring") << false << 0.0 << false;
        QTest::newRow("threads") << true << 0.0 << false;
        QTest::newRow("slow link") << true << 2e-4 << false;
        QTest::newRow("blocking link") << true << 0.0 << true;
    }
    void giveWhatPlainOnesGive() {
        QFETCH(bool, ringRefused);
        QFETCH(double, latencySeconds);
        QFETCH(bool, blocking);
        for (unsigned seed = 1; seed <= 4; ++seed) {
            const Layout layout(seed);
            FaultySwapDevice device({}, {.ring = ringRefused});
            const LinkSpeed speed{0.0, latencySeconds, blocking};
            Training training(layout, m_folder.path(), device, speed, speed);
            for (int step = 1; step <= kSteps; ++step) training.step(step);
            QVERIFY(training.all() == plainSteps(layout));
            QVERIFY(device.calls(ringRefused ? SwapCall::WriteAt : SwapCall::Submit) > 20);
        }
    }

    void endWithAReasonWhenADiskFails_data() {
        QTest::addColumn<int>("call");
        QTest::addColumn<double>("latencySeconds");
        QTest::newRow("read") << static_cast<int>(SwapCall::ReadAt) << 0.0;
        QTest::newRow("write") << static_cast<int>(SwapCall::WriteAt) << 0.0;
        // What was asked for ahead is still under way when the step ends.
        QTest::newRow("read, slow link") << static_cast<int>(SwapCall::ReadAt) << 5e-3;
        QTest::newRow("write, slow link") << static_cast<int>(SwapCall::WriteAt) << 5e-3;
    }
    void endWithAReasonWhenADiskFails() {
        QFETCH(int, call);
        QFETCH(double, latencySeconds);
        const Layout layout(5);
        const auto run = [&](FaultySwapDevice& device) {
            Training training(layout, m_folder.path(), device, {0.0, latencySeconds, false}, {});
            for (int step = 1; step <= kSteps; ++step) training.step(step);
        };
        FaultySwapDevice counting({}, {.ring = true});
        run(counting);
        const int calls = counting.calls(static_cast<SwapCall>(call));
        int failures = 0;
        for (int first = 4; first < calls;
             first += std::max(1, calls / 12)) { // behind the trials of both disks
            FaultySwapDevice device({static_cast<SwapCall>(call), EIO, first}, {.ring = true});
            try {
                run(device);
            } catch (const std::runtime_error& error) {
                ++failures;
                QVERIFY2(QString(error.what()).contains("swap"), error.what());
            }
            QVERIFY(QDir(m_folder.path()).isEmpty());
        }
        QVERIFY(failures > 3);
    }
};

QTEST_GUILESS_MAIN(tst_streamed_steps)
#include "tst_streamed_steps.moc"
