// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Buttons that put the learned words of the shelf into a prompt, those that the chosen models understand; not
// seen where there are none. GUI thread.
#pragma once

#include "app/engine/learned_words.h"

#include <QHash>
#include <QWidget>

class QPushButton;

namespace homebooth::app {

class ModelShelf;

class EmbeddingWords : public QWidget {
    Q_OBJECT
public:
    explicit EmbeddingWords(ModelShelf& models, QWidget* parent = nullptr);
    /// What they are to work with, one or two.
    void setModels(const QStringList& models);

Q_SIGNALS:
    void chosen(const QString& word);

private:
    void fill();

    ModelShelf& m_models;
    QStringList m_workWith; ///< models
    std::vector<LearnedWord> m_shown;
    QWidget* m_buttons = nullptr;
    QHash<QString, QPushButton*> m_ofWord; ///< that are shown
};

} // namespace homebooth::app
