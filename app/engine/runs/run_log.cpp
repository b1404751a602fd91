// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/runs/run_log.h"

#include "app/engine/engine_words.h"
#include "app/engine/figures.h"
#include "app/engine/plans/plan_words.h"
#include "core/base/files/file_reader.h"
#include "core/base/run/control/control.h"
#include "core/base/run/run_place.h"
#include "core/base/system/power_facts.h"

#include <QCoreApplication>
#include <QDateTime>

#include <algorithm>
#include <type_traits>

namespace homebooth::app {
namespace {

constexpr int64_t kMostOutput = 16 * 1024; // of the engine's own words
constexpr int kMostLines = 5000;           // the oldest go
constexpr size_t kMostLogRead = 8000;      // entries at a time
constexpr qsizetype kLastEvents = 6;
constexpr qsizetype kLastWords = 12; // lines of the engine's

QString withDetail(const QString& headline, const std::string& detail) {
    return detail.empty() ? headline
                          : QStringLiteral("%1 [%2]").arg(headline, QString::fromStdString(detail));
}

QString phaseOf(const core::StateEvent& state) {
    const QString known = preparedThing(state.detail);
    const QString detail = known.isEmpty() ? QString::fromStdString(state.detail) : known;
    const auto with = [&detail](const QString& text) {
        return detail.isEmpty() ? text : QStringLiteral("%1: %2").arg(text, detail);
    };
    if (state.state == "loading") return with(RunLog::tr("Loading"));
    if (state.state == "class-images") return with(RunLog::tr("Making example pictures"));
    if (state.state == "reading" || state.state == "caching")
        return with(RunLog::tr("Reading photos and captions"));
    if (state.state == "training") return RunLog::tr("Learning");
    if (state.state == "sampling") return RunLog::tr("Previewing");
    if (state.state == "saving") return RunLog::tr("Saving");
    if (state.state == "paused")
        return state.detail == core::kBatteryIsLow
                   ? RunLog::tr("Battery low, paused until it is at %1 %").arg(core::kSafePercent)
                   : RunLog::tr("Paused");
    if (state.state == core::kWaitsForRoom) {
        const core::FailureCause lack = core::lackOf(state.detail);
        return withDetail(core::isOfRunPlace(state.detail)           ? RunLog::tr("Waiting for its folder")
                          : lack == core::FailureCause::DriveMissing ? RunLog::tr("Waiting for the drive")
                          : lack == core::FailureCause::FileTooLarge
                              ? RunLog::tr("Waiting for another folder")
                              : RunLog::tr("Waiting for room on the disk"),
                          state.detail);
    }
    return with(QString::fromStdString(state.state));
}

QString endOf(const core::OutcomeEvent& outcome) {
    if (outcome.result == "done") return RunLog::tr("Finished");
    if (outcome.result == "cancelled") return RunLog::tr("Stopped");
    return RunLog::tr("Ended early (code %1)").arg(outcome.code) + QStringLiteral(": ") +
           withDetail(trainingTrouble(core::causeOf(outcome.code, outcome.message), outcome.message),
                      outcome.message);
}

QString tailOf(const QString& path) {
    const auto file = core::FileReader::open(path.toStdString());
    if (!file) return {};
    const auto tail = file->read(std::max<int64_t>(0, file->identity().bytes - kMostOutput), kMostOutput);
    return tail ? QString::fromStdString(*tail).trimmed() : QString();
}

} // namespace

RunLog::RunLog(const QString& runFolder)
    : m_outputFile(runFolder + QStringLiteral("/supervisor.log"))
    , m_reader((runFolder + QStringLiteral("/events.jsonl")).toStdString()) {}

void RunLog::take(const core::JournalEntry& entry) {
    QString text;
    std::visit(
        [this, &text](const auto& event) {
            using T = std::decay_t<decltype(event)>;
            if constexpr (std::is_same_v<T, core::StateEvent>) {
                const QString phase = phaseOf(event);
                if (phase != m_phase) text = phase; // its progress alone is no news
                m_phase = phase;
            } else if constexpr (std::is_same_v<T, core::PlanEvent>) {
                text = RunLog::tr("Plan: %1").arg(planSentences(event).join(' '));
            } else if constexpr (std::is_same_v<T, core::CheckpointEvent>) {
                text = RunLog::tr("Saved at step %1").arg(countText(event.step));
            } else if constexpr (std::is_same_v<T, core::ResumedEvent>) {
                text = RunLog::tr("Resumed after step %1").arg(countText(event.fromStep));
            } else if constexpr (std::is_same_v<T, core::WarningEvent>) {
                text = RunLog::tr("Warning: %1").arg(withDetail(warningHeadline(event), event.message));
            } else if constexpr (std::is_same_v<T, core::OutcomeEvent>) {
                text = endOf(event);
            }
        },
        entry.event);
    if (text.isEmpty()) return;
    if (m_lines.size() >= kMostLines) m_lines.remove(0, kMostLines / 10);
    const QDateTime when = QDateTime::fromString(QString::fromStdString(entry.time), Qt::ISODateWithMs);
    ++m_count;
    m_lines.append(
        QStringLiteral("%1  %2").arg(when.toLocalTime().toString(QStringLiteral("HH:mm:ss")), text));
}

bool RunLog::read() {
    const qint64 before = m_count;
    bool more = true;
    while (more) {
        const auto entries = m_reader.poll(kMostLogRead);
        if (entries)
            for (const core::JournalEntry& entry : *entries) take(entry);
        more = entries && entries->size() >= kMostLogRead;
    }
    const QString output = tailOf(m_outputFile);
    const bool news = m_count != before || output != m_output;
    m_output = output;
    return news;
}

QString RunLog::joined(const QStringList& lines, const QString& output) {
    const QString events = lines.join('\n');
    return output.isEmpty() ? events : RunLog::tr("%1\n\nThe engine's own words:\n%2").arg(events, output);
}

QString RunLog::text() const {
    return joined(m_lines, m_output);
}

QString RunLog::lastText() const {
    const QStringList words = m_output.split('\n');
    return joined(m_lines.mid(qMax(qsizetype{0}, m_lines.size() - kLastEvents)),
                  words.mid(qMax(qsizetype{0}, words.size() - kLastWords)).join('\n'));
}

QString lastLines(const QString& runFolder) {
    RunLog log(runFolder);
    log.read();
    return log.lastText();
}

} // namespace homebooth::app
