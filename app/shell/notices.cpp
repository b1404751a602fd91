// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/notices.h"

#include "app/engine/engine_words.h"
#include "app/engine/figures.h"
#include "app/engine/pictures/generator.h"
#include "app/engine/request_pool.h"
#include "app/engine/runs/run_centre.h"
#include "app/engine/runs/run_end.h"
#include "app/engine/runs/run_session.h"
#include "app/library/background.h"
#include "app/settings/settings.h"
#include "app/shell/notification.h"
#include "core/base/run/end_words.h"

#include <QWidget>

#include <algorithm>
#include <utility>

namespace homebooth::app {
namespace {

constexpr int64_t kAtOnceMs = 60'000; // between the last words of trainings that one power cut ended

} // namespace

Notices::Notices(Services services, QWidget& window)
    : QObject(&window)
    , m_services(services)
    , m_window(window) {
    connect(&services.runs, &RunCentre::finished, this, &Notices::runEnded);
    connect(&services.runs, &RunCentre::phaseChanged, this, &Notices::tellFullDisks);
    connect(&services.runs, &RunCentre::runsChanged, this, &Notices::tellMissed);
    connect(&services.generator, &Generator::ended, this, &Notices::picturesEnded);
    connect(&services.generator, &Generator::failed, this, [this](const QString& headline) {
        if (!m_window.isActiveWindow()) tell(tr("Pictures need you"), headline);
    });
    connect(&services.settings, &Settings::changed, this, [this](const QByteArray& key) {
        if (key == keys::kNotify) leaveWords();
    });
    leaveWords();
    inBackground(
        this,
        [] {
            auto lock = core::beTheWindow(core::JobQueue());
            return lock ? std::move(*lock) : std::optional<core::RunLock>(); // a second one goes without
        },
        [this](std::optional<core::RunLock>& lock) { m_lock = std::move(lock); }, &queueThread());
}

void Notices::leaveWords() {
    core::EndWords words;
    if (m_services.settings.flag(keys::kNotify)) {
        words.done = tr("%1 is ready").toStdString();
        words.failed = tr("%1 needs you").toStdString();
    }
    // What cannot be written is not told: the message at the next start remains.
    inBackground(
        this, [words] { (void)core::setEndWords(core::JobQueue(), words); }, [] {}, &queueThread());
}

void Notices::close() {
    m_services.settings.set(keys::kSeenMs, QString::number(core::nowMs()));
}

void Notices::tell(const QString& title, const QString& text) {
    if (m_services.settings.flag(keys::kNotify)) notify(title, text);
}

void Notices::runEnded(const QString& folder) {
    close();
    const core::RunRecord* run = m_services.runs.find(folder);
    if (run == nullptr || run->state == "cancelled") return; // whoever stopped it knows
    const QString title = QString::fromStdString(run->title);
    const QString steps = tr("%1 of %2 steps").arg(countText(run->stepsDone), countText(run->steps));
    if (run->state == "done") return tell(tr("%1 is ready").arg(title), steps);
    inBackground(
        this, [folder] { return readRunEnd(folder).headline; },
        [this, title, steps](const QString& why) {
            tell(tr("%1 needs you").arg(title), QStringLiteral("%1 (%2)").arg(why, steps));
        });
}

void Notices::tellFullDisks() {
    for (const RunSession* run : m_services.runs.allWorking()) {
        if (run->phase() == RunPhase::Learning) m_full.remove(run->folder());
        if (run->phase() != RunPhase::DiskFull || m_full.contains(run->folder())) continue;
        m_full.insert(run->folder());
        const QString steps =
            tr("%1 of %2 steps").arg(countText(run->data().step()), countText(run->config().steps));
        tell(tr("%1 needs you").arg(run->title()),
             QStringLiteral("%1 (%2)").arg(trainingTrouble(run->lack(), run->data().state.detail), steps));
    }
}

void Notices::picturesEnded(bool complete) {
    const Generator& generator = m_services.generator;
    if (!complete || generator.busy() || generator.nextJob() != 0 || m_window.isActiveWindow()) return;
    tell(tr("Pictures are ready"), tr("%n in the last job", nullptr, generator.picturesDone()));
}

void Notices::tellMissed() {
    if (std::exchange(m_toldMissed, true)) return; // what was found at the start
    const qlonglong seen = m_services.settings.text(keys::kSeenMs).toLongLong();
    close(); // what is told now is not told again, however this session ends
    const std::vector<core::RunRecord>& runs = m_services.runs.runs();
    int64_t last = 0;
    for (const core::RunRecord& run : runs) last = std::max(last, run.endedMs);
    // Where nobody knows of a session before this, what ended last tells whether that was cut off: several
    // where they worked at once.
    const int64_t known = seen > 0 ? seen : std::max<int64_t>(0, last - kAtOnceMs);
    for (const core::RunRecord& run : runs) {
        if (run.endedMs <= known) continue;
        const QString folder = QString::fromStdString(run.folder);
        if (run.state == "failed") tellFailed(folder, QString::fromStdString(run.title), seen == 0);
        if (run.state != "done" || seen == 0) continue;
        Q_EMIT missed(tr("While the window was closed: %1 is ready.").arg(QString::fromStdString(run.title)),
                      folder, true);
    }
}

void Notices::tellFailed(const QString& folder, const QString& title, bool cutOffAlone) {
    inBackground(
        this, [folder] { return readRunEnd(folder).silent; },
        [this, folder, title, cutOffAlone](bool cutOff) {
            if (!cutOff && cutOffAlone) return;
            const auto tellIt = [this, folder, title, cutOff] {
                if (m_services.runs.queue().contains(folder)) return; // it goes on when it is its turn
                Q_EMIT missed(failedText(folder, title, cutOff), folder, false);
            };
            // Behind those who read the queue at the start.
            inBackground(
                this, [] {}, tellIt, &queueThread());
        });
}

QString Notices::failedText(const QString& folder, const QString& title, bool cutOff) const {
    if (!cutOff) return tr("While the window was closed: %1 ended early.").arg(title);
    if (m_services.runs.goesOnWithQueue(folder))
        return tr("%1 was cut off, perhaps as the power failed. It goes on with the queue.").arg(title);
    return tr("%1 was cut off, perhaps as the power failed. Open it and resume: it goes on after its last "
              "saved moment.")
        .arg(title);
}

} // namespace homebooth::app
