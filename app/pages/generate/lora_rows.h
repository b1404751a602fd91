// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The add-ons that work together with the model, each with its weight. GUI thread.
#pragma once

#include "core/base/config/sample_config.h"

#include <QStringList>
#include <QWidget>

#include <vector>

class QBoxLayout;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace homebooth::app {

class ExactSlider;
class ModelShelf;

class LoraRows : public QWidget {
    Q_OBJECT
public:
    explicit LoraRows(ModelShelf& models, QWidget* parent = nullptr);
    [[nodiscard]] std::vector<core::LoraReference> loras() const;
    /// Takes these; files that the shelf does not have are left out.
    void setLoras(const std::vector<core::LoraReference>& loras);
    /// Adds these as soon as the shelf has them, unless somebody changes the rows before; `changed` does not
    /// follow.
    void setWanted(const std::vector<core::LoraReference>& loras);
    /// Those of the rows, and those that are waited for.
    [[nodiscard]] std::vector<core::LoraReference> wanted() const;
    /// What they are to work with, one or two: those that were made for other models are dimmed.
    void setModels(const QStringList& models);
    /// Goes on without one. @param file  as the shelf or the engine names it
    void remove(const QString& file);

Q_SIGNALS:
    void changed();
    /// Also where the shelf has others than before.
    void rowsChanged(const QStringList& files);

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Row {
        QWidget* whole = nullptr;
        QComboBox* choice = nullptr;
        ExactSlider* weight = nullptr;
        QLineEdit* figure = nullptr; ///< of the weight
        QWidget* remove = nullptr;
        QLabel* note = nullptr; ///< that it was made for other models
        QString file;           ///< as it was chosen: it may be away for a while
    };
    void addRow(const QString& file, double weight);
    /// Adds a row for one that is in none yet.
    void addUnused();
    /// Whether there is such a one.
    void letAdd();
    void tellRows();
    /// Adds a row for a file that the shelf has. @returns whether it has it
    bool addKnown(const core::LoraReference& lora);
    /// Somebody changed the rows: what was waited for comes no more.
    void tellChanged();
    void removeRow(QWidget* whole);
    void fill();
    void fillChoice(Row& row);
    /// All that the shelf has, results ahead of saved moments.
    [[nodiscard]] QStringList addOnFiles() const;
    /// Of those that are in no row, and no other moment of their training is, the first one that suits the
    /// models, or the first one where none does.
    [[nodiscard]] QString firstUnused() const;
    /// A slider, and the number beside it that can be typed.
    [[nodiscard]] QLineEdit* makeWeight(Row& row, double weight);
    static void fitFigure(QLineEdit& figure);
    /// Add-ons for other models, with the reason as tooltip, and of the chosen one below; a file may belie
    /// itself, so they can be chosen.
    void dim(const Row& row) const;
    [[nodiscard]] QString mismatchOf(const QString& file) const;
    void keepChosen(const QComboBox* choice);
    void number();

    ModelShelf& m_models;
    QStringList m_workWith; ///< models
    std::vector<Row> m_rows;
    std::vector<core::LoraReference> m_wanted; ///< the shelf does not have them yet
    QBoxLayout* m_column = nullptr;
    QPushButton* m_add = nullptr;
};

} // namespace homebooth::app
