// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/fold.h"

#include "app/theme/icons.h"
#include "app/theme/metrics.h"
#include "app/widgets/parts.h"

#include <QBoxLayout>
#include <QFontDatabase>
#include <QPlainTextEdit>

namespace homebooth::app {
namespace {
constexpr int kLinesSeen = 7;
} // namespace

Fold::Fold(QWidget* parent)
    : QWidget(parent)
    , m_line(makeButton({}, QStringLiteral("chevron-right"), "quiet"))
    , m_text(new MutedLabel) {
    auto* column = new QVBoxLayout(this);
    tidy(column, 0, kGapInside);
    column->addWidget(m_line, 0, Qt::AlignLeft);
    column->addWidget(m_text);
    m_text->setTextFormat(Qt::PlainText);
    letCopyByTab(m_text);
    m_text->hide();
    hide();
    connect(m_line, &QPushButton::clicked, this, [this] { setOpen(!isOpen()); });
}

void Fold::setText(const QString& title, const QString& text) {
    m_line->setText(title);
    m_text->setText(text);
    setVisible(!text.isEmpty());
}

void Fold::setLines(const QString& title, const QString& lines) {
    if (m_lines == nullptr) {
        m_lines = new QPlainTextEdit;
        m_lines->setReadOnly(true);
        m_lines->setTabChangesFocus(true);
        m_lines->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
        m_lines->setFixedHeight(m_lines->fontMetrics().lineSpacing() * kLinesSeen + 2 * kGapLabel);
        m_lines->hide();
        layout()->addWidget(m_lines);
    }
    m_line->setText(title);
    m_lines->setAccessibleName(title);
    if (m_lines->toPlainText() != lines) m_lines->setPlainText(lines);
    m_lines->moveCursor(QTextCursor::End);
    setVisible(!lines.isEmpty());
}

QWidget* Fold::body() const {
    return m_lines != nullptr ? static_cast<QWidget*>(m_lines) : m_text;
}

bool Fold::isOpen() const {
    return !body()->isHidden();
}

void Fold::takeFocus() {
    m_line->setFocus(Qt::OtherFocusReason);
}

void Fold::setOpen(bool open) {
    body()->setVisible(open);
    m_line->setIcon(icon(open ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right")));
    if (open && m_lines != nullptr) m_lines->ensureCursorVisible();
}

} // namespace homebooth::app
