// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// `plan` of one training, on this machine or a card that is not at hand, as people and programs read it.
#include "tests/cli/plain_engine.h"

#include <QtTest>

#include <array>

using homebooth::test::engine;
using homebooth::test::Finished;
using homebooth::test::writeOnePixel;

namespace {

bool contains(const std::string& text, const QString& part) {
    return homebooth::test::contains(text, part.toStdString());
}

} // namespace

class tst_plan_command : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString photos() const { return m_folder.filePath("photos"); }

    /// `plan` of a training of the tiny model, with further options.
    Finished planned(const QStringList& further) {
        return engine(QStringList{"plan", "--model", HOMEBOOTH_FIXTURES_DIR "/tiny-sd1", "--instance",
                                  photos(), "--prompt", "p"} +
                      further);
    }

private slots:
    void initTestCase() {
        QVERIFY(QDir().mkpath(photos()));
        writeOnePixel(photos() + "/one.png");
    }

    void planPrintsFiguresAsJson() {
        const Finished ended = engine({"plan", "--model", HOMEBOOTH_FIXTURES_DIR "/tiny-sd1", "--instance",
                                       m_folder.path(), "--prompt", QString(10000, QChar('x')), "--device",
                                       "cpu", "--output", m_folder.filePath("out"), "--json"});
        QVERIFY2(ended.code == 0, ended.err.c_str());
        const QJsonObject plan = QJsonDocument::fromJson(QByteArray::fromStdString(ended.out)).object();
        QVERIFY(plan["predicted"].toObject()["ramBytes"].toDouble() > 0);
        QVERIFY(plan["decisions"].toArray().size() > 2);
        const QJsonArray reasons = plan["reasons"].toArray();
        QCOMPARE(reasons.size(), plan["decisions"].toArray().size());
        QVERIFY2(reasons[0].toObject()["facts"].toObject()["parameterBytes"].toDouble() > 0,
                 ended.out.c_str());
        QVERIFY(!QFile::exists(m_folder.filePath("out")));
    }

    void plansTellEveryTierByKind_data() {
        QTest::addColumn<QStringList>("options");
        const QStringList swap{"--swap", m_folder.path()};
        const QStringList streamed{"--policy", "cpu", "--precision", "bf16"};
        QTest::newRow("plain") << QStringList{};
        QTest::newRow("resident, a limit") << QStringList{"--policy", "gpu", "--gpu-memory", "2GiB"};
        QTest::newRow("streamed") << streamed;
        QTest::newRow("streamed, clipped") << streamed + QStringList{"--clip-norm", "1"};
        QTest::newRow("streamed, swap") << streamed + swap + QStringList{"--ema", "0.9", "--accumulate", "2"};
    }
    void plansTellEveryTierByKind() {
        QFETCH(QStringList, options);
        const Finished ended = planned(options + QStringList{"--device", "cpu", "--json"});
        QVERIFY2(ended.code == 0, ended.err.c_str());
        const QJsonObject plan = QJsonDocument::fromJson(QByteArray::fromStdString(ended.out)).object();
        const QJsonObject predicted = plan["predicted"].toObject();
        for (const char* tier : {"device", "ram", "swap"}) {
            const QJsonObject kinds = plan["tiers"].toObject()[tier].toObject();
            QCOMPARE(kinds.size(), 6);
            double sum = 0.0;
            for (const QString& kind : kinds.keys()) sum += kinds[kind].toDouble();
            QCOMPARE(sum, predicted[QLatin1String(tier) + "Bytes"].toDouble());
        }
        const bool swaps = options.contains("--swap");
        QVERIFY(predicted["ramBytes"].toDouble() > 0);
        QCOMPARE(predicted["swapBytes"].toDouble() > 0, swaps);
        QCOMPARE(predicted["swapBytesReadPerStep"].toDouble() > 0, swaps);
        QVERIFY(!plan.contains("blocks")); // nobody asked
    }

    void plansTellBlocksOneByOne() {
        const QStringList options{"--device", "cpu", "--policy", "cpu", "--precision", "bf16", "--blocks"};
        const Finished asJson = planned(options + QStringList{"--json"});
        QVERIFY2(asJson.code == 0, asJson.err.c_str());
        const QJsonObject plan = QJsonDocument::fromJson(QByteArray::fromStdString(asJson.out)).object();
        const QJsonArray blocks = plan["blocks"].toArray();
        QVERIFY(blocks.size() > 5);
        for (const QJsonValue& entry : blocks) {
            const QJsonObject block = entry.toObject();
            QVERIFY2(block["name"].toString().startsWith("unet "), qPrintable(block["name"].toString()));
            QVERIFY((QStringList{"everything", "products", "inputs"}.contains(block["keeps"].toString())));
            QCOMPARE(block["home"].toString(), QString("ram"));
            QVERIFY(block["forwardSeconds"].toDouble() > 0);
            QVERIFY(block["fetches"].toInt() > 0 || block["parameterBytes"].toDouble() == 0);
        }
        for (const QJsonValue& reason : plan["reasons"].toArray()) // they are told apart from decisions
            QVERIFY(reason.toObject()["code"].toString() != "planned-block");
        const Finished asText = planned(options);
        QVERIFY2(asText.code == 0, asText.err.c_str());
        for (const QJsonValue& entry : blocks)
            QVERIFY2(contains(asText.out, "\n" + entry.toObject()["name"].toString() + ": "),
                     asText.out.c_str());
        QVERIFY2(contains(asText.out, "device tier (RAM)") && contains(asText.out, "  program, workspace"),
                 asText.out.c_str());
    }

    void plansOfSeveralProcessesCountTheShareOfEach() {
        std::array<double, 2> parameters{};
        for (const int zero : {2, 3}) {
            const Finished ended = planned({"--device", "cpu", "--processes", "2", "--zero",
                                            QString::number(zero), "--batch", "2", "--json"});
            QVERIFY2(ended.code == 0, ended.err.c_str());
            const QJsonObject plan = QJsonDocument::fromJson(QByteArray::fromStdString(ended.out)).object();
            parameters.at(zero - 2) = plan["peak"].toObject()["parameterBytes"].toDouble();
            QCOMPARE(contains(ended.out, "in each of 2 processes"), zero == 3);
        }
        QVERIFY(parameters[1] > 0 && parameters[1] < 0.75 * parameters[0]);
    }

    void plansForACardThatIsNotAtHand() {
        const Finished ended =
            planned({"--device", "RTX 3060", "--ram", "16GiB", "--precision", "bf16", "--json"});
        QVERIFY2(ended.code == 0, ended.err.c_str());
        const QJsonObject plan = QJsonDocument::fromJson(QByteArray::fromStdString(ended.out)).object();
        const QJsonObject predicted = plan["predicted"].toObject();
        QVERIFY(predicted["deviceBytes"].toDouble() > 0);
        QVERIFY(predicted["stepSeconds"].toDouble() > 0);
        QVERIFY2(contains(ended.out, "never checked on such a card"), ended.out.c_str());
        QVERIFY2(contains(ended.out, "PCIe 4.0 x16"), ended.out.c_str());
        // Whoever asks before buying has no photos yet.
        const Finished before = engine({"plan", "--model", HOMEBOOTH_FIXTURES_DIR "/tiny-sd1", "--device",
                                        "RTX 3060", "--ram", "16GiB"});
        QVERIFY2(before.code == 0, before.err.c_str());
    }

    void aPlanSaysWhatTrainWouldRefuse() {
        QTemporaryDir bare;
        const QStringList asked{"plan",
                                "--model",
                                HOMEBOOTH_FIXTURES_DIR "/tiny-sd1",
                                "--prompt",
                                "p",
                                "--device",
                                "cpu",
                                "--gpu-memory",
                                "512MiB",
                                "--instance"};
        const Finished none = engine(asked + QStringList{bare.path()});
        QVERIFY2(none.code == 0, none.err.c_str());
        QVERIFY2(contains(none.out, "- pictures: train would refuse these: "), none.out.c_str());
        QVERIFY2(contains(none.out, "512 MiB of it for what stands for a GPU's"), none.out.c_str());
        QFile origin(bare.filePath("made-of.json")); // what is left where class pictures were taken away
        QVERIFY(origin.open(QIODevice::WriteOnly));
        for (const QStringList& further :
             {QStringList(), QStringList{"--class-prompt", "a p", "--class-dir", bare.path()}}) {
            const Finished some = engine(asked + QStringList{photos()} + further);
            QVERIFY2(some.code == 0, some.err.c_str());
            QVERIFY2(!contains(some.out, "train would refuse"), some.out.c_str());
        }
    }

    void plansForASlowerSlotTakeLongerWhereParametersAreStreamed() {
        // At full size: of a tiny model the host's own updates, which are measured, would hide the link.
        const QStringList streamed = {"plan",        "--model", HOMEBOOTH_SOURCE_DIR "/tests/configs/sd15",
                                      "--instance",  photos(),  "--prompt",
                                      "p",           "--ram",   "64GiB",
                                      "--precision", "bf16",    "--policy",
                                      "cpu",         "--json",  "--device=rtx 3090"};
        double seconds[2] = {};
        int index = 0;
        for (const char* pcie : {"4x16", "2x1"}) {
            const Finished ended = engine(streamed + QStringList{"--pcie", pcie});
            QVERIFY2(ended.code == 0, ended.err.c_str());
            QVERIFY2(contains(ended.out, "streaming is the same schedule simulated"), ended.out.c_str());
            QVERIFY2(contains(ended.out, "policy: auto would take roughly "), ended.out.c_str());
            const QJsonObject plan = QJsonDocument::fromJson(QByteArray::fromStdString(ended.out)).object();
            QVERIFY(plan["predicted"].toObject()["linkBytesPerStep"].toDouble() > 0);
            seconds[index++] = plan["predicted"].toObject()["stepSeconds"].toDouble();
        }
        QVERIFY(seconds[1] > seconds[0]);
    }

    void anUnknownCardIsAnsweredWithTheKnownOnes() {
        const Finished ended = planned({"--device", "RTX 9999"});
        QCOMPARE(ended.code, 2);
        QVERIFY2(contains(ended.err, "RTX 2060, RTX 2070, RTX 3050"), ended.err.c_str());
        const Finished slot = planned({"--pcie", "3x16"});
        QCOMPARE(slot.code, 2);
        QVERIFY2(contains(slot.err, "--device"), slot.err.c_str());
        QCOMPARE(planned({"--device", "RTX 3060", "--pcie", "fast"}).code, 2);
    }

    void plansForItsTurnAreOfThisMachine() {
        const Finished own = planned({"--device", "cpu", "--in-turn", "--json"});
        QVERIFY2(own.code == 0, own.err.c_str());
        QVERIFY2(contains(own.out, "\"predicted\""), own.out.c_str());
        const Finished other = planned({"--device", "RTX 3060", "--in-turn"});
        QCOMPARE(other.code, 2);
        QVERIFY2(contains(other.err, "--in-turn"), other.err.c_str());
    }

    void plansCountThePicturesOfAList() {
        const QString drawings = HOMEBOOTH_SOURCE_DIR "/resources/drawings/blue_dog";
        QFile list(m_folder.filePath("list.jsonl"));
        const auto heldWith = [&](const QByteArray& listed) {
            if (list.open(QIODevice::WriteOnly)) list.write(listed);
            list.close();
            QStringList arguments{"plan",       "--model",  HOMEBOOTH_FIXTURES_DIR "/tiny-sd1",
                                  "--instance", drawings,   "--prompt",
                                  "p",          "--device", "cpu",
                                  "--json"};
            if (!listed.isEmpty()) arguments << "--pictures" << list.fileName();
            const Finished ended = engine(arguments);
            const QJsonObject plan = QJsonDocument::fromJson(QByteArray::fromStdString(ended.out)).object();
            for (const QJsonValue& reason : plan["reasons"].toArray())
                if (reason["code"].toString() == "pictures-in-ram")
                    return reason["facts"]["heldBytes"].toDouble();
            return -static_cast<double>(ended.code);
        };
        const QByteArray one = "{\"file_name\":\"" + drawings.toUtf8() + "/1.png\"}\n";
        const double held = heldWith(one);
        QVERIFY2(held > 0 && held < heldWith({}), qPrintable(QString::number(held)));
        QCOMPARE(heldWith(one + "{\"file_name\":\"2.png\"}\n"), -3.0); // a whole path is wanted
        QCOMPARE(heldWith(one + "{\"file_name\":\"/gone.png\"}\n"), -3.0);
    }

    void plansNeedNoFolderToWriteInto_data() {
        QTest::addColumn<QStringList>("arguments");
        const QString model = HOMEBOOTH_FIXTURES_DIR "/tiny-sd1";
        QTest::newRow("sample") << QStringList{"plan", "sample", "--model", model, "--device", "cpu"};
        QTest::newRow("train") << QStringList{"plan",     "--model", model,      "--instance", photos(),
                                              "--prompt", "p",       "--device", "cpu"};
    }
    void plansNeedNoFolderToWriteInto() {
        QFETCH(QStringList, arguments);
        const Finished ended = engine(arguments);
        QVERIFY2(ended.code == 0, ended.err.c_str());
    }
};

QTEST_GUILESS_MAIN(tst_plan_command)
#include "tst_plan_command.moc"
