// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Beside the pictures of a data set: caption and tags of the one that is chosen, and the figures of all. GUI
// thread.
#pragma once

#include "app/engine/held_out.h"
#include "app/pages/datasets/dataset_stats.h"

#include <QWidget>

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
    /// Shows the picture of a row; -1: none.
    void showRow(int row);
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
    void editCaption(const QString& caption);
    void showTags();
    void showFacts();
    [[nodiscard]] QString heldOutText() const;
    [[nodiscard]] QWidget* makeTags();

    DatasetModel& m_model;
    QPlainTextEdit* m_caption = nullptr;
    QWidget* m_tags = nullptr;
    QLineEdit* m_newTag = nullptr;
    QLabel* m_facts = nullptr;
    QPushButton* m_colour = nullptr; ///< where the picture is see-through
    QList<QPushButton*> m_steps;     ///< to the pictures before and after
    QWidget* m_shapes = nullptr;
    QLabel* m_figures = nullptr;
    int m_row = -1;
    DatasetFigures m_counted; ///< as it was told last
    HeldOut m_heldOut;
    bool m_filling = false;
};

} // namespace homebooth::app
