// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// `plan` of a data set whose pictures shall be encoded beside the steps, at full size: it decides as the
// training does, and refuses nothing that this can do.
#include "core/base/system/memory_facts.h"
#include "tests/cli/plain_engine.h"

#include <QtTest>

#include <cmath>

namespace {

constexpr double kMebibyte = 1 << 20;

struct Finished {
    int code = -1;
    QString out;
    QString err;
};

/// The facts of a decision; empty where a plan has none such.
QJsonObject factsOf(const Finished& ended, const QString& code) {
    for (const QJsonValue& reason : QJsonDocument::fromJson(ended.out.toUtf8()).object()["reasons"].toArray())
        if (reason.toObject()["code"].toString() == code) return reason.toObject()["facts"].toObject();
    return {};
}

class EncodingPlansTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    /// @param encode  as --encode
    /// @param limit   the option that sets it
    Finished planned(const QStringList& machine, const QString& encode, const QString& limit,
                     int mebibytes) const {
        QProcess process;
        process.start(HOMEBOOTH_BIN_DIR "/homebooth-engine",
                      QStringList{"plan", "--model", HOMEBOOTH_SOURCE_DIR "/tests/configs/sd15", "--dataset",
                                  m_folder.path(), "--method", "lora", "--precision", "bf16", "--json",
                                  "--encode", encode, limit, QString("%1MiB").arg(mebibytes)} +
                          machine);
        const auto ended = homebooth::test::finish(process, 2 * homebooth::test::kLongestMs);
        return {ended.code, QString::fromStdString(ended.out), QString::fromStdString(ended.err)};
    }

    /// Whether this machine has less free than a limit of its RAM says.
    static bool lacks(const QString& limit, int mebibytes) {
        constexpr double kMargin = 1.25;
        const auto free = static_cast<double>(homebooth::core::memoryFacts().usableBytes());
        return limit == "--ram" && free < kMargin * kMebibyte * mebibytes;
    }

private slots:
    void initTestCase() {
        homebooth::test::writeOnePixel(m_folder.filePath("one.png"));
        QFile caption(m_folder.filePath("one.txt"));
        QVERIFY(caption.open(QIODevice::WriteOnly));
        caption.write("a dog");
    }

    void leaveRoomForItOrEncodeFirst_data() {
        QTest::addColumn<QStringList>("machine");
        QTest::addColumn<QString>("limit");
        QTest::newRow("a card") << QStringList{"--device", "RTX 3060", "--policy", "gpu", "--ram", "64GiB"}
                                << "--gpu-memory";
        QTest::newRow("a processor") << QStringList{"--device", "cpu"} << "--ram";
    }
    void leaveRoomForItOrEncodeFirst() {
        QFETCH(QStringList, machine);
        QFETCH(QString, limit);
        const Finished refused = planned(machine, "ahead", limit, 64);
        QCOMPARE(refused.code, 4);
        const auto named = QRegularExpression("at least (\\d+) MiB").match(refused.err);
        QVERIFY2(named.hasMatch(), qPrintable(refused.err));
        constexpr int kVaries = 32; // by which a process takes more or less
        const int least = named.captured(1).toInt() + kVaries;
        if (lacks(limit, least)) QSKIP("too little memory is free");

        const Finished first = planned(machine, "first", limit, least);
        QVERIFY2(first.code == 0, qPrintable(first.err));
        QVERIFY(factsOf(first, "encode-first").isEmpty()); // as it was asked for
        const double picture = factsOf(first, "preparation")["preparationBytes"].toDouble() / kMebibyte;
        QVERIFY(picture > 2 * kVaries);

        const Finished tight = planned(machine, "ahead", limit, least + static_cast<int>(picture / 2));
        QVERIFY2(tight.code == 0, qPrintable(tight.err));
        QVERIFY(factsOf(tight, "encoding-ahead").isEmpty());
        QVERIFY2(tight.out.contains("no memory to do so beside the steps"), qPrintable(tight.out));

        // Both of what encodes: text encoders take less than a picture.
        const int enough = least + static_cast<int>(std::ceil(2 * picture));
        if (lacks(limit, enough)) QSKIP("too little memory is free");
        const Finished ahead = planned(machine, "ahead", limit, enough);
        QVERIFY2(ahead.code == 0, qPrintable(ahead.err));
        QVERIFY2(factsOf(ahead, "encoding-ahead")["preparationBytes"].toDouble() > picture * kMebibyte,
                 qPrintable(ahead.out));
        const QJsonObject use = QJsonDocument::fromJson(ahead.out.toUtf8()).object()["predicted"].toObject();
        QVERIFY(use[limit == "--ram" ? "ramBytes" : "deviceBytes"].toDouble() <= enough * kMebibyte);
    }
};

} // namespace

QTEST_GUILESS_MAIN(EncodingPlansTest)
#include "tst_encoding_plans.moc"
