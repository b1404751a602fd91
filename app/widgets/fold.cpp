// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/fold.h"

#include "app/theme/icons.h"
#include "app/theme/metrics.h"
#include "app/widgets/parts.h"

#include <QBoxLayout>

namespace homebooth::app {

Fold::Fold(QWidget* parent)
    : QWidget(parent)
    , m_line(makeButton({}, QStringLiteral("chevron-right"), "quiet"))
    , m_text(new MutedLabel) {
    auto* column = new QVBoxLayout(this);
    tidy(column, 0, kGapInside);
    column->addWidget(m_line, 0, Qt::AlignLeft);
    column->addWidget(m_text);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_text->hide();
    hide();
    connect(m_line, &QPushButton::clicked, this, [this] { setOpen(!isOpen()); });
}

void Fold::setText(const QString& title, const QString& text) {
    m_line->setText(title);
    m_text->setText(text);
    setVisible(!text.isEmpty());
}

bool Fold::isOpen() const {
    return !m_text->isHidden();
}

void Fold::setOpen(bool open) {
    m_text->setVisible(open);
    m_line->setIcon(icon(open ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right")));
}

} // namespace homebooth::app
