// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The words of the form: the prompt as it was typed, and what it asks for once its places are filled in.
#include "app/library/subject_book.h"
#include "app/library/word_lists.h"
#include "app/pages/generate/generate_form.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextCursor>

namespace homebooth::app {
namespace {

// What a field held before comes back with its own undo, which setting its text would forget.

void replaceText(QPlainTextEdit& field, const QString& text) {
    if (field.toPlainText() == text) return;
    QTextCursor whole(field.document());
    whole.select(QTextCursor::Document);
    whole.insertText(text);
}

void replaceText(QLineEdit& field, const QString& text) {
    if (field.text() == text) return;
    field.selectAll();
    field.insert(text);
}

} // namespace

QString promptProblem(const FilledPrompt& filled) {
    switch (filled.problem) {
    case FilledPrompt::Problem::EmptyList:
        return GenerateForm::tr("The word list \"%1\" is empty. Write its words, one a line.")
            .arg(filled.list);
    case FilledPrompt::Problem::ListWithinItself:
        return GenerateForm::tr("The word list \"%1\" takes from itself. Take {%1} out of its lines.")
            .arg(filled.list);
    case FilledPrompt::Problem::TooDeep:
        return GenerateForm::tr(
                   "The prompt takes from lists within lists, more than %1 deep. Take places out "
                   "of the lists' lines.")
            .arg(kMostPromptDepth);
    case FilledPrompt::Problem::TooLong:
        return GenerateForm::tr(
                   "With the words of its lists the prompt is longer than %1 characters. Shorten "
                   "it, or take places out of the lists' lines.")
            .arg(QLocale().toString(kMostPromptCharacters));
    case FilledPrompt::Problem::None:
        break;
    }
    return {};
}

void GenerateForm::setPrompt(const QString& prompt, const QString& negative) {
    replaceText(*m_prompt, prompt);
    m_prompt->moveCursor(QTextCursor::End); // where words of a list go
    replaceText(*m_negative, negative);
}

void GenerateForm::focusPrompt() {
    m_prompt->setFocus();
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
    connect(m_makeList, &QPushButton::clicked, this, [this] {
        if (const QStringList names = filled().unknown; !names.isEmpty()) Q_EMIT listWanted(names.front());
    });
    connect(m_seed, &QLineEdit::textChanged, this, &GenerateForm::showFilled);
    connect(m_subject, &QComboBox::currentIndexChanged, this, &GenerateForm::showFilled);
    // Its words may be others now; the list of subjects is filled anew by then, without a word.
    for (const auto signal : {&SubjectBook::inserted, &SubjectBook::removed, &SubjectBook::changed})
        connect(&m_services.subjects, signal, this, &GenerateForm::showFilled);
    connect(&m_services.subjects, &SubjectBook::loadedAll, this, &GenerateForm::showFilled);
    if (m_lists != nullptr) connect(m_lists, &WordLists::changed, this, &GenerateForm::showFilled);
    showFilled();
}

void GenerateForm::showFilled() {
    const bool known = m_lists == nullptr || m_lists->loaded();
    const FilledPrompt now = known && isTemplate(prompt()) ? filled() : FilledPrompt{prompt()};
    QStringList lines;
    if (now.problem != FilledPrompt::Problem::None)
        lines.append(promptProblem(now));
    else if (now.text != prompt())
        lines.append(tr("With this seed: %1").arg(now.text));
    if (!now.unknown.isEmpty())
        lines.append(tr("There is no word list \"%1\": it stays in the prompt as it is.")
                         .arg(now.unknown.join(QStringLiteral("\", \""))));
    m_filled->setText(lines.join('\n'));
    m_filled->setVisible(!lines.isEmpty());
    m_makeList->setVisible(!now.unknown.isEmpty());
}

} // namespace homebooth::app
