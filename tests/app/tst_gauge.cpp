// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The memory of the card in the job bar: as a training measures it, and greyed with its age afterwards.
#include "app/shell/job_bar.h"
#include "app/shell/memory_gauge.h"
#include "queue_fixture.h"

#include <QAccessible>

using namespace homebooth;
using namespace homebooth::app;

class GaugeTest : public QueueFixture {
    Q_OBJECT
public:
    explicit GaugeTest(const TestPlace& place)
        : QueueFixture(place) {}
private Q_SLOTS:
    void initTestCase() { useFakeEngine(); }
    void init() { beginAgain(); }
    void cleanup() { m_services.reset(); }
    void theLastFiguresStayWithTheirAge();
    void itsWidthIsThatOfItsFigures();
    void aCardIsShownBeforeATraining();
    void theLimitIsAMark();
    void itIsReadAsALevel();
    void whatChangesAllTheTimeIsToldSeldom();
};

void GaugeTest::theLastFiguresStayWithTheirAge() {
    constexpr int64_t kGiB = int64_t{1} << 30;
    const QString folder = makeRun(u"a"_s, "running");
    core::MemoryEvent memory;
    memory.step = 1;
    memory.device.parameterBytes = 2 * kGiB;
    memory.device.freeBytes = 6 * kGiB;
    writeEvents(folder, {memory});
    auto lock = std::make_unique<core::Result<core::RunLock>>(work(folder));
    JobBar bar(m_services->all());
    bar.show();
    auto* card = bar.findChildren<MemoryGauge*>().value(0);
    QVERIFY(card != nullptr && card->isHidden()); // nobody has measured it
    openRuns();
    QTRY_VERIFY(!card->isHidden());
    QVERIFY(card->accessibleName().contains(u"2.0 of 8.0 GB"_s));
    QVERIFY(!card->accessibleName().contains(u"ago"_s));
    writeEvents(folder, {outcome("done")});
    lock.reset();
    QTRY_VERIFY(!m_services->runs.busy());
    QTRY_VERIFY2(card->accessibleName().endsWith(u"ago"_s), qPrintable(card->accessibleName()));
    QVERIFY(card->accessibleName().contains(u"2.0 of 8.0 GB"_s));
    QVERIFY(!card->isHidden());
}

void GaugeTest::aCardIsShownBeforeATraining() {
    constexpr int64_t kGiB = int64_t{1} << 30;
    JobBar bar(m_services->all());
    bar.show();
    auto* card = bar.findChildren<MemoryGauge*>().value(0);
    bar.setCard(0, 0); // there is none
    QVERIFY(card->isHidden());
    bar.setCard(8 * kGiB, 5 * kGiB);
    QVERIFY(!card->isHidden());
    QVERIFY2(card->accessibleName().contains(u"3.0 of 8.0 GB"_s), qPrintable(card->accessibleName()));
}

void GaugeTest::theLimitIsAMark() {
    constexpr int64_t kGiB = int64_t{1} << 30;
    MemoryGauge gauge(u"GPU"_s);
    gauge.set(kGiB, kGiB, 8 * kGiB);
    gauge.show();
    gauge.resize(gauge.sizeHint().width(), 24);
    const QImage without = gauge.grab().toImage();
    gauge.setLimit(6 * kGiB);
    QVERIFY(gauge.accessibleName().contains(u"limit 6"_s));
    QVERIFY(gauge.toolTip().contains(u"limit 6"_s));
    const QImage with = gauge.grab().toImage();
    QVERIFY(with != without);
    gauge.setLimit(0);
    QCOMPARE(gauge.grab().toImage(), without);
    gauge.set(2 * kGiB, 0, 8 * kGiB); // as much, but none of it by others
    QVERIFY(gauge.grab().toImage() != without);
}

void GaugeTest::itsWidthIsThatOfItsFigures() {
    constexpr int64_t kGiB = int64_t{1} << 30;
    MemoryGauge gauge(u"RAM"_s);
    gauge.setCompact(true); // without its bar
    gauge.set(kGiB, 0, 24 * kGiB);
    const QSize little = gauge.sizeHint();
    gauge.set(kGiB, 0, 47 * kGiB / 2);
    QVERIFY(gauge.accessibleName().contains(u"1.0 of 23.5 GB"_s)); // as Welcome tells it
    gauge.set(12 * kGiB, 12 * kGiB, 24 * kGiB);
    QCOMPARE(gauge.sizeHint(), little); // what grows moves nothing
    const QFontMetrics metrics = gauge.fontMetrics();
    const int words = metrics.horizontalAdvance(u"RAM"_s) + metrics.horizontalAdvance(u"88.8 of 88 GB"_s);
    QVERIFY(little.width() > words && little.width() <= words + 12); // it ends where the page ends
}

void GaugeTest::itIsReadAsALevel() {
    constexpr int64_t kGiB = int64_t{1} << 30;
    MemoryGauge gauge(u"GPU"_s);
    gauge.set(kGiB, kGiB, 8 * kGiB);
    gauge.setLimit(6 * kGiB);
    QAccessibleInterface* reader = QAccessible::queryAccessibleInterface(&gauge);
    QVERIFY(reader != nullptr);
    QCOMPARE(reader->role(), QAccessible::ProgressBar);
    QCOMPARE(reader->text(QAccessible::Name), u"GPU 2.0 of 8.0 GB, limit 6.0 GB"_s);
    QVERIFY(reader->text(QAccessible::Description).contains(u"by other programs"_s));
    QAccessibleValueInterface* level = reader->valueInterface();
    QVERIFY(level != nullptr);
    QCOMPARE(level->currentValue().toDouble(), 25.0);
    gauge.set(3 * kGiB, kGiB, 8 * kGiB);
    QCOMPARE(level->currentValue().toDouble(), 50.0);
    QCOMPARE(level->maximumValue().toDouble(), 100.0);
    QCOMPARE(reader->text(QAccessible::Value), u"50 %"_s);
    QVERIFY(reader->state().readOnly);
}

void GaugeTest::whatChangesAllTheTimeIsToldSeldom() {
    constexpr int64_t kGiB = int64_t{1} << 30;
    MemoryGauge gauge(u"GPU"_s);
    gauge.set(kGiB, 0, 8 * kGiB);
    for (int64_t used = 1; used <= 4; ++used) gauge.set(used * kGiB, 0, 8 * kGiB);
    QVERIFY2(gauge.accessibleName().contains(u"1.0 of 8.0 GB"_s), qPrintable(gauge.accessibleName()));
    QVERIFY(gauge.toolTip().contains(u"4"_s)); // who looks sees it as it is
    gauge.setStale(3.0);
    QVERIFY2(gauge.accessibleName().contains(u"4.0 of 8.0 GB"_s), qPrintable(gauge.accessibleName()));
    QVERIFY(gauge.accessibleName().endsWith(u"ago"_s));
    const QString told = gauge.accessibleName();
    for (double seconds = 4.0; seconds < 9.0; ++seconds) gauge.setStale(seconds);
    QCOMPARE(gauge.accessibleName(), told);
    gauge.setStale(0.0);
    QVERIFY(!gauge.accessibleName().endsWith(u"ago"_s));
}

HOMEBOOTH_APP_TEST_MAIN(GaugeTest)
#include "tst_gauge.moc"
