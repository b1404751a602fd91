// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of cards: found by the names people write, and its figures consistent with each other.
#include "core/base/plan/card_facts.h"

#include <QTest>

#include <cmath>
#include <set>

using namespace homebooth::core;

namespace {

class CardFactsTest : public QObject {
    Q_OBJECT
private slots:
    void findsACardHoweverItIsWritten_data();
    void findsACardHoweverItIsWritten();
    void findsCardsThatPeopleRent_data();
    void findsCardsThatPeopleRent();
    void listsTheKnownOnesForAnUnknownName();
    void holdsFiguresOfTheRightSize();
    void knowsTheSpeedOfABus();
    void readsGenerationAndLanes_data();
    void readsGenerationAndLanes();
};

void CardFactsTest::findsACardHoweverItIsWritten_data() {
    QTest::addColumn<QString>("written");
    for (const char* written : {"RTX 3060", "rtx3060", "GeForce RTX 3060", "NVIDIA GeForce RTX 3060", "3060"})
        QTest::newRow(written) << QString(written);
}

void CardFactsTest::findsACardHoweverItIsWritten() {
    QFETCH(QString, written);
    const auto card = cardNamed(written.toStdString());
    QVERIFY2(card.ok(), card.ok() ? "" : card.error().text().c_str());
    QCOMPARE(card->name, std::string_view("RTX 3060"));
    QCOMPARE(card->memoryBytes, int64_t{12} << 30);
}

void CardFactsTest::findsCardsThatPeopleRent_data() {
    QTest::addColumn<QString>("written");
    QTest::addColumn<QString>("name"); // empty: refused
    const auto row = [](const char* written, const char* name) {
        QTest::newRow(written) << QString(written) << QString(name);
    };
    row("H100", "H100 80 GB");
    row("h100-80gb", "H100 80 GB");
    row("NVIDIA H100 80GB HBM3", "H100 80 GB");
    row("A100 40GB", "A100 40 GB");
    row("NVIDIA A100-SXM4-40GB", "A100 40 GB");
    row("NVIDIA A100-SXM4-80GB", "A100 80 GB");
    row("A100", ""); // there are two
    row("H100 PCIe", "");
    row("NVIDIA L40S", "L40S");
    row("L40", "");
}

void CardFactsTest::findsCardsThatPeopleRent() {
    QFETCH(QString, written);
    QFETCH(QString, name);
    const auto card = cardNamed(written.toStdString());
    QCOMPARE(card.ok(), !name.isEmpty());
    if (card) QCOMPARE(card->name, std::string_view(name.toStdString()));
}

void CardFactsTest::listsTheKnownOnesForAnUnknownName() {
    for (const char* unknown : {"RTX 9999", "", "306", "30600", "A100"}) {
        const auto card = cardNamed(unknown);
        QVERIFY(!card.ok());
        QCOMPARE(card.error().code, ErrorCode::Usage);
        for (const CardFacts& known : knownCards())
            QVERIFY(card.error().message.find(known.name) != std::string::npos);
    }
}

void CardFactsTest::holdsFiguresOfTheRightSize() {
    std::set<std::string_view> names;
    for (const CardFacts& card : knownCards()) {
        names.insert(card.name);
        QVERIFY(cardNamed(card.name).ok());
        const bool rented = !card.name.starts_with("RTX");
        const int64_t gibibytes = card.memoryBytes >> 30;
        QVERIFY(gibibytes >= (rented ? 40 : 6) && gibibytes <= (rented ? 80 : 24));
        QVERIFY(card.memoryBytesPerSecond > 2e11 && card.memoryBytesPerSecond < (rented ? 3.4e12 : 1.1e12));
        QVERIFY(card.tensorFlops > 1e13 && card.tensorFlops < (rented ? 1e15 : 2e14));
        // Turing's tensor cores take fp16 alone, at four times the speed of fp32; later ones at twice or
        // more.
        const bool turing = card.name.starts_with("RTX 20");
        QCOMPARE(card.bfloat16, !turing);
        const double times = card.tensorFlops / card.floatFlops;
        QVERIFY(rented ? times > 3.5 && times < 16.5 : std::abs(times - (turing ? 4.0 : 2.0)) < 1e-9);
        QVERIFY(card.pcie.bytesPerSecond() > 1.5e10 && card.pcie.bytesPerSecond() < 6.4e10);
        QCOMPARE(card.nvlink.generation > 0, card.nvlink.bytesPerSecond > card.pcie.bytesPerSecond());
    }
    QCOMPARE(names.size(), size_t{12});
}

void CardFactsTest::knowsTheSpeedOfABus() {
    QVERIFY(std::abs(PcieLink{3, 16}.bytesPerSecond() / 15.75e9 - 1.0) < 0.01);
    QVERIFY(std::abs(PcieLink{4, 8}.bytesPerSecond() / 15.75e9 - 1.0) < 0.01);
    QVERIFY(std::abs(PcieLink{2, 16}.bytesPerSecond() / 8.0e9 - 1.0) < 0.01);
}

void CardFactsTest::readsGenerationAndLanes_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("generation"); // 0: refused
    QTest::addColumn<int>("lanes");
    QTest::newRow("usual") << "3x16" << 3 << 16;
    QTest::newRow("narrow") << "4x1" << 4 << 1;
    for (const char* wrong :
         {"", "3", "x16", "3x", "3x17", "0x16", "9x16", "3x16 ", "3 x 16", "-3x16", "3x0"})
        QTest::newRow(*wrong == '\0' ? "nothing" : wrong) << wrong << 0 << 0;
}

void CardFactsTest::readsGenerationAndLanes() {
    QFETCH(QString, text);
    QFETCH(int, generation);
    QFETCH(int, lanes);
    const auto link = parsePcie(text.toStdString());
    QCOMPARE(link.ok(), generation > 0);
    if (!link) {
        QCOMPARE(link.error().code, ErrorCode::Usage);
        return;
    }
    QCOMPARE(link->generation, generation);
    QCOMPARE(link->lanes, lanes);
}

} // namespace

QTEST_APPLESS_MAIN(CardFactsTest)
#include "tst_card_facts.moc"
