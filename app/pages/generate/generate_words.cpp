// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The words of the form: the prompt as it was typed, and what it asks for once its places are filled in.
#include "app/library/word_lists.h"
#include "app/pages/generate/generate_form.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>

namespace homebooth::app {

QString promptProblem(const FilledPrompt& filled) {
    switch (filled.problem) {
    case FilledPrompt::Problem::UnknownList:
        return GenerateForm::tr("There is no word list \"%1\". Make it, or write the words themselves: "
                                "{red|blue}.")
            .arg(filled.list);
    case FilledPrompt::Problem::EmptyList:
        return GenerateForm::tr("The word list \"%1\" is empty. Write its words, one a line.")
            .arg(filled.list);
    case FilledPrompt::Problem::ListWithinItself:
        return GenerateForm::tr("The word list \"%1\" takes from itself. Take {%1} out of its lines.")
            .arg(filled.list);
    case FilledPrompt::Problem::None:
        break;
    }
    return {};
}

void GenerateForm::setPrompt(const QString& prompt, const QString& negative) {
    m_prompt->setPlainText(prompt);
    m_prompt->moveCursor(QTextCursor::End); // where words of a list go
    m_negative->setText(negative);
}

QString GenerateForm::prompt() const {
    return m_prompt->toPlainText().simplified();
}

QString GenerateForm::negative() const {
    return m_negative->text().simplified();
}

void GenerateForm::insert(const QString& text) {
    QTextCursor cursor = m_prompt->textCursor();
    const QString before = m_prompt->toPlainText().left(cursor.selectionStart());
    cursor.insertText(before.isEmpty() || before.back().isSpace() ? text : ' ' + text);
    m_prompt->setTextCursor(cursor);
    m_prompt->setFocus();
}

FilledPrompt GenerateForm::filled() const {
    const EntriesOf entries = [lists = m_lists](const QString& name) {
        return lists == nullptr ? std::nullopt : lists->entries(name);
    };
    return fillPrompt(prompt(), subjectWords(), entries, m_seed->text().toULongLong());
}

void GenerateForm::connectFilled() {
    connect(m_prompt, &QPlainTextEdit::textChanged, this, &GenerateForm::showFilled);
    connect(m_seed, &QLineEdit::textChanged, this, &GenerateForm::showFilled);
    connect(m_subject, &QComboBox::currentIndexChanged, this, &GenerateForm::showFilled);
    if (m_lists != nullptr) connect(m_lists, &WordLists::changed, this, &GenerateForm::showFilled);
    showFilled();
}

void GenerateForm::showFilled() {
    const bool known = m_lists == nullptr || m_lists->loaded();
    m_filled->setVisible(known && isTemplate(prompt()));
    if (m_filled->isHidden()) return;
    const FilledPrompt now = filled();
    const QString problem = promptProblem(now);
    m_filled->setText(problem.isEmpty() ? tr("With this seed: %1").arg(now.text) : problem);
}

} // namespace homebooth::app
