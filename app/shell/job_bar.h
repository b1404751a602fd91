// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The bar at the bottom that always says what goes on: training or pictures, how far, how long, how much
// memory. Of several trainings it shows the one that is looked at, or the first. Owned by the main window;
// GUI thread.
#pragma once

#include "app/shell/services.h"
#include "core/base/run/journal/event.h"
#include "core/base/system/gpu_facts.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include <vector>

class QLabel;
class QProgressBar;
class QPushButton;

namespace homebooth::app {

class ElidedLabel;
class MemoryGauge;
class SpokenStatus;

class JobBar : public QWidget {
    Q_OBJECT
public:
    explicit JobBar(Services services, QWidget* parent = nullptr);

    void setCompact(bool compact);
    /// What a card has while no training has measured it.
    void setCard(int64_t totalBytes, int64_t freeBytes);

    /// Stops the job that it names, and that alone.
    void stop();

Q_SIGNALS:
    /// The job was clicked: the run's page, or the pictures'.
    void opened(bool training);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();
    void followJobs();
    /// Leaves out what is said in figures, too, where large letters leave no room for both.
    void fit();
    void refresh();
    void showMemory();
    void showTraining();
    void showPictures();
    void showReady();
    /// What screen readers say of the job: milestones, however often its figures change.
    void nameDetail(const QString& name);
    /// Has a milestone of a training read out, unless it was the last one.
    void sayOnce(const QString& words);
    /// What the run that works says of its GPU, else what was said last.
    void showCard();
    /// Shows the first card once somebody knows which there are; until then there is none.
    void takeCard();
    /// Asks, again and again, what is free on the first one.
    void askRoom(const std::vector<core::GpuDevice>& cards);
    /// @param part  0 to 1; below 0: nobody knows
    void showProgress(double part);
    void pauseOrContinue();

    Services m_services;
    ElidedLabel* m_text = nullptr;
    QProgressBar* m_progress = nullptr;
    ElidedLabel* m_detail = nullptr;
    SpokenStatus* m_status = nullptr; ///< reads milestones out, wherever the focus is
    QPushButton* m_pause = nullptr;
    QPushButton* m_stop = nullptr;
    MemoryGauge* m_gpu = nullptr;
    MemoryGauge* m_ram = nullptr;
    QTimer m_tick;
    QTimer m_busy;
    core::TierMemory m_card;  ///< as a run measured it last
    QElapsedTimer m_cardTime; ///< since the figures of the card were new; invalid: there are none
    bool m_training = false;
    struct Pictures {
        int64_t request = 0; ///< of their click, which may have several jobs; 0: it has one
        int made = 0;
        bool complete = true;
    };
    Pictures m_pictures;          ///< of the click that was begun last
    bool m_picturesEnded = false; ///< some of these were made; false: a training came later
    QString m_picturesEnd;        ///< what is to be read out of them; empty: nothing any more
    QString m_saidOfRun;          ///< the milestone that was read out last
    bool m_compact = false;       ///< as the window
};

} // namespace homebooth::app
