// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The lists of words that prompts take from: choose one, edit its lines, put its place into the prompt.
// Typing needs no Save. GUI thread.
#pragma once

#include "app/library/word_lists.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLayout;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace homebooth::app {

class WordListPanel : public QWidget {
    Q_OBJECT
public:
    explicit WordListPanel(WordLists& lists, QWidget* parent = nullptr);
    /// The list that is shown; 0: there is none.
    [[nodiscard]] qlonglong current() const;
    void choose(qlonglong id);
    /// Shows the list of this name, made if the library has none, ready to be typed into.
    void open(const QString& name);
    void chooseFile();

Q_SIGNALS:
    void inserted(const QString& place); ///< "{animal}" is to go into the prompt
    void toast(const QString& text);

private:
    [[nodiscard]] QLayout* makeChoice();
    [[nodiscard]] QWidget* makeEditor();
    void refresh();
    void fill();
    void editName(const QString& name);
    void editText();
    void remove();

    WordLists& m_lists;
    QComboBox* m_choice = nullptr;
    QWidget* m_editor = nullptr;
    QLineEdit* m_name = nullptr;
    QLabel* m_nameNote = nullptr;
    QPlainTextEdit* m_text = nullptr;
    QLabel* m_count = nullptr;
    QPushButton* m_insert = nullptr;
    QWidget* m_removeButton = nullptr;
    QLabel* m_nothing = nullptr;
};

} // namespace homebooth::app
