// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// `plan` for several cards that are not at hand, and for several processes of this machine, as people and
// programs read it.
#include "tests/cli/finished.h"

#include <QtTest>

namespace {

struct Finished {
    int code = -1;
    QString out;
    QString err;
};

class RankPlansTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    /// `plan` of a training of the tiny model, a picture a step for each of eight.
    Finished planned(const QStringList& further) const {
        QProcess process;
        process.start(HOMEBOOTH_BIN_DIR "/homebooth-engine",
                      QStringList{"plan", "--model", HOMEBOOTH_FIXTURES_DIR "/tiny-sd1", "--instance",
                                  m_folder.path(), "--prompt", "p", "--batch", "8", "--resolution", "64",
                                  "--precision", "bf16"} +
                          further);
        const auto ended = homebooth::test::finish(process, 2 * homebooth::test::kLongestMs);
        return {ended.code, QString::fromStdString(ended.out), QString::fromStdString(ended.err)};
    }

    static QJsonObject jsonOf(const Finished& ended) {
        return QJsonDocument::fromJson(ended.out.toUtf8()).object();
    }

private slots:
    void tellsEveryStageOfSeveralCards() {
        const Finished ended = planned({"--processes", "8", "--zero", "2", "--device", "RTX 3060", "--pcie",
                                        "3x16", "--ram", "64GiB", "--json"});
        QVERIFY2(ended.code == 0, qPrintable(ended.err));
        const QJsonObject plan = jsonOf(ended);
        const QJsonArray stages = plan["stages"].toArray();
        QCOMPARE(stages.size(), qsizetype(4));
        for (int zero = 0; zero < 4; ++zero) {
            const QJsonObject stage = stages[zero].toObject();
            QCOMPARE(stage["zero"].toDouble(), double(zero));
            for (const char* fact : {"deviceBytes", "parameterBytes", "stepSeconds", "sentBytes"})
                QVERIFY2(stage[fact].toDouble() > 0, fact);
        }
        QVERIFY(stages[2].toObject()["stateBytes"].toDouble() <
                0.5 * stages[0].toObject()["stateBytes"].toDouble());
        QCOMPARE(plan["predicted"].toObject()["stepSeconds"].toDouble(),
                 stages[2].toObject()["stepSeconds"].toDouble());
        QVERIFY2(ended.out.contains("8 GPUs, PCIe 3.0 x16 between those of a machine"),
                 qPrintable(ended.out));
        QVERIFY(ended.out.contains("proposed: --zero "));
        QVERIFY(ended.out.contains("never checked on such machines"));
        QVERIFY(!plan.contains("scaling"));
    }

    void tellsEveryStageOfThisMachine() {
        const QStringList options{"--processes", "2", "--zero", "3", "--device", "cpu"};
        const Finished ended = planned(options + QStringList{"--json"});
        QVERIFY2(ended.code == 0, qPrintable(ended.err));
        const QJsonObject plan = jsonOf(ended);
        const QJsonArray stages = plan["stages"].toArray();
        QCOMPARE(stages.size(), qsizetype(4));
        for (int zero = 0; zero < 4; ++zero)
            for (const char* fact : {"deviceBytes", "parameterBytes", "stepSeconds", "sentBytes"})
                QVERIFY2(stages[zero].toObject()[fact].toDouble() > 0, fact);
        QCOMPARE(plan["predicted"].toObject()["stepSeconds"].toDouble(),
                 stages[3].toObject()["stepSeconds"].toDouble());
        double rate = 0.0;
        for (const QJsonValue& reason : plan["reasons"].toArray())
            if (reason.toObject()["code"].toString() == "step-exchange")
                rate = reason.toObject()["facts"].toObject()["linkBytesPerSecond"].toDouble();
        QVERIFY(rate > 0);
        const Finished asText = planned(options);
        QVERIFY2(asText.code == 0, qPrintable(asText.err));
        for (const char* words :
             {"--zero 0: ", "--zero 3: ", "proposed: --zero ", "of each process",
              "measured between 2 threads of this machine", "those of one of 2 processes"})
            QVERIFY2(asText.out.contains(words), qPrintable(asText.out));
        QVERIFY(!asText.out.contains("--policy gpu")); // in one memory there is no choice
        const Finished alone = planned({"--device", "cpu"});
        QVERIFY2(alone.code == 0, qPrintable(alone.err));
        QVERIFY2(!alone.out.contains("proposed:") && !alone.out.contains("exchange:"), qPrintable(alone.out));
    }

    void plansForCardsThatPeopleRent() {
        const Finished ended =
            planned({"--processes", "8", "--zero", "3", "--device", "H100", "--ram", "64GiB"});
        QVERIFY2(ended.code == 0, qPrintable(ended.err));
        QVERIFY2(ended.out.contains("card: H100 80 GB as published: 80.0 GiB, 3350 GB/s, 989.4 TFLOP/s"),
                 qPrintable(ended.out));
        QVERIFY(ended.out.contains("never checked on such a card"));
        QVERIFY2(ended.out.contains("8 GPUs, NVLink 4 between those of a machine"), qPrintable(ended.out));
    }

