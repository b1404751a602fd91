// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of the run centre that deals with the queue: what waits, in which order, and when it begins.
#include "app/engine/gpu_answer.h"
#include "app/engine/request_pool.h"
#include "app/engine/runs/run_cards.h"
#include "app/engine/runs/run_centre.h"
#include "app/engine/runs/run_session.h"
#include "app/library/background.h"

#include <QFileInfo>

#include <algorithm>
#include <iterator>
#include <utility>

namespace homebooth::app {

void RunCentre::checkSlots() {
    // The driver is asked only where several GPUs were known: asking takes a while, and memory.
    const auto wanted = [] {
        const core::JobQueue jobs;
        return jobs.knownSlots().size() > 1 && !jobs.supervised();
    };
    const auto ask = [this](bool several) {
        m_slotsAwaited = several;
        takeSlots();
        if (m_slotsAwaited) m_gpus.want();
    };
    inBackground(this, wanted, ask, &requestPool());
}

void RunCentre::takeSlots() {
    const auto found = m_gpus.places();
    // While nobody knows, those that were known are neither counted on nor forgotten.
    if (!found || !std::exchange(m_slotsAwaited, false)) return;
    const auto write = [places = *found] {
        const core::JobQueue jobs;
        return !jobs.supervised() && jobs.setKnownSlots(places) && places.size() > 1;
    };
    const auto take = [this](bool several) {
        m_slotsChecked = m_slotsChecked || several;
        m_queue.look();
    };
    inBackground(this, write, take, &requestPool());
}

void RunCentre::takeQueue() {
    const QueueView& now = m_queue.now();
    if (now.supervised) m_slotsChecked = true; // it has looked itself
    if (now.waiting.isEmpty() || now.held) m_startWanted = false;
    takeLost();
    const QStringList jobs = now.waiting + now.running;
    // Whoever works the queue off may have begun and ended a run since the last look.
    bool news = false;
    const QStringList before = std::exchange(m_jobsSeen, jobs);
    for (const QString& folder : before)
        if (!jobs.contains(folder) && session(folder) == nullptr) news = true;
    for (const QString& folder : jobs) // somebody has let a run wait that nobody here knows
        if (!before.contains(folder) && !m_first && find(folder) == nullptr) news = true;
    if (news) findRuns();
    std::vector<Session> sessions = m_workers;
    if (m_shown) sessions.push_back(m_shown);
    for (const Session& one : sessions) tellPlace(*one);
    if (!now.running.isEmpty()) lookForLife();
    Q_EMIT queueChanged();
}

void RunCentre::takeLost() {
    const QStringList before = std::exchange(m_lostSeen, lost());
    bool news = false;
    for (const QString& folder : std::as_const(m_lostSeen)) {
        if (before.contains(folder)) continue;
        news = true;
        if (m_jobsSeen.contains(folder)) m_missed.insert(folder);
    }
    if (news) lookForLost();
}

void RunCentre::lookForLost() {
    if (lost().isEmpty() || m_runsFolder.isEmpty()) return;
    m_queue.followLost();
    if (!m_first) findRuns(); // else that is being done
    const auto look = [all = lost()] {
        QStringList back;
        std::copy_if(all.begin(), all.end(), std::back_inserter(back), [](const QString& folder) {
            return QFileInfo::exists(folder + QStringLiteral("/run.json"));
        });
        return back;
    };
    const auto take = [this](const QStringList& back) {
        for (const QString& folder : back)
            if (lost().contains(folder)) followJob(folder, folder);
    };
    inBackground(this, look, take, &lookPool());
}

void RunCentre::followJob(const QString& from, const QString& to) {
    m_queue.follow(from, to);
    if (m_missed.remove(from)) startQueue();
}

void RunCentre::tellPlace(RunSession& session) {
    const QueueView& now = m_queue.now();
    const QString folder = session.folder();
    const bool known = now.waiting.contains(folder) || now.running.contains(folder);
    session.setQueued(known && severalSlots() && supervised());
    if (session.stopsWaiting() && queue().contains(folder)) m_queue.drop(folder);
}

void RunCentre::startQueue() {
    // Seen at once: pictures that come behind the first training do not slip in before it.
    if (!held() && !queue().isEmpty() && !std::exchange(m_startWanted, true)) Q_EMIT workChanged();
    m_queue.look([this] {
        m_startWanted = !held() && !queue().isEmpty();
        if (m_startWanted && canBegin()) {
            m_startWanted = false;
            return launch(queue().front(), /*wholeQueue=*/true);
        }
        Q_EMIT workChanged();
    });
}

void RunCentre::enqueue(const QString& folder) {
    if (works(folder) || isGoing(folder)) return;
    m_queue.add(folder);
}

void RunCentre::unqueue(const QString& folder) {
    m_queue.drop(folder);
}

void RunCentre::setHeld(bool held) {
    if (held == this->held()) return;
    m_queue.setHeld(held);
    if (!held) startQueue();
}

void RunCentre::setOrder(QStringList order) {
    // A run that is just being begun may still wait in the folder, as the first.
    for (const RunSession* run : allWorking())
        if (queue().contains(run->folder()) && !order.contains(run->folder())) order.prepend(run->folder());
    m_queue.setOrder(order);
}

bool RunCentre::computes() const {
    const bool runs = supervised() && !m_queue.now().running.isEmpty(); // else it was cut short
    return busy() || runs || m_launching || !m_toStart.isEmpty();
}

bool RunCentre::queueGoes() const {
    return !held() && !queue().isEmpty() && (supervised() || m_startWanted);
}

bool RunCentre::turnAwaited() const {
    return supervised() && !queue().isEmpty() && !m_queue.now().allUsed();
}

bool RunCentre::slotsAreTaken() const {
    return busy() && (!severalSlots() || !supervised() || m_queue.now().allUsed());
}

bool RunCentre::waitsForTurn() const {
    return busy() ? slotsAreTaken() : supervised() || !gateOpen();
}

QString RunCentre::deviceOf(const QString& folder) const {
    const QueueView& now = m_queue.now();
    for (const core::QueuedJob& job : now.jobs) {
        if (job.runDir != folder.toStdString()) continue;
        const QList<int> cards = now.cards.value(folder);
        return cards.size() > 1 ? cardsText(cards) : QString::fromStdString(job.device);
    }
    return {};
}

QList<int> RunCentre::cardsAwaited(const QString& folder) const {
    const QueueView& now = m_queue.now();
    const QList<int> wanted = now.cards.value(folder);
    QList<int> taken;
    if (now.supervised) taken = now.used();
    if (hasTurn()) taken.append(now.slot);
    for (const QString& earlier : now.waiting) {
        if (earlier == folder) break;
        taken += now.cards.value(earlier); // kept for it, or what asks for one would always be first
    }
    const bool free =
        std::none_of(wanted.begin(), wanted.end(), [&taken](int slot) { return taken.contains(slot); });
    return free || !now.waiting.contains(folder) ? QList<int>() : wanted;
}

QString RunCentre::turnDevice() const {
    return hasTurn() ? m_queue.now().device : QString();
}

bool RunCentre::trainsInTurn() const {
    if (!severalSlots() || !supervised() || !hasTurn()) return computes();
    return m_queue.now().used().contains(m_queue.now().slot);
}

bool RunCentre::turnCanBeHad() const {
    // A supervisor that was started takes its first job in a turn of its own.
    return !computes() || (supervised() && !m_queue.now().running.isEmpty());
}

} // namespace homebooth::app
