// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What works now, what waits in its order, and all that is done, what ended or began last first: rows of
// the queue, the one way to trainings of which nothing came out. GUI thread.
#pragma once

#include "app/engine/runs/run_end.h"
#include "app/library/day_watch.h"
#include "app/shell/services.h"
#include "core/library/run_store.h"

#include <QAbstractListModel>

#include <vector>

namespace homebooth::app {

class RunSession;

class QueueModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum class Kind { Now, Waiting, Done };
    enum Role {
        KindRole = Qt::UserRole + 90,
        FolderRole, ///< of trainings
        JobRole,    ///< key of pictures to be made; 0: a training
        DetailRole,
        ProgressRole,
        StateRole,
        WhenRole,
        SignRole,    ///< name of its icon
        HeadingRole, ///< of the part of the queue that begins with it; empty: it goes on
        ProblemRole  ///< bool: it needs the user
    };
    explicit QueueModel(Services services, QObject* parent = nullptr);
    /// What stands beside the first job of a part of the queue.
    [[nodiscard]] static QString headingOf(Kind kind);
    void refresh();
    /// Folders of trainings may have come or gone.
    void lookAgain() { m_ends.lookAgain(); }
    /// Shows the jobs alone whose name, or prompt, holds these words.
    void setFilter(const QString& words);
    /// Whether all jobs are shown, which alone can change their order.
    [[nodiscard]] bool whole() const { return m_words.isEmpty(); }
    /// Whether a row waits.
    [[nodiscard]] bool waits(int row) const { return waitingPlace(row) >= 0; }
    /// The place of a row among those that wait; -1 if it does not wait.
    [[nodiscard]] int waitingPlace(int row) const;
    /// How many wait.
    [[nodiscard]] int waitingCount() const;
    /// Whether it is a training that could wait for its turn again: stopped, failed or never begun.
    [[nodiscard]] bool canWaitAgain(int row) const;
    /// Whether it is a training that found no room and can be planned with less than it was so far.
    [[nodiscard]] bool canFit(int row) const;
    /// Whether it waits for RAM, as far as that is known.
    [[nodiscard]] bool lacksRam(int row) const;
    /// Whether it is a training that neither works nor waits.
    [[nodiscard]] bool canDelete(int row) const;
    /// Whether the folder of a training is gone, as far as that is known.
    [[nodiscard]] bool folderGone(const QString& folder) const { return m_ends.isGone(folder); }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    /// What waits can be dragged among what waits, and nowhere else.
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    [[nodiscard]] bool canDropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                                       const QModelIndex& parent) const override;
    /// Changes the order of what waits: one row at a time.
    bool moveRows(const QModelIndex& from, int row, int count, const QModelIndex& to, int before) override;

private:
    struct Row {
        Kind kind = Kind::Done;
        QString folder;
        QString title;
        QString detail;
        QString state;
        QString when;
        double progress = -1.0;
        int64_t endedMs = 0; ///< of what is done
        int64_t job = 0;
        bool problem = false;
        bool standsStill = false; ///< while it works: paused, or waiting for what it lacks
        bool open = false;        ///< ended before it was done
        bool fits = false;        ///< it waits for room, and could be planned with less
        bool lacksRam = false;    ///< that is what it waits for
        bool lost = false;        ///< its turn came, and nothing was in its folder
        friend bool operator==(const Row&, const Row&) = default;
    };
    [[nodiscard]] std::vector<Row> rows() const;
    /// Trainings that work or wait.
    [[nodiscard]] QStringList busy() const;
    /// Takes those as they are now: they change often, and what is done may be years'.
    void refreshWork();
    void takeRows();
    void takeRuns();
    [[nodiscard]] QString signOf(const Row& row) const;
    /// Whether its folder is away, of what is done.
    [[nodiscard]] bool gone(const Row& row) const;
    [[nodiscard]] bool matches(const Row& row) const;
    /// With what the journal of a training says that is done, once it was read.
    [[nodiscard]] QString detailOf(const Row& row) const;
    void addWorking(std::vector<Row>& rows) const;
    [[nodiscard]] Row workingTraining(const RunSession& run) const;
    void addWaiting(std::vector<Row>& rows) const;
    [[nodiscard]] Row waitingTraining(const QString& folder) const;
    /// What a training that waits for room would need beside those that work; 0 while that is not known.
    [[nodiscard]] int64_t bytesLacking(const RunSession& waiting) const;
    [[nodiscard]] Row waitingPictures(int64_t job) const;
    [[nodiscard]] int firstWaiting() const;
    [[nodiscard]] std::vector<Row> done() const;
    [[nodiscard]] Row doneTraining(const core::RunRecord& run) const;
    /// One that the queue has lost and the library does not know.
    [[nodiscard]] Row lostTraining(const QString& folder) const;
    Services m_services;
    mutable RunEnds m_ends;
    DayWatch m_days{this};
    QStringList m_busy;
    std::vector<Row> m_done; ///< all but these
    std::vector<Row> m_rows;
    size_t m_runs = 0; ///< how many there were
    QString m_words;   ///< that they are to hold, in the form that is compared
};

} // namespace homebooth::app
