// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Every system operation and every allocation of a small session of swapping is made to fail, one after
// another.
#include "core/base/swap/measure_swap.h"
#include "core/base/swap/swap_file.h"
#include "tests/base/support/failing_new.h"
#include "tests/base/support/faulty_swap_device.h"
#include "tests/base/support/swap_pages.h"

#include <QtTest>

#include <cstdlib>
#include <filesystem>
#include <new>
#include <optional>

using namespace homebooth::core;
namespace fs = std::filesystem;

namespace {

constexpr int64_t kPage = 32768;
constexpr int64_t kPages = 5;
constexpr int kDepth = 3;

/// What a session saw.
struct Session {
    std::optional<Error> refused; ///< by create
    SwapFacts facts;
    int failedWrites = 0;
    int failedReads = 0;
    bool wrongData = false;
    std::string firstMessage;
};

int openFiles() {
    return static_cast<int>(std::distance(fs::directory_iterator("/proc/self/fd"), {}));
}

void count(const Result<SwapOutcome>& outcome, int& failures, Session& session) {
    if (outcome) return;
    ++failures;
    if (session.firstMessage.empty()) session.firstMessage = outcome.error().text();
}

/// Writes all pages, reads them back, and once more with other contents. A page may come back right or not at
/// all.
void swapTwice(SwapFile& file, const SwapPages& pages, Session& session) {
    for (const uint64_t version : {1, 2}) {
        std::vector<SwapTicket> writes;
        std::vector<SwapTicket> reads;
        for (int64_t i = 0; i < kPages; ++i) {
            pages.fill(i, i, version);
            writes.push_back(file.write(i, pages.page(i)));
        }
        for (int64_t i = 0; i < kPages; ++i) {
            pages.clear(kPages + i);
            reads.push_back(file.read(i, pages.page(kPages + i)));
        }
        for (const SwapTicket ticket : writes) count(file.wait(ticket), session.failedWrites, session);
        for (int64_t i = 0; i < kPages; ++i) {
            const auto outcome = file.wait(reads[static_cast<size_t>(i)]);
            count(outcome, session.failedReads, session);
            if (outcome && !pages.holds(kPages + i, i, version)) session.wrongData = true;
        }
    }
}

} // namespace

class tst_swap_faults : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder{qEnvironmentVariable("HOMEBOOTH_TEST_DIR", ".") + "/faults-XXXXXX"};

    SwapOptions options() const {
        SwapOptions made;
        made.folder = m_folder.path().toStdString();
        made.pageBytes = kPage;
        made.pageCount = kPages;
        made.depth = kDepth;
        return made;
    }

    Session runSession(SwapDevice& device) const {
        const SwapPages pages(kPage, 2 * kPages);
        Session session;
        SwapOptions wanted = options();
        wanted.buffers = {pages.all()};
        auto made = SwapFile::create(wanted, device);
        if (!made) {
            session.refused = made.error();
            return session;
        }
        session.facts = made.value()->facts();
        swapTwice(*made.value(), pages, session);
        return session;
    }

    bool folderIsEmpty() const { return fs::is_empty(options().folder); }

    /// How often a session without faults makes the call.
    int callsOf(SwapCall call, SwapLacks lacks) const {
        FaultySwapDevice device({}, lacks);
        const Session session = runSession(device);
        if (session.refused || session.failedReads != 0 || session.failedWrites != 0) return 0;
        return device.calls(call);
    }

