// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A block's line of a plan: its figures come back from it, and its words say them.
#include "core/base/plan/training/planned_block.h"

#include <QTest>

using namespace homebooth::core;

namespace {

PlannedBlock streamedBlock() {
    PlannedBlock block;
    block.name = "unet down_blocks.0.resnets.1";
    block.kept = KeptForBackward::Products;
    block.forwardSeconds = 0.0125;
    block.backwardSeconds = 0.5;
    block.parameterBytes = int64_t{3} << 20;
    block.activationBytes = int64_t{14} << 20;
    block.peakBytes = int64_t{5} << 30;
    block.leftBytes = int64_t{2} << 20;
    block.returnedBytes = int64_t{4} << 20;
    block.streamed = true;
    block.fetches = 2;
    block.fetchedAhead = 1;
    return block;
}

class PlannedBlockTest : public QObject {
    Q_OBJECT
private slots:
    void itsFiguresComeBack();
    void itsWordsSayThem();
    void aPartOfARankIsToldFromTheRest();
    void whereItIsAtHomeIsNamed();
    void aLineOfAnotherEngineIsRead();
};

void PlannedBlockTest::itsFiguresComeBack() {
    const PlannedBlock block = streamedBlock();
    const PlannedBlock back = plannedBlockOf(decisionOf(block));
    QCOMPARE(back.name, block.name);
    QVERIFY(back.kept == block.kept);
    QCOMPARE(back.forwardSeconds, block.forwardSeconds);
    QCOMPARE(back.backwardSeconds, block.backwardSeconds);
    QCOMPARE(back.parameterBytes, block.parameterBytes);
    QCOMPARE(back.activationBytes, block.activationBytes);
    QCOMPARE(back.peakBytes, block.peakBytes);
    QCOMPARE(back.leftBytes, block.leftBytes);
    QCOMPARE(back.returnedBytes, block.returnedBytes);
    QCOMPARE(back.streamed, block.streamed);
    QCOMPARE(back.homeOnDisk, block.homeOnDisk);
    QCOMPARE(back.fetches, block.fetches);
    QCOMPARE(back.fetchedAhead, block.fetchedAhead);
}

void PlannedBlockTest::itsWordsSayThem() {
    const std::string text = decisionOf(streamedBlock()).text;
    for (const char* part :
         {"unet down_blocks.0.resnets.1: ", "costly products", "12.5 ms", "500 ms", "14.0 MiB of activations",
          "2.00 MiB of values to RAM", "4.00 MiB back", "from RAM 2 times, 1 turn ahead"})
        QVERIFY2(text.find(part) != std::string::npos, text.c_str());
    PlannedBlock resident = streamedBlock();
    resident.streamed = false;
    resident.leftBytes = resident.returnedBytes = 0;
    const std::string stays = decisionOf(resident).text;
    QVERIFY2(stays.find("stay on the device") != std::string::npos, stays.c_str());
    QVERIFY2(stays.find("values") == std::string::npos, stays.c_str());
}

void PlannedBlockTest::aPartOfARankIsToldFromTheRest() {
    PlannedBlock block = streamedBlock();
    block.gatheredBytes = int64_t{2} << 20;
    const PlanDecision line = decisionOf(block);
    QCOMPARE(plannedBlockOf(line).gatheredBytes, block.gatheredBytes);
    const char* streamed = "; 1.00 MiB of 3.00 MiB of parameters come from RAM 2 times, 1 turn ahead; the "
                           "other 2.00 MiB from the other processes for each use";
    QVERIFY2(line.text.find(streamed) != std::string::npos, line.text.c_str());
    block.streamed = false;
    const std::string stays = decisionOf(block).text;
    QVERIFY2(stays.find("; 1.00 MiB of 3.00 MiB of parameters stay on the device; the other 2.00 MiB") !=
                 std::string::npos,
             stays.c_str());
}

void PlannedBlockTest::whereItIsAtHomeIsNamed() {
    PlannedBlock block = streamedBlock();
    QCOMPARE(std::string(homeName(block)), std::string("ram"));
    block.homeOnDisk = true;
    QCOMPARE(std::string(homeName(block)), std::string("disk"));
    block.streamed = false;
    QCOMPARE(std::string(homeName(block)), std::string("device"));
}

void PlannedBlockTest::aLineOfAnotherEngineIsRead() {
    const PlannedBlock block = plannedBlockOf({"unet mid: something", kPlannedBlock, {{"kept", 7.0}}});
    QCOMPARE(block.name, std::string("unet mid"));
    QVERIFY(block.kept == KeptForBackward::Inputs);
    QCOMPARE(block.fetches, int64_t{0});
}

} // namespace

QTEST_APPLESS_MAIN(PlannedBlockTest)
#include "tst_planned_block.moc"
