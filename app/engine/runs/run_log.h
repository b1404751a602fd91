// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What happened in a run, line by line in words: phases, saved moments, warnings, its end, and what the
// engine said besides. RunLog is a value for one thread at a time; it reads only what is new.
#pragma once

#include "core/base/run/journal/journal.h"

#include <QCoreApplication>
#include <QString>
#include <QStringList>

namespace homebooth::app {

class RunLog {
    Q_DECLARE_TR_FUNCTIONS(homebooth::app::RunLog)
public:
    explicit RunLog(const QString& runFolder);

    /// Reads what came since the last call. @returns whether there was something
    bool read();
    /// "18:02:11  Saved at step 400", oldest first; of a very long run the latest ones.
    [[nodiscard]] const QStringList& lines() const { return m_lines; }
    /// They and the last lines of the engine's own output as one text.
    [[nodiscard]] QString text() const;
    /// The last few lines of each.
    [[nodiscard]] QString lastText() const;

private:
    void take(const core::JournalEntry& entry);
    [[nodiscard]] static QString joined(const QStringList& lines, const QString& output);

    QString m_outputFile;
    core::JournalReader m_reader;
    QStringList m_lines;
    qint64 m_count = 0; // of all that there ever were
    QString m_output;
    QString m_phase;
};

/// What happened last in a run and what the engine said last, a few lines of each. Reads the disk.
[[nodiscard]] QString lastLines(const QString& runFolder);

} // namespace homebooth::app
