// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// All runs of the user: begins new ones, finds those that go on without the window, knows which ones work and
// which one is looked at. Owned by main; GUI thread. Invariants:
//   1. At most one run works at a time on each GPU, one perhaps on several; others wait in the queue
//   (core/base/run/queue/job_queue.h).
//   2. What the queue is, its folder says (queue_desk.h). A run that is to begin is asked for here until that
//   was read: nothing begins on what somebody else may have changed.
//   3. A training begins only when the gate is open: somebody else may need the machine's memory.
#pragma once

#include "app/engine/plans/plan_facts.h"
#include "app/engine/queue/queue_desk.h"
#include "app/engine/runs/disk_use.h"
#include "app/engine/runs/resume_options.h"
#include "app/engine/runs/run_files.h"
#include "app/engine/runs/run_starts.h"
#include "app/library/work_count.h"
#include "core/library/found_runs.h"
#include "core/library/run_store.h"
#include "core/library/subject_store.h"

#include <QObject>
#include <QSet>
#include <QTimer>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace homebooth::app {

class GpuAnswer;
class LibraryService;
class RunSession;

/// What a new run needs besides its configuration.
struct RunOrder {
    QString title;
    core::TrainConfig config; ///< the folders of run and photos are filled in
    std::vector<core::Subject> subjects;
    core::PlanEvent plan;
};

/// Whoever else computes on this machine, asked before a training begins.
struct TrainingGate {
    std::function<bool()> open;                       ///< whether nothing of theirs is at work
    std::function<void(std::function<void()>)> clear; ///< frees their memory, then calls back
};

class RunCentre : public QObject {
    Q_OBJECT
public:
    RunCentre(LibraryService& library, GpuAnswer& gpus, QObject* parent = nullptr);
    ~RunCentre() override;

    /// Where runs lie from now on. Finds what is there, and attaches to runs that somebody works on.
    void open(const QString& runsFolder);
    void setGate(TrainingGate gate) { m_gate = std::move(gate); }

    /// The run that is looked at; may be null.
    [[nodiscard]] RunSession* current() const { return m_shown.get(); }
    /// The run that works; of several the one that is looked at, else the first that began. Null if none
    /// does.
    [[nodiscard]] RunSession* working() const;
    /// All that work, first to last.
    [[nodiscard]] std::vector<RunSession*> allWorking() const;
    [[nodiscard]] bool works(const QString& folder) const;
    /// The session of a run that works, worked last or is looked at; null for others.
    [[nodiscard]] const RunSession* session(const QString& folder) const;
    [[nodiscard]] bool busy() const { return working() != nullptr; }
    [[nodiscard]] const std::vector<core::RunRecord>& runs() const { return m_runs; }
    [[nodiscard]] const core::RunRecord* find(const QString& folder) const;

    /// Makes the run's folder with its photos and starts it, or lets it wait while something else works.
    void begin(const RunOrder& order, const QString& elsewhere = {});
    /// Shows a run, whatever it or another one does.
    void show(const QString& folder);
    /// Goes on with a run after its last checkpoint, now or when it is its turn.
    void resume(const QString& folder, const ResumeOptions& options = {});
    /// Forgets runs that do not work and moves their folders into the trash, one after another; `failed` says
    /// what went wrong. Meanwhile they neither begin nor wait.
    void remove(const QStringList& folders) { remove(folders, false); }
    /// Takes runs out of the trash that were removed since the window was opened; likewise.
    /// @param ids  their records', in the order in which they went: a newer run may have such a folder
    void bringBack(const std::vector<int64_t>& ids);
    /// Of one that was removed, whether its folder was gone before: nothing of it is in the trash.
    [[nodiscard]] bool wasGone(int64_t id) const;
    /// Removes them once more; nothing where none is back.
    void removeAgain(const std::vector<int64_t>& ids);
    /// Goes on with a run whose folder lies elsewhere now, as the user says; `failed` says if it is another
    /// one.
    void relocate(const QString& folder, const QString& found);
    /// Gives a run another title, also in its run.json, from which the index can be rebuilt.
    void rename(const QString& folder, const QString& title);
    /// No run is shown any more.
    void dismiss();

