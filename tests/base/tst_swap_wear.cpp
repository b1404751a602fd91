// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The arithmetic of a disk's wear, and that it is said.
#include "core/base/plan/training/swap_pages.h"
#include "core/base/plan/training/swap_wear.h"

#include <QTest>

using namespace homebooth::core;

namespace {

constexpr int64_t kGiB = int64_t{1} << 30;

SwapUse useOf(int64_t changingBytes, int64_t homeBytes, int64_t trainedBytes) {
    SwapUse use;
    use.setAsideBytes = use.changingBytes = changingBytes;
    use.homeBytes = homeBytes;
    use.trainedBytes = trainedBytes;
    return use;
}

class SwapWearTest : public QObject {
    Q_OBJECT
private slots:
    void countsWhatAStepChanges();
    void countsNoParametersThatStayInMemory();
    void countsOnlyTheParametersThatLearn();
    void countsGradientsAsOftenAsTheyAreWritten();
    void countsWhatAStepReads();
    void countsWholePagesAndWhatIsReadAgain();
    void saysThatItIsOfEachProcess();
    void saysNothingOfADayWithoutATime();
};

void SwapWearTest::countsWhatAStepChanges() {
    const SwapWear wear = swapWear(useOf(2 * kGiB, 2 * kGiB, 2 * kGiB), 10.0);
    QCOMPARE(wear.heldBytes, 4 * kGiB);
    QCOMPARE(wear.writtenBytesPerStep, 4 * kGiB);
    QCOMPARE(wear.writtenBytesPerDay, 8640.0 * 4.0 * static_cast<double>(kGiB));
    QVERIFY(std::abs(wear.endurancePerDay - 0.0618) < 0.0005); // 37.1 TB of 600
    const std::string text = decisionOf(wear).text;
    QVERIFY2(text.find("4.00 GiB") != std::string::npos, text.c_str());
    QVERIFY2(text.find("6.2 %") != std::string::npos, text.c_str());
    QVERIFY2(text.find("16 days") != std::string::npos, text.c_str());
}

/// Four pages, two of them in memory. What was written is the first to go.
void SwapWearTest::countsWholePagesAndWhatIsReadAgain() {
    SwapPages pages(40, 10, 20);
    const auto use = [&pages](const SwapStretch& stretch, bool changed) {
        pages.hold(stretch);
        pages.release(stretch, changed);
        return pages.readBytes();
    };
    for (const int64_t begin : {0, 10, 20, 30}) use({begin, 5}, true);
    QCOMPARE(pages.readBytes(), int64_t{40});
    QCOMPARE(pages.writtenBytes(), int64_t{40});
    QCOMPARE(use({35, 5}, false), int64_t{40});
    QCOMPARE(use({0, 5}, false), int64_t{40});
    QCOMPARE(use({5, 10}, false), int64_t{50}); // of two pages one had gone
    QCOMPARE(pages.writtenBytes(), int64_t{40});
    SwapUse extra = useOf(kGiB, 0, 0);
    extra.extra = {20, 10};
    QCOMPARE(swapWear(extra, 1.0).readBytesPerStep, kGiB + 20);
    QCOMPARE(swapWear(extra, 1.0).writtenBytesPerStep, kGiB + 10);
}

void SwapWearTest::countsNoParametersThatStayInMemory() {
    QCOMPARE(swapWear(useOf(kGiB, 0, kGiB), 1.0).writtenBytesPerStep, kGiB);
}

void SwapWearTest::countsOnlyTheParametersThatLearn() {
    const SwapWear lora = swapWear(useOf(kGiB / 64, 2 * kGiB, kGiB / 128), 1.0);
    QCOMPARE(lora.heldBytes, kGiB / 64 + 2 * kGiB);
    QCOMPARE(lora.writtenBytesPerStep, kGiB / 64 + kGiB / 128);
}

void SwapWearTest::countsGradientsAsOftenAsTheyAreWritten() {
    SwapUse use = useOf(kGiB, 0, kGiB);
    use.setAsideBytes = 3 * kGiB;
    use.gradientBytes = 4 * kGiB; // of four micro-steps
    QCOMPARE(swapWear(use, 1.0).heldBytes, 3 * kGiB);
    QCOMPARE(swapWear(use, 1.0).writtenBytesPerStep, 5 * kGiB);
}

void SwapWearTest::countsWhatAStepReads() {
    SwapUse use = useOf(2 * kGiB, 0, kGiB);
    QCOMPARE(swapWear(use, 1.0).readBytesPerStep, 2 * kGiB); // states, before they change
    use.gradientReadBytes = 3 * kGiB;
    use.fetchedBytes = 4 * kGiB;
    use.againBytes = kGiB;
    const SwapWear wear = swapWear(use, 1.0);
    QCOMPARE(wear.readBytesPerStep, 10 * kGiB);
    QCOMPARE(wear.writtenBytesPerStep, 2 * kGiB); // who reads does not wear
    const PlanDecision told = decisionOf(wear);
    QCOMPARE(told.facts.at(kStepReadBytes), 10.0 * static_cast<double>(kGiB));
    QVERIFY2(told.text.find("reads 10.0 GiB there and writes 2.00 GiB") != std::string::npos,
             told.text.c_str());
}

void SwapWearTest::saysThatItIsOfEachProcess() {
    const SwapWear wear = swapWear(useOf(2 * kGiB, 0, kGiB), 10.0);
    const PlanDecision told = decisionOf(wear, 3);
    QVERIFY2(told.text.starts_with("swap, for each of 3 processes: 2.00 GiB"), told.text.c_str());
    QVERIFY2(told.text.ends_with(", 3 times as much where they share it"), told.text.c_str());
    QCOMPARE(told.facts.at("processes"), 3.0);
    QCOMPARE(decisionOf(wear).facts.count("processes"), size_t{0});
}

void SwapWearTest::saysNothingOfADayWithoutATime() {
    const SwapWear wear = swapWear(useOf(kGiB, kGiB, kGiB), 0.0);
    QCOMPARE(wear.writtenBytesPerDay, 0.0);
    QVERIFY(decisionOf(wear).text.find("day") == std::string::npos);
}

} // namespace

QTEST_APPLESS_MAIN(SwapWearTest)
#include "tst_swap_wear.moc"
