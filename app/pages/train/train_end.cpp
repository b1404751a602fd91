// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of the page Train that tells how a run ended, why, and what can be done.
#include "app/engine/figures.h"
#include "app/engine/resume_options.h"
#include "app/engine/run_centre.h"
#include "app/engine/run_end.h"
#include "app/engine/run_log.h"
#include "app/engine/run_session.h"
#include "app/library/background.h"
#include "app/pages/train/log_dialog.h"
#include "app/pages/train/train_page.h"
#include "app/widgets/message_bar.h"

namespace homebooth::app {

void TrainPage::showEnd(RunSession& run) {
    const RunData& seen = run.data();
    const bool made = !run.resultModel().isEmpty() || !run.resultLora().isEmpty();
    const bool waits = m_services.runs.queue().contains(run.folder());
    m_second->setText(run.phase() == RunPhase::Done      ? tr("Train further")
                      : run.phase() == RunPhase::Waiting ? tr("Start")
                                                         : tr("Resume"));
    m_second->setEnabled(!waits);
    mainButton()->setText(tr("Make pictures"));
    mainButton()->setEnabled(made);
    const QString saved = seen.checkpoints.empty()
                              ? tr("Nothing was saved yet.")
                              : tr("Step %1 is saved.").arg(seen.checkpoints.back().step);
    switch (run.phase()) {
    case RunPhase::Done:
        return showDone(run);
    case RunPhase::Cancelled:
        setTitle(tr("%1 was stopped").arg(run.title()));
        return setSubtitle(tr("Stopped by you at step %1. %2").arg(seen.step()).arg(saved));
    case RunPhase::Waiting:
        setTitle(tr("%1 waits").arg(run.title()));
        return setSubtitle(tr("It has not begun yet."));
    default:
        setTitle(tr("%1 needs you").arg(run.title()));
        setSubtitle(saved);
        showProblem(run, saved);
    }
}

void TrainPage::showDone(const RunSession& run) {
    const RunData& seen = run.data();
    setTitle(tr("%1 is ready").arg(run.title()));
    QString text = tr("%1 steps in %2.").arg(seen.step()).arg(durationText(seen.secondsTotal));
    text += run.resultLora().isEmpty() ? tr(" A whole model, in Models as \"%1\".").arg(run.title())
                                       : tr(" An add-on, in Models as \"%1\".").arg(run.title());
    if (seen.outcome && seen.outcome->measured.residentBytes > 0)
        text += tr(" Peak %1.").arg(memoryText(seen.outcome->measured.residentBytes));
    setSubtitle(text);
}

void TrainPage::showProblem(RunSession& run, const QString& saved) {
    const RunEnd end = runEndOf(run.data().outcome, run.data().lastSignMs);
    // Once for each end: shown again at every look it would cover whatever else there is to say.
    if (std::exchange(m_told, end.headline + end.detail) == end.headline + end.detail) return;
    QString text = QStringLiteral("<b>%1</b> %2").arg(end.headline.toHtmlEscaped(), saved);
    if (!end.advice.isEmpty()) text += ' ' + end.advice.toHtmlEscaped();
    text += quotedDetail(end.detail);
    messages().show({MessageKind::Error, text, remediesOf(run, end), QLatin1String(kEndMessage)});
    const auto take = [this, told = m_told](const QString& lines) {
        if (told == m_told) messages().setLines(QLatin1String(kEndMessage), lines);
    };
    inBackground(
        this, [folder = run.folder()] { return lastLines(folder); }, take);
}

std::vector<Remedy> TrainPage::remediesOf(const RunSession& run, const RunEnd& end) {
    const auto resume = [this, folder = run.folder()](const ResumeOptions& options) {
        messages().drop(QLatin1String(kEndMessage));
        m_services.runs.resume(folder, options);
    };
    std::vector<Remedy> remedies{{tr("Resume"), [resume] { resume({}); }}};
    const core::ResourceUse most = mostUsed(run.data());
    const bool outOfMemory =
        end.cause == core::FailureCause::OutOfMemory || end.cause == core::FailureCause::MemoryKill;
    if (outOfMemory && most.deviceBytes + most.ramBytes > 0) {
        const core::TrainConfig less = withLessMemory(run.config(), most);
        const int64_t limit = most.deviceBytes > 0 ? less.memory.deviceBytes : less.memory.ramBytes;
        remedies.push_back({tr("Resume with less memory (%1)").arg(memoryText(limit)), [resume] {
                                resume({0, true});
                            }});
    }
    if (end.cause == core::FailureCause::Diverged)
        remedies.push_back({tr("Resume at half the learning speed"), [resume] { resume({0, false, true}); }});
    if (end.cause == core::FailureCause::DiskFull)
        remedies.push_back({tr("Free room"), [this] { Q_EMIT wanted(PageId::Models); }});
    remedies.push_back({tr("Whole log"), [this, folder = run.folder(), title = run.title()] {
                            showRunLog(this, folder, title);
                        }});
    return remedies;
}

} // namespace homebooth::app
