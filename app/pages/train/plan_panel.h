// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the training will need beside what this machine has, before it starts: verdict, memory by kind, disk,
// time, and what is done to fit. GUI thread.
#pragma once

#include "app/engine/plan_facts.h"

#include <QWidget>

#include <functional>

class QLabel;
class QVBoxLayout;

namespace homebooth::app {

class KindBar;

/// A change that would make it fit.
struct PlanRemedy {
    QString label;
    std::function<void()> act;
};

class PlanPanel : public QWidget {
    Q_OBJECT
public:
    explicit PlanPanel(QWidget* parent = nullptr);

    /// @param runsFolder  whose disk counts; @param steps  with secondsPerStep 0: the time is not known yet
    void show(const PlanFacts& facts, const core::TrainConfig& config, const QString& runsFolder,
              double secondsPerStep);
    void setRemedies(const std::vector<PlanRemedy>& remedies);

private:
    void showFit(const PlanFacts& facts, const core::TrainConfig& config, const QString& runsFolder,
                 double secondsPerStep);

    QLabel* m_sign = nullptr;
    QLabel* m_verdict = nullptr;
    QLabel* m_problem = nullptr;
    QVBoxLayout* m_remedies = nullptr;
    QWidget* m_figures = nullptr;
    QLabel* m_device = nullptr;
    KindBar* m_bar = nullptr;
    QLabel* m_legend = nullptr;
    QLabel* m_disk = nullptr;
    QLabel* m_time = nullptr;
    QLabel* m_decisions = nullptr;
};

/// A bar of memory by kind, with what is free behind it.
class KindBar : public QWidget {
    Q_OBJECT
public:
    explicit KindBar(QWidget* parent = nullptr);
    void set(const core::TierMemory& peak, int64_t neededBytes, int64_t availableBytes);
    [[nodiscard]] QSize sizeHint() const override { return {120, 16}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    core::TierMemory m_peak;
    int64_t m_needed = 0;
    int64_t m_available = 0;
};

} // namespace homebooth::app
