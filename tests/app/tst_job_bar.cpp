// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The job bar for those who listen to it: milestones are said, steps are not. And the card that it shows
// without a training, of which the engine is asked; the driver is a library of the test.
#include "app/engine/number_format.h"
#include "app/engine/runs/run_session.h"
#include "app/shell/job_bar.h"
#include "app/shell/memory_gauge.h"
#include "app/widgets/parts.h"
#include "app_files.h"
#include "card_fixture.h"

#include <QLayout>
#include <QProgressBar>

using namespace homebooth;
using namespace homebooth::app;

class JobBarTest : public ServicesTest {
    Q_OBJECT
public:
    using ServicesTest::ServicesTest;
private Q_SLOTS:
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void milestonesAloneAreSaid();
    void examplesTellTheTimeThatIsLeft();
    void theBarIsDrawnAnewForEachPart();
    void theCardIsWhatTheEngineSaysOfIt();
    void withoutAnAnswerThereIsNoCard_data();
    void withoutAnAnswerThereIsNoCard();

private:
    /// The time that is left is seen in letters half as large again.
    void largeTextLeavesRoom(JobBar& bar, core::JournalWriter& journal, const ElidedLabel& detail);
    /// As the engine from now on, which is asked of its cards by `bar`. @returns  the gauge of its card
    const MemoryGauge* askedBy(JobBar& bar, const QByteArray& engine) const;
};

namespace {

/// What stands behind the progress of the job.
const ElidedLabel* detailOf(const JobBar& bar, const QString& words) {
    for (const auto* label : bar.findChildren<ElidedLabel*>())
        if (label->fullText().startsWith(words)) return label;
    return nullptr;
}

/// Answers once there is a file to answer with.
constexpr const char* kPatient = R"sh(#!/bin/bash
echo "$*" >"$ASKED"
until [ -e "$ANSWER" ]; do sleep 0.05; done
cat "$ANSWER"
)sh";

constexpr const char* kOlderCard = R"({"gpu":{"state":"ready","driver":"580.95.05","message":"","tooOld":[],
    "devices":[{"name":"NVIDIA GeForce RTX 2070","uuid":"GPU-1","totalBytes":8589934592,
                "computeCapability":"7.5"}]}})";

/// Counts how often a widget is drawn.
class Drawings : public QObject {
public:
    explicit Drawings(QWidget& widget) { widget.installEventFilter(this); }
    [[nodiscard]] int count() const { return m_count; }

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Paint) ++m_count;
        return false;
    }

private:
    int m_count = 0;
};

void learn(core::JournalWriter& journal, int64_t from, int64_t to) {
    for (int64_t step = from; step <= to; ++step)
        journal.emit(core::StepEvent{step, 1, 0.5, 1e-4, 0.5, 2.0, {}, {}, {}, {}});
}

} // namespace

void JobBarTest::milestonesAloneAreSaid() {
    const QString folder = makeRunFolder(m_services->settings.runsFolder(), u"toy"_s, 100);
    const auto journal = journalOf(folder);
    journal->emit(core::StateEvent{"training", "", 0, 100});
    learn(*journal, 1, 10);
    auto works = std::make_unique<core::Result<core::RunLock>>(
        core::RunLock::acquire((folder + u"/lock"_s).toStdString()));
    QVERIFY(works->ok());
    m_services->runs.open(m_services->settings.runsFolder());
    QTRY_VERIFY(m_services->runs.working() != nullptr);
    JobBar bar(m_services->all());
    QTRY_VERIFY(detailOf(bar, u"10 of 100"_s) != nullptr);
    const ElidedLabel* detail = detailOf(bar, u"10 of 100"_s);
    const QString title = m_services->runs.working()->title();
    QCOMPARE(detail->accessibleName(), title); // else every step would be read out
    learn(*journal, 11, 20);
    QTRY_VERIFY(detail->fullText().startsWith(u"20 of 100"_s));
    QCOMPARE(detail->accessibleName(), title);
    learn(*journal, 21, 30);
    QTRY_COMPARE(detail->accessibleName(), title + u", 25 % done"_s);
    journal->emit(core::CheckpointEvent{30, "/a"});
    QTRY_COMPARE(detail->accessibleName(), title + u", 25 % done, saved at 30"_s);
    largeTextLeavesRoom(bar, *journal, *detail);
    journal->emit(core::OutcomeEvent{"failed", {}, {}, 1, "", ""});
    works.reset();
    QTRY_COMPARE(detail->accessibleName(), title + u": Needs you"_s);
}

