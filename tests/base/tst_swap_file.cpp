// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/swap/measure_swap.h"
#include "core/base/swap/stale_swap.h"
#include "core/base/swap/swap_file.h"
#include "core/base/swap/swap_space.h"
#include "core/base/system/disk_facts.h"
#include "tests/base/support/held_swap_device.h"
#include "tests/base/support/swap_pages.h"

#include <QtTest>

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace homebooth::core;
namespace fs = std::filesystem;

namespace {

constexpr int64_t kPage = 65536;

bool done(SwapFile& file, SwapTicket ticket) {
    const auto outcome = file.wait(ticket);
    return outcome && *outcome == SwapOutcome::Done;
}

bool cancelled(SwapFile& file, SwapTicket ticket) {
    const auto outcome = file.wait(ticket);
    return outcome && *outcome == SwapOutcome::Cancelled;
}

} // namespace

class tst_swap_file : public QObject {
    Q_OBJECT

    // Beside the build: /tmp may lie in RAM.
    QTemporaryDir m_folder{qEnvironmentVariable("HOMEBOOTH_TEST_DIR", ".") + "/swap-XXXXXX"};

    SwapOptions options(int64_t pages, int depth = 8, int64_t pageBytes = kPage) const {
        SwapOptions made;
        made.folder = m_folder.path().toStdString();
        made.pageBytes = pageBytes;
        made.pageCount = pages;
        made.depth = depth;
        return made;
    }

    std::unique_ptr<SwapFile> make(const SwapOptions& wanted,
                                   SwapDevice& device = SwapDevice::system()) const {
        auto made = SwapFile::create(wanted, device);
        if (!made) qFatal("%s", made.error().text().c_str());
        return std::move(made).value();
    }

    int filesInFolder() const {
        return static_cast<int>(std::distance(fs::directory_iterator(options(1).folder), {}));
    }

private slots:
    void init() {
        for (const auto& entry : fs::directory_iterator(options(1).folder)) fs::remove_all(entry.path());
    }

    void pagesComeBackAsWritten_data() {
        QTest::addColumn<int>("depth");
        QTest::addColumn<qint64>("pageBytes");
        QTest::addColumn<bool>("registered");
        for (const int depth : {1, 8})
            for (const qint64 bytes : {qint64{4096}, qint64{kPage}, qint64{4} << 20})
                for (const bool registered : {false, true})
                    QTest::addRow("depth %d, %lld bytes%s", depth, static_cast<long long>(bytes),
                                  registered ? ", registered" : "")
                        << depth << bytes << registered;
    }
    void pagesComeBackAsWritten() {
        QFETCH(int, depth);
        QFETCH(qint64, pageBytes);
        QFETCH(bool, registered);
        constexpr int64_t kPages = 6;
        const SwapPages pages(pageBytes, kPages);
        SwapOptions wanted = options(kPages, depth, pageBytes);
        if (registered) wanted.buffers = {pages.all()};
        const auto file = make(wanted);
        for (const uint64_t version : {1, 2}) {
            for (int64_t i = 0; i < kPages; ++i) {
                pages.fill(i, i, version);
                (void)file->write(i, pages.page(i));
            }
            QVERIFY(file->drain().ok());
            for (int64_t i = 0; i < kPages; ++i) pages.clear(i);
            std::vector<SwapTicket> reads;
            for (int64_t i = 0; i < kPages; ++i) reads.push_back(file->read(kPages - 1 - i, pages.page(i)));
            for (const SwapTicket ticket : reads) QVERIFY(done(*file, ticket));
            for (int64_t i = 0; i < kPages; ++i) QVERIFY(pages.holds(i, kPages - 1 - i, version));
        }
        QCOMPARE(file->counters().bytesRead, 2 * kPages * pageBytes);
        QCOMPARE(file->counters().bytesWritten, 2 * kPages * pageBytes);
    }

    void aPartOfAPageMovesAlone() {
        const SwapPages pages(kPage, 2);
        const auto file = make(options(2));
        pages.fill(0, 1, 1);
        QVERIFY(done(*file, file->write(1, pages.page(0).first(8192))));
        pages.clear(1);
        QVERIFY(done(*file, file->read(1, pages.page(1).first(8192))));
        QVERIFY(std::equal(pages.page(0).begin(), pages.page(0).begin() + 8192, pages.page(1).begin()));
        QCOMPARE(pages.page(1)[8192], std::byte{0xee});
    }

    void aReadWaitsForTheWriteOfItsSlot() {
        HeldSwapDevice device;
        const SwapPages pages(kPage, 3);
        const auto file = make(options(2), device);
        const HeldSwapDevice::AtEnd atEnd(device);
        device.hold();
        pages.fill(0, 0, 1);
        const SwapTicket write = file->write(0, pages.page(0));
        const SwapTicket read = file->read(0, pages.page(1));
        QVERIFY(device.holds(1));
        QVERIFY(!file->finished(write));
        device.release();
        QVERIFY(done(*file, write));
        QVERIFY(device.holds(1)); // now the read, without anybody asking for it
        pages.fill(2, 0, 2);
        const SwapTicket later = file->write(0, pages.page(2)); // must not overtake the read
        QTest::qWait(20);
        QVERIFY(device.holds(1));
        QVERIFY(!device.firstWrites());
        device.release();
        QVERIFY(done(*file, read));
        QVERIFY(pages.holds(1, 0, 1));
        QVERIFY(device.holds(1));
        device.release();
        QVERIFY(done(*file, later));
    }