private slots:
    void transientFaultsAreInvisible_data() {
        QTest::addColumn<int>("call");
        QTest::addColumn<int>("error");
        QTest::addColumn<bool>("ringRefused");
        const auto row = [](const char* name, SwapCall call, int error, bool ringRefused) {
            QTest::newRow(name) << static_cast<int>(call) << error << ringRefused;
        };
        row("completion interrupted", SwapCall::Complete, EINTR, false);
        row("completion again", SwapCall::Complete, EAGAIN, false);
        row("completion ragged", SwapCall::Complete, kRagged, false);
        row("submission interrupted", SwapCall::Submit, EINTR, false);
        row("submission again", SwapCall::Submit, EAGAIN, false);
        row("submission busy", SwapCall::Submit, EBUSY, false);
        row("half in the ring", SwapCall::Submit, kHalf, false);
        row("read interrupted", SwapCall::ReadAt, EINTR, true);
        row("read again", SwapCall::ReadAt, EAGAIN, true);
        row("half a read", SwapCall::ReadAt, kHalf, true);
        row("ragged read", SwapCall::ReadAt, kRagged, true);
        row("write interrupted", SwapCall::WriteAt, EINTR, true);
        row("half a write", SwapCall::WriteAt, kHalf, true);
        row("ragged write", SwapCall::WriteAt, kRagged, true);
        row("lock interrupted", SwapCall::Lock, EINTR, false);
        row("lock taken", SwapCall::Lock, EAGAIN, false);
        row("no locks", SwapCall::Lock, ENOLCK, false);
        row("name taken", SwapCall::Open, EEXIST, false);
        row("open interrupted", SwapCall::Open, EINTR, false);
        row("reserving interrupted", SwapCall::Reserve, EINTR, false);
    }
    void transientFaultsAreInvisible() {
        QFETCH(int, call);
        QFETCH(int, error);
        QFETCH(bool, ringRefused);
        const auto which = static_cast<SwapCall>(call);
        const int calls = callsOf(which, {ringRefused});
        QVERIFY(calls > 0);
        for (int first = 0; first < calls; ++first) {
            FaultySwapDevice device({which, error, first}, {ringRefused});
            const Session session = runSession(device);
            QVERIFY2(!session.refused, session.refused ? session.refused->text().c_str() : "");
            QVERIFY2(session.firstMessage.empty(), session.firstMessage.c_str());
            QVERIFY(!session.wrongData);
            QVERIFY(device.struck());
            QVERIFY(folderIsEmpty());
        }
    }

    void realFaultsStrikeOnePageAndAreTold_data() {
        QTest::addColumn<int>("call");
        QTest::addColumn<int>("error");
        QTest::addColumn<bool>("ringRefused");
        QTest::addColumn<bool>("directRefused");
        const auto row = [](const char* name, SwapCall call, int error, bool ring, bool direct) {
            QTest::newRow(name) << static_cast<int>(call) << error << ring << direct;
        };
        row("completion, I/O error", SwapCall::Complete, EIO, false, false);
        row("completion, full disk", SwapCall::Complete, ENOSPC, false, false);
        row("submission refused", SwapCall::Submit, EINVAL, false, false);
        row("submission without memory", SwapCall::Submit, ENOMEM, false, false);
        row("nothing moves in the ring", SwapCall::Complete, kNothing, false, false);
        row("read, I/O error", SwapCall::ReadAt, EIO, true, false);
        row("read at the end", SwapCall::ReadAt, kNothing, true, false);
        row("write, I/O error", SwapCall::WriteAt, EIO, true, false);
        row("write, full disk", SwapCall::WriteAt, ENOSPC, true, false);
        row("plain read, I/O error", SwapCall::ReadAt, EIO, true, true);
        row("plain write, full disk", SwapCall::WriteAt, ENOSPC, true, true);
        row("plain sync, I/O error", SwapCall::Sync, EIO, true, true);
    }
    void realFaultsStrikeOnePageAndAreTold() {
        QFETCH(int, call);
        QFETCH(int, error);
        QFETCH(bool, ringRefused);
        QFETCH(bool, directRefused);
        const auto which = static_cast<SwapCall>(call);
        const int calls = callsOf(which, {ringRefused, directRefused});
        QVERIFY(calls > 0);
        int failures = 0;
        for (int first = 0; first < calls; ++first) {
            FaultySwapDevice device({which, error, first}, {ringRefused, directRefused});
            const Session session = runSession(device);
            QVERIFY(!session.wrongData);
            QVERIFY(session.failedWrites <= 1);
            QVERIFY(session.failedReads <= 1); // of the same page, which holds nothing then
            if (session.failedWrites == 1) QCOMPARE(session.failedReads, 1);
            failures += session.failedReads;
            if (session.failedReads == 1) QVERIFY(!session.firstMessage.empty());
            QVERIFY(folderIsEmpty());
        }
        QVERIFY(failures > 0);
    }

    void aDiskThatNeverAnswersEndsTheWait_data() {
        QTest::addColumn<int>("call");
        QTest::addColumn<int>("error");
        QTest::addColumn<bool>("ringRefused");
        QTest::newRow("ring, again") << static_cast<int>(SwapCall::Complete) << EAGAIN << false;
        QTest::newRow("ring, interrupted") << static_cast<int>(SwapCall::Complete) << EINTR << false;
        QTest::newRow("ring, nothing") << static_cast<int>(SwapCall::Submit) << kNothing << false;
        QTest::newRow("ring, busy") << static_cast<int>(SwapCall::Submit) << EBUSY << false;
        QTest::newRow("threads, again") << static_cast<int>(SwapCall::ReadAt) << EAGAIN << true;
    }
    void aDiskThatNeverAnswersEndsTheWait() {
        QFETCH(int, call);
        QFETCH(int, error);
        QFETCH(bool, ringRefused);
        constexpr int kAfterCreation = 1; // the probe reads once
        FaultySwapDevice device({static_cast<SwapCall>(call), error, kAfterCreation, 1 << 30}, {ringRefused});
        const Session session = runSession(device);
        QVERIFY(!session.refused);
        QCOMPARE(session.failedReads, static_cast<int>(2 * kPages));
        QVERIFY(folderIsEmpty());
    }

    void whatIsRefusedIsDoneWithoutAndTold_data() {
        QTest::addColumn<int>("call");
        QTest::addColumn<int>("error");
        QTest::addColumn<int>("times");
        QTest::addColumn<bool>("ring");
        QTest::addColumn<bool>("direct");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, SwapCall call, int error, bool ring, bool direct,
                            const char* words, int times = 1) {
            QTest::newRow(name) << static_cast<int>(call) << error << times << ring << direct << words;
        };
        row("no io_uring in the kernel", SwapCall::OpenRing, ENOSYS, false, true, "io_uring is refused");
        row("io_uring forbidden", SwapCall::OpenRing, EPERM, false, true, "Operation not permitted");
        row("no memory for io_uring", SwapCall::OpenRing, ENOMEM, false, true, "io_uring is refused");
        row("io_uring fails on this disk", SwapCall::Complete, EOPNOTSUPP, false, true,
            "io_uring is refused");
        row("no locked memory", SwapCall::Register, ENOMEM, true, true, "could not be registered");
        row("registration forbidden", SwapCall::Register, EPERM, true, true, "could not be registered");
        row("no O_DIRECT", SwapCall::SetDirect, EINVAL, false, false, "O_DIRECT is refused");
        row("O_DIRECT in words only", SwapCall::WriteAt, EINVAL, false, false, "O_DIRECT is refused");
        row("O_DIRECT for writing only", SwapCall::ReadAt, EINVAL, false, false, "O_DIRECT is refused");
        row("no fallocate", SwapCall::Reserve, EOPNOTSUPP, true, true, "zeros were written");
    }
    void whatIsRefusedIsDoneWithoutAndTold() {
        QFETCH(int, call);
        QFETCH(int, error);
        QFETCH(int, times);
        QFETCH(bool, ring);
        QFETCH(bool, direct);
        QFETCH(QString, words);
        FaultySwapDevice device({static_cast<SwapCall>(call), error, 0, times});
        const Session session = runSession(device);
        QVERIFY2(!session.refused, session.refused ? session.refused->text().c_str() : "");
        QVERIFY2(session.firstMessage.empty(), session.firstMessage.c_str());
        QVERIFY(!session.wrongData);
        QCOMPARE(session.facts.ring, ring);
        QCOMPARE(session.facts.direct, direct);
        QCOMPARE(session.facts.notes.size(), size_t{1});
        QVERIFY2(session.facts.notes[0].find(words.toStdString()) != std::string::npos,
                 session.facts.notes[0].c_str());
        if (!direct)
            QVERIFY(device.calls(SwapCall::Sync) >= 2 * kPages); // or the disk's failures stay unknown
    }

    void whatCannotBeDoneWithoutIsAnErrorAndLeavesNothing_data() {
        QTest::addColumn<int>("call");
        QTest::addColumn<int>("error");
        QTest::addColumn<int>("code");
        const auto row = [](const char* name, SwapCall call, int error, ErrorCode code) {
            QTest::newRow(name) << static_cast<int>(call) << error << static_cast<int>(code);
        };
        row("full disk", SwapCall::Reserve, ENOSPC, ErrorCode::OutOfResources);
        row("quota", SwapCall::Reserve, EDQUOT, ErrorCode::OutOfResources);
        row("file size limit", SwapCall::Reserve, EFBIG, ErrorCode::OutOfResources);
        row("reserving, I/O error", SwapCall::Reserve, EIO, ErrorCode::BadInput);
        row("no permission", SwapCall::Open, EACCES, ErrorCode::BadInput);
        row("read-only disk", SwapCall::Open, EROFS, ErrorCode::BadInput);
        row("too many open files", SwapCall::Open, EMFILE, ErrorCode::OutOfResources);
        row("first write fails", SwapCall::WriteAt, EIO, ErrorCode::BadInput);
        row("first read fails", SwapCall::ReadAt, EIO, ErrorCode::BadInput);
    }
    void whatCannotBeDoneWithoutIsAnErrorAndLeavesNothing() {
        QFETCH(int, call);
        QFETCH(int, error);
        QFETCH(int, code);
        FaultySwapDevice device({static_cast<SwapCall>(call), error});
        const int before = openFiles();
        const Session session = runSession(device);
        QVERIFY(session.refused.has_value());
        QCOMPARE(static_cast<int>(session.refused->code), code);
        QVERIFY(session.refused->text().size() > 30);
        QVERIFY(folderIsEmpty());
        QCOMPARE(openFiles(), before);
    }

    void zerosThatDoNotFitAreAnErrorWithFigures() {
        for (const SwapCall call : {SwapCall::WriteAt, SwapCall::Sync}) {
            FaultySwapDevice device({call, ENOSPC}, {.reserve = true});
            const auto made = SwapFile::create(options(), device);
            QVERIFY(!made);
            QCOMPARE(made.error().code, ErrorCode::OutOfResources);
            QVERIFY(made.error().message.find("160 KiB free, found") != std::string::npos);
            QVERIFY(folderIsEmpty());
        }
    }

    void writingZerosSaysHowFarAndCanBeCancelled() {
        FaultySwapDevice device({}, {.reserve = true});
        SwapOptions wanted = options();
        wanted.pageCount = (int64_t{12} << 20) / kPage;
        std::vector<int64_t> heard;
        wanted.progress = [&](int64_t bytes, int64_t) {
            heard.push_back(bytes);
            if (heard.size() == 2) wanted.cancel.request();
        };
        const auto made = SwapFile::create(wanted, device);
        QVERIFY(made.ok());
        QVERIFY(*made == nullptr);
        QCOMPARE(heard, (std::vector<int64_t>{int64_t{4} << 20, int64_t{8} << 20}));
        QVERIFY(folderIsEmpty());
    }

    /// As where a container refuses io_uring.
    void aRingThatStandsInMeetsTheSameFaults() {
        for (const SwapCall call : {SwapCall::Submit, SwapCall::Complete}) {
            FaultySwapDevice whole;
            whole.ringStandsIn = true;
            const Session undisturbed = runSession(whole);
            QVERIFY(undisturbed.facts.ring && undisturbed.facts.registered);
            QVERIFY(undisturbed.facts.notes.empty());
            QVERIFY2(undisturbed.firstMessage.empty(), undisturbed.firstMessage.c_str());
            QVERIFY(!undisturbed.wrongData);
            QVERIFY(whole.calls(call) > 4 * kPages); // and the probe's
            for (int first = 1; first < whole.calls(call); ++first) {
                FaultySwapDevice device({call, EIO, first});
                device.ringStandsIn = true;
                const Session session = runSession(device);
                QVERIFY(device.struck());
                QVERIFY(!session.wrongData);
                QCOMPARE(session.failedReads, 1);
                QVERIFY(folderIsEmpty());
            }
        }
    }

    void longTransfersAreSplit() {
        for (const bool ringRefused : {false, true}) {
            FaultySwapDevice device({}, {ringRefused});
            device.transferLimitBytes = 8192;
            const Session session = runSession(device);
            QVERIFY(session.firstMessage.empty() && !session.wrongData);
            const int64_t pieces = 2 * kPages * kPage / 8192;
            const int calls = device.calls(ringRefused ? SwapCall::WriteAt : SwapCall::Complete);
            QVERIFY(calls >= (ringRefused ? pieces : 2 * pieces));
        }
    }

    void aDiskThatForgetsIsFoundByMeasuring() {
        FaultySwapDevice device({SwapCall::WriteAt, kPretend, 3, 1 << 30}, {.ring = true});
        const auto speed = measureSwap(options(), device);
        QVERIFY(!speed);
        QVERIFY2(speed.error().message.find("does not keep") != std::string::npos,
                 speed.error().message.c_str());
        QVERIFY(folderIsEmpty());
    }

    void wantOfMemoryEndsTheSessionCleanly_data() {
        QTest::addColumn<bool>("ringRefused");
        QTest::newRow("ring") << false;
        QTest::newRow("threads") << true;
    }
    void wantOfMemoryEndsTheSessionCleanly() {
        QFETCH(bool, ringRefused);
        constexpr int64_t kMost = 5000;
        (void)openFiles();
        const int before = openFiles();
        int64_t allocations = 0;
        for (bool completed = false; !completed; ++allocations) {
            QVERIFY(allocations < kMost);
            FaultySwapDevice device({}, {ringRefused});
            try {
                failAllocationsAfter(allocations);
                const Session session = runSession(device);
                failAllocationsAfter(-1);
                QVERIFY(!session.wrongData);
                completed = !session.refused;
            } catch (const std::bad_alloc&) {
                failAllocationsAfter(-1);
            }
            QVERIFY(folderIsEmpty());
            QCOMPARE(openFiles(), before);
        }
        QVERIFY(allocations > 30);
    }
};

QTEST_GUILESS_MAIN(tst_swap_faults)
#include "tst_swap_faults.moc"
