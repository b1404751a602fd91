// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/empty_state.h"

#include "app/theme/icons.h"
#include "app/theme/metrics.h"
#include "app/widgets/parts.h"

#include <QBoxLayout>

namespace homebooth::app {
namespace {
constexpr int kSignSize = 56;
constexpr int kTextWidth = 420;
} // namespace

EmptyState::EmptyState(const QString& iconName, const QString& text, QWidget* parent)
    : QWidget(parent)
    , m_icon(iconName)
    , m_sign(new QLabel)
    , m_text(makeLabel(text))
    , m_buttons(new QHBoxLayout) {
    auto* column = new QVBoxLayout(this);
    tidy(column, kPageMargin, kPageMargin);
    m_sign->setAlignment(Qt::AlignCenter);
    m_text->setAlignment(Qt::AlignCenter);
    m_text->setWordWrap(true);
    m_text->setMaximumWidth(kTextWidth);
    m_text->setMinimumWidth(kTextWidth / 2);
    m_text->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    auto* middle = new QHBoxLayout;
    middle->addStretch(1);
    middle->addWidget(m_text, 8);
    middle->addStretch(1);
    m_buttons->setSpacing(kGapLabel);
    m_buttons->addStretch();
    m_buttons->addStretch();
    column->addStretch(2);
    column->addWidget(m_sign);
    column->addLayout(middle);
    column->addLayout(m_buttons);
    column->addStretch(3);
    takeSign();
    connect(&Theme::instance(), &Theme::changed, this, &EmptyState::takeSign);
}

QPushButton* EmptyState::addButton(const QString& text) {
    auto* button = makeButton(text);
    takeQuickClicksAsOne(button);
    m_buttons->insertWidget(m_buttons->count() - 1, button);
    return button;
}

void EmptyState::setText(const QString& text) {
    m_text->setText(text);
}

void EmptyState::takeSign() {
    m_sign->setPixmap(
        iconPixmap(m_icon, mixed(colours().link, colours().window, 0.7), kSignSize, devicePixelRatioF()));
}

} // namespace homebooth::app