    void tablesOneToManyCards() {
        const QStringList asked{"--device", "RTX 3060", "--scaling", "--ram", "64GiB"};
        const Finished ended = planned(asked + QStringList{"--processes", "8", "--json"});
        QVERIFY2(ended.code == 0, qPrintable(ended.err));
        const QJsonObject plan = jsonOf(ended);
        const QJsonArray rows = plan["scaling"].toArray();
        QCOMPARE(rows.size(), qsizetype(1 + 4 + 12 + 12));
        const QJsonObject lone = rows.first().toObject();
        QCOMPARE(lone["ranks"].toDouble(), 1.0);
        QCOMPARE(lone["efficiency"].toDouble(), 1.0);
        QVERIFY(!lone.contains("inside"));
        const QJsonObject many = rows.last().toObject();
        QCOMPARE(many["ranks"].toDouble(), 512.0);
        QCOMPARE(many["inside"].toString(), QString("NVLink 3"));
        QCOMPARE(many["between"].toString(), QString("400 Gb/s"));
        const QStringList causes{"compute", "link inside", "link between", "optimizer", "leaner steps"};
        QVERIFY(causes.contains(many["bound"].toString()));
        QVERIFY(many["boundShare"].toDouble() > 0);
        for (const QJsonValue& row : rows) // who loses more than a tenth loses it by something
            QCOMPARE(row["bound"].toString() == "compute", row["efficiency"].toDouble() >= 0.9);
        QVERIFY(many["sentBytes"].toDouble() > 0);
        QCOMPARE(plan["reasons"].toArray().size(), plan["decisions"].toArray().size());
    }

    void printsTheTableBehindThePlan() {
        const Finished ended = planned({"--device", "RTX 3060", "--scaling", "--ram", "64GiB"});
        QVERIFY2(ended.code == 0, qPrintable(ended.err));
        const QStringList lines = ended.out.trimmed().split('\n');
        QVERIFY2(lines.size() > 30, qPrintable(ended.out));
        QVERIFY2(lines[lines.size() - 30].endsWith("bound by"), qPrintable(ended.out));
        QVERIFY(lines.last().trimmed().startsWith("512  NVLink 3"));
        QVERIFY(ended.out.contains("never checked on such machines or cards"));
        QVERIFY(!ended.out.contains("proposed:")); // one card has nothing to spread
    }

    /// Steps alone would take less than what the program is reckoned to take with them.
    void namesWhatProcessesShareAndALimitThatDoes() {
        const auto limited = [this](qlonglong mebibytes) {
            return planned({"--device", "cpu", "--processes", "2", "--zero", "3", "--ram",
                            QString::number(mebibytes) + "MiB"});
        };
        const Finished refused = limited(100);
        QCOMPARE(refused.code, 4);
        QVERIFY2(refused.err.contains("50 MiB may be used (a half of --ram 100 MiB, for each of 2 "
                                      "processes); raise --ram or take fewer --processes, or try "),
                 qPrintable(refused.err));
        const auto least = QRegularExpression("needs at least (\\d+) MiB").match(refused.err);
        QVERIFY2(least.hasMatch(), qPrintable(refused.err));
        constexpr qlonglong kForFasterSteps = 32; // the leanest are what was named
        const Finished enough = limited(2 * (least.captured(1).toLongLong() + kForFasterSteps));
        QVERIFY2(enough.code == 0, qPrintable(enough.err));
    }

    /// Which takes what belongs to streamed parameters, so that there must be some.
    void saysWhatADiskBesideACardWouldTake() {
        const Finished ended = planned({"--device", "RTX 3060", "--ram", "64GiB", "--policy", "cpu", "--swap",
                                        m_folder.path(), "--json"});
        QVERIFY2(ended.code == 0, qPrintable(ended.err));
        QVERIFY(jsonOf(ended)["predicted"].toObject()["swapBytes"].toDouble() > 0);
        QVERIFY2(ended.out.contains("of streamed blocks"), qPrintable(ended.out));
        QVERIFY2(ended.out.contains("was tried with a tiny model on one"), qPrintable(ended.out));
        const Finished staying =
            planned({"--device", "RTX 3060", "--ram", "64GiB", "--policy", "gpu", "--swap", m_folder.path()});
        QVERIFY(staying.code != 0);
        QVERIFY2(staying.err.contains("--policy gpu"), qPrintable(staying.err));
    }

    void saysThatOneProcessHasNothingToShare() {
        const Finished alone = planned({"--device", "cpu", "--zero", "2"});
        QVERIFY2(alone.code == 0, qPrintable(alone.err));
        QVERIFY2(alone.out.contains("--zero 2 has no effect"), qPrintable(alone.out));
        const Finished two = planned({"--device", "cpu", "--zero", "2", "--processes", "2"});
        QVERIFY2(two.code == 0, qPrintable(two.err));
        QVERIFY(!two.out.contains("has no effect"));
        // It is of other rows than the first.
        const Finished table =
            planned({"--device", "RTX 3060", "--zero", "2", "--scaling", "--ram", "64GiB"});
        QVERIFY2(table.code == 0, qPrintable(table.err));
        QVERIFY(!table.out.contains("has no effect"));
    }

    void aTableIsOfACard() {
        const Finished ended = planned({"--device", "cpu", "--scaling"});
        QCOMPARE(ended.code, 2);
        QVERIFY2(ended.err.contains("--scaling") && ended.err.contains("--device"), qPrintable(ended.err));
    }

    void helpNamesTheTable() { QVERIFY(planned({"--help"}).out.contains("--scaling")); }
};

} // namespace

QTEST_GUILESS_MAIN(RankPlansTest)
#include "tst_rank_plans.moc"
