// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/engine_call.h"

#include "app/engine/places.h"
#include "core/base/run/journal/event_json.h"

#include <QCoreApplication>
#include <QFile>
#include <QRegularExpression>
#include <QTimer>

namespace homebooth::app {
namespace {
constexpr int kTidyMs = 2000; // for a program that is to end: as much as it has written may have to go
} // namespace

QString plainError(const QString& line) {
    // Verbs alone, and with what is timed: a message may begin with a word and a colon of its own.
    static const QRegularExpression prefix(QStringLiteral(
        "^error: *(?:(?:train|resume|sample|generate|plan|inspect|convert|verify|journal|doctor|"
        "supervise|bench(?: [a-z]+)?): *)?"));
    QString text = line.trimmed();
    text.remove(prefix);
    if (!text.isEmpty()) text[0] = text[0].toUpper();
    return text;
}

EngineCall::EngineCall(QObject* receiver, std::function<void(const EngineAnswer&)> take)
    : QObject(QCoreApplication::instance()) // whatever still runs when the window ends is ended with it
    , m_receiver(receiver)
    , m_take(std::move(take)) {
    connect(receiver, &QObject::destroyed, this, &EngineCall::cancel);
    connect(&m_process, &QProcess::readyReadStandardOutput, this, &EngineCall::readProgress);
    connect(&m_process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
        answer(status == QProcess::NormalExit ? code : -1);
    });
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) answer(-1);
    });
}

EngineCall* EngineCall::start(QObject* receiver, const QStringList& arguments,
                              std::function<void(const EngineAnswer&)> take) {
    auto* call = new EngineCall(receiver, std::move(take));
    call->m_process.start(enginePath(), arguments);
    call->m_process.closeWriteChannel();
    return call;
}

QString EngineCall::ownFile() {
    return QFile::symLinkTarget(QStringLiteral("/proc/self/exe")); // with a mark where it was replaced
}

QString EngineCall::notStarted(const QString& own) {
    const bool moved = !own.isEmpty() && own != QCoreApplication::applicationFilePath();
    return moved ? tr("Homebooth was moved or replaced while it was open. Close it and start it again.")
                 : tr("The engine could not be started (%1). Install Homebooth again.").arg(enginePath());
}

void EngineCall::readProgress() {
    m_output += m_process.readAllStandardOutput();
    for (qsizetype end = 0; (end = m_output.indexOf('\n', m_read)) >= 0; m_read = end + 1) {
        const QByteArray line = m_output.mid(m_read, end - m_read);
        const auto entry = core::parseJournalLine({line.constData(), static_cast<size_t>(line.size())});
        const auto* state = entry ? std::get_if<core::StateEvent>(&entry->event) : nullptr;
        if (state != nullptr) Q_EMIT progressed(state->done, state->total);
    }
}

void EngineCall::stop() {
    m_process.terminate();
}

void EngineCall::cancel() {
    m_take = nullptr;
    if (m_process.state() == QProcess::NotRunning) return deleteLater();
    m_process.disconnect(this);
    connect(&m_process, &QProcess::finished, this, &QObject::deleteLater);
    m_process.terminate();
    QTimer::singleShot(kTidyMs, this, [this] { m_process.kill(); });
}

EngineCall::~EngineCall() {
    if (m_process.state() == QProcess::NotRunning) return;
    m_process.disconnect(this);
    m_process.terminate();
    if (m_process.waitForFinished(kTidyMs)) return;
    m_process.kill();
    m_process.waitForFinished();
}

void EngineCall::answer(int exitCode) {
    deleteLater();
    if (!m_take || !m_receiver) return;
    EngineAnswer answer;
    answer.exitCode = exitCode;
    answer.output = m_output + m_process.readAllStandardOutput();
    const QStringList lines =
        QString::fromUtf8(m_process.readAllStandardError()).split('\n', Qt::SkipEmptyParts);
    answer.error = lines.isEmpty() ? QString() : plainError(lines.last());
    if (exitCode == -1 && answer.error.isEmpty())
        answer.error = m_process.error() == QProcess::Crashed ? tr("The engine crashed.") : notStarted();
    const auto take = std::exchange(m_take, nullptr);
    take(answer);
}

} // namespace homebooth::app
