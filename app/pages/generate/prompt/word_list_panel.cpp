// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/generate/prompt/word_list_panel.h"

#include "app/shell/event_rules.h"
#include "app/theme/metrics.h"
#include "app/widgets/choice_name.h"
#include "app/widgets/file_dialog.h"
#include "app/widgets/low_view.h"
#include "app/widgets/parts.h"
#include "app/widgets/plain_tip.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>

namespace homebooth::app {

WordListPanel::WordListPanel(WordLists& lists, QWidget* parent)
    : QWidget(parent)
    , m_lists(lists) {
    auto* column = new QVBoxLayout(this);
    tidy(column, kGapBlock, kGapLabel);
    column->addLayout(makeChoice());
    m_nothing =
        new MutedLabel(tr("A list holds words or phrases, one a line. In a prompt {animal} takes one of "
                          "the list \"animal\". Make one, or drop a text file here."));
    column->addWidget(m_nothing);
    column->addWidget(m_editor = makeEditor(), 1);
    column->addStretch();
    connect(m_choice, &QComboBox::currentIndexChanged, this, &WordListPanel::fill);
    connect(&lists, &WordLists::changed, this, &WordListPanel::refresh);
    connect(&lists, &WordLists::added, this, &WordListPanel::choose);
    refresh();
}

QLayout* WordListPanel::makeChoice() {
    m_choice = makeNameList();
    nameChoice(*m_choice, tr("Word list"));
    auto* fresh = makeIconButton(QStringLiteral("add"), tr("New list"));
    auto* file = makeIconButton(QStringLiteral("import"), tr("List from a text file..."));
    auto* remove = makeIconButton(QStringLiteral("trash"), tr("Delete the list"));
    m_removeButton = remove;
    auto* row = new QHBoxLayout;
    row->setSpacing(kGapInside);
    row->addWidget(m_choice, 1);
    for (QToolButton* button : {fresh, file, remove}) row->addWidget(button);
    connect(fresh, &QToolButton::clicked, this, [this] {
        choose(m_lists.add({}, {}));
        m_name->setFocus();
        m_name->selectAll();
    });
    connect(file, &QToolButton::clicked, this, &WordListPanel::chooseFile);
    connect(remove, &QToolButton::clicked, this, &WordListPanel::remove);
    return row;
}

QWidget* WordListPanel::makeEditor() {
    auto* editor = new QWidget;
    auto* column = new QVBoxLayout(editor);
    tidy(column, 0, kGapLabel);
    m_name = new QLineEdit;
    m_name->setProperty(kWindowUndoProperty, true);
    m_nameNote = new MutedLabel;
    m_nameNote->hide();
    m_text = new LowView<QPlainTextEdit>;
    m_text->setAccessibleName(tr("Words"));
    m_text->setTabChangesFocus(true);
    m_text->setProperty("look", QStringLiteral("field"));
    m_text->setProperty(kWindowUndoProperty, true);
    m_text->setPlaceholderText(tr("one word or phrase a line"));
    m_count = new MutedLabel;
    m_insert = makeButton(tr("Put into the prompt"));
    column->addWidget(labelled(tr("Name"), m_name));
    column->addWidget(m_nameNote);
    column->addWidget(m_text, 1);
    column->addWidget(m_count);
    column->addWidget(m_insert, 0, Qt::AlignLeft);
    connect(m_name, &QLineEdit::textEdited, this, &WordListPanel::editName);
    connect(m_name, &QLineEdit::editingFinished, this, &WordListPanel::fill);
    connect(m_text, &QPlainTextEdit::textChanged, this, &WordListPanel::editText);
    connect(m_insert, &QPushButton::clicked, this, [this] {
        if (const core::WordList* list = m_lists.find(current()))
            Q_EMIT inserted(QStringLiteral("{%1}").arg(QString::fromStdString(list->name)));
    });
    return editor;
}

qlonglong WordListPanel::current() const {
    return m_choice->currentData().toLongLong();
}

void WordListPanel::choose(qlonglong id) {
    if (const int at = m_choice->findData(id); at >= 0) m_choice->setCurrentIndex(at);
}

void WordListPanel::open(const QString& name) {
    m_lists.whenLoaded(this, [this, name] {
        const core::WordList* known = m_lists.named(name);
        choose(known != nullptr ? known->id : m_lists.add(name, {}));
        m_text->setFocus();
    });
}

void WordListPanel::refresh() {
    setEnabled(m_lists.loaded());
    const qlonglong before = current();
    const int row = m_choice->currentIndex();
    {
        const QSignalBlocker quiet(m_choice);
        m_choice->clear();
        for (const core::WordList& list : m_lists.all())
            m_choice->addItem(QString::fromStdString(list.name), QVariant::fromValue<qlonglong>(list.id));
        const int at = m_choice->findData(before);
        m_choice->setCurrentIndex(at >= 0 ? at : qMin(qMax(0, row), m_choice->count() - 1));
    }
    fill();
}

void WordListPanel::fill() {
    const core::WordList* list = m_lists.find(current());
    const bool some = list != nullptr;
    m_editor->setVisible(some);
    m_nothing->setVisible(!some);
    m_choice->setEnabled(some);
    m_removeButton->setEnabled(some);
    if (!some) return;
    const QString name = QString::fromStdString(list->name);
    // What is being typed stays as it is typed, also a name that cannot be taken.
    if (!m_name->hasFocus() || m_nameNote->isHidden())
        if (WordLists::tidyName(m_name->text()) != name) m_name->setText(name);
    if (!m_name->hasFocus()) m_nameNote->hide();
    const QString text = QString::fromStdString(list->text);
    if (m_text->toPlainText() != text) {
        const QSignalBlocker quiet(m_text);
        m_text->setPlainText(text);
    }
    const int count = static_cast<int>(core::entriesOf(list->text).size());
    m_count->setText(count == 0 ? tr("No words yet.")
                                : tr("%n entries. The seed decides which.", nullptr, count));
    setPlainTip(*m_insert, QStringLiteral("{%1}").arg(name));
}

void WordListPanel::editName(const QString& typed) {
    const core::WordList* list = m_lists.find(current());
    if (list == nullptr) return;
    const QString problem = m_lists.nameProblem(typed, list->id);
    m_nameNote->setText(problem);
    m_nameNote->setVisible(!problem.isEmpty());
    if (!problem.isEmpty()) return;
    core::WordList after = *list;
    after.name = WordLists::tidyName(typed).toStdString();
    m_lists.change(after, QStringLiteral("name"));
}

void WordListPanel::editText() {
    const core::WordList* list = m_lists.find(current());
    if (list == nullptr) return;
    core::WordList after = *list;
    after.text = m_text->toPlainText().toStdString();
    m_lists.change(after, QStringLiteral("text"));
}

void WordListPanel::remove() {
    if (current() == 0) return;
    m_lists.remove(current());
    Q_EMIT toast(tr("The list was deleted."));
}

void WordListPanel::chooseFile() {
    askForFile(this,
               {tr("List from a text file"), QFileDialog::ExistingFile,
                tr("Text files") + QStringLiteral(" (*.txt)")},
               [this](const QString& path) { m_lists.addFile(path); });
}

} // namespace homebooth::app
