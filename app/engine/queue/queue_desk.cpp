// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/queue/queue_desk.h"

#include "app/engine/places.h"
#include "app/engine/request_pool.h"
#include "app/engine/runs/run_cards.h"
#include "app/library/background.h"

#include <QSet>
#include <QThreadPool>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>

namespace homebooth::app {
namespace {

QStringList foldersOf(const std::vector<core::QueuedJob>& jobs) {
    QStringList folders;
    for (const core::QueuedJob& job : jobs) folders.append(QString::fromStdString(job.runDir));
    return folders;
}

/// The names of the order with folders in place of the ids.
QStringList namesOf(const std::vector<std::string>& order, const std::vector<core::QueuedJob>& waiting) {
    std::map<std::string, std::string> folders;
    for (const core::QueuedJob& job : waiting) folders[job.id] = job.runDir;
    QStringList names;
    for (const std::string& name : order) {
        const auto found = folders.find(name);
        const bool pictures = name.starts_with(core::JobQueue::kPictures);
        if (found != folders.end() || pictures)
            names.append(QString::fromStdString(pictures ? name : found->second));
    }
    return names;
}

bool has(const std::vector<core::QueuedJob>& jobs, const core::QueuedJob& wanted) {
    return std::any_of(jobs.begin(), jobs.end(),
                       [&wanted](const core::QueuedJob& job) { return job.id == wanted.id; });
}

struct Jobs {
    std::vector<core::QueuedJob> waiting;
    std::vector<core::QueuedJob> running;
};

/// A job may begin or be put back meanwhile. What runs is read behind what waits, so that one which begins is
/// not missed, and also before, which tells whether one was put back between the two.
core::Result<Jobs> jobsOf(const core::JobQueue& queue) {
    Jobs jobs;
    const auto seen = [&jobs](const core::QueuedJob& job) {
        return has(jobs.waiting, job) || has(jobs.running, job);
    };
    HOMEBOOTH_ASSIGN(std::vector<core::QueuedJob> before, queue.jobs(core::JobState::Running));
    for (int look = 0; look < 2; ++look) { // those that have ended are nowhere the second time, either
        HOMEBOOTH_ASSIGN(jobs.waiting, queue.jobs());
        HOMEBOOTH_ASSIGN(jobs.running, queue.jobs(core::JobState::Running));
        if (std::all_of(before.begin(), before.end(), seen)) break;
        before = jobs.running;
    }
    std::erase_if(jobs.waiting, [&jobs](const core::QueuedJob& job) { return has(jobs.running, job); });
    return jobs;
}

QMap<QString, QList<int>> cardsOfJobs(const Jobs& jobs, const std::vector<core::JobSlot>& places) {
    QMap<QString, QList<int>> cards;
    if (places.size() < 2) return cards;
    for (const core::QueuedJob& job : jobs.waiting)
        if (QList<int> wanted = slotsWanted(job.runDir, places); !wanted.isEmpty())
            cards.insert(QString::fromStdString(job.runDir), std::move(wanted));
    for (const core::QueuedJob& job : jobs.running)
        cards.insert(QString::fromStdString(job.runDir), slotsUsed(job, places));
    return cards;
}

/// Nothing if the folder cannot be read: gone for a moment, or not ours to read.
std::optional<QueueView> viewOf(const core::JobQueue& queue) {
    const auto order = queue.order();
    const auto jobs = jobsOf(queue);
    const auto lost = queue.jobs(core::JobState::Lost);
    if (!order || !jobs || !lost) return std::nullopt;
    QueueView view;
    view.waiting = foldersOf(jobs->waiting);
    view.order = namesOf(*order, jobs->waiting);
    view.running = foldersOf(jobs->running);
    view.lost = foldersOf(*lost);
    view.jobs = jobs->running;
    view.places = queue.knownSlots();
    view.cards = cardsOfJobs(*jobs, view.places);
    view.held = queue.held();
    view.supervised = queue.supervised();
    return view;
}

/// What there is to compute on. Without a supervisor nobody says whether all of it is still there: the first
/// slot is then whatever GPU there is.
std::vector<core::JobSlot> slotsNow(const core::JobQueue& queue) {
    return queue.supervised() ? queue.knownSlots() : std::vector<core::JobSlot>(1);
}

core::Result<void> dropFrom(const core::JobQueue& queue, const std::string& folder) {
    for (const core::JobState state :
         {core::JobState::Waiting, core::JobState::Stopped, core::JobState::Failed, core::JobState::Lost}) {
        const auto jobs = queue.jobs(state);
        if (!jobs) continue;
        for (const core::QueuedJob& job : *jobs)
            if (job.runDir == folder) HOMEBOOTH_CHECK(queue.remove(job.id, state));
    }
    return {};
}

core::Result<void> orderBy(const core::JobQueue& queue, const QStringList& order) {
    HOMEBOOTH_ASSIGN(const auto jobs, queue.jobs());
    std::map<std::string, std::vector<std::string>> waiting; // a script may add a run twice
    for (const core::QueuedJob& job : jobs) waiting[job.runDir].push_back(job.id);
    std::vector<std::string> ids;
    for (const QString& one : order) {
        const std::string name = one.toStdString();
        if (name.starts_with(core::JobQueue::kPictures)) ids.push_back(name);
        for (std::string& id : std::exchange(waiting[name], {})) ids.push_back(std::move(id));
    }
    return queue.setOrder(ids);
}

} // namespace

struct QueueDesk::Answer {
    core::Result<void> done;
    std::optional<QueueView> seen;
    int turnChanges = 0; ///< when it was asked for
};

struct QueueDesk::Turn {
    std::optional<core::RunLock> lock;
    /// While something runs in every slot: the turns of the others, so that the one which comes free first is
    /// not begun with again before this desk has seen it.
    std::map<size_t, core::RunLock> asked;
    int slot = 0;
    std::string device;
    int taken = 0; ///< so far; the number of the last one

