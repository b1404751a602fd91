// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/queue/queue_model.h"

#include "app/engine/figures.h"
#include "app/engine/pictures/generator.h"
#include "app/engine/queue/job_order.h"
#include "app/engine/runs/run_cards.h"
#include "app/engine/runs/run_centre.h"
#include "app/engine/runs/run_session.h"
#include "app/library/search.h"
#include "app/library/when_text.h"
#include "app/pages/queue/queue_commands.h"
#include "app/widgets/plain_tip.h"

#include <QDateTime>
#include <QFileInfo>
#include <QLocale>
#include <QUndoStack>

#include <algorithm>
#include <utility>

namespace homebooth::app {
namespace {

/// The time alone of what ended today, the whole date of what is older.
QString whenText(int64_t endedMs, QDate today) {
    if (endedMs <= 0) return {};
    const QDateTime when = QDateTime::fromMSecsSinceEpoch(endedMs);
    return when.date() == today ? timeOfDayText(when.time()) : dateAndTimeText(when);
}

} // namespace

QueueModel::QueueModel(Services services, QObject* parent)
    : QAbstractListModel(parent)
    , m_services(services) {
    connect(&services.runs, &RunCentre::runsChanged, this, &QueueModel::takeRuns);
    connect(&services.runs, &RunCentre::queueChanged, this, &QueueModel::refresh);
    for (const auto signal : {&RunCentre::workChanged, &RunCentre::phaseChanged})
        connect(&services.runs, signal, this, &QueueModel::refresh);
    connect(&services.runs, &RunCentre::progressed, this, &QueueModel::refreshWork);
    connect(&services.generator, &Generator::changed, this, &QueueModel::refreshWork);
    connect(&m_days, &DayWatch::changed, this, &QueueModel::refresh);
    connect(&m_ends, &RunEnds::changed, this, [this] {
        if (m_rows.empty()) return;
        Q_EMIT dataChanged(index(0), index(rowCount() - 1),
                           {DetailRole, StateRole, SignRole, ProblemRole, Qt::AccessibleTextRole});
    });
    refresh();
}

std::vector<QueueModel::Row> QueueModel::rows() const {
    std::vector<Row> rows;
    addWorking(rows);
    addWaiting(rows);
    rows.insert(rows.end(), m_done.begin(), m_done.end());
    if (!whole()) std::erase_if(rows, [this](const Row& row) { return !matches(row); });
    return rows;
}

bool QueueModel::matches(const Row& row) const {
    const QString prompt = row.folder.isEmpty() ? row.detail : QString();
    return searchForm(row.title + ' ' + prompt).contains(m_words);
}

void QueueModel::setFilter(const QString& words) {
    m_words = searchForm(words);
    takeRows();
}

QueueModel::Row QueueModel::workingTraining(const RunSession& run) const {
    QStringList parts;
    if (!run.data().steps.empty())
        parts.append(tr("%1 of %2").arg(countText(run.data().step()), countText(run.config().steps)));
    const auto left = run.stopping() ? std::nullopt : run.secondsLeft();
    if (left) parts.append(timeLeftText(*left));
    const int64_t processes = run.config().parallel.processes;
    if (processes > 1 && !trainsOnCards(run.config())) // cards are named
        parts.append(tr("%1 processes").arg(processes));
    if (const QString device = m_services.runs.deviceOf(run.folder()); !device.isEmpty())
        parts.append(device);
    Row row{Kind::Now,
            run.folder(),
            tr("Train %1").arg(run.title()),
            parts.join(QStringLiteral(", ")),
            run.phaseText(),
            {}};
    row.progress = run.shownProgress();
    row.standsStill = run.standsStill();
    return row;
}

void QueueModel::addWorking(std::vector<Row>& rows) const {
    for (const RunSession* run : m_services.runs.allWorking()) rows.push_back(workingTraining(*run));
    const Generator& generator = m_services.generator;
    if (!generator.busy()) return;
    const int all = generator.picturesOfClick().second;
    Row row{Kind::Now, {}, tr("Make %n picture(s)", nullptr, all), generator.phaseText(), {}, {}};
    row.progress = generator.progress();
    row.job = generator.currentJob();
    rows.push_back(row);
}

void QueueModel::addWaiting(std::vector<Row>& rows) const {
    for (const QString& name : waitingJobs(m_services.runs, m_services.generator)) {
        const int64_t job = picturesOfName(name);
        rows.push_back(job == 0 ? waitingTraining(name) : waitingPictures(job));
    }
}

QueueModel::Row QueueModel::waitingTraining(const QString& folder) const {
    const core::RunRecord* run = m_services.runs.find(folder);
    const QString title = run != nullptr ? QString::fromStdString(run->title) : QFileInfo(folder).fileName();
    const QList<int> cards = m_services.runs.cardsAwaited(folder);
    Row row{Kind::Waiting,
            folder,
            tr("Train %1").arg(title),
            run != nullptr ? tr("%1 steps").arg(countText(run->steps)) : QString(),
            cards.isEmpty() ? tr("waiting")
                            : tr("waits for %1", "%1 is such as GPU 0 and 1").arg(cardsText(cards)),
            {}};
    const RunSession* session = m_services.runs.session(folder);
    if (session == nullptr || !session->waitsForRoom()) return row;
    const int64_t lacking = bytesLacking(*session);
    row.lacksRam = lacking > 0;
    const core::ResourceUse taken = mostUsedOfLacking(session->data());
    const core::ResourceUse most = row.lacksRam ? ramAlone(taken) : taken;
    const bool leaner = hasLessMemory(session->config(), most);
    row.state = leaner        ? tr("waits for room, will use less memory") // how much, its next plan says
                : lacking > 0 ? tr("needs %1 more").arg(memoryText(lacking))
                              : tr("waits for room");
    // While its limit is being lowered it cannot be once more.
    row.fits = !leaner && most.deviceBytes + most.ramBytes > 0 && !m_services.runs.startWanted(folder);
    return row;
}

int64_t QueueModel::bytesLacking(const RunSession& waiting) const {
    // Jobs have GPUs of their own and share the RAM, so that is what they leave too little of to each other.
    int64_t free = -1;
    for (const RunSession* run : m_services.runs.allWorking()) {
        const auto& memory = run->data().memory;
        if (memory.empty() || usedBytes(memory.back().ram) == 0) continue;
        const int64_t left = memory.back().ram.freeBytes;
        free = free < 0 ? left : std::min(free, left);
    }
    const int64_t needed = mostUsed(waiting.data()).ramBytes;
    return free >= 0 ? std::max<int64_t>(0, needed - free) : 0;
}

QueueModel::Row QueueModel::waitingPictures(int64_t job) const {
    const Generator& generator = m_services.generator;
    const auto& jobs = generator.jobs();
    const auto found =
        std::find_if(jobs.begin(), jobs.end(), [job](const GenerationJob& one) { return one.id == job; });
    Row row{Kind::Waiting,
            {},
            tr("Make %n picture(s)", nullptr, int(found->config.count)),
            QString::fromStdString(found->config.prompt),
            generator.waitsForTraining() && generator.goesOn(*found) ? tr("waits for the training")
                                                                     : tr("waiting"),
            {}};
    if (const auto seconds = generator.secondsFor(found->config))
        row.when = tr("about %1").arg(durationText(*seconds));
    row.job = job;
    return row;
}

std::vector<QueueModel::Row> QueueModel::done() const {
    std::vector<const core::RunRecord*> ended;
    for (const core::RunRecord& run : m_services.runs.runs())
        if (!m_busy.contains(QString::fromStdString(run.folder))) ended.push_back(&run);
    const auto lastMs = [](const core::RunRecord& run) { return std::max(run.createdMs, run.endedMs); };
    std::stable_sort(ended.begin(), ended.end(), [&lastMs](const auto* one, const auto* other) {
        return lastMs(*one) > lastMs(*other); // an old one may have gone on today
    });
    std::vector<Row> rows;
    for (const QString& folder : m_services.runs.lost())
        if (m_services.runs.find(folder) == nullptr) rows.push_back(lostTraining(folder));
    for (const core::RunRecord* run : ended) rows.push_back(doneTraining(*run));
    return rows;
}

QueueModel::Row QueueModel::lostTraining(const QString& folder) const {
    Row row{Kind::Done, folder, tr("Train %1").arg(QFileInfo(folder).fileName()), {}, {}, {}};
    row.problem = row.open = row.lost = true;
    return row;
}

QueueModel::Row QueueModel::doneTraining(const core::RunRecord& run) const {
    const QString folder = QString::fromStdString(run.folder);
    const bool failed = run.state == "failed";
    const bool goesOn = failed && m_services.runs.goesOnWithQueue(folder);
    const QString state = run.state == "done"        ? tr("done")
                          : run.state == "cancelled" ? tr("stopped")
                          : goesOn                   ? tr("goes on with the queue")
                          : failed                   ? tr("needs you")
                          : run.stepsDone > 0        ? tr("not finished")
                                                     : tr("not begun");
    Row row{Kind::Done,
            folder,
            tr("Train %1").arg(QString::fromStdString(run.title)),
            tr("%1 of %2 steps").arg(countText(run.stepsDone), countText(run.steps)),
            state,
            whenText(run.endedMs, m_days.today())};
    row.problem = failed && !goesOn;
    row.open = run.state != "done";
    row.endedMs = run.endedMs;
    row.lost = m_services.runs.lost().contains(folder);
    return row;
}

bool QueueModel::gone(const Row& row) const {
    return row.kind == Kind::Done && (m_ends.isGone(row.folder) || row.lost);
}

QString QueueModel::detailOf(const Row& row) const {
    if (row.kind != Kind::Done) return row.detail;
    if (row.lost) {
        const QString what = tr("when its turn came there was no training in %1. Put it back there, or press "
                                "Open and find its folder: then it waits again")
                                 .arg(row.folder);
        return row.detail.isEmpty() ? what : row.detail + QStringLiteral(": ") + what;
    }
    if (gone(row)) return row.detail;
    // Of rows that are shown alone: the journals of all of them would take minutes to read.
    const double seconds = row.open ? 0.0 : m_ends.secondsOf(row.folder, row.endedMs);
    const QString why = row.problem ? m_ends.headlineOf(row.folder, row.endedMs) : QString();
    QString detail = row.detail;
    if (seconds >= 1.0) detail += QStringLiteral(", ") + durationText(seconds);
    if (!why.isEmpty()) detail += QStringLiteral(": ") + why;
    return detail;
}

QStringList QueueModel::busy() const {
    QStringList folders = m_services.runs.queue();
    for (const RunSession* run : m_services.runs.allWorking()) folders.append(run->folder());
    return folders;
}

void QueueModel::takeRuns() {
    // One may have come out of the trash that was looked for while it was there.
    const size_t runs = m_services.runs.runs().size();
    if (runs > std::exchange(m_runs, runs)) lookAgain();
    refresh();
}

void QueueModel::refresh() {
    m_busy = busy();
    m_done = done();
    takeRows();
}

void QueueModel::refreshWork() {
    if (busy() != m_busy) return refresh();
    takeRows();
}

void QueueModel::takeRows() {
    std::vector<Row> now = rows();
    if (now == m_rows) return;
    const bool sameShape = now.size() == m_rows.size() &&
                           std::equal(now.begin(), now.end(), m_rows.begin(), [](const Row& a, const Row& b) {
                               return a.kind == b.kind && a.folder == b.folder && a.job == b.job;
                           });
    if (sameShape) {
        m_rows = std::move(now);
        Q_EMIT dataChanged(index(0), index(static_cast<int>(m_rows.size()) - 1));
        return;
    }
    beginResetModel();
    m_rows = std::move(now);
    endResetModel();
}

int QueueModel::firstWaiting() const {
    const auto first =
        std::find_if(m_rows.begin(), m_rows.end(), [](const Row& row) { return row.kind == Kind::Waiting; });
    return static_cast<int>(first - m_rows.begin());
}

int QueueModel::waitingPlace(int row) const {
    const int place = row - firstWaiting();
    return place >= 0 && place < waitingCount() ? place : -1;
}

int QueueModel::waitingCount() const {
    return static_cast<int>(std::count_if(m_rows.begin(), m_rows.end(),
                                          [](const Row& row) { return row.kind == Kind::Waiting; }));
}

Qt::ItemFlags QueueModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::ItemIsDropEnabled; // between rows
    const bool waits = whole() && waitingPlace(index.row()) >= 0;
    return QAbstractListModel::flags(index) | (waits ? Qt::ItemIsDragEnabled : Qt::NoItemFlags);
}

