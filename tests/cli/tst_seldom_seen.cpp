// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What is said where a data set has more pictures than the steps by default learn.
#include "tests/cli/supervised.h"

using namespace homebooth::core;
using namespace homebooth::test;

class tst_seldom_seen : public Supervised {
    Q_OBJECT

    /// A list that names the good photo again and again.
    void listPictures(int count) const {
        std::ofstream list(photos().toStdString() + "/metadata.jsonl");
        for (int i = 0; i < count; ++i) list << R"({"file_name":"good.png","text":"a dog"})" << '\n';
    }

    /// @param further  options beside those of a data set
    Finished train(const QStringList& further) const {
        fs::remove_all(m_run.toStdString());
        return run(QStringList{"train", "--model", HOMEBOOTH_FIXTURES_DIR "/tiny-sd1", "--dataset", photos(),
                               "--device", "cpu", "--output", m_run} +
                       further,
                   "done");
    }

private slots:
    void initTestCase() { makePrograms(); }
    void init() { beginAgain(); }

    void stepsThatNobodyChoseAreToldToBeTooFew() {
        listPictures(900);
        const Finished told = train({});
        QVERIFY2(told.code == 0, told.err.c_str());
        for (const char* words : {"each of 900 pictures is seen less than once", "400 steps", "--steps 9000"})
            QVERIFY2(told.out.find(words) != std::string::npos, told.out.c_str());
        const std::string journal = readAll(m_run.toStdString() + "/events.jsonl");
        QVERIFY2(journal.find("\"code\":\"seldom-seen\"") != std::string::npos, journal.c_str());
        const Finished resumed = run({"resume", m_run, "--device", "cpu"}, "done");
        QVERIFY2(resumed.out.find("less than once") == std::string::npos, resumed.out.c_str());
    }

    void enoughStepsAndThoseOfTheUserAreNot() {
        listPictures(900);
        const Finished chosen = train({"--steps", "10"});
        QVERIFY2(chosen.code == 0, chosen.err.c_str());
        QVERIFY2(chosen.out.find("less than once") == std::string::npos, chosen.out.c_str());
        const Finished batches = train({"--batch", "3"}); // 1200 pictures
        QVERIFY2(batches.out.find("less than once") == std::string::npos, batches.out.c_str());
        listPictures(400);
        const Finished few = train({});
        QVERIFY2(few.out.find("less than once") == std::string::npos, few.out.c_str());
    }

    void masksBesidePicturesAreNotCounted() {
        const auto add = [this](int from, int end) {
            for (int i = from; i < end; ++i) {
                const QString path = photos() + "/" + QString::number(i);
                for (const QString& file : QStringList{path + ".png", path + "-masklabel.png"})
                    QVERIFY(QFile::copy(photos() + "/good.png", file));
                std::ofstream(path.toStdString() + ".txt") << "a dog";
            }
        };
        std::ofstream(photos().toStdString() + "/good.txt") << "a dog";
        add(1, 300); // 599 files, of which 300 are learned
        const Finished enough = train({});
        QVERIFY2(enough.code == 0, enough.err.c_str());
        QVERIFY2(enough.out.find("less than once") == std::string::npos, enough.out.c_str());
        add(300, 450);
        const Finished seldom = train({});
        QVERIFY2(seldom.code == 0, seldom.err.c_str());
        QVERIFY2(seldom.out.find("each of 450 pictures is seen less than once") != std::string::npos,
                 seldom.out.c_str());
    }
};

QTEST_GUILESS_MAIN(tst_seldom_seen)
#include "tst_seldom_seen.moc"