    void theDepthIsUsedAndNeverExceeded() {
        constexpr int kDepth = 3;
        constexpr int64_t kPages = 10;
        HeldSwapDevice device;
        const SwapPages pages(kPage, kPages);
        const auto file = make(options(kPages, kDepth), device);
        const HeldSwapDevice::AtEnd atEnd(device);
        device.hold();
        for (int64_t i = 0; i < kPages; ++i) (void)file->write(i, pages.page(i));
        for (int64_t i = 0; i < kPages; ++i) {
            // The next begins as soon as any has ended, also the latest, while the caller does something
            // else.
            QVERIFY(device.holds(static_cast<size_t>(std::min<int64_t>(kDepth, kPages - i))));
            device.release(true);
        }
        QVERIFY(file->drain().ok());
        QCOMPARE(device.mostHeld(), kDepth);
    }

    void whatHasNotBegunCanBeCancelled() {
        HeldSwapDevice device;
        const SwapPages pages(kPage, 3);
        const auto file = make(options(3, 1), device);
        const HeldSwapDevice::AtEnd atEnd(device);
        device.hold();
        const SwapTicket first = file->write(0, pages.page(0));
        const SwapTicket second = file->write(1, pages.page(1));
        QVERIFY(device.holds(1));
        file->cancel(first); // too late, which is no error
        file->cancel(second);
        device.release();
        QVERIFY(done(*file, first));
        QVERIFY(cancelled(*file, second));
        QVERIFY(device.holds(0));
        const auto lost = file->wait(file->read(1, pages.page(1)));
        QVERIFY(!lost);
        QVERIFY2(lost.error().text().find("cancelled") != std::string::npos, lost.error().text().c_str());
    }

    void everythingCanBeCancelledAndDrained() {
        HeldSwapDevice device;
        const SwapPages pages(kPage, 4);
        const auto file = make(options(4, 2), device);
        const HeldSwapDevice::AtEnd atEnd(device);
        device.hold();
        for (int64_t i = 0; i < 4; ++i) (void)file->write(i, pages.page(i));
        QVERIFY(device.holds(2));
        file->cancelAll();
        device.release();
        device.release();
        QVERIFY(file->drain().ok());
        QCOMPARE(file->counters().bytesWritten, 2 * kPage);
    }

    void endingWaitsForWhatIsInFlight() {
        HeldSwapDevice device;
        const SwapPages pages(kPage, 4);
        auto file = make(options(4, 2), device);
        const HeldSwapDevice::AtEnd atEnd(device);
        device.hold();
        for (int64_t i = 0; i < 4; ++i) (void)file->write(i, pages.page(i));
        QVERIFY(device.holds(2));
        std::atomic<bool> ended = false;
        std::thread ending([&] {
            file.reset();
            ended = true;
        });
        QTest::qWait(50);
        const bool tooEarly = ended;
        device.release();
        device.release();
        ending.join();
        QVERIFY(!tooEarly);
        QCOMPARE(filesInFolder(), 0);
    }

    void aSlotThatWasNeverWrittenCannotBeRead() {
        const SwapPages pages(kPage, 1);
        const auto file = make(options(2));
        const auto read = file->wait(file->read(1, pages.page(0)));
        QVERIFY(!read);
        QCOMPARE(read.error().code, ErrorCode::Internal);
    }

    void theFileIsPrivateLockedReservedAndGoneAfterwards() {
        auto file = make(options(16));
        const std::string path = file->facts().path;
        struct stat status {};
        QCOMPARE(::stat(path.c_str(), &status), 0);
        QCOMPARE(status.st_mode & 0777U, 0600U);
        QCOMPARE(int64_t{status.st_size}, 16 * kPage);
        QVERIFY(int64_t{status.st_blocks} * 512 >= 16 * kPage);
        const int other = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
        QVERIFY(SwapDevice::system().lock(other) < 0);
        ::close(other);
        file.reset();
        QCOMPARE(filesInFolder(), 0);
    }

    void aFileThatIsToBeKeptStays() {
        SwapOptions wanted = options(1);
        wanted.keepFile = true;
        make(wanted).reset();
        QCOMPARE(filesInFolder(), 1);
        QCOMPARE(removeStaleSwap(wanted.folder, SwapDevice::system()).files, 0);
    }

