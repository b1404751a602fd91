// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/generate/prompt_panel.h"

#include "app/library/library_service.h"
#include "app/theme/icons.h"
#include "app/theme/metrics.h"
#include "app/widgets/parts.h"

#include <QBoxLayout>
#include <QLineEdit>
#include <QListView>
#include <QPointer>
#include <QUndoStack>

namespace homebooth::app {
namespace {
constexpr int64_t kMostShown = 300;

/// Undo of a removal brings the prompt back under its own key.
class RemovePrompt : public QUndoCommand {
public:
    RemovePrompt(PromptPanel& panel, LibraryService& library, core::Prompt prompt)
        : QUndoCommand(PromptPanel::tr("delete prompt"))
        , m_panel(&panel)
        , m_library(library)
        , m_prompt(std::move(prompt)) {}
    void redo() override {
        m_library.write(
            [id = m_prompt.id](core::Library& library) { return core::removePrompt(library, id); });
        if (m_panel) m_panel->refresh();
    }
    void undo() override {
        m_library.write(
            [prompt = m_prompt](core::Library& library) { return core::savePrompt(library, prompt); });
        if (m_panel) m_panel->refresh();
    }

private:
    QPointer<PromptPanel> m_panel;
    LibraryService& m_library;
    core::Prompt m_prompt;
};

} // namespace

PromptModel::PromptModel(QObject* parent)
    : QAbstractListModel(parent) {}

void PromptModel::set(std::vector<core::Prompt> prompts) {
    if (prompts == m_prompts) return;
    beginResetModel();
    m_prompts = std::move(prompts);
    endResetModel();
}

int PromptModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_prompts.size());
}

QVariant PromptModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const core::Prompt& prompt = at(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return QString::fromStdString(prompt.text);
    case Qt::ToolTipRole: {
        const QString text = QString::fromStdString(prompt.text);
        return prompt.negative.empty()
                   ? text
                   : text + '\n' + tr("Leave out: %1").arg(QString::fromStdString(prompt.negative));
    }
    case Qt::DecorationRole:
        return prompt.favourite ? icon(QStringLiteral("favourite"), true) : QIcon();
    case Qt::AccessibleTextRole:
        return prompt.favourite ? tr("Favourite: %1").arg(QString::fromStdString(prompt.text))
                                : QString::fromStdString(prompt.text);
    default:
        return {};
    }
}

PromptPanel::PromptPanel(Services services, QWidget* parent)
    : QWidget(parent)
    , m_services(services)
    , m_search(new QLineEdit)
    , m_list(new QListView) {
    auto* column = new QVBoxLayout(this);
    tidy(column, kGapBlock, kGapLabel);
    column->addWidget(makeLabel(tr("Prompts"), TypeRole::Section));
    m_search->setPlaceholderText(tr("Search"));
    m_search->setAccessibleName(tr("Search prompts"));
    m_search->setClearButtonEnabled(true);
    m_list->setModel(&m_model);
    m_list->setAccessibleName(tr("Prompts"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    m_list->setMouseTracking(true);
    m_list->viewport()->setAutoFillBackground(false);
    auto* buttons = new QHBoxLayout;
    auto* favourite = makeIconButton(QStringLiteral("favourite"), tr("Favourite"));
    auto* remove = makeIconButton(QStringLiteral("trash"), tr("Delete the prompt"));
    buttons->addWidget(favourite);
    buttons->addWidget(remove);
    buttons->addStretch();
    column->addWidget(m_search);
    column->addWidget(m_list, 1);
    column->addLayout(buttons);
    column->addWidget(
        new MutedLabel(tr("{subject} stands for your subject; of {red|blue} one is taken by chance.")));
    connect(m_search, &QLineEdit::textChanged, this, &PromptPanel::refresh);
    connect(m_list, &QAbstractItemView::clicked, this, [this](const QModelIndex& index) {
        const core::Prompt& prompt = m_model.at(index.row());
        Q_EMIT chosen(QString::fromStdString(prompt.text), QString::fromStdString(prompt.negative));
    });
    connect(m_list, &QAbstractItemView::activated, m_list, &QAbstractItemView::clicked);
    connect(favourite, &QToolButton::clicked, this, &PromptPanel::toggleFavourite);
    connect(remove, &QToolButton::clicked, this, &PromptPanel::removeChosen);
}

void PromptPanel::refresh() {
    m_services.library.ask<std::vector<core::Prompt>>(
        this,
        [words = m_search->text().toStdString()](core::Library& library) {
            return core::findPrompts(library, words, kMostShown);
        },
        [this](const std::vector<core::Prompt>& prompts) { m_model.set(prompts); });
}

void PromptPanel::toggleFavourite() {
    const QModelIndex now = m_list->currentIndex();
    if (!now.isValid()) return;
    core::Prompt prompt = m_model.at(now.row());
    prompt.favourite = !prompt.favourite;
    m_services.library.write([prompt](core::Library& library) { return core::savePrompt(library, prompt); });
    refresh();
}

void PromptPanel::removeChosen() {
    const QModelIndex now = m_list->currentIndex();
    if (now.isValid())
        m_services.undo.push(new RemovePrompt(*this, m_services.library, m_model.at(now.row())));
}

} // namespace homebooth::app
