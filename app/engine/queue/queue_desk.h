// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The queue's folder (core/base/run/queue/job_queue.h) behind a thread of its own: reading it and, with every
// change, waiting for the disk takes longer than a frame while a training saves.
// Owned by the RunCentre; GUI thread. Destroying it waits for what was asked. Invariants:
//   1. What is seen is what the folder said last, changed by what was asked for since.
//   2. What was asked for is done in its order; then the folder is read, and what others did to it wins.
#pragma once

#include "core/base/run/queue/job_queue.h"

#include <QFileSystemWatcher>
#include <QList>
#include <QMap>
#include <QObject>
#include <QStringList>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace homebooth::app {

/// The queue at one moment: folders of runs.
struct QueueView {
    QStringList waiting; ///< first to last
    QStringList order;   ///< the same, with the names of pictures in their places
    QStringList running;
    QStringList lost;                  ///< when their turn came nothing was there
    std::vector<core::QueuedJob> jobs; ///< those that run, with their slots
    /// Of those that wait and of those that run the slots that they have or need, where that is known.
    QMap<QString, QList<int>> cards;
    /// What there is to compute on, as the last supervisor found it.
    std::vector<core::JobSlot> places = std::vector<core::JobSlot>(1);
    bool held = false;
    bool supervised = false;
    int turn = 0;   ///< the number of the one that this desk holds; 0: none
    int slot = 0;   ///< of that turn
    QString device; ///< and its GPU, for CUDA_VISIBLE_DEVICES; empty: whatever there is

    bool operator==(const QueueView&) const = default;
    /// The slots in which a job runs, in order. One that has just begun did not say in which.
    [[nodiscard]] QList<int> used() const;
    [[nodiscard]] bool allUsed() const;
};

class QueueDesk : public QObject {
    Q_OBJECT
public:
    using Then = std::function<void()>;
    explicit QueueDesk(QObject* parent = nullptr);
    ~QueueDesk() override;

    [[nodiscard]] const QueueView& now() const { return m_now; }
    /// Whether the folder was read so far: what is seen before is nothing.
    [[nodiscard]] bool known() const { return m_known; }
    /// Follows the folder from now on, which is made.
    void open();
    /// Reads the folder. @param then  called once what `now` says is no older than this call
    void look(Then then = {});
    /// Lets a run wait as the last one.
    void add(const QString& folder);
    /// Takes a run out, unless it works. @param then  called once it is done
    void drop(const QString& folder, Then then = {});
    /// A run's folder lies elsewhere now; what waits keeps its place, and what was lost comes first. The same
    /// name twice: it is back where it was.
    void follow(const QString& from, const QString& to);
    /// The same of what was lost under a name that is not its own any more: it began just as it was followed.
    void followLost();
    void setHeld(bool held);
    /// Which come first: folders of runs and names of pictures. What began meanwhile is in no order any more.
    void setOrder(const QStringList& order);
    /// Takes the turn of a slot as soon as nobody else has it, or gives it back: while this desk has it, no
    /// training is begun there. With several slots it is that of one in which nothing runs, if there is one,
    /// also later; while there is none, nothing else is begun in any of them. A training may have several.
    /// @param then  called once it was tried
    void wantTurn(bool wanted, Then then = {});
    /// Whether the turn stays where it is, whatever runs there: something computes on its GPU.
    void keepSlot(bool kept) { m_slotKept = kept; }
    /// Gives this turn back at once if it is still here, for a window that hangs and does not notice. One
    /// that was taken since then stays.
    /// @param before  called on the queue's thread if it is here. Any thread
    void abandonTurn(int turn, Then before) const;
    /// The number of the turn that is here, and to stay; each has its own. 0: none is.
    [[nodiscard]] int turn() const { return m_turnWanted ? m_now.turn : 0; }
    [[nodiscard]] bool hasTurn() const { return turn() != 0; }
    /// Waits until the folder is as it was asked for.
    void finish();

Q_SIGNALS:
    void changed();
    void failed(const QString& detail); ///< what went wrong, in English

private:
    using Work = std::function<core::Result<void>(const core::JobQueue&)>;
    struct Answer;
    struct Turn;
    void ask(QueueView expected, Work work, Then then = {});
    void take(const Answer& answer);
    void show(QueueView view);

    core::JobQueue m_jobs;
    QFileSystemWatcher m_watch;
    QueueView m_now;
    std::shared_ptr<Turn> m_turn; // of the queue's thread
    bool m_turnWanted = false;
    bool m_slotKept = false;
    int m_turnChanges = 0; // of that, which tell whether an answer is to an earlier wish
    QMap<QString, QString>
        m_moved; // from where to where: one that began just then is lost under its old name
    bool m_known = false;
    int m_changing = 0; // changes asked for and not answered yet; looks hide nothing of an answer
};

} // namespace homebooth::app
