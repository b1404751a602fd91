// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes pictures: keeps one engine with its model between clicks, hands out what it makes as it comes.
// Owned by main; GUI thread. The engine ends with the window, after a while without work, and when a training
// wants the memory. Nothing begins by itself while the user holds the jobs or a training works.
// A graphics card may lose its memory while the machine sleeps: another engine then makes what is missing.
#pragma once

#include "core/base/config/sample_config.h"
#include "core/base/run/journal/event_json.h"

#include <QElapsedTimer>
#include <QHash>
#include <QObject>
#include <QProcess>
#include <QStringList>
#include <QTimer>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace homebooth::app {

/// Pictures of one model.
struct GenerationJob {
    int64_t id = 0;
    core::SampleConfig config;
    int64_t request = 0;   ///< the same for jobs of one click, as when models are compared; 0: it is alone
    QStringList made = {}; ///< before those that `config` asks for, also in an earlier session; empty: gone
};

/// A finished picture that cannot be saved yet.
struct PictureWait {
    int number = 0;       ///< counts what was told of it, also in another folder
    QString folder;       ///< where it is to go
    qint64 freeBytes = 0; ///< there
    QString detail;       ///< what the engine says, in English
};

class Generator : public QObject {
    Q_OBJECT
public:
    explicit Generator(QObject* parent = nullptr);
    ~Generator() override;

    /// Makes pictures now, or after those that are being made.
    /// @param id  the job's key, see core::newRecordId. @param request  see GenerationJob
    void make(const core::SampleConfig& config, int64_t id, int64_t request = 0);
    /// Puts jobs of an earlier session, if there were any, behind those that are there; nothing begins by it.
    /// @param companions  those of them that none of `jobs` belongs to are left out
    void restore(const std::vector<GenerationJob>& jobs, const std::vector<GenerationJob>& companions = {});
    /// Whether all jobs are known: those of an earlier session, too.
    [[nodiscard]] bool restored() const { return m_restored; }
    /// Stops what is being made with all of its request, and that alone: what waits comes next, unless it is
    /// held. An engine that does not obey in time is ended, and another one begins with the next pictures.
    void stop();
    /// Whether what is being made was asked to stop and still works.
    [[nodiscard]] bool stopping() const { return m_working && m_sent && m_stopping.isActive(); }
    /// How long an engine may take to obey `stop`.
    void setStopPatience(std::chrono::milliseconds patience) { m_stopping.setInterval(patience); }
    /// How long the machine has slept so far, in milliseconds, by another clock than core::sleptMs.
    void setSleptClock(std::function<int64_t()> clock) { m_slept = std::move(clock); }
    /// Stops what is being made and drops what waits.
    void dropAll();
    /// While held, nothing new begins; what is being made is made to its end.
    void setHeld(bool held);
    /// While a training works, jobs wait for its end.
    void setTraining(bool works);
    /// What the next engine computes on, for CUDA_VISIBLE_DEVICES; empty: whatever there is. One that is
    /// there stays where it is.
    void setDevice(const QString& device) { m_device = device; }
    [[nodiscard]] bool waitsForTraining() const;
    /// Begins with the next job beside the training.
    void beginBeside();
    /// Ends an engine that has nothing to do and then calls back: its memory is free by then.
    void giveBack(std::function<void()> then);
    /// What ends the engine at once, whatever it does, for a window that hangs. To be called on any thread,
    /// also when the generator is gone.
    [[nodiscard]] std::function<void()> engineKiller() const;
    /// Whether no engine holds memory.
    [[nodiscard]] bool free() const { return m_engine.state() == QProcess::NotRunning; }
    [[nodiscard]] bool held() const { return m_held; }
    /// Whether a job is made when it is its turn: they are not held, or it was asked for since.
    [[nodiscard]] bool goesOn(const GenerationJob& job) const { return !m_held || wantedNow(job); }
    /// The first of those that wait and go on; 0: there is none.
    [[nodiscard]] int64_t nextJob() const;
    /// How many of those that wait do not go on.
    [[nodiscard]] int heldBack() const;
    [[nodiscard]] bool busy() const { return m_working; }
    /// All jobs; the first one is being made while `busy`.
    [[nodiscard]] const std::vector<GenerationJob>& jobs() const { return m_jobs; }
    /// Jobs that are done, of requests that are not: what the others make stands beside theirs.
    [[nodiscard]] const std::vector<GenerationJob>& companions() const { return m_companions; }
    /// What is left to be made of a job, and what of it is there.
    [[nodiscard]] GenerationJob restOf(const GenerationJob& job) const;
    /// The jobs of the same click, done or not, in the order in which they were asked for.
    [[nodiscard]] std::vector<GenerationJob> together(int64_t request) const;
    /// Of the job that is being made or was made last; 0: none yet.
    [[nodiscard]] int64_t currentJob() const { return m_current; }
    /// Drops a job that waits.
    void drop(int64_t id);
    /// Lets one wait again that was dropped, as the last one, with its companions: also with those that went
    /// with it, or were made since.
    void putBack(const GenerationJob& job);
    /// How long a job takes by what its model's pictures took so far, in seconds; nothing while none was
    /// made.
    [[nodiscard]] std::optional<double> secondsFor(const core::SampleConfig& config) const;
    /// What is being made waits for room on its disk; nothing: it does not.
    [[nodiscard]] std::optional<PictureWait> roomWait() const;
    /// Has all pictures that were to go into a folder go into another one, also those that are being made.
    void movePictures(const QString& from, const QString& to);
    /// Changes the order of what waits. What is not named comes last.
    void setOrder(const std::vector<int64_t>& ids);
    [[nodiscard]] int picturesDone() const { return m_done; }
    [[nodiscard]] int picturesWanted() const;
    /// Of the click that is being made: what its other jobs have made, and the pictures of all of them.
    [[nodiscard]] std::pair<int, int> picturesOfClick() const;
    /// 0 to 1 of the click that is being made.
    [[nodiscard]] double progress() const;
    [[nodiscard]] QString phaseText() const;

Q_SIGNALS:
    void changed();
    void jobsChanged(); ///< which jobs there are, or their order
    void cameBack();    ///< the jobs of an earlier session are known
    void freed();       ///< the engine ended
    void begun(const homebooth::core::SampleConfig& config);
    /// How picture `index` looks after `step` steps.
    void preview(int index, int step, const QString& path);
    void made(int index, const QString& path, const homebooth::core::SampleConfig& config);
    void ended(bool complete);
    /// @param headline  in the user's language. @param detail  what the engine says, which is English
    void warned(const QString& headline, const QString& detail);
    void failed(const QString& headline, const QString& detail);

private:
    /// `nextJob` is the one at work from now on, unless something is already or a training works.
    void beginNext();
    /// The same beside whatever works; where none goes on, the first one that waits.
    void startNext();
    [[nodiscard]] bool wantedNow(const GenerationJob& job) const;
    void start();
    void ensureEngine();
    void closeEngine();
    /// Ends an engine that did not obey.
    void endHanging();
    void finishJob(bool complete);
    void becomeReady();
    void sendFirst();
    void sendFolder();
    void readLines();
    void take(const core::JournalEntry& entry);
    void engineEnded();
    void takePicture(const core::PreviewEvent& shown);
    void takeOutcome(const core::OutcomeEvent& outcome);
    /// Whether the machine has slept since the engine began, which may have cost it the graphics card, and
    /// there are pictures left to make. @param code, message  how the engine or its job has ended
    [[nodiscard]] bool lostInSleep(int code, const std::string& message) const;
    /// Lets another engine make what is missing of the first job. @param crashed  perhaps for another reason
    /// than the card. @param why  what the engine says, in English
    void makeAgain(bool crashed, const QString& why);
    /// Drops companions whose request has no jobs any more; where one may be put back they are kept aside.
    void dropLonely();

