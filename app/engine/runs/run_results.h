// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What trainings have made: their results, and the saved moments that can make pictures. Each training
// is looked at for itself, by threads of its drives: one that does not answer holds what lies on it and
// nothing else. Owned by the shelf of models; GUI thread. `changed` follows a look, also one that found
// nothing new; while others are looked at, and some may never answer, it follows news alone.
#pragma once

#include "app/engine/models/model_shelf.h"

#include <QHash>
#include <QObject>
#include <QString>
#include <QTimer>

#include <optional>
#include <vector>

namespace homebooth::app {

/// Of the model that a run began with; empty: it says none, or cannot be read. Any thread.
[[nodiscard]] std::string modelHashOf(const QString& runFolder);

class RunResults : public QObject {
    Q_OBJECT
public:
    explicit RunResults(RunCentre& runs, QObject* parent = nullptr);

    /// Looks at all trainings; at those that are being looked at once more afterwards.
    void look();
    [[nodiscard]] bool looking() const { return !m_looks.isEmpty(); }
    /// Whether it is known which trainings there are, and each has answered.
    [[nodiscard]] bool complete() const { return m_runsKnown && !looking(); }
    [[nodiscard]] const std::vector<ModelEntry>& models() const { return m_models; }
    /// Those of a training together.
    [[nodiscard]] const std::vector<MomentEntry>& moments() const { return m_moments; }
    /// By what people open, or the engine; null if there is none.
    [[nodiscard]] const MomentEntry* moment(const QString& path) const;

Q_SIGNALS:
    void changed();

private:
    /// What one of them has made.
    struct Found {
        std::optional<ModelEntry> result;
        std::vector<MomentEntry> moments;
    };
    /// A look that is under way.
    struct Look {
        int turn = 0;
        bool again = false;
    };
    void lookAt(const core::RunRecord& run);
    void takeResult(const core::RunRecord& run, int turn, std::optional<ModelEntry>& result);
    void takeMoments(const QString& folder, int turn, std::vector<MomentEntry>& moments);
    /// Whether an answer is the one that is waited for: its training may be gone by now.
    [[nodiscard]] bool isAwaited(const QString& folder, int turn) const;
    /// That of the training in this folder.
    void endLook(const QString& folder);
    /// Puts together what is known of the trainings that there are, and tells of it.
    void tell();
    void tellSoon();

    RunCentre& m_runs;
    QHash<QString, Found> m_found; // by folder
    QHash<QString, Look> m_looks;  // likewise
    QTimer m_tell;                 // of those that have answered while others are looked at
    std::vector<ModelEntry> m_models;
    std::vector<MomentEntry> m_moments;
    QHash<QString, size_t> m_momentAt; // by both their paths
    int m_turn = 0;
    bool m_runsKnown = false;
};

} // namespace homebooth::app
