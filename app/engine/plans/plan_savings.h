// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What would make a training need less, and whether it does: each change is planned before it is offered.
// RemedyFinder is owned by its form; GUI thread. The function is pure.
#pragma once

#include "app/engine/plans/plan_facts.h"
#include "app/engine/runs/training_recipe.h"

#include <QObject>

#include <functional>
#include <optional>
#include <vector>

namespace homebooth::app {

/// A change of what was chosen.
struct PlanChange {
    QString label;
    std::optional<bool> lora = std::nullopt;
    QMap<QString, QString> expert = {}; ///< settings that it sets
    bool plain = false;                 ///< takes all expert settings back
    [[nodiscard]] TrainingChoice applied(TrainingChoice choice) const;
};

/// What could help, the least harm first. @param config  what `choice` comes to
[[nodiscard]] std::vector<PlanChange> savingsOf(const TrainingChoice& choice, const core::TrainConfig& config,
                                                const PlanFacts& refused);

class RemedyFinder : public QObject {
    Q_OBJECT
public:
    explicit RemedyFinder(QObject* parent = nullptr);

    struct Candidate {
        PlanChange change;
        core::TrainConfig config;
        PlanFacts facts; ///< once it was found to fit
    };
    /// As PlanAsker::setPictures.
    void setPictures(const QByteArray& listed) { m_asker.setPictures(listed); }
    /// Plans one after the other until enough of them fit. What was looked for before is void.
    void look(std::vector<Candidate> candidates, PlanMoment moment = PlanMoment::Now);
    void stop();
    [[nodiscard]] const std::vector<Candidate>& fitting() const { return m_fitting; }
    [[nodiscard]] bool looking() const { return m_next < m_candidates.size(); }

Q_SIGNALS:
    void changed();

private:
    void askNext();
    void take();

    PlanAsker m_asker;
    PlanMoment m_moment = PlanMoment::Now;
    std::vector<Candidate> m_candidates;
    size_t m_next = 0; ///< the one that is planned at the moment
    std::vector<Candidate> m_fitting;
};

} // namespace homebooth::app