    /// The waiting ones, first to last.
    [[nodiscard]] const QStringList& queue() const { return m_queue.now().waiting; }
    /// The same with the names of pictures in their places (job_order.h).
    [[nodiscard]] const QStringList& order() const { return m_queue.now().order; }
    void setOrder(QStringList order);
    /// Whether the queue's folder was read so far.
    [[nodiscard]] bool queueKnown() const { return m_queue.known(); }
    /// Whether somebody works the queue off, perhaps between two of its runs.
    [[nodiscard]] bool supervised() const { return m_queue.now().supervised; }
    /// Whether the user asked for a run or the queue to go on, and something is still in its way.
    [[nodiscard]] bool startWanted() const { return m_startWanted || m_launching || !m_toStart.isEmpty(); }
    /// Whether the folder of a new run is being made. It begins, even where the window is closed meanwhile.
    [[nodiscard]] bool prepares() const { return m_starts->any(); }
    /// The same of one run, before it works or waits.
    [[nodiscard]] bool startWanted(const QString& folder) const { return m_toStart.contains(folder); }
    /// Begins with the first one, now or as soon as the machine is free; nothing while held.
    void startQueue();
    /// Lets a run that was stopped, failed or never begun wait as the last one.
    void enqueue(const QString& folder);
    void unqueue(const QString& folder);
    /// Runs that were not in their folders when their turn came, and that nobody has found since.
    [[nodiscard]] const QStringList& lost() const { return m_queue.now().lost; }
    /// Looks for them, in their old places and elsewhere: what is found waits again.
    void lookForLost();
    /// While held, what works is finished and nothing from the queue begins; survives a restart.
    void setHeld(bool held);
    [[nodiscard]] bool held() const { return m_queue.now().held; }
    /// Whether it was cut off as a job of the queue: it is the first one when that goes on.
    [[nodiscard]] bool cutOff(const QString& folder) const {
        return !supervised() && m_queue.now().running.contains(folder);
    }
    /// Whether it was, and the queue can go on: alone in it it waits for somebody, nothing begins that.
    [[nodiscard]] bool goesOnWithQueue(const QString& folder) const {
        return cutOff(folder) && !queue().isEmpty();
    }

    /// Whether a training works or is about to begin.
    [[nodiscard]] bool computes() const;
    /// Whether the next training begins by itself when it is its turn.
    [[nodiscard]] bool queueGoes() const;
    /// Whether there are several GPUs, as far as is known: then trainings and pictures need not wait for each
    /// other.
    [[nodiscard]] bool severalSlots() const {
        return m_queue.now().places.size() > 1 && (supervised() || m_slotsChecked);
    }
    /// Whether a training works and leaves no GPU to anything else.
    [[nodiscard]] bool slotsAreTaken() const;
    /// Whether a run that is begun now waits until what works has given its memory back.
    [[nodiscard]] bool waitsForTurn() const;
    /// The GPU that a run works on by its name, several by their numbers; empty where there is no choice.
    [[nodiscard]] QString deviceOf(const QString& folder) const;
    /// The slots of the GPUs that a run in the queue waits for, since it begins once all of them are free and
    /// kept for nothing before it; none where it does not.
    [[nodiscard]] QList<int> cardsAwaited(const QString& folder) const;