bool QueueModel::canDropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                                 const QModelIndex& parent) const {
    const int place = row - firstWaiting();
    return whole() && place >= 0 && place <= waitingCount() &&
           QAbstractListModel::canDropMimeData(data, action, row, column, parent);
}

bool QueueModel::moveRows(const QModelIndex& from, int row, int count, const QModelIndex& to, int before) {
    const int place = waitingPlace(row);
    const int target = before - firstWaiting();
    const bool known = whole() && place >= 0 && target >= 0 && target <= waitingCount() && count == 1;
    if (!known || !beginMoveRows(from, row, row, to, before)) return false;
    const auto first = m_rows.begin();
    if (before > row)
        std::rotate(first + row, first + row + 1, first + before);
    else
        std::rotate(first + before, first + row, first + row + 1);
    endMoveRows();
    QStringList order;
    for (const Row& one : m_rows)
        if (one.kind == Kind::Waiting) order.append(one.job != 0 ? nameOfPictures(one.job) : one.folder);
    m_services.undo.push(
        new OrderChange(m_services.runs, m_services.generator, order, tr("change the order of the queue")));
    return true;
}

bool QueueModel::canWaitAgain(int row) const {
    if (row < 0 || row >= static_cast<int>(m_rows.size())) return false;
    return m_rows[static_cast<size_t>(row)].open;
}

