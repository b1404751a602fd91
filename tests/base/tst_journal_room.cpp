// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Journals on a full disk: what waits for room, and what is kept for the end.
#include "core/base/run/journal/journal.h"
#include "tests/base/support/journal_lines.h"

#include <QtTest>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <sys/resource.h>
#include <sys/stat.h>

#undef emit // a keyword of Qt, an ordinary name here

using namespace homebooth::core;
using homebooth::core::test::contentOf;
using homebooth::core::test::step;

namespace {

/// While it lives files get no more of the disk than they have.
class FullDisk {
public:
    FullDisk() { s_isFull = true; }
    ~FullDisk() { empty(); }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;
    static void empty() { s_isFull = false; }

    static bool s_isFull;
    static off_t s_kept; ///< where what the file has ends
};
bool FullDisk::s_isFull = false;
off_t FullDisk::s_kept = 0;

} // namespace

// The linker puts these in front of the system's for what the journal calls.
extern "C" int __real_fallocate(int file, int mode, off_t offset, off_t bytes);
extern "C" int __wrap_fallocate(int file, int mode, off_t offset, off_t bytes) {
    if (!FullDisk::s_isFull) {
        FullDisk::s_kept = offset + bytes;
        return __real_fallocate(file, mode, offset, bytes);
    }
    errno = ENOSPC;
    return -1;
}
extern "C" ssize_t __real_pwrite(int file, const void* data, size_t bytes, off_t offset);
extern "C" ssize_t __wrap_pwrite(int file, const void* data, size_t bytes, off_t offset) {
    if (!FullDisk::s_isFull || offset + static_cast<off_t>(bytes) <= FullDisk::s_kept)
        return __real_pwrite(file, data, bytes, offset);
    errno = ENOSPC;
    return -1;
}

class tst_journal_room : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    std::string m_path;

private slots:
    void init() {
        m_path = m_folder.filePath("events.jsonl").toStdString();
        std::filesystem::remove_all(m_path);
    }

    void aFullDiskLeavesNoTornLineAndIsTriedAgain() {
        auto writer = JournalWriter::open(m_path);
        (*writer)->emit(step(1));
        const std::string before = contentOf(m_path);
        std::signal(SIGXFSZ, SIG_IGN);
        rlimit limit{};
        ::getrlimit(RLIMIT_FSIZE, &limit);
        const rlimit small{before.size() + 10, limit.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &small);
        (*writer)->emit(step(2));
        const auto failure = (*writer)->failure();
        ::setrlimit(RLIMIT_FSIZE, &limit);
        QVERIFY(failure.has_value());
        QCOMPARE(failure->code, ErrorCode::OutOfResources);
        QCOMPARE(contentOf(m_path), before);
        (*writer)->emit(step(3));
        QVERIFY(!(*writer)->failure().has_value());
        const auto steps = readHistory(m_path)->steps;
        QCOMPARE(steps.size(), size_t{3}); // with what had to wait
        QCOMPARE(steps.back().step, int64_t{3});
    }

    void whatWaitedForAFullDiskComesInOrder() {
        auto writer = JournalWriter::open(m_path);
        (*writer)->emit(step(1));
        FullDisk full;
        for (int64_t number = 2; number < 2000; ++number) (*writer)->emit(step(number));
        QVERIFY((*writer)->failure().has_value());
        const auto written = std::ssize(readHistory(m_path)->steps);
        QVERIFY(written < 1900);
        full.empty();
        (*writer)->emit(step(2000));
        QVERIFY(!(*writer)->failure().has_value());
        QCOMPARE(readHistory(m_path)->steps.size(), size_t{2000});
        const auto entries = JournalReader(m_path).poll();
        for (size_t index = 0; index < entries->size(); ++index)
            QCOMPARE(entries->at(index).seq, static_cast<int64_t>(index) + 1);
    }

    void aFullDiskHasRoomForTheEnd() {
        {
            auto writer = JournalWriter::open(m_path);
            (*writer)->emit(step(1));
            const FullDisk full;
            for (int64_t number = 2; number < 2000; ++number) (*writer)->emit(step(number));
            QVERIFY((*writer)->failure().has_value());
            OutcomeEvent outcome;
            outcome.result = "failed";
            outcome.message = "no space left";
            (*writer)->emit(outcome);
            QVERIFY(!(*writer)->failure().has_value());
        }
        QCOMPARE(readHistory(m_path)->outcome->message, std::string("no space left"));
        QVERIFY(JournalWriter::open(m_path).ok()); // and it can be gone on with
    }

    void keepsOnlySoMuchOfWhatWaits() {
        constexpr int64_t kMoreThanAMebibyte = 20000;
        auto writer = JournalWriter::open(m_path);
        {
            const FullDisk full;
            for (int64_t number = 1; number <= kMoreThanAMebibyte; ++number) (*writer)->emit(step(number));
        }
        (*writer)->emit(step(kMoreThanAMebibyte + 1));
        const auto steps = readHistory(m_path)->steps;
        QVERIFY(std::ssize(steps) < kMoreThanAMebibyte);
        QCOMPARE(steps.back().step, kMoreThanAMebibyte + 1);
        JournalReader reader(m_path);
        QVERIFY(reader.poll().ok());
        QCOMPARE(reader.damagedLines(), int64_t{0});
    }

    void givesBackWhatItKeptOfTheDisk() {
        JournalWriter::open(m_path).value()->emit(step(1));
        struct stat status {};
        QCOMPARE(::stat(m_path.c_str(), &status), 0);
        QVERIFY(status.st_blocks * 512 < int64_t{32} << 10);
    }
};

QTEST_APPLESS_MAIN(tst_journal_room)
#include "tst_journal_room.moc"
