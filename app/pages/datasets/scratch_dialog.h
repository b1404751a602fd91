// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Asks which model's shape a new model is to have that learns from a dataset alone, and which part of it is
// made first. Goes by itself; GUI thread.
#pragma once

#include <QDialog>

class QComboBox;
class QLabel;
class QPushButton;
class QRadioButton;

namespace homebooth::app {

class ModelShelf;

constexpr int kUnknownCount = -1;

class ScratchDialog : public QDialog {
    Q_OBJECT
public:
    /// @param pictures  of the dataset; kUnknownCount: nobody has counted them
    ScratchDialog(ModelShelf& models, int pictures, QWidget* parent);
    /// Path of the model whose shape is taken; empty while there is none.
    [[nodiscard]] QString model() const;
    /// Whether the autoencoder of that shape learns, instead of all else on top of one that has.
    [[nodiscard]] bool autoencoder() const;
    /// Takes up the model of a folder or file and chooses it, be it configurations alone. What is no model is
    /// refused with the reason.
    void useFolder(const QString& path);

Q_SIGNALS:
    void chosen(const QString& model, bool autoencoder);

private:
    [[nodiscard]] QWidget* makePart();
    [[nodiscard]] QWidget* makeChoice();
    [[nodiscard]] QWidget* makeButtons();
    void chooseFolder();
    void fill();
    void describe();

    ModelShelf& m_models;
    QRadioButton* m_autoencoder = nullptr;
    QLabel* m_partNote = nullptr;
    QComboBox* m_model = nullptr;
    QLabel* m_note = nullptr;
    QLabel* m_problem = nullptr;
    QPushButton* m_go = nullptr;
    QString m_wanted; ///< to be chosen once the shelf knows it
};

} // namespace homebooth::app
