// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of the generator that keeps its engine: starts and ends it, asks it for pictures, and lets
// another one go on where its graphics card was lost.
#include "app/engine/engine_call.h"
#include "app/engine/engine_words.h"
#include "app/engine/pictures/generator.h"
#include "app/engine/places.h"
#include "core/base/config/sample_config_json.h"

#include <nlohmann/json.hpp>

#include <csignal>
#include <utility>

namespace homebooth::app {
namespace {

/// In one line. Qt's JSON would round seeds from 2^63 on, which other programs draw.
QByteArray commandOf(const core::SampleConfig& config) {
    nlohmann::json command;
    command["command"] = "generate";
    command["request"] = nlohmann::json::parse(core::toJson(config), nullptr, /*allow_exceptions=*/false);
    return QByteArray::fromStdString(command.dump()) + '\n';
}

} // namespace

void Generator::ensureEngine() {
    if (m_engine.state() != QProcess::NotRunning) return;
    m_ready = false;
    m_closing = false;
    m_partial.clear();
    QProcessEnvironment variables(QProcessEnvironment::InheritFromParent);
    if (!m_device.isEmpty()) {
        variables = QProcessEnvironment::systemEnvironment();
        variables.insert(QStringLiteral("CUDA_VISIBLE_DEVICES"), m_device);
    }
    m_engine.setProcessEnvironment(variables);
    m_engineDevice = m_device;
    m_sleptBefore = m_slept();
    m_engine.start(enginePath(), {QStringLiteral("sample"), QStringLiteral("--serve")});
}

void Generator::closeEngine() {
    if (m_engine.state() == QProcess::NotRunning || m_closing) return;
    m_closing = true;
    m_ready = false;
    m_idle.stop();
    m_engine.closeWriteChannel();
    m_ending.start();
}

void Generator::endHanging() {
    if (m_engine.state() == QProcess::NotRunning) return;
    m_hung = true;
    m_engine.kill();
}

void Generator::becomeReady() {
    m_ready = true;
    m_stopping.stop();
    if (busy())
        sendFirst();
    else if (m_whenFree.empty())
        m_idle.start();
    else
        closeEngine();
}

void Generator::sendFirst() {
    m_ready = false;
    m_sent = true;
    m_again = false;
    m_before = m_done; // by an engine that is gone
    m_engine.write(commandOf(restOf(m_jobs.front()).config));
}

void Generator::sendFolder() {
    nlohmann::json command;
    command["command"] = "elsewhere";
    command["folder"] = m_jobs.front().config.outputDir;
    m_engine.write(QByteArray::fromStdString(command.dump()) + '\n');
}

void Generator::readLines() {
    m_partial += m_engine.readAllStandardOutput();
    qsizetype start = 0;
    for (qsizetype end = m_partial.indexOf('\n'); end >= 0; end = m_partial.indexOf('\n', start)) {
        const auto entry =
            core::parseJournalLine({m_partial.constData() + start, static_cast<size_t>(end - start)});
        start = end + 1;
        if (entry) take(*entry);
    }
    m_partial.remove(0, start);
}

std::function<void()> Generator::engineKiller() const {
    return [engine = m_engineId] {
        if (const qint64 id = *engine; id > 0) ::kill(static_cast<pid_t>(id), SIGKILL);
    };
}

void Generator::engineEnded() {
    *m_engineId = 0;
    m_ready = false;
    m_ending.stop();
    const bool wanted = std::exchange(m_closing, false);
    const bool hung = std::exchange(m_hung, false);
    const int code = m_engine.exitStatus() == QProcess::NormalExit ? m_engine.exitCode() : 0;
    const QStringList lines =
        QString::fromUtf8(m_engine.readAllStandardError()).split('\n', Qt::SkipEmptyParts);
    const QString line = hung || lines.isEmpty() ? QString() : lines.last();
    const bool again = m_working && m_sent && !hung && lostInSleep(code, line.toStdString());
    m_stopping.stop();
    if (again) {
        makeAgain(core::causeOf(code, line.toStdString()) == core::FailureCause::Crash, plainError(line));
    } else if (m_working && (m_sent || !(wanted || hung))) {
        if (!hung || !m_whenFree.empty()) { // the others might end it the same way
            m_held = m_jobs.size() > 1;
            m_wantedNow.clear();
        }
        const bool absent = m_engine.error() == QProcess::FailedToStart;
        if (hung) // what was wanted is so
            Q_EMIT warned(tr("The engine did not stop in time and was ended. It starts anew with the next "
                             "pictures."),
                          {});
        else
            Q_EMIT failed(absent ? EngineCall::notStarted() : picturesTrouble(code), plainError(line));
        finishJob(false);
    } else if (hung) {
        Q_EMIT warned(tr("The engine did not start in time and was ended. It starts anew with the next "
                         "pictures."),
                      {});
    }
    if (!m_again) // else the next engine wants the memory first
        for (const auto& then : std::exchange(m_whenFree, {})) then();
    if (m_working) ensureEngine(); // asked for while the last one was ending
    Q_EMIT freed();
    Q_EMIT changed();
}

bool Generator::lostInSleep(int code, const std::string& message) const {
    constexpr int64_t kSleepMs = 1000; // less is what two clocks may differ by
    const core::FailureCause cause = core::causeOf(code, message);
    const bool onCard = m_jobs.front().config.device != core::ComputeDevice::Cpu; // where there is one
    const bool ofGpu =
        cause == core::FailureCause::DeviceLost || (cause == core::FailureCause::Crash && onCard);
    return ofGpu && !m_stopping.isActive() && restOf(m_jobs.front()).config.count > 0 &&
           m_slept() - m_sleptBefore > kSleepMs;
}

void Generator::makeAgain(bool crashed, const QString& why) {
    m_sent = false;
    m_again = true;
    m_state = {};
    m_pictureTime.invalidate();
    closeEngine();
    Q_EMIT warned(crashed ? tr("The engine crashed after the computer had slept. The pictures that are "
                               "missing are made once more.")
                          : tr("The graphics card was lost while the computer slept. The pictures that are "
                               "missing are made once more."),
                  why);
}

} // namespace homebooth::app
