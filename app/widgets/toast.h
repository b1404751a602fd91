// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A short message over the page that offers the way back; goes by itself, later under pointer or focus.
// GUI thread.
#pragma once

#include <QTimer>
#include <QWidget>

class QLabel;

namespace homebooth::app {

class Toast : public QWidget {
    Q_OBJECT
public:
    explicit Toast(QWidget* parent);
    void show(const QString& text);

Q_SIGNALS:
    void undone();

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();
    QLabel* m_text = nullptr;
    QTimer m_life;
};

} // namespace homebooth::app
