// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows of a list of names: a muted word at the end, such as a number, and a heading above the row that a
// group begins with. GUI thread.
#pragma once

#include <QStyledItemDelegate>

namespace homebooth::app {

class NameRow : public QStyledItemDelegate {
    Q_OBJECT
public:
    /// Roles of QString, each empty where a row has none. @param note  at the end; @param heading  above
    NameRow(int note, int heading, QObject* parent);
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    [[nodiscard]] static int headingHeight();

    int m_note;
    int m_heading;
};

} // namespace homebooth::app
