// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/empty_state.h"

#include "app/theme/icons.h"
#include "app/theme/metrics.h"
#include "app/widgets/flow_layout.h"
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
    , m_text(makeLabel(text)) {
    auto* column = new QVBoxLayout(this);
    tidy(column, kGapLabel, kPageMargin);
    m_sign->setAlignment(Qt::AlignCenter);
    m_text->setAlignment(Qt::AlignCenter);
    m_text->setWordWrap(true);
    m_text->setMaximumWidth(kTextWidth);
    m_text->setMinimumWidth(kTextWidth / 4);
    m_text->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    auto* middle = new QHBoxLayout;
    middle->addStretch(1);
    middle->addWidget(m_text, 8);
    middle->addStretch(1);
    auto* buttons = new QWidget;
    m_buttons = new FlowLayout(buttons, kGapLabel);
    m_buttons->centre();
    column->addStretch(2);
    column->addWidget(m_sign);
    column->addLayout(middle);
    column->addWidget(buttons);
    column->addStretch(3);
    takeSign();
    connect(&Theme::instance(), &Theme::changed, this, &EmptyState::takeSign);
}

QPushButton* EmptyState::addButton(const QString& text) {
    auto* button = makeButton(text);
    takeQuickClicksAsOne(button);
    m_buttons->addWidget(button);
    return button;
}

void EmptyState::setText(const QString& text) {
    m_text->setText(text);
}

void EmptyState::takeSign() {
    const QColor sign =
        m_icon == QLatin1String("error") ? colours().error : mixed(colours().link, colours().window, 0.7);
    m_sign->setPixmap(iconPixmap(m_icon, sign, kSignSize, devicePixelRatioF()));
}

} // namespace homebooth::app
