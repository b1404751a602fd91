// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// While a run works, and as it ended: what it warns of, the charts, previews beside them. GUI thread.
#pragma once

#include "app/pages/train/run/preview_strip.h"
#include "app/shell/services.h"

#include <QPointer>
#include <QWidget>

class QLabel;
class QPushButton;

namespace homebooth::app {

class ChartBoard;
class FurtherLine;
class MomentRow;
class RunSession;
class WarningLine;

class TrainProgress : public QWidget {
    Q_OBJECT
public:
    explicit TrainProgress(Services services, QWidget* parent = nullptr);
    void follow(RunSession* run);
    [[nodiscard]] ChartBoard& board() { return *m_board; }
    [[nodiscard]] MomentRow& moments() { return *m_moments; }
    [[nodiscard]] FurtherLine& further() { return *m_further; }
    /// The previews of the run, in the order of their steps.
    [[nodiscard]] QStringList pictures() const;
    /// Of which step one is; empty where it is none of them.
    [[nodiscard]] QString noteOf(const QString& picture) const;
    void setCompact(bool compact);

Q_SIGNALS:
    /// A preview was opened: show it large.
    void largeWanted(const QString& path);
    void formWanted(); ///< for a new training with another model

private:
    [[nodiscard]] QWidget* makePreviews();
    [[nodiscard]] QWidget* makeSketchLine();
    [[nodiscard]] QString wordsForNone() const;
    /// Leaves out charts and previews of a run that is out of reach, and of which nothing was seen before.
    void showParts();
    void openPreviewMenu(const QPoint& place);
    /// What the previews have in common, and what to look for in them.
    void tellPreviews(const core::TrainConfig& config);

    Services m_services;
    QPointer<RunSession> m_run;
    PreviewModel m_previews;
    WarningLine* m_warnings = nullptr;
    MomentRow* m_moments = nullptr; ///< in the place of the previews after the end
    FurtherLine* m_further = nullptr;
    QWidget* m_sketch = nullptr; ///< what the built-in model has learned is no photo yet
    ChartBoard* m_board = nullptr;
    ThumbnailGrid* m_strip = nullptr;
    QPushButton* m_larger = nullptr;
    QWidget* m_previewPart = nullptr;
    QLabel* m_previewNote = nullptr;
};

} // namespace homebooth::app
