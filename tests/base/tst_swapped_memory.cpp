// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory that lies on a disk: contents under every size of what stays in memory, two threads, and every
// operation of the disk failing once.
#include "core/base/swap/swapped_memory.h"
#include "tests/base/support/failing_new.h"
#include "tests/base/support/faulty_swap_device.h"

#include <QtTest>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <linux/io_uring.h>
#include <new>
#include <random>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <thread>
#include <unistd.h>

using namespace homebooth::core;
namespace fs = std::filesystem;

namespace {

constexpr int64_t kPage = 8192;
constexpr int64_t kPages = 23;

std::string scratch() {
    const char* root = std::getenv("HOMEBOOTH_TEST_DIR");
    const fs::path path = fs::path(root != nullptr ? root : "scratch") / "swapped-memory";
    fs::create_directories(path);
    return path.string();
}

SwappedMemoryOptions options(int64_t residentPages) {
    SwappedMemoryOptions options;
    options.folder = scratch();
    options.bytes = kPages * kPage - 100;
    options.pageBytes = kPage;
    options.residentBytes = residentPages * kPage;
    options.depth = 4;
    return options;
}

std::unique_ptr<SwappedMemory> made(const SwappedMemoryOptions& options,
                                    SwapDevice& device = SwapDevice::system()) {
    auto memory = SwappedMemory::create(options, device);
    if (!memory) throw std::runtime_error(memory.error().text());
    return std::move(memory).value();
}

/// Whether this system registers at least as much as these tests want; asked without what they test.
bool takesRegistrations() {
    constexpr size_t kBytes = 64 * kPage;
    io_uring_params parameters{};
    const int ring = static_cast<int>(::syscall(SYS_io_uring_setup, 4, &parameters));
    if (ring < 0) return false;
    void* memory = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const iovec piece{memory, kBytes};
    const bool taken = memory != MAP_FAILED &&
                       ::syscall(SYS_io_uring_register, ring, IORING_REGISTER_BUFFERS, &piece, 1) == 0;
    ::close(ring);
    if (memory != MAP_FAILED) ::munmap(memory, kBytes);
    return taken;
}

QString notesOf(const SwappedMemory& memory) {
    QStringList notes;
    for (const std::string& note : memory.facts().notes) notes.append(QString::fromStdString(note));
    return notes.join('\n');
}

/// What the memory should hold, one number for each stretch of 64 bytes.
class Twin {
public:
    explicit Twin(SwappedMemory& memory)
        : m_memory(memory)
        , m_values(memory.bytes().size() / kUnit, 0) {}
    static constexpr size_t kUnit = 64;

