// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Buttons that put the learned words of the shelf into a prompt, those that the chosen models understand; not
// seen where there are none. Of many the first are shown, or the first that a search finds. GUI thread.
#pragma once

#include "app/engine/models/learned_words.h"

#include <QHash>
#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;

namespace homebooth::app {

class ModelShelf;

class EmbeddingWords : public QWidget {
    Q_OBJECT
public:
    static constexpr size_t kMost = 24; ///< buttons: hundreds would make the form long

    explicit EmbeddingWords(ModelShelf& models, QWidget* parent = nullptr);
    /// What they are to work with, one or two.
    void setModels(const QStringList& models);

Q_SIGNALS:
    void chosen(const QString& word);

private:
    void fill();
    /// Shows those that the search finds, as far as there is room, and says of the others.
    void arrange();
    /// Those that the search finds.
    [[nodiscard]] std::vector<LearnedWord> found() const;
    void sayOthers(size_t found);
    /// Makes the buttons of what is shown; one that stays keeps its button.
    void showButtons();

    ModelShelf& m_models;
    QStringList m_workWith; ///< models
    std::vector<LearnedWord> m_known;
    std::vector<LearnedWord> m_shown;
    QLineEdit* m_search = nullptr; ///< where there are more than can be shown
    QWidget* m_buttons = nullptr;
    QLabel* m_others = nullptr;            ///< how many are not shown
    QHash<QString, QPushButton*> m_ofWord; ///< that are shown
};

} // namespace homebooth::app
