// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// All runs of the user: begins new ones, finds those that go on without the window, keeps the one that is
// shown. Owned by main; GUI thread. Invariant: at most one run works at a time; others wait in the queue.
#pragma once

#include "app/engine/plan_facts.h"
#include "app/engine/resume_options.h"
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
    /// Goes on with a run after its last checkpoint.
    void resume(const QString& folder, const ResumeOptions& options = {});
    /// Forgets a run that does not work and moves its folder into the trash; `failed` says what went wrong.
    void remove(const QString& folder);
    /// No run is shown any more.
    void dismiss();

    /// The waiting ones, first to last.
    [[nodiscard]] QStringList queue() const { return m_queue; }
    void unqueue(const QString& folder);
    /// While held, what works is finished and nothing from the queue begins; survives a restart.
    void setHeld(bool held);
    [[nodiscard]] bool held() const { return m_held; }
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
    void forget(const std::string& folder);
    void note(RunSession& session);
    void reloadRuns();
    void readQueue();
    void writeQueue();
    void beginQueue();
    void lookForLife();

    LibraryService& m_library;
    std::unique_ptr<RunSession> m_current;
    std::vector<core::RunRecord> m_runs;
    QStringList m_queue;
    QString m_runsFolder;
    QTimer m_life;
    bool m_first = true;
    bool m_held = false;
};

/// The folder in which the supervisor looks for jobs.
[[nodiscard]] QString queueFolder();

} // namespace homebooth::app
