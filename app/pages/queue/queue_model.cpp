// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/queue/queue_model.h"

#include "app/engine/generator.h"
#include "app/engine/run_centre.h"
#include "app/engine/run_session.h"
#include "app/shell/job_bar.h"

#include <QDateTime>
#include <QFileInfo>
#include <QLocale>

namespace homebooth::app {
namespace {
constexpr size_t kMostDone = 100;
} // namespace

QueueModel::QueueModel(Services services, QObject* parent)
    : QAbstractListModel(parent)
    , m_services(services) {
    connect(&services.runs, &RunCentre::runsChanged, this, &QueueModel::refresh);
    connect(&services.runs, &RunCentre::queueChanged, this, &QueueModel::refresh);
    connect(&services.runs, &RunCentre::currentChanged, this, &QueueModel::refresh);
    connect(&services.generator, &Generator::changed, this, &QueueModel::refresh);
    refresh();
}

std::vector<QueueModel::Row> QueueModel::rows() const {
    std::vector<Row> rows;
    const RunCentre& runs = m_services.runs;
    QString working;
    if (runs.busy()) {
        const RunSession& run = *runs.current();
        working = run.folder();
        QString detail = tr("%1 of %2").arg(run.data().step()).arg(run.config().steps);
        if (const auto left = run.secondsLeft()) detail += QStringLiteral(", ") + timeLeftText(*left);
        rows.push_back({Kind::Now,
                        working,
                        tr("Train %1").arg(run.title()),
                        run.data().steps.empty() ? run.phaseText() : detail,
                        run.phaseText(),
                        {},
                        run.progress()});
    }
    if (m_services.generator.busy())
        rows.push_back({Kind::Now,
                        {},
                        tr("Make %n picture(s)", nullptr, m_services.generator.picturesWanted()),
                        m_services.generator.phaseText(),
                        {},
                        {},
                        m_services.generator.progress()});
    for (const QString& folder : runs.queue()) {
        if (folder == working) continue;
        const core::RunRecord* run = runs.find(folder);
        const QString title =
            run != nullptr ? QString::fromStdString(run->title) : QFileInfo(folder).fileName();
        rows.push_back({Kind::Waiting,
                        folder,
                        tr("Train %1").arg(title),
                        run != nullptr ? tr("%1 steps").arg(run->steps) : QString(),
                        tr("waiting"),
                        {},
                        -1.0});
    }
    size_t done = 0;
    for (const core::RunRecord& run : runs.runs()) {
        const QString folder = QString::fromStdString(run.folder);
        if (folder == working || runs.queue().contains(folder) || done++ >= kMostDone) continue;
        const QString state = run.state == "done"        ? tr("done")
                              : run.state == "cancelled" ? tr("stopped")
                              : run.state == "failed"    ? tr("needs you")
                                                         : tr("not finished");
        const QString when = run.endedMs > 0 ? QLocale().toString(QDateTime::fromMSecsSinceEpoch(run.endedMs),
                                                                  QLocale::ShortFormat)
                                             : QString();
        rows.push_back({Kind::Done, folder, tr("Train %1").arg(QString::fromStdString(run.title)),
                        tr("%1 of %2 steps").arg(run.stepsDone).arg(run.steps), state, when, -1.0});
    }
    return rows;
}

void QueueModel::refresh() {
    std::vector<Row> now = rows();
    if (now == m_rows) return;
    const bool sameShape = now.size() == m_rows.size() &&
                           std::equal(now.begin(), now.end(), m_rows.begin(), [](const Row& a, const Row& b) {
                               return a.kind == b.kind && a.folder == b.folder;
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

int QueueModel::waitingPlace(int row) const {
    if (row < 0 || row >= static_cast<int>(m_rows.size()) ||
        m_rows[static_cast<size_t>(row)].kind != Kind::Waiting)
        return -1;
    return static_cast<int>(m_services.runs.queue().indexOf(m_rows[static_cast<size_t>(row)].folder));
}

int QueueModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant QueueModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Row& row = m_rows[static_cast<size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return row.title;
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1, %2, %3").arg(row.title, row.state, row.detail);
    case KindRole:
        return static_cast<int>(row.kind);
    case FolderRole:
        return row.folder;
    case DetailRole:
        return row.detail;
    case ProgressRole:
        return row.progress;
    case StateRole:
        return row.state;
    case WhenRole:
        return row.when;
    default:
        return {};
    }
}

} // namespace homebooth::app
