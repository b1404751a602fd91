// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The charts of a run: loss, memory, learning rate and speed. All four at once where there is room, pairs of
// them or single ones behind tabs where there is less; all show the same steps, with one crosshair through
// all. GUI thread.
#pragma once

#include <QPointer>
#include <QWidget>

#include <array>

class QButtonGroup;
class QGridLayout;
class QLabel;
class QPushButton;

namespace homebooth::app {

class Chart;
class ChartCard;
class LineChart;
class LossChart;
class MemoryChart;
class RankLine;
class RunSession;
class Settings;
struct RunData;

class ChartBoard : public QWidget {
    Q_OBJECT
public:
    explicit ChartBoard(QWidget* parent = nullptr);
    /// How the user looks at charts is taken from there, and kept there. @param settings  outlives this
    void remember(Settings& settings);
    /// Null: an empty board.
    void follow(RunSession* run);
    /// Puts the crosshair of all charts there.
    void showStep(double step);
    /// The one with the focus, else the first that is seen.
    [[nodiscard]] Chart* currentChart() const;
    /// Asks for a file, proposing one that is not there yet, and saves the view or the values of a chart into
    /// it.
    void exportChart(Chart* chart);

Q_SIGNALS:
    void exported(const QString& path, bool written);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    enum Place { LossPlace, MemoryPlace, RatePlace, SpeedPlace, kPlaces };
    enum class Arrangement { Grid, Pairs, Single };
    void makeCard(Place place, Chart* chart);
    void joinCharts();
    void makeLossControls();
    void makeMemoryControls();
    void makeTabs();
    void arrange();
    void update();
    void addNewSamples(const RunData& seen);
    void showTier(const RunData& seen);
    void showAbovePlan();
    void showMarks(const RunData& seen);
    void showHeads(const RunData& seen);
    void showLossNotes();
    void showLossParts(const RunData& seen);
    void showMemoryLegend(const RunData& seen);
    void showRanks(const RunData& seen);
    void showWaits(const RunData& seen);
    void setTier(int tier);
    void askWhereTo(Chart* chart, const QString& proposed);

    QPointer<RunSession> m_run;
    LossChart* m_loss = nullptr;
    MemoryChart* m_memory = nullptr;
    LineChart* m_rate = nullptr;
    LineChart* m_speed = nullptr;
    std::array<ChartCard*, kPlaces> m_cards{};
    QPushButton* m_logarithmic = nullptr;
    QLabel* m_parts = nullptr; ///< of the loss
    QLabel* m_note = nullptr;
    QLabel* m_lossLegend = nullptr;
    QLabel* m_waits = nullptr;
    QLabel* m_abovePlan = nullptr;
    QLabel* m_legend = nullptr;
    RankLine* m_ranks = nullptr;
    QGridLayout* m_grid = nullptr;
    QWidget* m_tabs = nullptr;
    QList<QPushButton*> m_pairTabs;
    QList<QPushButton*> m_singleTabs;
    QList<QPushButton*> m_tiers;
    size_t m_stepsShown = 0;
    size_t m_heldOutShown = 0;
    size_t m_memoryShown = 0;
    int64_t m_generation = -1;
    int m_tier = 1; // 0 GPU, 1 RAM, 2 swap
    bool m_tierChosen = false;
    bool m_shownAtEnd = false; ///< the crosshair was put to a step of a run that does not work
    Arrangement m_arrangement = Arrangement::Pairs;
};

} // namespace homebooth::app
