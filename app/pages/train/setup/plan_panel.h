// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the training will need beside what this machine has, before it starts: verdict, memory by kind, disk,
// time, and what is done to fit. GUI thread.
#pragma once

#include "app/engine/plans/plan_facts.h"
#include "app/engine/plans/plan_time.h"

#include <QWidget>

#include <functional>

class QGridLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace homebooth::app {

class DiskLine;
class Fold;
class KindBar;

/// What earlier trainings tell.
struct PlanPast {
    Pace pace;
    int64_t examplesThere = 0; ///< pictures of the class
    double slowdown = 1.0;     ///< by what other programs take of the processor now
};

/// A change that would make it fit.
struct PlanRemedy {
    QString label;
    std::function<void()> act;
};

class PlanPanel : public QWidget {
    Q_OBJECT
public:
    explicit PlanPanel(QWidget* parent = nullptr);

    /// @param runsFolder  whose disk counts; @param past  what earlier trainings tell of the time
    void show(const PlanFacts& facts, const core::TrainConfig& config, const QString& runsFolder,
              const PlanPast& past = {});
    /// @param looking  there may be more of them
    void setRemedies(const std::vector<PlanRemedy>& remedies, bool looking = false);

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct RemedyButton {
        QPushButton* button = nullptr;
        std::function<void()> act;
    };
    void arrange();
    void makeFigures();
    /// Has names stand above their figures where both in a row are wider than what is seen, as in large text.
    void arrangeRows();
    void showSign();
    [[nodiscard]] RemedyButton makeRemedy(const PlanRemedy& remedy);
    void pressed(const QPushButton* button);
    void showFit(const PlanFacts& facts, const core::TrainConfig& config, const QString& runsFolder,
                 const PlanPast& past);
    void showMemory(const PlanFacts& facts, const core::TrainConfig& config);
    void showBar(const PlanFacts& facts, int64_t wholeBytes);
    /// The kinds in the colours of the bar.
    void showLegend();
    /// What stands beside the time while a battery feeds the machine: it does not last.
    void showPower();
    void showTime(const PlanFacts& facts, const core::TrainConfig& config, const PlanPast& past);

    PlanFacts m_facts; ///< shown last
    QLabel* m_sign = nullptr;
    QLabel* m_verdict = nullptr;
    QLabel* m_turn = nullptr; ///< that another time's memory counts
    QLabel* m_problem = nullptr;
    QVBoxLayout* m_remedies = nullptr;
    QWidget* m_figures = nullptr;
    QGridLayout* m_rows = nullptr; ///< names and figures by turns
    QList<QLabel*> m_names;
    QStringList m_legendWords; ///< each stays in one line
    bool m_namesAbove = false;
    QList<QWidget*> m_deviceRow; ///< what stands there whichever memory the bar shows
    QVBoxLayout* m_deviceLines = nullptr;
    QVBoxLayout* m_ramLines = nullptr;
    QLabel* m_device = nullptr;
    QLabel* m_ram = nullptr;
    QLabel* m_others = nullptr;
    KindBar* m_bar = nullptr;
    QLabel* m_legend = nullptr;
    DiskLine* m_disk = nullptr;
    QLabel* m_time = nullptr;
    QLabel* m_timeParts = nullptr;
    QLabel* m_power = nullptr;
    QLabel* m_fit = nullptr;   ///< what is done to fit; hidden where nothing has to be
    Fold* m_details = nullptr; ///< in the engine's own words
    bool m_refused = false;
    std::vector<RemedyButton> m_offered;
    QLabel* m_looking = nullptr; ///< that there may be more of them
};

/// A bar of memory: what other programs hold, hatched; what the training needs, by kind; what is free.
class KindBar : public QWidget {
    Q_OBJECT
public:
    explicit KindBar(QWidget* parent = nullptr);
    /// @param othersBytes  what other programs hold at the moment, @param wholeBytes  of all there is
    void set(const core::TierMemory& peak, int64_t neededBytes, int64_t othersBytes, int64_t wholeBytes);
    /// What is drawn: what the kinds do not name (the program, its libraries) counts as workspace.
    [[nodiscard]] core::TierMemory kinds() const;
    [[nodiscard]] QSize sizeHint() const override { return {120, 16}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    core::TierMemory m_peak;
    int64_t m_needed = 0;
    int64_t m_others = 0;
    int64_t m_whole = 0;
};

} // namespace homebooth::app
