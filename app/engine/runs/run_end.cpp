// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/runs/run_end.h"

#include "app/engine/engine_words.h"
#include "app/engine/runs/run_data.h"
#include "app/library/background.h"
#include "app/library/drive_pools.h"
#include "core/base/files/file_reader.h"
#include "core/base/run/journal/journal.h"
#include "core/base/run/run_place.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QFileInfo>

#include <algorithm>
#include <ctime>
#include <string>
#include <utility>
#include <variant>

namespace homebooth::app {
namespace {

constexpr int64_t kMostRead = 64 * 1024; // of a journal's end
constexpr int64_t kBootSlackMs = 5000;

class RunEndWords {
    Q_DECLARE_TR_FUNCTIONS(homebooth::app::RunEnd)
};

/// When this machine was switched on.
int64_t bootMs() {
    timespec up{};
    clock_gettime(CLOCK_BOOTTIME, &up);
    return QDateTime::currentMSecsSinceEpoch() - int64_t{up.tv_sec} * 1000;
}

std::string journalOf(const QString& runFolder) {
    return (runFolder + QStringLiteral("/events.jsonl")).toStdString();
}

/// In milliseconds; 0 for what is no time. @param text  an entry's
qint64 timeOf(const std::string& text) {
    const QDateTime when = QDateTime::fromString(QString::fromStdString(text), Qt::ISODateWithMs);
    return when.isValid() ? when.toMSecsSinceEpoch() : 0;
}

/// Processes are numbered from 1 for people, and from 0 in what the engine says.
QString whoEnded(const std::string& message) {
    const auto failed = core::failedRankOf(message);
    return failed ? RunEndWords::tr("It was process %1 of %2 (rank %3); the others ended with it.")
                        .arg(failed->rank + 1)
                        .arg(failed->ranks)
                        .arg(failed->rank)
                  : QString();
}

} // namespace

RunEnd runEndOf(const std::optional<core::OutcomeEvent>& outcome, int64_t lastSignMs) {
    RunEnd end;
    end.silent = !outcome || outcome->message.empty();
    if (outcome && !end.silent) {
        end.cause = core::causeOf(outcome->code, outcome->message);
        end.headline = trainingTrouble(end.cause, outcome->message);
        end.who = whoEnded(outcome->message);
        end.advice = trainingAdvice(end.cause);
        if (core::isOfRunPlace(outcome->message)) end.advice = RunEndWords::tr("Put it back, then resume.");
        end.detail = QString::fromStdString(outcome->message);
        return end;
    }
    const bool restarted = lastSignMs > 0 && lastSignMs + kBootSlackMs < bootMs();
    end.headline = restarted ? RunEndWords::tr("The computer was switched off or restarted while it learned.")
                             : RunEndWords::tr("The engine ended without a word.");
    if (!restarted) end.advice = RunEndWords::tr("Perhaps it was ended from outside, or the power failed.");
    return end;
}

RunEnd readRunEnd(const QString& runFolder) {
    const auto unread = [](int64_t lastSignMs) {
        RunEnd unknown = runEndOf({}, lastSignMs);
        unknown.silent = false;
        return unknown;
    };
    const auto journal = core::FileReader::open(journalOf(runFolder));
    if (!journal) return unread(0);
    const int64_t lastSign = journal->identity().changedNs / 1'000'000;
    const auto end = journal->read(std::max<int64_t>(0, journal->identity().bytes - kMostRead), kMostRead);
    if (!end) return unread(lastSign);
    const QList<QByteArray> lines = QByteArray::fromStdString(*end).split('\n');
    for (auto line = lines.crbegin(); line != lines.crend(); ++line) {
        const auto entry = core::parseJournalLine({line->constData(), static_cast<size_t>(line->size())},
                                                  core::kLongestJournalLine);
        if (!entry) continue;
        if (const auto* outcome = std::get_if<core::OutcomeEvent>(&entry->event))
            return runEndOf(*outcome, lastSign);
        const bool later = std::holds_alternative<core::StateEvent>(entry->event) ||
                           std::holds_alternative<core::ResumedEvent>(entry->event);
        if (later) break; // an attempt that left no outcome
    }
    return runEndOf({}, lastSign);
}

void WorkedTime::take(const core::JournalEntry& entry) {
    const auto* state = std::get_if<core::StateEvent>(&entry.event);
    if (state != nullptr && beginsAttempt(*state)) endAttempt(); // the one before may have been killed
    if (m_begunMs > 0) m_sleptMs += entry.sleptMs;
    const bool resumed = std::holds_alternative<core::ResumedEvent>(entry.event);
    if (m_begunMs == 0 && (state != nullptr || resumed)) m_begunMs = timeOf(entry.time);
    // Plans and warnings may be the supervisor's, before the next attempt.
    const bool work = !std::holds_alternative<core::PlanEvent>(entry.event) &&
                      !std::holds_alternative<core::WarningEvent>(entry.event);
    if (work) m_last = entry.time;
    if (std::holds_alternative<core::OutcomeEvent>(entry.event)) endAttempt();
}

double WorkedTime::seconds() const {
    return double(m_workedMs + attemptMs()) / 1000.0;
}

qint64 WorkedTime::attemptMs() const {
    return m_begunMs > 0 ? std::max<qint64>(0, timeOf(m_last) - m_begunMs - m_sleptMs) : 0;
}

void WorkedTime::endAttempt() {
    m_workedMs += attemptMs();
    m_begunMs = 0;
    m_sleptMs = 0;
}

double workedSeconds(const QString& runFolder) {
    constexpr size_t kEntriesAtOnce = 4096;
    core::JournalReader journal(journalOf(runFolder));
    WorkedTime worked;
    for (bool more = true; more;) {
        const auto entries = journal.poll(kEntriesAtOnce);
        if (!entries) break;
        for (const core::JournalEntry& entry : *entries) worked.take(entry);
        more = entries->size() >= kEntriesAtOnce;
    }
    return worked.seconds();
}

QString RunEnds::headlineOf(const QString& runFolder, int64_t endedMs) {
    return answerTo({Kind::Headline, runFolder}, endedMs).headline;
}

double RunEnds::secondsOf(const QString& runFolder, int64_t endedMs) {
    return answerTo({Kind::Seconds, runFolder}, endedMs).seconds;
}

bool RunEnds::isGone(const QString& runFolder) {
    const Question question{Kind::Gone, runFolder};
    Known& known = m_known[question];
    if (std::exchange(known.endedMs, m_look) != m_look) ask(question, m_look);
    return known.answer.gone; // until it was looked for again it is where it was
}

RunEnds::Answer RunEnds::answerTo(const Question& question, int64_t endedMs) {
    const auto known = m_known.find(question);
    if (known != m_known.end() && known->second.endedMs == endedMs) return known->second.answer;
    m_known[question] = {endedMs, {}};
    ask(question, endedMs);
    return {};
}

RunEnds::Answer RunEnds::read(const Question& question) {
    const auto& [kind, folder] = question;
    Answer answer;
    if (kind == Kind::Headline)
        answer.headline = readRunEnd(folder).headline;
    else if (kind == Kind::Seconds)
        answer.seconds = workedSeconds(folder);
    else
        answer.gone = !QFileInfo::exists(folder);
    return answer;
}

void RunEnds::ask(const Question& question, int64_t endedMs) {
    const auto take = [this, question, endedMs](const Answer& answer) {
        Known& known = m_known[question];
        if (known.endedMs != endedMs || known.answer == answer) return; // or a later end is meant
        known.answer = answer;
        Q_EMIT changed();
    };
    inBackground(
        this, [question] { return read(question); }, take, &journalDrives().of(question.second + '/'),
        ++m_asked); // what is asked for last is what is seen now
}

} // namespace homebooth::app