    void processesHaveFoldersInTheOneThatWasNamed() {
        const std::string folder = options(1).folder;
        fs::create_directory(folder + "/rank-3");
        fs::create_directory(folder + "/photos");
        std::ofstream(folder + "/rank-notes") << "a user's own";
        const std::vector<std::string> expected{folder, folder + "/rank-3"};
        QCOMPARE(swapFoldersIn(folder), expected);
        QCOMPARE(swapFolderOf(folder, 3), expected.back());
        QCOMPARE(swapFoldersIn("/nowhere"), std::vector<std::string>{"/nowhere"});
    }

    void filesOfDeadOwnersAreRemovedAndOthersAreNot() {
        const pid_t child = ::fork();
        if (child == 0) { // dies with its file open
            SpaceOptions space;
            space.folder = options(4).folder;
            space.bytes = 4 * kPage;
            const auto abandoned = SwapSpace::create(space, SwapDevice::system());
            ::_exit(abandoned ? 0 : 1);
        }
        int ended = 0;
        QCOMPARE(::waitpid(child, &ended, 0), child);
        QCOMPARE(ended, 0);
        QCOMPARE(filesInFolder(), 1);
        const std::string folder = options(1).folder;
        std::ofstream(folder + "/homebooth-1-notes.swap") << "a user's own";
        fs::create_directory(folder + "/homebooth-1-00000000.swap");
        QCOMPARE(::mkfifo((folder + "/homebooth-1-00000001.swap").c_str(), 0600), 0);
        fs::create_symlink("homebooth-1-notes.swap", folder + "/homebooth-1-00000002.swap");

        const StaleSwap seen = findStaleSwap(folder, SwapDevice::system()); // looks, and leaves all in place
        QCOMPARE(seen.files, 1);
        QVERIFY(seen.bytes >= 4 * kPage);
        QCOMPARE(findStaleSwap(folder, SwapDevice::system()).files, 1);

        const auto mine = make(options(4));
        QVERIFY(!mine->facts().notes.empty());
        QVERIFY(mine->facts().notes[0].find("256 KiB") != std::string::npos);
        const auto another = make(options(4)); // does not take mine
        QVERIFY(fs::exists(mine->facts().path));
        QCOMPARE(filesInFolder(), 6);
    }

    void aDiskThatIsTooSmallIsRefusedWithFigures() {
        const auto disk = diskFacts(options(1).folder);
        QVERIFY(disk.ok());
        const auto made = SwapFile::create(options(disk->freeBytes / kPage + 1000));
        QVERIFY(!made);
        QCOMPARE(made.error().code, ErrorCode::OutOfResources);
        QVERIFY2(made.error().message.find("expected") != std::string::npos, made.error().message.c_str());
        QCOMPARE(filesInFolder(), 0);
    }

    void whatCannotWorkIsRefused_data() {
        QTest::addColumn<qint64>("pageBytes");
        QTest::addColumn<qint64>("pages");
        QTest::addColumn<int>("depth");
        QTest::addColumn<QString>("folder");
        QTest::addColumn<int>("code");
        const int usage = static_cast<int>(ErrorCode::Usage);
        QTest::newRow("ragged page") << qint64{5000} << qint64{1} << 8 << "" << usage;
        QTest::newRow("no page size") << qint64{0} << qint64{1} << 8 << "" << usage;
        QTest::newRow("no pages") << qint64{4096} << qint64{0} << 8 << "" << usage;
        QTest::newRow("too many") << qint64{4096} << (qint64{1} << 60) << 8 << "" << usage;
        QTest::newRow("no depth") << qint64{4096} << qint64{1} << 0 << "" << usage;
        QTest::newRow("too deep") << qint64{4096} << qint64{1} << 257 << "" << usage;
        QTest::newRow("no folder") << qint64{4096} << qint64{1} << 8 << "/missing"
                                   << static_cast<int>(ErrorCode::BadInput);
    }
    void whatCannotWorkIsRefused() {
        QFETCH(qint64, pageBytes);
        QFETCH(qint64, pages);
        QFETCH(int, depth);
        QFETCH(QString, folder);
        QFETCH(int, code);
        SwapOptions wanted = options(pages, depth, pageBytes);
        wanted.folder += folder.toStdString();
        const auto made = SwapFile::create(wanted);
        QVERIFY(!made);
        QCOMPARE(static_cast<int>(made.error().code), code);
        QCOMPARE(filesInFolder(), 0);
    }

    void measuringGivesSpeedsAndLeavesNothing() {
        const auto speed = measureSwap(options(40));
        QVERIFY(speed.ok());
        QVERIFY(speed->has_value());
        QVERIFY((*speed)->firstWriteBytesPerSecond > 0);
        QVERIFY((*speed)->writeBytesPerSecond > 0);
        QVERIFY((*speed)->readBytesPerSecond > 0);
        QCOMPARE(filesInFolder(), 0);
        SwapOptions stopped = options(40);
        stopped.cancel.request();
        const auto nothing = measureSwap(stopped);
        QVERIFY(nothing.ok());
        QVERIFY(!nothing->has_value());
        QCOMPARE(filesInFolder(), 0);
    }
};

QTEST_GUILESS_MAIN(tst_swap_file)
#include "tst_swap_file.moc"