    void hold(const core::JobQueue& queue, bool wanted, bool kept) {
        if (!wanted) drop();
        if (!wanted) return;
        if (lock && kept) return asked.clear();
        const std::vector<core::JobSlot> places = slotsNow(queue);
        std::vector<bool> used(places.size());
        if (const auto running = queue.jobs(core::JobState::Running))
            for (const core::QueuedJob& job : *running)
                for (const int one : slotsUsed(job, places))
                    if (one < static_cast<int>(used.size())) used[static_cast<size_t>(one)] = true;
        if (!isFree(used)) choose(queue, used, places);
        if (isFree(used)) return asked.clear();
        for (size_t other = 0; lock && other < used.size(); ++other)
            if (used[other] && static_cast<int>(other) != slot && !asked.contains(other))
                if (auto found = turnOf(queue, other)) asked.emplace(other, std::move(*found));
    }
    void drop() {
        lock.reset();
        asked.clear();
    }

    /// Whether it is here and nothing runs there.
    [[nodiscard]] bool isFree(const std::vector<bool>& used) const {
        return lock && (slot >= static_cast<int>(used.size()) || !used[static_cast<size_t>(slot)]);
    }
    void choose(const core::JobQueue& queue, const std::vector<bool>& used,
                const std::vector<core::JobSlot>& places) {
        for (const bool busy : {false, true}) // what is free can be computed on now
            for (size_t other = 0; other < used.size() && !(busy && lock); ++other)
                if (used[other] == busy && take(queue, other, places[other])) return;
    }
    /// Nothing while somebody else has it.
    static std::optional<core::RunLock> turnOf(const core::JobQueue& queue, size_t other) {
        auto found = queue.takeTurn(static_cast<int>(other));
        return found ? std::move(found).value() : std::nullopt;
    }
    bool take(const core::JobQueue& queue, size_t other, const core::JobSlot& place) {
        const auto here = asked.find(other);
        std::optional<core::RunLock> found =
            here != asked.end() ? std::optional(std::move(here->second)) : turnOf(queue, other);
        if (here != asked.end()) asked.erase(here);
        if (!found) return false; // if it never comes, nobody can work the queue off, either
        lock = std::move(found);
        slot = static_cast<int>(other);
        device = place.device;
        ++taken;
        return true;
    }
    [[nodiscard]] int held() const { return lock ? taken : 0; }

