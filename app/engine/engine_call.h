// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One question to the engine's command line: started, waited for without blocking, answered by a callback;
// long work says meanwhile how far it is, and can be stopped. Owns itself: it goes when the process ended or
// its receiver is gone. GUI thread.
#pragma once

#include <QObject>
#include <QPointer>
#include <QProcess>
#include <QStringList>

#include <functional>

namespace homebooth::app {

struct EngineAnswer {
    int exitCode = 0; ///< as the command line has them; -1: the program could not be started or crashed
    QByteArray output;
    QString error; ///< the one line on standard error, as plainError has it
};

class EngineCall : public QObject {
    Q_OBJECT
public:
    /// Runs `homebooth-engine arguments`; `take` is called once, unless `receiver` is gone by then.
    static EngineCall* start(QObject* receiver, const QStringList& arguments,
                             std::function<void(const EngineAnswer&)> take);

    /// What to tell where the program cannot be started.
    /// @param own  where the file of this very program is by now, as the system has it
    [[nodiscard]] static QString notStarted(const QString& own = ownFile());

    /// Asks the program to end; the answer comes when it has, with exit code 5 if it stopped at that.
    void stop();
    /// Forgets the question: no answer comes any more. The program has a moment to tidy up what it writes.
    void cancel();
    ~EngineCall() override;

Q_SIGNALS:
    /// What the program says of its progress (`--json`), in the unit of the work.
    void progressed(qint64 done, qint64 total);

private:
    [[nodiscard]] static QString ownFile();
    EngineCall(QObject* receiver, std::function<void(const EngineAnswer&)> take);
    void readProgress();
    void answer(int exitCode);

    QPointer<QObject> m_receiver;
    std::function<void(const EngineAnswer&)> m_take;
    QProcess m_process;
    QByteArray m_output;
    qsizetype m_read = 0; ///< of the output, lines that were looked at
};

/// "error: plan: too large" as the engine says it, without the first two words.
[[nodiscard]] QString plainError(const QString& line);

} // namespace homebooth::app
