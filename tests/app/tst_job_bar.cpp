// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The job bar for those who listen to it: milestones are said, steps are not.
#include "app/engine/run_session.h"
#include "app/shell/job_bar.h"
#include "app/widgets/parts.h"
#include "app_files.h"

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
};

namespace {

/// What stands behind the progress of the job.
const ElidedLabel* detailOf(const JobBar& bar, const QString& words) {
    for (const auto* label : bar.findChildren<ElidedLabel*>())
        if (label->fullText().startsWith(words)) return label;
    return nullptr;
}

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

HOMEBOOTH_APP_TEST_MAIN(JobBarTest)
#include "tst_job_bar.moc"