bool QueueModel::canDelete(int row) const {
    if (row < 0 || row >= static_cast<int>(m_rows.size())) return false;
    const Row& one = m_rows[static_cast<size_t>(row)];
    return one.kind == Kind::Done && !one.folder.isEmpty();
}

bool QueueModel::canFit(int row) const {
    if (row < 0 || row >= static_cast<int>(m_rows.size())) return false;
    return m_rows[static_cast<size_t>(row)].fits;
}

bool QueueModel::lacksRam(int row) const {
    if (row < 0 || row >= static_cast<int>(m_rows.size())) return false;
    return m_rows[static_cast<size_t>(row)].lacksRam;
}

int QueueModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QString QueueModel::signOf(const Row& row) const {
    if (row.kind == Kind::Now) return row.standsStill ? QStringLiteral("pause") : QStringLiteral("play");
    if (row.kind == Kind::Waiting) return QStringLiteral("clock");
    if (row.problem || gone(row)) return QStringLiteral("caution");
    return row.open ? QStringLiteral("stop") : QStringLiteral("ok");
}

QString QueueModel::headingOf(Kind kind) {
    return kind == Kind::Now ? tr("Now") : kind == Kind::Waiting ? tr("Waiting") : tr("Ended");
}

QVariant QueueModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Row& row = m_rows[static_cast<size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return row.title;
    case Qt::AccessibleTextRole: {
        QStringList parts{row.title, gone(row) ? tr("folder gone") : row.state, detailOf(row)};
        parts.removeAll(QString());
        return parts.join(QStringLiteral(", "));
    }
    case Qt::ToolTipRole: // it is longer than most rows
        return row.lost ? plainTip(detailOf(row)) : QVariant();
    case Qt::AccessibleDescriptionRole:
        return headingOf(row.kind);
    case HeadingRole: // of the first of its kind
        return &row == m_rows.data() || (&row - 1)->kind != row.kind ? headingOf(row.kind) : QString();
    case KindRole:
        return static_cast<int>(row.kind);
    case FolderRole:
        return row.folder;
    case DetailRole:
        return detailOf(row);
    case ProgressRole:
        return row.progress;
    case StateRole:
        return gone(row) ? tr("folder gone") : row.state;
    case WhenRole:
        return row.when;
    case JobRole:
        return QVariant::fromValue<qlonglong>(row.job);
    case SignRole:
        return signOf(row);
    case ProblemRole:
        return row.problem || gone(row);
    default:
        return {};
    }
}

} // namespace homebooth::app
