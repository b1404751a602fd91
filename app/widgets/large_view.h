// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A picture as large as the window: arrows walk, + - 0 zoom, dragging pans, Esc goes back. GUI thread.
#pragma once

#include <QImage>
#include <QStringList>
#include <QWidget>

namespace homebooth::app {

class LargeView : public QWidget {
    Q_OBJECT
public:
    explicit LargeView(QWidget* parent);
    /// Shows `path` over the parent. @param all  what the arrows walk through
    void open(const QString& path, const QStringList& all);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void load();
    void walk(int by);
    void zoom(double factor, QPointF around);
    [[nodiscard]] double fitting() const;
    [[nodiscard]] QRectF place() const;

    QString m_path;
    QStringList m_all;
    QImage m_image;
    double m_zoom = 0.0; ///< screen pixels a picture pixel; 0: fits
    QPointF m_shift;
    QPointF m_grab;
    bool m_dragged = false;
};

} // namespace homebooth::app