    [[nodiscard]] size_t units() const { return m_values.size(); }
    [[nodiscard]] std::span<std::byte> stretch(size_t begin, size_t count) const {
        return m_memory.bytes().subspan(begin * kUnit, count * kUnit);
    }
    /// Under a hold: compares a stretch, and changes it where that is wanted.
    [[nodiscard]] bool visit(size_t begin, size_t count, bool change) {
        bool right = true;
        for (size_t unit = begin; unit < begin + count; ++unit) {
            std::byte* data = stretch(unit, 1).data();
            uint64_t words[kUnit / 8];
            std::memcpy(words, data, kUnit);
            for (size_t i = 0; i < kUnit / 8; ++i)
                right = right && words[i] == (m_values[unit] == 0 ? 0 : m_values[unit] + i);
            if (!change) continue;
            m_values[unit] += 1000 + unit;
            for (size_t i = 0; i < kUnit / 8; ++i) words[i] = m_values[unit] + i;
            std::memcpy(data, words, kUnit);
        }
        return right;
    }

private:
    SwappedMemory& m_memory;
    std::vector<uint64_t> m_values;
};

/// Stretches in the order of a step's updates, with reading ahead; every one is compared and changed.
Result<bool> sweep(SwappedMemory& memory, Twin& twin, size_t length, bool change = true) {
    bool right = true;
    for (size_t begin = 0; begin < twin.units(); begin += length)
        memory.want(twin.stretch(begin, std::min(length, twin.units() - begin)));
    for (size_t begin = 0; begin < twin.units(); begin += length) {
        const size_t count = std::min(length, twin.units() - begin);
        HOMEBOOTH_ASSIGN(const SwapHold hold, SwapHold::take(memory, twin.stretch(begin, count), change));
        right = right && twin.visit(begin, count, change);
    }
    return right;
}

class SwappedMemoryTest : public QObject {
    Q_OBJECT
private slots:
    void keepsContentsWithinItsPlace();
    void keepsContentsInAnyOrder();
    void takesNoPlaceOnTheDiskUntilItIsChanged();
    void writesEachPageOnceInASweep();
    void givesBackWhatIsForgotten();
    void discardedPagesAreZeroAndCostNothing();
    void goesBeyondItsPlaceRatherThanFail();
    void servesTwoThreads();
    void endsWithAnErrorWhateverFails();
    void goesOnAfterWantOfMemory();
    void worksWithoutRegisteredMemory();
    void registeredMemoryServesAllPages();
    void refusesADiskThatIsTooSmall();
    void leavesNoFileBehind();
};

void SwappedMemoryTest::keepsContentsWithinItsPlace() {
    for (const int64_t resident : {1, 2, 3, 8, 22, 40}) {
        int64_t inMemory = 0;
        int64_t most = 0;
        SwappedMemoryOptions wanted = options(resident);
        wanted.inMemory = [&](int64_t bytes) { most = std::max(most, inMemory += bytes); };
        {
            const auto memory = made(wanted);
            Twin twin(*memory);
            for (const size_t length : {7, 100, 128, 129, 300}) {
                const auto right = sweep(*memory, twin, length);
                QVERIFY2(right.ok() && *right, qPrintable(QString::number(resident)));
                QCOMPARE(memory->residentBytes(), inMemory);
            }
            // The longest stretch lies in four pages; they may all be held beside what was there.
            QVERIFY(most <= std::max<int64_t>(resident, 1) * kPage + 4 * kPage);
        }
        QCOMPARE(inMemory, int64_t{0});
    }
}

void SwappedMemoryTest::keepsContentsInAnyOrder() {
    std::mt19937 random(3);
    for (const int64_t resident : {1, 5, 12}) {
        const auto memory = made(options(resident));
        Twin twin(*memory);
        for (int i = 0; i < 1500; ++i) {
            const size_t begin = random() % twin.units();
            const size_t count = std::min<size_t>(1 + random() % 260, twin.units() - begin);
            if (random() % 3 == 0) memory->want(twin.stretch(random() % twin.units(), 1));
            if (random() % 50 == 0) memory->forgetWanted();
            const bool change = random() % 2 == 0;
            const auto hold = SwapHold::take(*memory, twin.stretch(begin, count), change);
            QVERIFY(hold.ok());
            QVERIFY(twin.visit(begin, count, change));
        }
    }
}

void SwappedMemoryTest::takesNoPlaceOnTheDiskUntilItIsChanged() {
    const auto memory = made(options(3));
    Twin twin(*memory);
    for (int pass = 0; pass < 2; ++pass) {
        const auto right = sweep(*memory, twin, 50, /*change=*/false);
        QVERIFY(right.ok() && *right);
    }
    QCOMPARE(memory->counters().bytesRead, int64_t{0});
    QCOMPARE(memory->counters().bytesWritten, int64_t{0});
}

void SwappedMemoryTest::writesEachPageOnceInASweep() {
    const auto memory = made(options(8));
    Twin twin(*memory);
    constexpr int kSweeps = 4;
    for (int i = 0; i < kSweeps; ++i) QVERIFY(*sweep(*memory, twin, 100)); // stretches share pages
    const SwapCounters counters = memory->counters();
    QVERIFY(counters.bytesWritten <= kSweeps * kPages * kPage);
    QVERIFY(counters.bytesWritten >= (kSweeps * kPages - 8) * kPage);
    QVERIFY(counters.bytesRead <= (kSweeps - 1) * kPages * kPage);
}

void SwappedMemoryTest::givesBackWhatIsForgotten() {
    const auto memory = made(options(6));
    Twin twin(*memory);
    QVERIFY(*sweep(*memory, twin, 128));
    for (int round = 0; round < 5; ++round) {
        memory->want(twin.stretch(0, twin.units()));
        memory->forgetWanted();
        QVERIFY(*sweep(*memory, twin, 128)); // what was read for nobody does not stand in the way
        QVERIFY(memory->residentBytes() <= 7 * kPage);
    }
}

void SwappedMemoryTest::discardedPagesAreZeroAndCostNothing() {
    const auto memory = made(options(4));
    const std::span<std::byte> all = memory->bytes();
    const auto fill = [&](std::byte value) {
        for (size_t at = 0; at < all.size(); at += kPage) {
            const auto held = SwapHold::take(*memory, all.subspan(at, kPage), true);
            if (!held.ok()) return false;
            std::fill_n(all.data() + at, kPage, value);
        }
        return true;
    };
    QVERIFY(fill(std::byte{1}));
    memory->discard(all.subspan(1, all.size() - 1)); // the first page not as a whole
    const int64_t read = memory->counters().bytesRead;
    QVERIFY(fill(std::byte{2}));
    constexpr int64_t kOnTheirWay = 8; // pages that were just being written keep what they hold
    QVERIFY(memory->counters().bytesRead - read <= (3 + kOnTheirWay) * kPage);
    memory->discard(all.subspan(kPage, 8 * kPage));
    const auto held = SwapHold::take(*memory, all, false);
    QVERIFY(held.ok());
    QCOMPARE(all[0], std::byte{2});
    int zero = 0;
    for (size_t page = 1; page < 9; ++page) zero += all[page * kPage + 7] == std::byte{0} ? 1 : 0;
    QVERIFY(zero >= 5);
    QCOMPARE(all[9 * kPage], std::byte{2});
}

void SwappedMemoryTest::goesBeyondItsPlaceRatherThanFail() {
    const auto memory = made(options(2));
    Twin twin(*memory);
    QVERIFY(*sweep(*memory, twin, 128));
    {
        const auto all = SwapHold::take(*memory, twin.stretch(0, twin.units()), true);
        QVERIFY(all.ok());
        QVERIFY(twin.visit(0, twin.units(), true));
        QCOMPARE(memory->residentBytes(), kPages * kPage);
    }
    const auto returned = [&] { return *sweep(*memory, twin, 128) && memory->residentBytes() <= 4 * kPage; };
    QTRY_VERIFY(returned()); // what goes on being written is there a little longer
}

void SwappedMemoryTest::servesTwoThreads() {
    const auto memory = made(options(5));
    Twin twin(*memory);
    const size_t half = twin.units() / 2;
    std::atomic<int> wrong = 0;
    const auto work = [&](size_t from, unsigned seed) { // halves meet within a page
        std::mt19937 random(seed);
        for (int i = 0; i < 800; ++i) {
            const size_t begin = random() % half;
            const size_t count = std::min<size_t>(1 + random() % 200, half - begin);
            if (i % 3 == 0) memory->want(twin.stretch(from + random() % half, 1));
            const bool change = i % 2 == 0;
            const auto hold = SwapHold::take(*memory, twin.stretch(from + begin, count), change);
            if (!hold.ok() || !twin.visit(from + begin, count, change)) ++wrong;
        }
    };
    std::thread other(work, half, 7);
    work(0, 8);
    other.join();
    QCOMPARE(wrong.load(), 0);
}

void SwappedMemoryTest::endsWithAnErrorWhateverFails() {
    struct Failure {
        SwapCall call;
        SwapLacks lacks;
    };
    const std::vector<Failure> failures = {{SwapCall::Submit, {}},
                                           {SwapCall::Complete, {}},
                                           {SwapCall::ReadAt, {.ring = true}},
                                           {SwapCall::WriteAt, {.ring = true}}};
    for (const Failure& failure : failures) {
        int failed = 0;
        for (int first = 0; first < 200; first += 3) {
            FaultySwapDevice device({failure.call, EIO, first}, failure.lacks);
            auto memory = SwappedMemory::create(options(4), device);
            if (!memory) { // while it was tried out
                QVERIFY(!memory.error().message.empty());
                continue;
            }
            Twin twin(**memory);
            bool struck = false;
            for (int pass = 0; pass < 3; ++pass) {
                const auto right = sweep(**memory, twin, 150);
                if (!right) { // nothing is right after it, but it ends, and says why
                    QVERIFY(right.error().message.find("swap file") != std::string::npos);
                    struck = true;
                    QVERIFY(!(*memory)->hold((*memory)->bytes()).ok());
                    break;
                }
                QVERIFY(*right);
            }
            failed += struck ? 1 : 0;
        }
        QVERIFY(failed > 10);
    }
}

void SwappedMemoryTest::goesOnAfterWantOfMemory() {
    const auto memory = made(options(5));
    Twin twin(*memory);
    QVERIFY(*sweep(*memory, twin, 150));
    int refused = 0;
    for (int64_t left = 0; left < 120; ++left) {
        failAllocationsAfter(left);
        try {
            const auto right = sweep(*memory, twin, 150);
            failAllocationsAfter(-1);
            QVERIFY(right.ok() && *right);
        } catch (const std::bad_alloc&) {
            ++refused;
        }
        failAllocationsAfter(-1);
        const auto right = sweep(*memory, twin, 150);
        QVERIFY(right.ok() && *right);
    }
    QVERIFY(refused > 0);
}

/// Where an ordinary user may not lock as much.
void SwappedMemoryTest::worksWithoutRegisteredMemory() {
    FaultySwapDevice device({SwapCall::Register, ENOMEM});
    const auto memory = made(options(4), device);
    QCOMPARE(memory->facts().registered, false);
    QCOMPARE(memory->facts().notes.size(), size_t{1});
    QVERIFY(memory->facts().notes[0].find("could not be registered") != std::string::npos);
    QCOMPARE(memory->residentBytes(), int64_t{0});
    Twin twin(*memory);
    for (int pass = 0; pass < 3; ++pass) QVERIFY(*sweep(*memory, twin, 150));
}

void SwappedMemoryTest::registeredMemoryServesAllPages() {
    FaultySwapDevice device;
    const auto memory = made(options(4), device);
    if (!device.ringStandsIn && !takesRegistrations()) QSKIP("memory may not be registered here (ulimit -l)");
    if (!memory->facts().ring) QSKIP("the test's folder lies where there is no io_uring");
    QVERIFY2(memory->facts().registered, qPrintable(notesOf(*memory)));
    QCOMPARE(device.calls(SwapCall::Register), 1);
    QVERIFY(memory->facts().notes.empty());
    QCOMPARE(memory->residentBytes(), 4 * kPage); // from the beginning
    Twin twin(*memory);
    for (int pass = 0; pass < 3; ++pass) {
        for (size_t begin = 0; begin < twin.units(); begin += 128) { // a page at a time
            const size_t count = std::min<size_t>(128, twin.units() - begin);
            const auto hold = SwapHold::take(*memory, twin.stretch(begin, count), true);
            QVERIFY(hold.ok() && twin.visit(begin, count, true));
            QCOMPARE(memory->residentBytes(), 4 * kPage);
        }
    }
    QVERIFY(memory->counters().bytesRead > kPages * kPage);
}

void SwappedMemoryTest::refusesADiskThatIsTooSmall() {
    SwappedMemoryOptions huge = options(2);
    huge.bytes = int64_t{1} << 50;
    const auto memory = SwappedMemory::create(huge);
    QVERIFY(!memory.ok());
    QCOMPARE(memory.error().code, ErrorCode::OutOfResources);
    QVERIFY(memory.error().message.find("PiB") != std::string::npos ||
            memory.error().message.find("TiB") != std::string::npos);
}

void SwappedMemoryTest::leavesNoFileBehind() {
    const std::string folder = scratch();
    {
        const auto memory = made(options(2));
        Twin twin(*memory);
        QVERIFY(*sweep(*memory, twin, 128));
        QVERIFY(!fs::is_empty(folder));
    }
    QVERIFY(fs::is_empty(folder));
}

} // namespace

QTEST_APPLESS_MAIN(SwappedMemoryTest)
#include "tst_swapped_memory.moc"
