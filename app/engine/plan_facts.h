// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the engine says a training would need: asked in the background, the latest question wins.
// PlanAsker is owned by its page; GUI thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/run/event.h"

#include <QObject>
#include <QPointer>
#include <QTimer>

namespace homebooth::app {

class EngineCall;

struct PlanFacts {
    enum class Verdict { None, Working, Fits, DoesNotFit, Refused };
    Verdict verdict = Verdict::None;
    core::PlanEvent plan;
    core::TierMemory peak;
    int64_t checkpointBytes = 0;
    int64_t resultBytes = 0;
    QString problem; ///< why it does not work, in words
};

/// Reads what `plan --json` prints.
[[nodiscard]] PlanFacts planFactsOf(int exitCode, const QByteArray& output, const QString& error);

class PlanAsker : public QObject {
    Q_OBJECT
public:
    explicit PlanAsker(QObject* parent = nullptr);
    ~PlanAsker() override;

    /// Asks soon; a question that was not answered yet is dropped.
    void ask(const core::TrainConfig& config);
    [[nodiscard]] const PlanFacts& facts() const { return m_facts; }

Q_SIGNALS:
    void changed();

private:
    void start();

    QTimer m_delay;
    core::TrainConfig m_config;
    PlanFacts m_facts;
    QPointer<EngineCall> m_call;
    QString m_file;
};

} // namespace homebooth::app
