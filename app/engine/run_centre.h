// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// All runs of the user: begins new ones, finds those that go on without the window, keeps the one that is
// shown. Owned by main; GUI thread. Invariant: at most one run works at a time; others wait in the queue.
#pragma once

#include "app/engine/plan_facts.h"
#include "core/library/run_store.h"
#include "core/library/subject_store.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <vector>

namespace homebooth::app {

class LibraryService;
class RunSession;

/// What a new run needs besides its configuration.
struct RunOrder {
    QString title;
    core::TrainConfig config; ///< the folders of run and photos are filled in
    std::vector<core::Subject> subjects;
    core::PlanEvent plan;
};

class RunCentre : public QObject {
    Q_OBJECT
public:
    RunCentre(LibraryService& library, QObject* parent = nullptr);
    ~RunCentre() override;

    /// Where runs lie. Finds what is there, and attaches to a run that somebody works on.
    void open(const QString& runsFolder);

    /// The run that works, or the last one that was looked at; may be null.
    [[nodiscard]] RunSession* current() const { return m_current.get(); }
    [[nodiscard]] const std::vector<core::RunRecord>& runs() const { return m_runs; }
    [[nodiscard]] const core::RunRecord* find(const QString& folder) const;
    /// Whether a run works at the moment.
    [[nodiscard]] bool busy() const;

    /// Makes the run's folder with its photos and starts it, or puts it into the queue while another works.
    void begin(const RunOrder& order);
    /// Shows a run, whatever it does.
    void show(const QString& folder);
    /// Goes on with a run after its last checkpoint. @param steps  > 0: so many in all
    void resume(const QString& folder, int64_t steps = 0);
    /// No run is shown any more.
    void dismiss();

    /// The waiting ones, first to last.
    [[nodiscard]] QStringList queue() const { return m_queue; }
    void unqueue(const QString& folder);
    void moveInQueue(int from, int to);

Q_SIGNALS:
    void currentChanged();
    void runsChanged();
    void queueChanged();
    void begun(const QString& folder, bool queued);
    void failed(const QString& message);
    void finished(const QString& folder); ///< the current run ended, however

private:
    void attach(const QString& folder, const QString& title);
    void made(const RunOrder& order, const QString& folder);
    void note(RunSession& session);
    void reloadRuns();
    void readQueue();
    void writeQueue();
    void lookForLife();

    LibraryService& m_library;
    std::unique_ptr<RunSession> m_current;
    std::vector<core::RunRecord> m_runs;
    QStringList m_queue;
    QString m_runsFolder;
    QTimer m_life;
    bool m_first = true;
};

/// The folder in which the supervisor looks for jobs.
[[nodiscard]] QString queueFolder();

} // namespace homebooth::app
