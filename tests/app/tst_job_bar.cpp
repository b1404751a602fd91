// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The job bar for those who listen to it: milestones are said, steps are not. And the card that it shows
// without a training, of which the engine is asked; the driver is a library of the test.
#include "app/engine/number_format.h"
#include "app/engine/run_session.h"
#include "app/shell/job_bar.h"
#include "app/shell/memory_gauge.h"
#include "app/widgets/parts.h"
#include "app_files.h"
#include "card_fixture.h"

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
    void theCardIsWhatTheEngineSaysOfIt();
    void withoutAnAnswerThereIsNoCard_data();
    void withoutAnAnswerThereIsNoCard();

private:
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

void learn(core::JournalWriter& journal, int64_t from, int64_t to) {
    for (int64_t step = from; step <= to; ++step)
        journal.emit(core::StepEvent{step, 1, 0.5, 1e-4, 0.5, 2.0, {}, {}, {}, {}});
}

} // namespace

void JobBarTest::milestonesAloneAreSaid() {
    const QString folder = makeRunFolder(m_services->settings.runsFolder(), QStringLiteral("toy"), 100);
    const auto journal = journalOf(folder);
    journal->emit(core::StateEvent{"training", "", 0, 100});
    learn(*journal, 1, 10);
    auto works = std::make_unique<core::Result<core::RunLock>>(
        core::RunLock::acquire((folder + QStringLiteral("/lock")).toStdString()));
    QVERIFY(works->ok());
    m_services->runs.open(m_services->settings.runsFolder());
    QTRY_VERIFY(m_services->runs.working() != nullptr);
    const JobBar bar(m_services->all());
    QTRY_VERIFY(detailOf(bar, QStringLiteral("10 of 100")) != nullptr);
    const ElidedLabel* detail = detailOf(bar, QStringLiteral("10 of 100"));
    const QString title = m_services->runs.working()->title();
    QCOMPARE(detail->accessibleName(), title); // else every step would be read out
    learn(*journal, 11, 20);
    QTRY_VERIFY(detail->fullText().startsWith(QStringLiteral("20 of 100")));
    QCOMPARE(detail->accessibleName(), title);
    learn(*journal, 21, 30);
    QTRY_COMPARE(detail->accessibleName(), title + QStringLiteral(", 25 % done"));
    journal->emit(core::CheckpointEvent{30, "/a"});
    QTRY_COMPARE(detail->accessibleName(), title + QStringLiteral(", 25 % done, saved at 30"));
    journal->emit(core::OutcomeEvent{"failed", {}, {}, 1, "", ""});
    works.reset();
    QTRY_COMPARE(detail->accessibleName(), title + QStringLiteral(": Needs you"));
}

void JobBarTest::examplesTellTheTimeThatIsLeft() {
    const QString folder = makeRunFolder(m_services->settings.runsFolder(), QStringLiteral("examples"), 100);
    const auto journal = journalOf(folder);
    core::PlanEvent plan;
    plan.predicted.stepSeconds = 90.0;
    journal->emit(plan);
    journal->emit(core::StateEvent{"class-images", "a toy", 4, 50});
    const auto works = core::RunLock::acquire((folder + QStringLiteral("/lock")).toStdString());
    QVERIFY(works.ok());
    m_services->runs.open(m_services->settings.runsFolder());
    QTRY_VERIFY(m_services->runs.working() != nullptr);
    const JobBar bar(m_services->all());
    const QString before = m_services->runs.working()->title() + QStringLiteral(", ");
    QTRY_VERIFY(detailOf(bar, before) != nullptr);
    QVERIFY(detailOf(bar, before)->fullText().endsWith(QStringLiteral(" left")));
}

const MemoryGauge* JobBarTest::askedBy(JobBar& bar, const QByteArray& engine) const {
    const QString asked = m_place.path(QStringLiteral("asked"));
    const QString answer = m_place.path(QStringLiteral("answer"));
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
    const QString written = m_place.path(QStringLiteral("written"));
    writeBytes(written, kOlderCard);
    QVERIFY(QFile::rename(written, m_place.path(QStringLiteral("answer"))));
    QTRY_VERIFY(!card->isHidden());
    QVERIFY2(card->accessibleName().contains(QStringLiteral("3.0 of 8.0 GB")),
             qPrintable(card->accessibleName()));
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
    m_services->settings.set(keys::kHalfFormat, QStringLiteral("fp16")); // as it was found once
    JobBar bar(m_services->all());
    const MemoryGauge* card = askedBy(bar, "#!/bin/bash\necho \"$*\" >\"$ASKED\"\n" + end);
    QVERIFY(card != nullptr);
    QTest::qWait(500); // for what it says
    QVERIFY(card->isHidden());
    QCOMPARE(halfFormat(m_services->settings), core::Precision::Fp16);
}

HOMEBOOTH_APP_TEST_MAIN(JobBarTest)
#include "tst_job_bar.moc"
