// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/generate/prompt/prompt_card.h"

#include "app/theme/metrics.h"
#include "app/widgets/flow_layout.h"

#include <QBoxLayout>
#include <QButtonGroup>
#include <QKeyEvent>
#include <QScrollArea>
#include <QStackedWidget>

namespace homebooth::app {
namespace {
enum Tab { kPrompts, kLists };
} // namespace

PromptCard::PromptCard(Services services, WordLists& lists, QWidget* parent)
    : Card(parent)
    , m_prompts(new PromptPanel(services))
    , m_lists(new WordListPanel(lists))
    , m_tabs(new QButtonGroup(this)) {
    auto* column = new QVBoxLayout(this);
    tidy(column, 1, 0);
    auto* head = new QWidget; // in long languages it takes two lines
    auto* tabs = new FlowLayout(head, kGapInside);
    tabs->setContentsMargins(kGapBlock, kGapBlock, kGapBlock, 0);
    m_tabs->addButton(makeButton(tr("Prompts"), {}, "segment"), kPrompts);
    m_tabs->addButton(makeButton(tr("Word lists"), {}, "segment"), kLists);
    for (QAbstractButton* tab : m_tabs->buttons()) tabs->addWidget(tab);
    column->addWidget(head);
    auto* stack = new QStackedWidget;
    for (QWidget* panel : std::initializer_list<QWidget*>{m_prompts, m_lists})
        stack->addWidget(makeScroll(panel)); // small screens are lower than what they hold
    column->addWidget(stack, 1);
    connect(m_tabs, &QButtonGroup::idToggled, stack, [stack](int id, bool on) {
        if (on) stack->setCurrentIndex(id);
    });
    showPrompts();
    letTabFollowChoice(*m_tabs);
}

void PromptCard::keyPressEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Escape) return Card::keyPressEvent(event);
    Q_EMIT left();
}

void PromptCard::showPrompts() {
    m_tabs->button(kPrompts)->setChecked(true);
}

void PromptCard::showLists() {
    m_tabs->button(kLists)->setChecked(true);
}

} // namespace homebooth::app
