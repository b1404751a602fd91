// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What the engine says of pictures that are none, and of the damage in a run's journal.
#include "core/base/run/failure_cause.h"
#include "tests/cli/supervised.h"

using namespace homebooth::core;
using namespace homebooth::test;

class tst_damaged_files : public Supervised {
    Q_OBJECT

    std::string journal() const { return m_run.toStdString() + "/events.jsonl"; }

private slots:
    void initTestCase() { makePrograms(); }
    void init() { beginAgain(); }

    void ofManyPicturesThatAreNoneSomeAreNamed() {
        for (int i = 0; i < 30; ++i)
            std::ofstream(photos().toStdString() + "/x" + std::to_string(i) + ".jpg")
                << "version https://git-lfs.github.com/spec/v1\n";
        const Finished ended = run(trainArguments(), "done");
        QCOMPARE(ended.code, 3);
        QCOMPARE(QString::fromStdString(ended.err).count(".jpg ("), qsizetype{20});
        QVERIFY2(ended.err.find(", and 10 more; ") != std::string::npos, ended.err.c_str());
        QVERIFY(causeOf(ended.code, ended.err) == FailureCause::BrokenPictures);
        QVERIFY(!workerStarted());
    }

    void linesOfALaterVersionAreNoDamage() {
        QCOMPARE(run(trainArguments(), "done").code, 0);
        std::ofstream(journal(), std::ios::app) << R"({"v":1,"seq":900,"time":"t","type":"later"})" << '\n';
        const Finished whole = run({"verify", m_run}, "done");
        QVERIFY2(whole.code == 0, whole.err.c_str());
        std::ofstream(journal(), std::ios::app) << "no line of a journal\n";
        const Finished damaged = run({"verify", m_run}, "done");
        QCOMPARE(damaged.code, 3);
        QVERIFY2(damaged.out.find("1 line could") != std::string::npos, damaged.out.c_str());
    }
};

QTEST_GUILESS_MAIN(tst_damaged_files)
#include "tst_damaged_files.moc"
