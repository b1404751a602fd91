// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Why a training ended before it was done, in words a person understands, and how long it took. RunEnds
// is owned by its model; GUI thread. It reads journals off it, each once and those of a drive one after
// another: a year's are gigabytes, and nothing else waits for them. The functions are pure but for the
// clock.
#pragma once

#include "core/base/run/failure_cause.h"
#include "core/base/run/journal/event_json.h"

#include <QObject>
#include <QString>

#include <map>
#include <optional>
#include <string>
#include <utility>

namespace homebooth::app {

struct RunEnd {
    core::FailureCause cause = core::FailureCause::Unknown;
    bool silent = false; ///< nobody was left to write down how it ended; not where that cannot be read
    QString headline;    ///< what happened
    QString who;         ///< to which process, where several train together; else empty
    QString advice;      ///< what to do; may be empty
    QString detail;      ///< what the engine says, which is English; may be empty
};

/// @param lastSignMs  when the run's journal was written last; the time of the machine's start tells whether
///                    it was switched off meanwhile
[[nodiscard]] RunEnd runEndOf(const std::optional<core::OutcomeEvent>& outcome, int64_t lastSignMs);

/// The same from the last lines of a run's journal. Reads the disk.
[[nodiscard]] RunEnd readRunEnd(const QString& runFolder);

/// How long a run was worked on by the clock, all attempts together, with pauses: of each from its first
/// word to its last one, without what the machine slept. Value; takes all of a journal in its order.
class WorkedTime {
public:
    void take(const core::JournalEntry& entry);
    /// Up to the last entry, in seconds.
    [[nodiscard]] double seconds() const;

private:
    [[nodiscard]] qint64 attemptMs() const;
    void endAttempt();

    qint64 m_workedMs = 0; ///< in the attempts before
    qint64 m_begunMs = 0;  ///< when the attempt began; 0: it has not, or is over
    qint64 m_sleptMs = 0;  ///< in it, by the machine
    std::string m_last;    ///< when it was heard of last
};

/// That of a run in its folder, in seconds; 0 if its journal cannot be read. Reads the disk.
[[nodiscard]] double workedSeconds(const QString& runFolder);

/// To be asked for what is shown alone: an answer may cost a journal of many megabytes.
class RunEnds : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    /// Why a run that failed did so; empty until its journal was read.
    /// @param endedMs  the end that is meant: after another one it is read again
    [[nodiscard]] QString headlineOf(const QString& runFolder, int64_t endedMs);
    /// How long a run took; 0 until its journal was read.
    [[nodiscard]] double secondsOf(const QString& runFolder, int64_t endedMs);
    /// Whether its folder was not there when it was looked for last; false until it was.
    [[nodiscard]] bool isGone(const QString& runFolder);
    /// Folders may have come or gone: whoever asks for them has them looked for once more.
    void lookAgain() { ++m_look; }

Q_SIGNALS:
    void changed(); ///< an answer is another one than before

private:
    enum class Kind { Headline, Seconds, Gone };
    struct Answer {
        QString headline;
        double seconds = 0.0;
        bool gone = false;
        bool operator==(const Answer&) const = default;
    };
    struct Known {
        int64_t endedMs = 0; // of a folder that was looked for: in which look
        Answer answer;
    };
    using Question = std::pair<Kind, QString>; // of a run's folder
    [[nodiscard]] Answer answerTo(const Question& question, int64_t endedMs);
    [[nodiscard]] static Answer read(const Question& question);
    void ask(const Question& question, int64_t endedMs);

    std::map<Question, Known> m_known; // empty answers stand for what was asked
    int m_asked = 0;                   // how many questions were
    int64_t m_look = 1;                // for folders
};

} // namespace homebooth::app
