// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// For how many steps a training that is done is trained further, and how fast: what is proposed, until
// somebody chooses otherwise. Of the next end another proposal is made. GUI thread.
#pragma once

#include "app/engine/runs/resume_options.h"

#include <QString>
#include <QWidget>

class QComboBox;
class QSpinBox;

namespace homebooth::app {

class RunSession;

class FurtherLine : public QWidget {
    Q_OBJECT
public:
    explicit FurtherLine(QWidget* parent = nullptr);
    /// Proposes what suits this end of a run, unless it was proposed already.
    void offer(const RunSession& run);
    /// What is chosen, for the run that was offered.
    [[nodiscard]] ResumeOptions options(const RunSession& run) const;
    [[nodiscard]] QString text() const;

Q_SIGNALS:
    void changed();

private:
    /// Whether the rate falls no more, and is half: it was to fall in other steps than these, and over more
    /// or fewer it would jump.
    [[nodiscard]] bool steady() const;
    void nameSpeeds();

    QSpinBox* m_steps = nullptr;
    QComboBox* m_speed = nullptr; ///< its second choice is half of what is proposed
    QString m_offered;            ///< the run, and at which step
    bool m_falls = false;         ///< its learning rate, to nothing at the last step
    double m_rate = 0.0;          ///< with which that begins
    int64_t m_left = 0;           ///< steps that it was to have yet
};

} // namespace homebooth::app
