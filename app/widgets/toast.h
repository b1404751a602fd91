// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A short message over the page that offers the way back; goes by itself, later under pointer or focus. It
// stands as low as it can without covering a control, and moves when one comes below it. GUI thread.
#pragma once

#include <QTimer>
#include <QWidget>

#include <vector>

class QLabel;

namespace homebooth::app {

class SpokenStatus;

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
    /// Where it stands as low as it can without covering a control, nor touching one if there is room; at the
    /// bottom where it covers one anyway.
    [[nodiscard]] QPoint freePlace() const;
    /// What of the parent's controls is seen.
    [[nodiscard]] std::vector<QRect> controls() const;
    QLabel* m_text = nullptr;
    SpokenStatus* m_spoken = nullptr;
    QTimer m_life;
    QTimer m_watch; ///< what stands below may change while it is shown
};

} // namespace homebooth::app
