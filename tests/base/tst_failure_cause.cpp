// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/atomic_file.h"
#include "core/base/run/failure_cause.h"
#include "core/base/run/queue/rank_gpus.h"
#include "core/base/run/ram_failure.h"

#include <QtTest>

#include <cerrno>
#include <sys/resource.h>

using namespace homebooth::core;

class tst_failure_cause : public QObject {
    Q_OBJECT

private slots:
    void aDriveThatIsAwayIsTold() {
        const std::string words = "expected the run's checkpoints in this folder, found none; connect the "
                                  "drive that they lie on, or put them back [/media/disk]";
        QCOMPARE(causeOf(static_cast<int>(ErrorCode::BadInput), words), FailureCause::DriveMissing);
        QCOMPARE(lackOf(words), FailureCause::DriveMissing);
        QCOMPARE(lackOf("cannot write: the disk is full"), FailureCause::DiskFull);
    }

    void aFileThatIsTooLargeIsNoFullDisk() {
        const int code = static_cast<int>(ErrorCode::OutOfResources);
        const Error drive = systemError("reserve 7 bytes", "/run", EFBIG);
        QVERIFY(lacksLargerFiles(code, drive.message) && drive.message.find("FAT32") != std::string::npos);
        QCOMPARE(causeOf(code, "rank 1: " + drive.text()), FailureCause::FileTooLarge);
        QCOMPARE(lackOf(drive.text()), FailureCause::FileTooLarge);
        QVERIFY(!lacksLargerFiles(code, systemError("write page 3 of the swap file", "/", EFBIG).message));
        for (const char* swaps : {"reserve space for swapping", "write page 3 of the swap file"})
            QCOMPARE(causeOf(code, "swapping states, 5.00 GiB: " + systemError(swaps, "/", EFBIG).message),
                     FailureCause::FileTooLarge);
        QCOMPARE(causeOf(code, "cannot reserve space for swapping: expected 5.00 GiB free, found 1.00 GiB"),
                 FailureCause::DiskFull);
        rlimit before{};
        ::getrlimit(RLIMIT_FSIZE, &before);
        const rlimit limit{rlim_t{1} << 20, before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        const Error limited = systemError("write", "/run", EFBIG);
        ::setrlimit(RLIMIT_FSIZE, &before);
        QVERIFY2(limited.message.find("ulimit -f") != std::string::npos, limited.message.c_str());
        QVERIFY(!lacksLargerFiles(code, limited.message)); // another drive would not help
        QCOMPARE(causeOf(code, limited.message), FailureCause::FileTooLarge);
    }

    /// Of training, of pictures and of weights that are read.
    void whatFp16DoesNotHoldIsNoMatterOfLearning_data() {
        QTest::addColumn<QString>("words");
        QTest::newRow("training") << "finite in none of the first 21 steps: the numbers do not fit fp16";
        QTest::newRow("pictures") << "found NaN or infinity: its numbers do not fit fp16; choose bf16";
        QTest::newRow("weights") << "the tensor a has values too large for Half; choose fp32 or bf16";
    }
    void whatFp16DoesNotHoldIsNoMatterOfLearning() {
        QFETCH(QString, words);
        const int code = static_cast<int>(ErrorCode::BadInput);
        QCOMPARE(causeOf(code, words.toStdString()), FailureCause::BeyondFp16);
        QCOMPARE(causeOf(code, "the loss or its gradient is no longer finite at step 30; take bf16 or fp32"),
                 FailureCause::Diverged);
    }

    void ramThatRanOutIsToldFromAGpusMemory_data() {
        QTest::addColumn<QString>("words");
        QTest::addColumn<bool>("ram");
        QTest::newRow("killed") << "the system killed the worker because memory ran out; close other" << true;
        QTest::newRow("host") << "training: there is not enough memory (DefaultCPUAllocator: can't allocate "
                                 "memory: you tried to allocate 9 bytes); plan for less"
                              << true;
        QTest::newRow("pages") << "cannot get memory: expected 2.00 GiB, found that the system refuses them"
                               << true;
        QTest::newRow("C++") << "training: there is not enough memory (std::bad_alloc); plan for less"
                             << true;
        QTest::newRow("host of a GPU's library")
            << "training: there is not enough memory (cuDNN error: "
               "CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED); plan for less with a lower --ram"
            << true;
        QTest::newRow("of one of several")
            << "rank 1 of 2 ended, and with it the others: the system killed the worker" << true;
        QTest::newRow("GPU") << "training: there is not enough memory (CUDA out of memory. Tried to allocate "
                                "20.00 MiB); plan for less with a lower --gpu-memory"
                             << false;
        QTest::newRow("stands for a GPU") << "the device tier is full: 2.00 MiB more" << false;
        QTest::newRow("unknown") << "the worker ran out of memory; its last lines may say more" << false;
        QTest::newRow("refused plan") << "9216 MiB of RAM would do, and 8.00 GiB may be used" << false;
    }
    void ramThatRanOutIsToldFromAGpusMemory() {
        QFETCH(QString, words);
        QTEST(ramRanOut(static_cast<int>(ErrorCode::OutOfResources), words.toStdString()), "ram");
        QVERIFY(!ramRanOut(static_cast<int>(ErrorCode::BadInput), words.toStdString()));
    }

    void whatIsRefusedBeforeTheFirstStepIsToldApart() {
        const int code = static_cast<int>(ErrorCode::OutOfResources);
        QCOMPARE(causeOf(code, "this needs about 9.00 GiB of memory, and 8.00 GiB may be used; close others"),
                 FailureCause::TooLittleMemory);
        QCOMPARE(causeOf(code, "training: RAM ran out"), FailureCause::OutOfMemory); // less may do
        QCOMPARE(
            causeOf(code, "swapping: expected at least 9.00 GiB, found that --swap-size allows 8.00 GiB"),
            FailureCause::SwapLimit);
        QCOMPARE(causeOf(static_cast<int>(ErrorCode::BadInput),
                         "rank 1: --swap: expected a folder for swapping, found none"),
                 FailureCause::SwapMissing);
        TrainConfig config;
        config.parallel.processes = 2;
        for (const char* gpu : {"0", "GPU-gone"}) { // too few, and one that is not there
            config.parallel.gpus = {gpu};
            const auto refused = rankGpus(config, offerOf({{"GPU-1", "a card"}}, {"GPU-1"}));
            QVERIFY(!refused.ok());
            QCOMPARE(causeOf(static_cast<int>(refused.error().code), refused.error().message),
                     FailureCause::CardMissing);
        }
    }

    void whatRoomOnTheDiskCures_data() {
        QTest::addColumn<QString>("operation");
        QTest::addColumn<int>("error");
        QTest::addColumn<bool>("cures");
        QTest::newRow("full disk") << "write" << ENOSPC << true;
        QTest::newRow("quota") << "write" << EDQUOT << true;
        QTest::newRow("small drive") << "write" << EFBIG << false; // whoever frees room changes nothing
        QTest::newRow("memory") << "write" << ENOMEM << false;
        QTest::newRow("broken disk") << "write" << EIO << false;
        QTest::newRow("swap") << "write page 3 of the swap file" << ENOSPC << false;
    }
    void whatRoomOnTheDiskCures() {
        QFETCH(QString, operation);
        QFETCH(int, error);
        QFETCH(bool, cures);
        const Error failure = systemError(operation.toStdString(), "/run", error);
        QCOMPARE(lacksRoom(static_cast<int>(failure.code), failure.message), cures);
        // As several processes tell each other of it.
        QCOMPARE(lacksRoom(static_cast<int>(failure.code), "rank 1: " + failure.text()), cures);
        QVERIFY(!cures || causeOf(static_cast<int>(failure.code), failure.message) == FailureCause::DiskFull);
    }
};

QTEST_APPLESS_MAIN(tst_failure_cause)
#include "tst_failure_cause.moc"
