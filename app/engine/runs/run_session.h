// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One run in the window: its data as it grows, what it does at the moment in words, and the commands to its
// worker. Owned by the RunCentre; GUI thread.
#pragma once

#include "app/engine/runs/run_data.h"
#include "core/base/run/control/control.h"
#include "core/base/run/failure_cause.h"

#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QList>
#include <QObject>

namespace homebooth::app {

class RunFollower;

enum class RunPhase {
    Reading, ///< what its journal tells is not all known yet, and nobody works on it
    Waiting,
    Starting,
    Preparing,
    Learning,
    Previewing,
    Saving,
    Paused,
    DiskFull, ///< waits, with all that it has learned, until it can save; or its drive is not there
    Done,
    Cancelled,
    Failed
};

class RunSession : public QObject {
    Q_OBJECT
public:
    RunSession(QString folder, QString title, QObject* parent = nullptr);
    ~RunSession() override;

    [[nodiscard]] const QString& folder() const { return m_folder; }
    [[nodiscard]] const QString& title() const { return m_title; }
    void rename(const QString& title);
    /// As run.json has it; with 0 steps until that was read.
    [[nodiscard]] const core::TrainConfig& config() const { return m_data.config; }
    /// As this window has just written it there: it counts before it is read again.
    void setConfig(const core::TrainConfig& config);
    [[nodiscard]] const RunData& data() const { return m_data; }
    [[nodiscard]] RunPhase phase() const;
    /// Whether its folder was moved or deleted, or is out of reach: what it came to is not known then.
    [[nodiscard]] bool gone() const { return m_data.folderGone; }
    /// Whether somebody works on it, or was just asked to.
    [[nodiscard]] bool active() const;
    /// Whether it was asked to go on last where no engine could be started: it is as it was before.
    [[nodiscard]] bool inVain() const { return m_inVain; }
    /// "Learning", "Making example pictures 12 of 24" ...
    [[nodiscard]] QString phaseText() const;
    /// Whether it makes the pictures of the class now, and is to go on.
    [[nodiscard]] bool makesExamples() const {
        return phase() == RunPhase::Preparing && m_data.state.state == "class-images" && !stopping();
    }
    /// Since somebody was heard of who works on it, without what the machine has slept while this window
    /// lived; 0: of nobody yet.
    [[nodiscard]] qint64 quietMs() const;
    /// Until all steps are done, with previews and saves; nothing while that cannot be said.
    [[nodiscard]] std::optional<double> secondsLeft() const;
    /// 0 to 1 of the whole run.
    [[nodiscard]] double progress() const;
    /// The same of what it does, for bars: before it learns that is what it prepares; -1: nobody knows.
    [[nodiscard]] double shownProgress() const;
    /// The model that came out; empty while there is none.
    [[nodiscard]] QString resultModel() const;
    /// Where a LoRA came out; empty if it is a whole model.
    [[nodiscard]] QString resultLora() const;

    /// Starts a supervisor for it in a session of its own.
    void launch();
    /// Starts one for the queue, in which this run is the first.
    void launchQueue();
    /// Asks the worker; what is asked is passed on in its order. A stop or finish waits for a
    /// worker that is starting.
    void send(core::ControlVerb verb);
    /// Asks it to keep its checkpoints in another folder, while it finds no room on its disk.
    void saveIn(const QString& folder);
    /// Has the saved moment of a step stay when older ones go, or no longer; nothing where none was saved.
    void setFavourite(int64_t step, bool favourite);
    /// Lets it stand still, or go on; one that was asked to stand still and does not yet is let go on, too.
    void pauseOrContinue() { send(canContinue() ? core::ControlVerb::Resume : core::ControlVerb::Pause); }
    [[nodiscard]] bool canContinue() const { return standsStill() || pausing(); }
    /// Whether it was asked to stand still and does not do so yet.
    [[nodiscard]] bool pausing() const { return m_pauseWanted && active() && !standsStill(); }
    /// What it waits for in RunPhase::DiskFull: room, the drive itself, or one that takes larger files.
    [[nodiscard]] core::FailureCause lack() const { return core::lackOf(m_data.state.detail); }
    /// Whether somebody can say that it shall go on.
    [[nodiscard]] bool standsStill() const {
        return phase() == RunPhase::Paused || phase() == RunPhase::DiskFull;
    }
    /// Asks it to end with a result; with nothing learned so far it just stops.
    void finish() { send(m_data.step() > 0 ? core::ControlVerb::Finish : core::ControlVerb::Stop); }
    /// Whether it was asked to stop and has not done so yet.
    [[nodiscard]] bool stopping() const { return m_stopWanted && active(); }
    /// Tells whether its folder waits or runs in a queue of several jobs at once, where one that finds no
    /// room waits again: that is no end.
    void setQueued(bool queued);
    /// Whether it was begun, found no room and waits for it.
    [[nodiscard]] bool waitsForRoom() const { return m_queued && m_silent && !active(); }
    /// Whether it was asked to stop before that, which nobody heard.
    [[nodiscard]] bool stopsWaiting() const { return m_stopWanted && waitsForRoom(); }

Q_SIGNALS:
    void changed();      ///< anything; at most four times a second
    void phaseChanged(); ///< also: it ended
    /// @param headline  in the user's language. @param detail  what the engine says, which is English
    void commandFailed(const QString& headline, const QString& detail);

private:
    void take(const RunUpdate& update);
    /// Counts the time in which nobody is heard of from now on.
    void countQuiet(qint64 ageMs);
    void tell();
    void start(const QStringList& arguments);
    void launched(bool begun, bool queue);
    void sendNext();
    void ask(const core::ControlCommand& command);
    void answered(core::ControlVerb verb, bool heard, const QString& problem);
    /// Whether its worker has said that it has no socket.
    [[nodiscard]] bool listensToNobody() const;
    void stopUnheard();
    void askAgain(core::ControlVerb verb);

    QString m_folder;
    QString m_title;
    RunData m_data;
    RunFollower* m_follower = nullptr;
    QList<core::ControlCommand> m_requests; // not passed on yet
    bool m_asking = false;                  // one is on its way
    bool m_stopWanted = false;
    bool m_pauseWanted = false;
    bool m_queued = false;
    bool m_inVain = false;
    bool m_reading = true;          // the rest of its journal is to come
    bool m_silent = false;          // the last attempt: its journal tells no end of it
    qint64 m_launchedMs = 0;        // 0: nobody is expected
    QDeadlineTimer m_expectedUntil; // never: not until it is known that a supervisor was started
    qint64 m_signAgeMs = 0;         // how long ago the last sign of life was when it was seen
    QElapsedTimer m_signSeen;
    RunPhase m_lastPhase = RunPhase::Reading;
    bool m_lastGone = false;
};

/// Starts `homebooth-engine supervise` with these arguments in a session of its own. Any thread.
/// @param logFolder  where its words go. @returns whether it was started
bool startSupervisor(const QStringList& arguments, const QString& logFolder);

} // namespace homebooth::app
