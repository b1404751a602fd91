// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Beside the pictures of a data set: caption and tags of those that are chosen, and the figures of all.
// GUI thread.
#pragma once

#include "app/engine/runs/held_out.h"
#include "app/pages/datasets/figures/dataset_stats.h"

#include <QWidget>

#include <functional>

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QVBoxLayout;

namespace homebooth::app {

class DatasetModel;

class CaptionPanel : public QWidget {
    Q_OBJECT
public:
    explicit CaptionPanel(DatasetModel& model, QWidget* parent = nullptr);
    /// Shows the pictures of these rows: what is changed goes to all of them.
    void showRows(const QList<int>& rows);
    void showFigures(const DatasetFigures& figures);
    /// Tells what the last training did not learn.
    void setHeldOut(const HeldOut& heldOut);

Q_SIGNALS:
    void stepped(int by);
    /// A figure was chosen: show the pictures behind it.
    void shapeWanted(const QString& shape);
    /// Another colour behind transparent parts, of all pictures.
    void colourWanted();

private:
    void editCaptions(const std::function<QString(const QString&)>& caption);
    /// The tags that all of them have, in the order of the first one.
    [[nodiscard]] QStringList commonTags() const;
    /// Whether all have the caption of the first one.
    [[nodiscard]] bool isSameCaption() const;
    void showTags();
    void showFacts();
    [[nodiscard]] QString heldOutText() const;
    void prepareGuess();
    [[nodiscard]] QWidget* makeTags();
    [[nodiscard]] QWidget* makeSteps();

    DatasetModel& m_model;
    QPlainTextEdit* m_caption = nullptr;
    QWidget* m_tags = nullptr;
    QStringList m_shownTags; ///< which stand there
    QLineEdit* m_newTag = nullptr;
    QLabel* m_facts = nullptr;
    QPushButton* m_guess = nullptr;  ///< takes a caption of another encoding as it is shown
    QPushButton* m_colour = nullptr; ///< where the picture is see-through
    QList<QPushButton*> m_steps;     ///< to the pictures before and after
    QWidget* m_shapes = nullptr;
    QLabel* m_figures = nullptr;
    QLabel* m_several = nullptr; ///< how many are chosen, if not one
    QList<int> m_rows;
    DatasetFigures m_counted; ///< as it was told last
    HeldOut m_heldOut;
    bool m_filling = false;
};

} // namespace homebooth::app