    /// The right to compute between two trainings, see QueueDesk::wantTurn.
    void wantTurn(bool wanted, QueueDesk::Then then = {}) { m_queue.wantTurn(wanted, std::move(then)); }
    /// The turn stays where it is while something computes there.
    void keepSlot(bool kept) { m_queue.keepSlot(kept); }
    /// What to compute on in this turn, for CUDA_VISIBLE_DEVICES; empty: whatever there is.
    [[nodiscard]] QString turnDevice() const;
    /// Whether a training is in the way of what would compute in this turn.
    [[nodiscard]] bool trainsInTurn() const;
    void abandonTurn(int turn, QueueDesk::Then before) const { m_queue.abandonTurn(turn, std::move(before)); }
    [[nodiscard]] int turn() const { return m_queue.turn(); }
    [[nodiscard]] bool hasTurn() const { return m_queue.hasTurn(); }
    /// Whether a supervisor waits for the turn with a training.
    [[nodiscard]] bool turnAwaited() const;
    /// Whether the turn, if it were taken now, would keep nobody from a job that was just begun.
    [[nodiscard]] bool turnCanBeHad() const;

Q_SIGNALS:
    void currentChanged(); ///< another run is looked at, or none
    void workChanged();    ///< a run began or ended to work
    void progressed();     ///< news of the run that works or is looked at; at most eight times a second
    void phaseChanged();   ///< of either
    void runsChanged();
    void queueChanged();
    /// The folder of a new run was made; `begun` follows, perhaps after that of others.
    void folderMade(const homebooth::app::RunOrder& order, const QString& folder);
    void begun(const QString& folder, bool queued);
    /// @param headline  in the user's language. @param detail  what went wrong, which is English
    void failed(const QString& headline, const QString& detail);
    /// The photos of a new run are copied; `prepared` follows.
    void preparing(const std::shared_ptr<homebooth::app::WorkCount>& count);
    /// They are, or will not be. @param stopped  as somebody wished: nothing was begun, and nothing stays
    void prepared(bool stopped);
    /// A run was not begun: the disk has no room for its photos. @param folder  of runs
    void noRoom(const homebooth::app::RunOrder& order, const QString& folder,
                const homebooth::app::Shortage& shortage);
    void finished(const QString& folder); ///< a run that worked ended, however
    /// They went there together, and not again.
    void trashed(const std::vector<int64_t>& ids, const QStringList& titles);
    /// A run came out of the trash under another name, since another one has that of its folder by now.
    void returnedElsewhere(const QString& title, const QString& folder);
    /// Runs went into the trash without saved moments that other ones may need, or nobody.
    void momentsStay(const QStringList& folders);

private:
    using Session = std::shared_ptr<RunSession>;
    /// Null if nobody follows it.
    [[nodiscard]] Session followed(const QString& folder) const;
    [[nodiscard]] Session sessionOf(const QString& folder);
    /// Sessions may have been made before the runs were known, and titles change.
    void nameSessions();
    void look(const Session& session);
    void attach(const std::vector<Session>& found);
    /// Counts sessions among those that work, in the place of those that ended.
    void employ(const std::vector<Session>& added);
    [[nodiscard]] bool attached(const QString& folder) const;
    void launch(const QString& folder, bool wholeQueue);
    void start(const QString& folder);
    void startSoon(const QString& folder);
    [[nodiscard]] bool canBegin() const;
    [[nodiscard]] bool gateOpen() const { return !m_gate.open || m_gate.open(); }
    void made(const RunOrder& order, const QString& folder);
    void remove(const QStringList& folders, bool again);
    void moveToTrash(const QStringList& folders, bool again);
    struct Deletion;
    /// Moves the next one into the trash, and forgets it before that after it goes.
    void trashOne(const std::shared_ptr<Deletion>& deletion);
    void takeTrashed(Deletion& deletion, const QString& folder, const TrashedRun& run);
    void endDeletion(const Deletion& deletion);
    /// With the window: what is in the trash by now is forgotten, and what was to follow stays.
    void endDeletions();
    void forget(const std::string& folder);
    void sayTheyWork(const QStringList& folders); ///< and cannot be deleted; nothing for none
    /// Tells that runs are forgotten: those of one deletion are many, and come one by one.
    void tellGone();
    /// Whether a run is on its way into the trash; then `failed` says so.
    [[nodiscard]] bool isGoing(const QString& folder);
    /// A run is out of the trash again. @param folder  where it is now
    void takeBack(core::RunRecord record, const QString& folder);
    /// A run that came out of the trash under another name, since another one has that of its folder.
    struct Returned {
        std::string from;
        std::string to;
        int64_t untilMs = 0; ///< when that other one was made: what is newer means that one
    };
    /// What began from it, or was made with it, follows.
    void followReturned(const Returned& returned);
    void note(RunSession& session);
    void noteSteps(const QString& folder, int64_t steps);               ///< that it is to have
    void setModel(const std::string& folder, const std::string& model); ///< that it goes on with
    /// Tells a session whether the queue knows it, and takes it out where it was to stop.
    void tellPlace(RunSession& session);
    void save(const core::RunRecord& record);
    void keep(const core::RunRecord& record); ///< likewise, and tells nobody
    void reloadRuns();
    void findRuns();
    /// Whether what the library answers lacks changes that wait for room: they count, so it is not taken.
    [[nodiscard]] bool lacksChanges() const;
    void takeUp(const core::FoundRuns& found);
    void writeFound(const core::FoundRuns& found);
    /// Has the queue follow a run, which goes on where that missed its turn while somebody looked.
    void followJob(const QString& from, const QString& to);
    /// Compares what the last supervisor found to compute on with what there is: a GPU may be gone.
    void checkSlots();
    void takeSlots();
    void takeQueue();
    void takeLost();
    void lookForLife();
    void takeAlive(const QStringList& folders, bool queued);
    void tick();

    LibraryService& m_library;
    GpuAnswer& m_gpus;
    TrainingGate m_gate;
    Session m_shown;
    std::vector<Session> m_workers; ///< those that work, and the last ones that did
    std::vector<core::RunRecord> m_runs;
    QueueDesk m_queue;
    std::map<int64_t, std::pair<core::RunRecord, TrashedRun>> m_trash; ///< by key
    std::vector<Returned> m_returned;
    QSet<QString> m_going;                              ///< on their way into the trash
    std::vector<std::shared_ptr<Deletion>> m_deletions; ///< that go on
    QStringList m_jobsSeen; ///< what waited and ran when the queue was looked at last
    QStringList m_lostSeen; ///< the same of those that were lost
    QSet<QString> m_missed; ///< of these, whose turn came since the window was opened
    QStringList m_toStart;  ///< asked for and neither begun nor put into the queue yet
    QSet<QString> m_moving; ///< of those, what is being brought into another folder before
    std::shared_ptr<RunStarts> m_starts = std::make_shared<RunStarts>(); ///< and those before that
    QString m_runsFolder;
    QTimer m_life;
    QTimer m_tell; ///< runs were forgotten, and nobody was told
    bool m_first = true;
    bool m_startWanted = false;
    bool m_looksAtJobs = false;   ///< whether somebody works on jobs of the queue is being asked
    bool m_looksAtOthers = false; ///< and on other runs
    bool m_launching = false;     ///< the gate is being cleared
    bool m_slotsAwaited = false;  ///< what there is, to be compared with it
    bool m_slotsChecked = false;  ///< what the last supervisor found was found again
};

} // namespace homebooth::app
