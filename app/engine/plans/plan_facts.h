// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the engine says a training would need: asked in the background, the latest question wins.
// PlanAsker is owned by its page; GUI thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/run/failure_cause.h"
#include "core/base/run/journal/event.h"

#include <QByteArray>
#include <QObject>
#include <QPointer>
#include <QTimer>

namespace homebooth::app {

class EngineCall;

struct PlanFacts {
    enum class Verdict { None, Working, Fits, DoesNotFit, Refused };
    Verdict verdict = Verdict::None;
    core::PlanEvent plan;
    core::TierMemory peak; ///< of the tier that computes, which the bar shows
    core::TierMemory ram;  ///< at its own peak; engines that do not say it leave all of it 0
    core::TierMemory swap; ///< what is set aside on the disk, likewise
    int64_t checkpointBytes = 0;
    int64_t resultBytes = 0;
    int64_t diskBytes = 0;                                  ///< of checkpoints and result at the most
    QString problem;                                        ///< why it does not work, in the engine's words
    core::FailureCause cause = core::FailureCause::Unknown; ///< of the problem
    int64_t neededBytes = 0;                                ///< as the problem names it; 0: it names none
    int64_t haveBytes = 0;
    int64_t neededRamBytes = 0; ///< beside a graphics card, likewise
    int64_t haveRamBytes = 0;
    bool inTurn = false; ///< it is of PlanMoment::InTurn
};

/// Of which time's memory a plan is made.
enum class PlanMoment {
    Now,
    InTurn ///< once trainings and pictures that work now have given theirs back
};

/// Reads what `plan --json` prints.
[[nodiscard]] PlanFacts planFactsOf(int exitCode, const QByteArray& output, const QString& error);

class PlanAsker : public QObject {
    Q_OBJECT
public:
    /// @param delayMs  until a question is asked: while somebody types only the last one is
    explicit PlanAsker(QObject* parent = nullptr, int delayMs = 200);
    ~PlanAsker() override;

    /// The pictures that count in all that is asked from now on, as `plan --pictures` takes them; empty:
    /// those in the folder that the settings name.
    void setPictures(const QByteArray& listed) { m_pictures = listed; }
    /// Asks soon; a question that was not answered yet is dropped.
    void ask(const core::TrainConfig& config, PlanMoment moment = PlanMoment::Now);
    [[nodiscard]] const PlanFacts& facts() const { return m_facts; }

Q_SIGNALS:
    void changed();

private:
    void start();
    /// @returns what was in the way; empty: nothing
    [[nodiscard]] static QString writeOut(const QString& path, const QByteArray& text);
    void refuse(const QString& problem);

    QTimer m_delay;
    core::TrainConfig m_config;
    PlanMoment m_moment = PlanMoment::Now;
    PlanFacts m_facts;
    QPointer<EngineCall> m_call;
    QByteArray m_pictures;
    QString m_file;
    QString m_picturesFile;
};

} // namespace homebooth::app