    QProcess m_engine;
    std::shared_ptr<std::atomic<qint64>> m_engineId; // 0: none runs
    QByteArray m_partial;
    QString m_device;
    QString m_engineDevice;            // of the engine that is there
    std::vector<GenerationJob> m_jobs; // the first is being made while m_working
    std::vector<GenerationJob> m_companions;
    std::vector<GenerationJob> m_dropped; // those that may be put back and are not alone
    std::vector<GenerationJob> m_aside;   // companions of these
    std::vector<int64_t> m_wantedNow;     // keys of jobs that were asked for while the others were held
    core::StateEvent m_state;
    QTimer m_idle;
    int m_done = 0;
    double m_progress = 0.0;         // of the first job
    QElapsedTimer m_pictureTime;     // since the last picture, or since sampling began
    QHash<QString, double> m_speeds; // seconds of a picture's work by model, see workOf
    int64_t m_current = 0;
    QTimer m_ending;   // until an engine that should end is killed
    QTimer m_stopping; // until one that should stop, or should be ready, is killed
    std::vector<std::function<void()>> m_whenFree; // waiting for the engine's end
    std::function<int64_t()> m_slept;
    int64_t m_sleptBefore = 0; // when the engine began
    int m_roomWaits = 0;       // told so far
    int m_before = 0;          // pictures of the first job that another engine has made
    bool m_again = false;      // an engine was lost, and the next one gets the first job
    bool m_ready = false;
    bool m_working = false;
    bool m_sent = false; // the engine knows of the first job
    bool m_closing = false;
    bool m_hung = false; // it was killed because it did not obey
    bool m_held = false;
    bool m_restored = false;
    bool m_training = false;
};

} // namespace homebooth::app
