// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/atomic_file.h"
#include "core/base/run/failure_cause.h"

#include <QtTest>

#include <cerrno>

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

    void whatRoomOnTheDiskCures_data() {
        QTest::addColumn<QString>("operation");
        QTest::addColumn<int>("error");
        QTest::addColumn<bool>("cures");
        QTest::newRow("full disk") << "write" << ENOSPC << true;
        QTest::newRow("quota") << "write" << EDQUOT << true;
        QTest::newRow("limit on files") << "write" << EFBIG << false; // whoever frees room changes nothing
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
