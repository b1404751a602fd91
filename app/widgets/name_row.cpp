// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/name_row.h"

#include "app/theme/metrics.h"
#include "app/theme/theme.h"

#include <QFontMetrics>
#include <QPainter>

namespace homebooth::app {

NameRow::NameRow(int note, int heading, QObject* parent)
    : QStyledItemDelegate(parent)
    , m_note(note)
    , m_heading(heading) {}

int NameRow::headingHeight() {
    return QFontMetrics(Theme::instance().font(TypeRole::Caption)).height() + kGapLabel;
}

QSize NameRow::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const int row = QStyledItemDelegate::sizeHint(option, index).height();
    const bool headed = !index.data(m_heading).toString().isEmpty();
    return {0, headed ? row + headingHeight() : row}; // as wide as the list: a long name ends with dots
}

void NameRow::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    QStyledItemDelegate::initStyleOption(option, index);
    const QString note = index.data(m_note).toString();
    if (note.isEmpty() || option->rect.isEmpty()) return; // it is asked how large it would like to be
    const int icon = option->icon.isNull() ? 0 : option->decorationSize.width() + kGapLabel;
    const int taken = icon + option->fontMetrics.horizontalAdvance(note) + 3 * kGapLabel;
    option->text = option->fontMetrics.elidedText(option->text, Qt::ElideRight, option->rect.width() - taken);
}

void NameRow::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyleOptionViewItem row = option;
    painter->save();
    const QRect inner = option.rect.adjusted(kGapLabel, 0, -kGapLabel, 0);
    painter->setPen(colours().muted);
    if (const QString heading = index.data(m_heading).toString(); !heading.isEmpty()) {
        row.rect.setTop(option.rect.top() + headingHeight());
        painter->setFont(Theme::instance().font(TypeRole::Caption));
        painter->drawText(QRect(inner.left(), option.rect.top(), inner.width(), headingHeight()),
                          Qt::AlignVCenter | Qt::AlignLeft, heading);
    }
    QStyledItemDelegate::paint(painter, row, index);
    painter->setFont(option.font);
    painter->setPen(colours().secondary(option.state & (QStyle::State_Selected | QStyle::State_MouseOver)));
    painter->drawText(QRect(inner.left(), row.rect.top(), inner.width(), row.rect.height()),
                      Qt::AlignVCenter | Qt::AlignRight, index.data(m_note).toString());
    painter->restore();
}

} // namespace homebooth::app
