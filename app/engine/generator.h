// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes pictures: keeps one engine with its model between clicks, hands out what it makes as it comes.
// Owned by main; GUI thread. The engine ends with the window, and after a while without work.
#pragma once

#include "core/base/config/sample_config.h"
#include "core/base/run/event_json.h"

#include <QObject>
#include <QProcess>
#include <QTimer>

namespace homebooth::app {

class Generator : public QObject {
    Q_OBJECT
public:
    explicit Generator(QObject* parent = nullptr);
    ~Generator() override;

    /// Makes pictures now, or after those that are being made.
    void make(const core::SampleConfig& config);
    void stop();
    [[nodiscard]] bool busy() const { return !m_waiting.empty(); }
    [[nodiscard]] int picturesDone() const { return m_done; }
    [[nodiscard]] int picturesWanted() const;
    /// 0 to 1 of what is being made.
    [[nodiscard]] double progress() const { return m_progress; }
    [[nodiscard]] QString phaseText() const;

Q_SIGNALS:
    void changed();
    void begun(const homebooth::core::SampleConfig& config);
    /// How picture `index` looks after `step` steps.
    void preview(int index, int step, const QString& path);
    void made(int index, const QString& path, const homebooth::core::SampleConfig& config);
    void ended(bool complete);
    void warned(const QString& message);
    void failed(const QString& message);

private:
    /// The first one that waits is the one at work from now on.
    void begin();
    void ensureEngine();
    void sendFirst();
    void readLines();
    void take(const core::JournalEntry& entry);
    void engineEnded();
    void takeOutcome(const core::OutcomeEvent& outcome);

    QProcess m_engine;
    QByteArray m_partial;
    std::vector<core::SampleConfig> m_waiting; // the first is being made
    core::StateEvent m_state;
    QTimer m_idle;
    int m_done = 0;
    double m_progress = 0.0;
    bool m_ready = false;
};

} // namespace homebooth::app