void JobBarTest::largeTextLeavesRoom(JobBar& bar, core::JournalWriter& journal, const ElidedLabel& detail) {
    core::MemoryEvent memory;
    memory.step = 30;
    memory.device.parameterBytes = memory.device.freeBytes = int64_t{4} << 30;
    journal.emit(memory);
    m_services->theme.setTextSize(150);
    bar.resize(3000, bar.height());
    bar.show();
    QTRY_VERIFY(bar.findChild<MemoryGauge*>()->isVisible());
    const int needed = bar.layout()->sizeHint().width();
    bar.resize(needed - 150, bar.height()); // the bars of memory are left out
    QTRY_COMPARE(detail.text(), detail.fullText());
    m_services->theme.setTextSize(100);
}

void JobBarTest::examplesTellTheTimeThatIsLeft() {
    const QString folder = makeRunFolder(m_services->settings.runsFolder(), u"examples"_s, 100);
    const auto journal = journalOf(folder);
    core::PlanEvent plan;
    plan.predicted.stepSeconds = 90.0;
    journal->emit(plan);
    journal->emit(core::StateEvent{"class-images", "a toy", 4, 50});
    const auto works = core::RunLock::acquire((folder + u"/lock"_s).toStdString());
    QVERIFY(works.ok());
    m_services->runs.open(m_services->settings.runsFolder());
    QTRY_VERIFY(m_services->runs.working() != nullptr);
    const JobBar bar(m_services->all());
    const QString before = m_services->runs.working()->title() + u", "_s;
    QTRY_VERIFY(detailOf(bar, before) != nullptr);
    QVERIFY(detailOf(bar, before)->fullText().endsWith(u" left"_s));
}

void JobBarTest::theBarIsDrawnAnewForEachPart() {
    QProgressBar bar;
    bar.setTextVisible(false);
    bar.setRange(0, 1000);
    bar.resize(150, 30);
    bar.show();
    QVERIFY(QTest::qWaitForWindowExposed(&bar));
    bar.setValue(500);
    const Drawings drawings(bar);
    for (int value = 501; value <= 510; ++value) bar.setValue(value); // a pixel and a half
    QVERIFY2(drawings.count() >= 10, qPrintable(QString::number(drawings.count())));
}

const MemoryGauge* JobBarTest::askedBy(JobBar& bar, const QByteArray& engine) const {
    const QString asked = m_place.path(u"asked"_s);
    const QString answer = m_place.path(u"answer"_s);
    QFile::remove(asked);
    QFile::remove(answer);
    qputenv("ASKED", asked.toUtf8());
    qputenv("ANSWER", answer.toUtf8());
    if (!useEngine(m_place, engine.constData())) return nullptr;
    bar.show();
    const auto wasAsked = [&asked] { return bytesOf(asked) == "doctor --json --gpus-only\n"; };
    return QTest::qWaitFor(wasAsked, kLongestMs) ? bar.findChildren<MemoryGauge*>().value(0) : nullptr;
}

void JobBarTest::theCardIsWhatTheEngineSaysOfIt() {
    const OneCard driver;
    QVERIFY(driver.isThere());
    JobBar bar(m_services->all());
    const MemoryGauge* card = askedBy(bar, kPatient);
    QVERIFY(card != nullptr);
    QVERIFY(card->isHidden()); // nobody knows of one
    const QString written = m_place.path(u"written"_s);
    writeBytes(written, kOlderCard);
    QVERIFY(QFile::rename(written, m_place.path(u"answer"_s)));
    QTRY_VERIFY(!card->isHidden());
    QVERIFY2(card->accessibleName().contains(u"3.0 of 8.0 GB"_s), qPrintable(card->accessibleName()));
    QCOMPARE(halfFormat(m_services->settings), core::Precision::Fp16);
}

void JobBarTest::withoutAnAnswerThereIsNoCard_data() {
    QTest::addColumn<QByteArray>("end");
    QTest::newRow("a crash") << QByteArray("kill -SEGV $$");
    QTest::newRow("a failure") << QByteArray("exit 1");
    QTest::newRow("no report") << QByteArray("echo hello");
    QTest::newRow("none at all") << QByteArray("while :; do sleep 0.05; done");
}

void JobBarTest::withoutAnAnswerThereIsNoCard() {
    QFETCH(QByteArray, end);
    const OneCard driver;
    QVERIFY(driver.isThere());
    m_services->settings.set(keys::kHalfFormat, u"fp16"_s); // as it was found once
    JobBar bar(m_services->all());
    const MemoryGauge* card = askedBy(bar, "#!/bin/bash\necho \"$*\" >\"$ASKED\"\n" + end);
    QVERIFY(card != nullptr);
    QTest::qWait(500); // for what it says
    QVERIFY(card->isHidden());
    QCOMPARE(halfFormat(m_services->settings), core::Precision::Fp16);
}

HOMEBOOTH_APP_TEST_MAIN(JobBarTest)
#include "tst_job_bar.moc"
