// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a page shows while it has nothing: a sign, one or two sentences that say what to do, buttons that do
// it. GUI thread.
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace homebooth::app {

class FlowLayout;

class EmptyState : public QWidget {
    Q_OBJECT
public:
    EmptyState(const QString& iconName, const QString& text, QWidget* parent = nullptr);
    QPushButton* addButton(const QString& text);
    void setText(const QString& text);

private:
    void takeSign();
    QString m_icon;
    QLabel* m_sign = nullptr;
    QLabel* m_text = nullptr;
    FlowLayout* m_buttons = nullptr; ///< in several lines where there is no room
};

} // namespace homebooth::app
