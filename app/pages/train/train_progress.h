// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// While a run works, and as it ended: loss, memory, speed and learning rate over steps, previews beside them.
// GUI thread.
#pragma once

#include "app/pages/train/preview_strip.h"
#include "app/shell/services.h"

#include <QPointer>
#include <QWidget>

class QLabel;
class QPushButton;
class QStackedWidget;
class QTabWidget;

namespace homebooth::app {

class Chart;
class LossChart;
class MemoryChart;
class RunSession;

class TrainProgress : public QWidget {
    Q_OBJECT
public:
    explicit TrainProgress(Services services, QWidget* parent = nullptr);

    void follow(RunSession* run);
    [[nodiscard]] Chart* currentChart() const;
    void setCompact(bool compact);

Q_SIGNALS:
    /// A preview was opened: show it large.
    void largeWanted(const QString& path);

private:
    [[nodiscard]] QWidget* makeCharts();
    [[nodiscard]] QWidget* makePreviews();
    [[nodiscard]] QWidget* makeMemoryHead();
    void update();
    void rebuild();
    void addNewSamples();
    void setTier(int tier);
    void showHeads();
    void exportChart();

    Services m_services;
    QPointer<RunSession> m_run;
    PreviewModel m_previews;
    LossChart* m_loss = nullptr;
    MemoryChart* m_memory = nullptr;
    QLabel* m_lossHead = nullptr;
    QLabel* m_memoryHead = nullptr;
    QLabel* m_legend = nullptr;
    QLabel* m_note = nullptr;
    QLabel* m_spoken = nullptr;
    QList<QPushButton*> m_tiers;
    ThumbnailGrid* m_strip = nullptr;
    QWidget* m_previewPart = nullptr;
    size_t m_stepsShown = 0;
    size_t m_memoryShown = 0;
    int64_t m_generation = -1;
    int m_tier = 1; // 0 GPU, 1 RAM, 2 swap
    bool m_tierChosen = false;
};

} // namespace homebooth::app