    void tell(std::optional<QueueView>& view) const {
        if (!view) return;
        view->turn = held();
        view->slot = slot;
        view->device = QString::fromStdString(device);
    }
};

QList<int> QueueView::used() const {
    QList<int> all;
    for (const core::QueuedJob& job : jobs)
        for (const int one : cards.value(QString::fromStdString(job.runDir), {job.slot}))
            if (!all.contains(one)) all.append(one);
    std::sort(all.begin(), all.end());
    return all;
}

bool QueueView::allUsed() const {
    return std::max(static_cast<size_t>(used().size()), jobs.size()) >= places.size();
}

QueueDesk::QueueDesk(QObject* parent)
    : QObject(parent)
    , m_turn(std::make_shared<Turn>()) {
    connect(&m_watch, &QFileSystemWatcher::directoryChanged, this, [this] { look(); });
}

QueueDesk::~QueueDesk() {
    finish();
}

void QueueDesk::finish() {
    queueThread().waitForDone();
}

void QueueDesk::open() {
    const QString folder = QString::fromStdString(m_jobs.folder());
    const QString running = folder + QStringLiteral("/running"); // where a job goes when it is done
    const auto make = [running](const core::JobQueue& queue) {
        makeFolder(running);
        return queue.putRight();
    };
    ask(m_now, make, [this, folder, running] {
        if (m_watch.directories().isEmpty()) m_watch.addPaths({folder, running});
    });
}

void QueueDesk::look(Then then) {
    ask(m_now, {}, std::move(then));
}

void QueueDesk::add(const QString& folder) {
    QueueView expected = m_now;
    for (QStringList* list : {&expected.waiting, &expected.order}) {
        list->removeAll(folder);
        list->append(folder);
    }
    expected.lost.removeAll(folder);
    m_moved.remove(folder); // there is one by now
    ask(expected, [run = folder.toStdString()](const core::JobQueue& queue) -> core::Result<void> {
        HOMEBOOTH_CHECK(queue.add(run));
        return {};
    });
}

void QueueDesk::drop(const QString& folder, Then then) {
    QueueView expected = m_now;
    for (QStringList* list : {&expected.waiting, &expected.order, &expected.lost}) list->removeAll(folder);
    ask(
        expected, [run = folder.toStdString()](const core::JobQueue& queue) { return dropFrom(queue, run); },
        std::move(then));
}

void QueueDesk::follow(const QString& from, const QString& to) {
    QueueView expected = m_now;
    for (QStringList* list : {&expected.waiting, &expected.order})
        std::replace(list->begin(), list->end(), from, to);
    // What was lost stays so until it waits: whoever looks after it would begin again where that cannot be
    // written.
    m_moved.remove(to);
    std::replace(m_moved.begin(), m_moved.end(), from, to); // one that is moved once more
    if (from != to) m_moved.insert(from, to);
    ask(expected, [from = from.toStdString(), to = to.toStdString()](const core::JobQueue& queue) {
        return queue.follow(from, to);
    });
}

void QueueDesk::followLost() {
    const QStringList lost = m_now.lost;
    for (const QString& one : lost)
        if (const QString now = m_moved.value(one); !now.isEmpty()) follow(one, now);
}

void QueueDesk::setHeld(bool held) {
    QueueView expected = m_now;
    expected.held = held;
    ask(expected, [held](const core::JobQueue& queue) { return queue.setHeld(held); });
}

void QueueDesk::setOrder(const QStringList& order) {
    QueueView expected = m_now;
    expected.order = order;
    const QStringList before = std::exchange(expected.waiting, {});
    const QSet<QString> waited(before.begin(), before.end());
    std::copy_if(order.begin(), order.end(), std::back_inserter(expected.waiting),
                 [&waited](const QString& name) { return waited.contains(name); });
    ask(expected, [order](const core::JobQueue& queue) { return orderBy(queue, order); });
}

void QueueDesk::wantTurn(bool wanted, Then then) {
    if (wanted == m_turnWanted && !then) return;
    if (std::exchange(m_turnWanted, wanted) != wanted) ++m_turnChanges;
    QueueView expected = m_now;
    if (!wanted) expected.turn = 0; // it may be another's before this is answered
    ask(expected, {}, std::move(then));
}

void QueueDesk::abandonTurn(int turn, Then before) const {
    queueThread().start([held = m_turn, turn, before = std::move(before)] {
        if (turn == 0 || held->held() != turn) return;
        before();
        held->drop();
    });
}

void QueueDesk::ask(QueueView expected, Work work, Then then) {
    const bool changes = work != nullptr;
    if (changes) ++m_changing;
    show(std::move(expected));
    const auto answer = [queue = m_jobs, work = std::move(work), turn = m_turn, wanted = m_turnWanted,
                         kept = m_slotKept, turnChanges = m_turnChanges] {
        core::Result<void> done = work ? work(queue) : core::Result<void>();
        turn->hold(queue, wanted, kept); // first: what runs then is all that runs while it is here
        std::optional<QueueView> seen = viewOf(queue);
        turn->tell(seen);
        return Answer{std::move(done), std::move(seen), turnChanges};
    };
    inBackground(
        this, answer,
        [this, changes, then = std::move(then)](const Answer& found) {
            if (changes) --m_changing;
            take(found);
            if (then) then();
        },
        &queueThread());
}

void QueueDesk::take(const Answer& answer) {
    if (!answer.done) Q_EMIT failed(QString::fromStdString(answer.done.error().text()));
    if (!answer.seen) return;
    QueueView view = *answer.seen;
    const bool first = m_changing == 0 && !std::exchange(m_known, true);
    if (m_changing > 0) { // what was asked for since is not in it yet
        view.waiting = m_now.waiting;
        view.order = m_now.order;
        view.lost = m_now.lost;
        view.held = m_now.held;
    }
    if (answer.turnChanges != m_turnChanges) {
        view.turn = m_now.turn;
        view.slot = m_now.slot;
        view.device = m_now.device;
    }
    show(std::move(view));
    if (first) Q_EMIT changed(); // also where there is nothing
}

void QueueDesk::show(QueueView view) {
    if (view == m_now) return;
    m_now = std::move(view);
    Q_EMIT changed();
}

} // namespace homebooth::app
